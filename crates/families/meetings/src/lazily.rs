//! The assignment of speakers of least cost, from costs that are exact only where they must be.

/// For each row of a square matrix its column.
pub(crate) fn assign(cost: &[Vec<u64>]) -> Vec<usize> {
    let signed: Vec<Vec<i64>> =
        cost.iter().map(|row| row.iter().map(|&edits| edits as i64).collect()).collect();
    bleuprint_metrics::assign(&signed).into_iter().flatten().collect()
}

/// As [`assign`], where the costs of pairs are too low at first, and `exact` gives the cost of one.
///
/// If the assignment of least cost has exact costs, and all others cost more, no exact cost of another pair changes it: the
/// others only rise. Where another costs as little, its costs are made exact too.
pub(crate) fn assign_lazily(
    mut cost: Vec<Vec<u64>>,
    is_pair: impl Fn(usize, usize) -> bool,
    mut exact: impl FnMut(usize, usize) -> u64,
) -> Vec<usize> {
    let n = cost.len();
    let mut known: Vec<Vec<bool>> =
        (0..n).map(|row| (0..n).map(|column| !is_pair(row, column)).collect()).collect();
    let mut learn = |cost: &mut Vec<Vec<u64>>, row: usize, column: usize| {
        let new = !core::mem::replace(&mut known[row][column], true);
        if new {
            cost[row][column] = exact(row, column);
        }
        new
    };
    loop {
        let assigned = assign(&cost);
        // All of them, not only the first that is new.
        let learned =
            assigned.iter().enumerate().filter(|&(row, &column)| learn(&mut cost, row, column)).count();
        if learned > 0 {
            continue;
        }
        let Some(rival) = rival(&cost, &assigned) else { return assigned };
        let learned =
            rival.iter().enumerate().filter(|&(row, &column)| learn(&mut cost, row, column)).count();
        if learned == 0 {
            // Two are equally good: which one is chosen depends on all costs.
            for row in 0..n {
                for column in 0..n {
                    learn(&mut cost, row, column);
                }
            }
            return assign(&cost);
        }
    }
}

fn rival(cost: &[Vec<u64>], assigned: &[usize]) -> Option<Vec<usize>> {
    let sum = |cost: &[Vec<u64>], assigned: &[usize]| -> u64 {
        assigned.iter().enumerate().map(|(row, &column)| cost[row][column]).sum()
    };
    let own = sum(cost, assigned);
    (0..cost.len()).find_map(|row| {
        let mut without = cost.to_vec();
        // More than any assignment, and low enough for sums.
        without[row][assigned[row]] = 1 << 40;
        let other = assign(&without);
        (sum(&without, &other) <= own).then_some(other)
    })
}
