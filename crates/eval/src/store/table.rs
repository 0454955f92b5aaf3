//! Two check columns for rows of counts in tables of query engines. A query engine can sum all columns, and
//! the sum can then be checked for mistakes.

use bleuprint_core::{InputError, Result};

use super::Fingerprint;

/// Names of the two check columns that precede a metric's counts in a table; see [`leading`].
pub const LEADING: [&str; 2] = ["key", "check"];

/// Key under which the metadata of a table holds the [`Header`](super::Header) as JSON, which describes its
/// metrics.
pub const METADATA: &str = "bleuprint";

/// Modulus of the hash that the column `key` of a table stores for the state key of a metric. Hashes are
/// below 2²⁴, so their sums over fewer than 2³⁹ segments fit in 63 bits.
const NUMBERS: u64 = (1 << 24) - 1;

/// Prime modulus of the check numbers in the column `check` of a table. A check number detects counts that
/// were changed. Sums of check numbers over up to 2³² segments fit in 63 bits.
const PRIME: u64 = (1 << 31) - 1;

fn number(key: &str) -> u64 {
    Fingerprint::from_texts([key]).number() % NUMBERS + 1
}

/// Returns a pseudo-random weight of at least 1 for each column of counts, from which the column `check` is
/// computed. Weights differ between state keys.
fn weights<N: AsRef<str>>(key: &str, columns: &[N]) -> Vec<u64> {
    let weight =
        |column: &N| Fingerprint::from_texts(["check", key, column.as_ref()]).number() % (PRIME - 1) + 1;
    columns.iter().map(weight).collect()
}

fn check(weights: &[u64], row: &[u64]) -> u64 {
    // 2³¹ is 1 modulo the prime, so the upper bits can be added to the lower bits.
    let folded = |sum: u64| (sum & PRIME) + (sum >> 31);
    weights.iter().zip(row).fold(0, |sum, (weight, count)| folded(sum + weight * (count % PRIME))) % PRIME
}

/// Returns a function that computes the two check columns [`LEADING`] of a row of counts, for a metric with
/// this state key.
///
/// Query engines drop metadata but can sum columns. The column `key` is a hash of the state key, from 1 to
/// 2²⁴ − 1, times the number of segments. The column `check` is the sum of the counts, each times a weight of
/// its column, modulo 2³¹ − 1. Both are linear, so sums of rows with one key pass the check, too. A sum that
/// drops, doubles or averages a column, or takes a column from another key, fails except with a probability
/// of one in 2³¹. The columns detect mistakes, not deliberate changes.
///
/// ```
/// use bleuprint_eval::store::{leading, required};
/// let (key, columns) = ("bleu/1|order:4|case:mixed|tok:13a", ["segments", "references"]);
/// let [one, other] = [[1, 2], [1, 3]].map(|row| leading(key, &columns)(&row));
/// let sum = [one[0] + other[0], one[1] + other[1]];
/// required(key, &columns)(sum[0], Some(sum[1]), &[2, 5]).unwrap();
/// assert!(required(key, &columns)(sum[0], Some(sum[1]), &[2, 3]).is_err());
/// assert!(required("bleu/1|order:4|case:mixed|tok:char", &columns)(sum[0], Some(sum[1]), &[2, 5]).is_err());
/// ```
pub fn leading<N: AsRef<str>>(key: &str, columns: &[N]) -> impl Fn(&[u64]) -> [u64; 2] + use<N> {
    let number = number(key);
    let weights = weights(key, columns);
    // A product above 64 bits fits in no column of a table anyway.
    move |row| [number.saturating_mul(row.first().copied().unwrap_or_default()), check(&weights, row)]
}

/// Returns a function that checks whether summed rows of a table are intact: all of one metric, and with
/// unchanged counts. Its arguments are the sums of the columns `key` and `check` and the sums of the counts.
///
/// The sum of `key` must be the hash of the state key times the number of segments, which is the first count.
/// The sum of `check` must fit the counts; `None` leaves out this test, for tables of earlier versions.
///
/// The function fails with [`MalformedState`](bleuprint_core::InputErrorKind::MalformedState), which names
/// the state key.
pub fn required<N: AsRef<str>>(
    key: &str,
    columns: &[N],
) -> impl Fn(u64, Option<u64>, &[u64]) -> Result<()> + use<N> {
    let number = number(key);
    let weights = weights(key, columns);
    let state = key.to_owned();
    move |sum, checks, row| {
        let segments = row.first().copied().unwrap_or_default();
        // The product can exceed 64 bits for a wrong table, so it is computed with 128.
        if u128::from(sum) != u128::from(number) * u128::from(segments) {
            return Err(InputError::malformed_state(format!(
                "the rows do not all have the state key `{state}`, or do not cover {segments} segments: the column `{}` \
                 is {sum}",
                LEADING[0]
            )));
        }
        match checks {
            Some(checks) if checks % PRIME != check(&weights, row) => {
                Err(InputError::malformed_state(format!(
                    "the counts of the state key `{state}` do not fit their column `{}`: a column was not summed like \
                     the others, or belongs to another metric",
                    LEADING[1]
                )))
            }
            _ => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_column_summed_differently_is_found() {
        let names: Vec<String> = (0..22).map(|at| format!("column_{at}")).collect();
        let (key, other) = ("chrf/1|case:mixed|tok:text", "chrf/1|case:lc|tok:text");
        let mut state = 7_u64;
        for segments in [1, 2, 9, 1000] {
            let rows: Vec<Vec<u64>> = (0..segments)
                .map(|_| {
                    let draw = |at: usize| {
                        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                        if at == 0 { 1 } else { 1 + (state >> 33) % 5000 }
                    };
                    (0..names.len()).map(draw).collect()
                })
                .collect();
            let sum = |rows: &mut dyn Iterator<Item = Vec<u64>>| {
                rows.fold(vec![0; names.len()], |sum, row| sum.iter().zip(row).map(|(a, b)| a + b).collect())
            };
            let total = sum(&mut rows.iter().cloned());
            let of = leading(key, &names);
            let [number, checks] =
                rows.iter().map(|row| of(row)).fold([0; 2], |[a, b], [c, d]| [a + c, b + d]);
            let required = required(key, &names);
            required(number, Some(checks), &total).unwrap();
            let refused = |checks: u64, row: &[u64]| {
                let error = required(number, Some(checks), row).unwrap_err().to_string();
                assert!(error.contains("`check`"), "{error}");
            };
            for at in 1..names.len() {
                let column = || rows.iter().map(|row| row[at]);
                let least = column().min().unwrap_or_default();
                for wrong in [0, 2 * total[at], total[at] / segments, least, total[at] - 1, total[at] + least]
                {
                    let mut changed = total.clone();
                    changed[at] = wrong;
                    if wrong != total[at] {
                        refused(checks, &changed);
                    }
                }
                let mut swapped = total.clone();
                swapped.swap(at, at % (names.len() - 1) + 1);
                if swapped != total {
                    refused(checks, &swapped);
                }
            }
            refused(checks + leading(other, &names)(&rows[0])[1], &total);
            // Without the column nothing but the key is compared.
            super::required(key, &names)(number, None, &vec![segments; names.len()]).unwrap();
        }
    }
}
