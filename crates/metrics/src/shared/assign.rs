//! [`assign`]: solves the assignment problem, one column for each row of a cost matrix at the least total
//! cost.
//!
//! It follows the shortest augmenting paths of Crouse (2016), row by row. Among assignments of equal cost it
//! makes the choice of SciPy 1.17's `linear_sum_assignment`.

use bleuprint_core::{Result, check_interrupt};
use num_traits::{Bounded, Num};

/// Returns the column assigned to each row of a cost matrix, so that the sum of the costs is least.
///
/// If there are more rows than columns, the rows left over are `None`.
///
/// Costs must be signed: `i64`, whose sums are exact, or `f64`. Each cost must be finite, and the sums must
/// fit the type. Time is cubic in the longer side of the matrix.
///
/// ```
/// use bleuprint_metrics::assign;
/// assert_eq!(assign(&[vec![4, 1, 3], vec![2, 0, 5], vec![3, 2, 2]]), [Some(1), Some(0), Some(2)]);
/// assert_eq!(assign(&[vec![0.5], vec![0.25], vec![1.0]]), [None, Some(0), None]);
/// ```
pub fn assign<C: Num + Bounded + Copy + PartialOrd>(cost: &[Vec<C>]) -> Vec<Option<usize>> {
    // Without a check nothing fails.
    assign_checking(cost, || Ok(())).unwrap_or_default()
}

/// Returns the assignment of [`assign`], and checks for an interruption after every row: the time grows with the cube
/// of the rows.
///
/// # Errors
/// Returns an error if the evaluation was interrupted.
pub fn assign_interruptibly<C: Num + Bounded + Copy + PartialOrd>(
    cost: &[Vec<C>],
) -> Result<Vec<Option<usize>>> {
    assign_checking(cost, check_interrupt)
}

fn assign_checking<C: Num + Bounded + Copy + PartialOrd>(
    cost: &[Vec<C>],
    check: impl Fn() -> Result<()>,
) -> Result<Vec<Option<usize>>> {
    let rows = cost.len();
    let columns = cost.first().map_or(0, Vec::len);
    if rows <= columns {
        return Ok(assign_rows(cost, columns, check)?.into_iter().map(Some).collect());
    }
    // The search gives every row a column, so a tall matrix is transposed first. SciPy does the same, and the
    // transposition decides which of two equal assignments is found.
    let turned: Vec<Vec<C>> =
        (0..columns).map(|column| cost.iter().map(|row| row[column]).collect()).collect();
    let mut columns_of = vec![None; rows];
    for (column, row) in assign_rows(&turned, rows, check)?.into_iter().enumerate() {
        columns_of[row] = Some(column);
    }
    Ok(columns_of)
}

/// Assigns a column to every row of a cost matrix at the least total cost. The matrix has at least as many
/// columns as rows.
fn assign_rows<C: Num + Bounded + Copy + PartialOrd>(
    cost: &[Vec<C>],
    columns: usize,
    check: impl Fn() -> Result<()>,
) -> Result<Vec<usize>> {
    let rows = cost.len();
    let mut potentials = (vec![C::zero(); rows], vec![C::zero(); columns]);
    let mut row_of = vec![None; columns];
    let mut column_of = vec![usize::MAX; rows];
    for row in 0..rows {
        check()?;
        augment(cost, row, &mut potentials, &mut row_of, &mut column_of);
    }
    Ok(column_of)
}

/// Assigns a column of the cost matrix to the row `first`, along the shortest augmenting path to a free
/// column.
fn augment<C: Num + Bounded + Copy + PartialOrd>(
    cost: &[Vec<C>],
    first: usize,
    (of_rows, of_columns): &mut (Vec<C>, Vec<C>),
    row_of: &mut [Option<usize>],
    column_of: &mut [usize],
) {
    let n = row_of.len();
    // SciPy fills its list of open columns backwards, so that a matrix of equal costs gives the identity. The
    // order decides ties below, so it is kept.
    let mut open: Vec<usize> = (0..n).rev().collect();
    let mut best = vec![C::max_value(); n];
    let mut path = vec![first; n];
    let mut rows = vec![first];
    let mut closed = Vec::new();
    let mut row = first;
    let mut least = C::zero();
    let sink = loop {
        let mut nearest: Option<usize> = None;
        for (place, &column) in open.iter().enumerate() {
            let through = least + cost[row][column] - of_rows[row] - of_columns[column];
            if through < best[column] {
                (best[column], path[column]) = (through, row);
            }
            let nearer = nearest.is_none_or(|known| {
                let known = best[open[known]];
                // At equal cost a free column wins over a taken one, as in SciPy: it ends the search.
                best[column] < known || best[column] == known && row_of[column].is_none()
            });
            if nearer {
                nearest = Some(place);
            }
        }
        // There are at least as many columns as rows, so one is free.
        let Some(nearest) = nearest else { return };
        // The last open column moves into the gap, as in SciPy's array: later ties depend on it.
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
    // The potentials of all scanned rows and columns change, so that reduced costs stay at least 0 and the
    // next row can use the same search.
    of_rows[first] = of_rows[first] + least;
    rows[1..].iter().for_each(|&row| of_rows[row] = of_rows[row] + least - best[column_of[row]]);
    closed.iter().for_each(|&column| of_columns[column] = of_columns[column] - (least - best[column]));
    let mut column = sink;
    loop {
        // Walks back from the free column and shifts each row of the path to its new column.
        let row = path[column];
        row_of[column] = Some(row);
        core::mem::swap(&mut column_of[row], &mut column);
        if row == first {
            break;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use quickcheck::quickcheck;

    fn least(cost: &[Vec<i64>], taken: u32, free: usize) -> i64 {
        let Some((row, rest)) = cost.split_first() else { return 0 };
        let open = (0..row.len()).filter(|column| taken >> column & 1 == 0);
        let placed = open.map(|column| row[column] + least(rest, taken | 1 << column, free));
        // A row may stay without a column if there are too few columns.
        let left = (free > 0).then(|| least(rest, taken, free.saturating_sub(1)));
        placed.chain(left).min().unwrap_or(0)
    }

    quickcheck! {
        fn no_assignment_costs_less(raw: Vec<i8>, rows: u8, columns: u8) -> bool {
            let rows = usize::from(rows % 6);
            let columns = usize::from(columns % 6);
            let cell = |at: usize| i64::from(raw.get(at % raw.len().max(1)).copied().unwrap_or(0) % 7);
            let cost: Vec<Vec<i64>> =
                (0..rows).map(|row| (0..columns).map(|column| cell(row * columns + column)).collect()).collect();
            let assigned = assign(&cost);
            let mut taken: Vec<usize> = assigned.iter().flatten().copied().collect();
            taken.sort_unstable();
            taken.dedup();
            let sum: i64 = assigned.iter().zip(&cost).filter_map(|(column, row)| Some(row[(*column)?])).sum();
            let floats: Vec<Vec<f64>> =
                cost.iter().map(|row| row.iter().map(|cost| *cost as f64).collect()).collect();
            taken.len() == rows.min(columns)
                && sum == least(&cost, 0, rows.saturating_sub(columns))
                && assign(&floats) == assigned
        }
    }
}
