//! Jackknife (leave-one-out): scores without one segment, from which standard errors and the contributions of
//! segments are computed.

use bleuprint_core::Result;

use crate::rows::{require_equal, subtract_row};
use crate::{CountRows, Finish};

/// Returns the leave-one-out scores: for each segment, the score of all other segments.
///
/// The contribution of a segment in points is `score(all) − score(without it)`. It is exact, because the
/// counts of the segment are subtracted.
///
/// # Errors
/// Returns [`CountRange`](bleuprint_core::InputErrorKind::CountRange) if the sums of counts do not fit 64
/// bits.
///
/// ```
/// use bleuprint_inference::{CountRows, leave_one_out};
/// let rows = CountRows::new(2, vec![1, 2, 2, 2]).unwrap();
/// let percent = |row: &[u64]| 100.0 * row[0] as f64 / row[1] as f64;
/// assert_eq!(leave_one_out(&rows, &percent).unwrap(), [100.0, 50.0]);
/// ```
pub fn leave_one_out(rows: &CountRows, finish: &Finish<'_>) -> Result<Vec<f64>> {
    let total = rows.total()?;
    // Subtraction from the total takes linear time in all; summing the other rows would take quadratic time.
    // It is exact, since counts are integers.
    let mut rest = total.clone();
    let without = |row: &[u64]| {
        rest.copy_from_slice(&total);
        subtract_row(&mut rest, row)?;
        Ok(finish(&rest))
    };
    rows.iter().map(without).collect()
}

/// Returns the jackknife's standard error of a score, or of the difference of two scores on the same
/// segments. `left_out` are the `n` values `x_i` from [`leave_one_out`]. The formula is
/// `√((n − 1)/n · Σ (x_i − mean x)²)`; it is 0 for fewer than two segments.
///
/// To first order it equals the standard error of the bootstrap, in one pass and without random draws.
pub fn standard_error(left_out: &[f64]) -> f64 {
    let count = left_out.len() as f64;
    if left_out.len() < 2 {
        return 0.0;
    }
    let mean = left_out.iter().sum::<f64>() / count;
    let squares: f64 = left_out.iter().map(|value| (value - mean) * (value - mean)).sum();
    ((count - 1.0) / count * squares).sqrt()
}

/// Returns the contribution of each segment to the score difference of two systems, in points: the difference
/// on all segments minus the difference without the segment. The contributions are exact, but they do not add
/// up to the difference, because scores are not sums.
///
/// # Errors
/// Returns [`LengthMismatch`](bleuprint_core::InputErrorKind::LengthMismatch) if the systems have different
/// numbers of segments, and an error if the sums of counts do not fit 64 bits.
pub(crate) fn contributions(first: &CountRows, second: &CountRows, finish: &Finish<'_>) -> Result<Vec<f64>> {
    require_equal("the first system", first.len(), "the second", second.len())?;
    let all = finish(&first.total()?) - finish(&second.total()?);
    let without_first = leave_one_out(first, finish)?;
    let without_second = leave_one_out(second, finish)?;
    Ok(without_first.iter().zip(&without_second).map(|(first, second)| all - (first - second)).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_standard_error_of_a_mean_is_the_textbook_one() {
        let values = [3_u64, 5, 8, 1, 9, 4];
        let rows = CountRows::new(2, values.iter().flat_map(|&value| [value, 1]).collect()).unwrap();
        let mean = |row: &[u64]| row[0] as f64 / row[1] as f64;
        let mu = values.iter().sum::<u64>() as f64 / 6.0;
        let variance = values.iter().map(|&v| (v as f64 - mu).powi(2)).sum::<f64>() / 5.0;
        let error = standard_error(&leave_one_out(&rows, &mean).unwrap());
        assert!((error - (variance / 6.0).sqrt()).abs() < 1e-12);
    }

    #[test]
    fn contributions_need_the_same_segments() {
        let rows = |counts: &[u64]| CountRows::new(1, counts.to_vec()).unwrap();
        assert!(contributions(&rows(&[1, 2]), &rows(&[1]), &|row: &[u64]| row[0] as f64).is_err());
    }

    #[test]
    fn contributions_are_differences_without_a_segment() {
        let percent = |row: &[u64]| 100.0 * row[0] as f64 / row[1] as f64;
        let first = CountRows::new(2, vec![2, 2, 1, 2]).unwrap();
        let second = CountRows::new(2, vec![1, 2, 1, 2]).unwrap();
        // 75 − 50 points; without segment 1 there is no difference, without segment 2 it is 100 − 50.
        assert_eq!(contributions(&first, &second, &percent).unwrap(), [25.0, -25.0]);
    }
}
