//! Pairs speakers at the lowest total cost, and computes expensive exact costs only for pairs that can
//! matter.

/// Returns the column assigned to each row in the assignment of lowest total cost for a square cost matrix.
pub(crate) fn assign(cost: &[Vec<u64>]) -> Vec<usize> {
    // Costs are numbers of words, so they fit in i64.
    let signed: Vec<Vec<i64>> =
        cost.iter().map(|row| row.iter().map(|&edits| edits as i64).collect()).collect();
    bleuprint_metrics::assign(&signed).into_iter().flatten().collect()
}

/// Returns the assignment that [`assign`] would find on exact costs. The costs in `cost` are lower bounds at
/// first, and `exact` computes the exact cost of one pair of row and column.
///
/// The assignment is final if its costs are exact and every other assignment costs more: exact costs of other
/// pairs can only be higher. If another assignment has an equal total, its exact costs are computed too.
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
        // A unique minimum stays the minimum. A rival may become more expensive once its costs are exact.
        let Some(rival) = rival(&cost, &assigned) else { return assigned };
        let learned =
            rival.iter().enumerate().filter(|&(row, &column)| learn(&mut cost, row, column)).count();
        if learned == 0 {
            // Two assignments cost the same. SciPy's choice between them depends on all costs, so all are
            // made exact.
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
    // A different assignment avoids at least one pair of this one, so each pair is forbidden in turn.
    let own = sum(cost, assigned);
    (0..cost.len()).find_map(|row| {
        let mut without = cost.to_vec();
        // The price of a forbidden pair is above every assignment, and low enough for sums without overflow.
        without[row][assigned[row]] = 1 << 40;
        let other = assign(&without);
        (sum(&without, &other) <= own).then_some(other)
    })
}
