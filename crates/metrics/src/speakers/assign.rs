//! The assignment of least cost, with the choice among equals of SciPy 1.17's `linear_sum_assignment`: shortest augmenting
//! paths, row by row (Crouse 2016).

/// For each row of a square matrix, its column.
pub(super) fn assign(cost: &[Vec<u64>]) -> Vec<usize> {
    let n = cost.len();
    let mut potentials = (vec![0i64; n], vec![0i64; n]);
    let (mut row_of, mut column_of) = (vec![None; n], vec![usize::MAX; n]);
    for row in 0..n {
        augment(cost, row, &mut potentials, &mut row_of, &mut column_of);
    }
    column_of
}

/// Gives `first` a column, by the shortest path to one that is free.
fn augment(
    cost: &[Vec<u64>],
    first: usize,
    (of_rows, of_columns): &mut (Vec<i64>, Vec<i64>),
    row_of: &mut [Option<usize>],
    column_of: &mut [usize],
) {
    let n = cost.len();
    let mut open: Vec<usize> = (0..n).rev().collect();
    let (mut best, mut path) = (vec![i64::MAX; n], vec![first; n]);
    let (mut rows, mut closed) = (vec![first], Vec::new());
    let (mut row, mut least) = (first, 0);
    let sink = loop {
        let mut nearest: Option<usize> = None;
        for (place, &column) in open.iter().enumerate() {
            let through = least + cost[row][column] as i64 - of_rows[row] - of_columns[column];
            if through < best[column] {
                (best[column], path[column]) = (through, row);
            }
            let nearer = nearest.is_none_or(|known| {
                let known = best[open[known]];
                best[column] < known || best[column] == known && row_of[column].is_none()
            });
            if nearer {
                nearest = Some(place);
            }
        }
        // A square matrix has a free column for every row.
        let Some(nearest) = nearest else { return };
        let column = open.swap_remove(nearest);
        closed.push(column);
        least = best[column];
        match row_of[column] {
            None => break column,
            Some(next) => {
                row = next;
                rows.push(next);
            }
        }
    };
    of_rows[first] += least;
    rows[1..].iter().for_each(|&row| of_rows[row] += least - best[column_of[row]]);
    closed.iter().for_each(|&column| of_columns[column] -= least - best[column]);
    let mut column = sink;
    loop {
        let row = path[column];
        row_of[column] = Some(row);
        core::mem::swap(&mut column_of[row], &mut column);
        if row == first {
            break;
        }
    }
}

/// As [`assign`], where the costs of pairs are too low at first, and `exact` gives the cost of one.
///
/// If the assignment of least cost has exact costs, and all others cost more, no exact cost of another pair changes it: the
/// others only rise. Where another costs as little, its costs are made exact too.
pub(super) fn assign_lazily(
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
