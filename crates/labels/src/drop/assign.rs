//! The best assignment of rows to columns: the Hungarian algorithm with potentials.

/// For each row of a matrix its column, or none where there are more rows than columns, so that the sum of the values is
/// greatest.
pub(super) fn best(values: &[Vec<f64>]) -> Vec<Option<usize>> {
    let (rows, columns) = (values.len(), values.first().map_or(0, Vec::len));
    let size = rows.max(columns);
    let cost =
        |row: usize, column: usize| -values.get(row).and_then(|row| row.get(column)).copied().unwrap_or(0.0);
    // Rows and columns count from 1; column 0 stands for the row that is being placed.
    let (mut of_row, mut of_column) = (vec![0.0; size + 1], vec![0.0; size + 1]);
    let mut row_at = vec![0; size + 1];
    for row in 1..=size {
        let (mut at, mut least) = (0, vec![f64::INFINITY; size + 1]);
        let (mut before, mut used) = (vec![0; size + 1], vec![false; size + 1]);
        row_at[0] = row;
        while row_at[at] != 0 {
            used[at] = true;
            let (own, mut delta, mut next) = (row_at[at], f64::INFINITY, 0);
            for column in (1..=size).filter(|column| !used[*column]) {
                let reduced = cost(own - 1, column - 1) - of_row[own] - of_column[column];
                if reduced < least[column] {
                    (least[column], before[column]) = (reduced, at);
                }
                if least[column] < delta {
                    (delta, next) = (least[column], column);
                }
            }
            for column in 0..=size {
                if used[column] {
                    of_row[row_at[column]] += delta;
                    of_column[column] -= delta;
                } else {
                    least[column] -= delta;
                }
            }
            at = next;
        }
        while at != 0 {
            row_at[at] = row_at[before[at]];
            at = before[at];
        }
    }
    let mut columns_of = vec![None; rows];
    for (column, row) in row_at.iter().skip(1).take(columns).enumerate() {
        if let Some(place) = row.checked_sub(1).and_then(|row| columns_of.get_mut(row)) {
            *place = Some(column);
        }
    }
    columns_of
}

#[cfg(test)]
mod tests {
    use quickcheck::quickcheck;

    use super::*;

    fn sum(values: &[Vec<f64>], columns: &[Option<usize>]) -> f64 {
        values.iter().zip(columns).filter_map(|(row, column)| Some(row[(*column)?])).sum()
    }

    /// The greatest sum of all assignments.
    fn naive(values: &[Vec<f64>], taken: &mut Vec<usize>) -> f64 {
        let Some((row, rest)) = values.split_first() else { return 0.0 };
        let mut most = naive(rest, taken);
        for (column, value) in row.iter().enumerate() {
            if !taken.contains(&column) {
                taken.push(column);
                most = most.max(value + naive(rest, taken));
                taken.pop();
            }
        }
        most
    }

    quickcheck! {
        fn it_is_the_best_of_all(raw: Vec<u8>, rows: u8) -> bool {
            let rows = usize::from(rows % 5) + 1;
            let columns = (raw.len() / rows).min(5);
            let values: Vec<Vec<f64>> = (0..rows)
                .map(|row| raw[row * columns..][..columns].iter().map(|byte| f64::from(byte % 8) / 8.0).collect())
                .collect();
            let found = best(&values);
            let mut taken: Vec<usize> = found.iter().flatten().copied().collect();
            taken.sort_unstable();
            taken.windows(2).all(|pair| pair[0] < pair[1])
                && found.len() == rows
                && sum(&values, &found) == naive(&values, &mut Vec::new())
        }
    }
}
