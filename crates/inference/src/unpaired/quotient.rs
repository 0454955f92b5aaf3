//! Detects metrics whose score is a mean or a quotient of sums, for which Student's t distribution is as good
//! as resampling.

use bleuprint_core::Result;

use crate::rows::add_row;
use crate::{CountRows, Finish};

/// Returns `Some(true)` if the metric's score is a quotient of two sums over units, such as a mean. Returns
/// `Some(false)` if it is not, or if the check cannot decide. Returns `None` if all units have the same
/// score.
///
/// The check scores the sums `a`, `a + b`, `a + 2b` and `a + 3b`, in which `a` and `b` are sums of units. For
/// a quotient of sums, these scores `f_0` to `f_3` have the cross ratio
/// `(f_0 − f_2)(f_1 − f_3)/((f_0 − f_3)(f_1 − f_2)) = 4/3`. The check tries several `a` and `b`.
pub(super) fn is_quotient(units: &CountRows, finish: &Finish<'_>) -> Result<Option<bool>> {
    let count = units.len();
    let halves: [(Vec<usize>, Vec<usize>); 3] = [
        (0..count).partition(|unit| unit % 2 == 0),
        (0..count).partition(|unit| unit < &(count / 2)),
        (0..count).partition(|unit| unit % 3 == 0),
    ];
    let mut told = false;
    for (one, other) in halves {
        let mut sum = units.sum_of(one)?;
        let step = units.sum_of(other)?;
        let mut values = [0.0; 4];
        for value in &mut values {
            *value = finish(&sum);
            // Sums of up to four times all counts may not fit 64 bits; without a check, the general method is
            // used.
            if add_row(&mut sum, &step).is_err() {
                return Ok(Some(false));
            }
        }
        let [f0, f1, f2, f3] = values;
        let largest = values.iter().fold(0.0_f64, |largest, value| largest.max(value.abs()));
        let above = (f0 - f2) * (f1 - f3);
        let below = (f0 - f3) * (f1 - f2);
        // A relative difference of a millionth leaves about ten digits, enough for the tolerance of 10⁻⁷
        // below.
        let apart = (f1 - f2).abs() > 1e-6 * largest;
        if !apart {
            continue;
        }
        let agrees = (above / below * 0.75 - 1.0).abs() < 1e-7;
        if !agrees {
            return Ok(Some(false));
        }
        told = true;
    }
    let scores: Vec<f64> = units.iter().map(finish).collect();
    let constant = !told && scores.iter().all(|score| *score == scores[0]);
    Ok((!constant).then_some(told))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quotients_are_told_from_others() {
        let rows = (0..50_u64).flat_map(|at| [at * at % 17, 1 + at % 5, 1]).collect();
        let rows = CountRows::new(3, rows).unwrap();
        let part = |row: &[u64], at: usize| row[at] as f64;
        let asked = |finish: &Finish<'_>| is_quotient(&rows, finish).unwrap();
        assert_eq!(asked(&|row| 100.0 * part(row, 0) / part(row, 1)), Some(true));
        assert_eq!(asked(&|row| 3.0 - part(row, 0) / part(row, 2)), Some(true));
        assert_eq!(asked(&|row| (part(row, 0) / part(row, 1)).sqrt()), Some(false));
        assert_eq!(asked(&|row| (part(row, 0) / part(row, 1)).min(1.0)), Some(false));
        assert_eq!(asked(&|_| 1.0), None);
    }
}
