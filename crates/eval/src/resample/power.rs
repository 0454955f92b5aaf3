//! Standard errors without resampling, and what difference a test set can show.

use bleuprint_core::Result;

use super::rows::subtract_row;
use super::{Finish, Rows, normal_quantile};

/// The scores that remain when one segment at a time is left out.
///
/// `score(all) − score(without it)` is the contribution of a segment in points, exact, by subtraction.
///
/// # Errors
/// [`CountRange`](bleuprint_core::InputErrorKind::CountRange) when the counts do not fit 64 bits.
///
/// ```
/// use bleuprint_eval::resample::{Rows, leave_one_out};
/// let rows = Rows::new(2, vec![1, 2, 2, 2]).unwrap();
/// let percent = |row: &[u64]| 100.0 * row[0] as f64 / row[1] as f64;
/// assert_eq!(leave_one_out(&rows, &percent).unwrap(), [100.0, 50.0]);
/// ```
pub fn leave_one_out(rows: &Rows, finish: &Finish<'_>) -> Result<Vec<f64>> {
    let total = rows.total()?;
    let mut rest = total.clone();
    let without = |row: &[u64]| {
        rest.copy_from_slice(&total);
        subtract_row(&mut rest, row)?;
        Ok(finish(&rest))
    };
    rows.iter().map(without).collect()
}

/// The jackknife's standard error of a score, or of the difference of two scores on the same segments, from what
/// [`leave_one_out`] gives: `√((n − 1)/n · Σ (x_i − mean x)²)`. 0 for fewer than two segments.
///
/// To first order it is the standard error of the bootstrap, in one pass and without chance.
pub fn standard_error(left_out: &[f64]) -> f64 {
    let count = left_out.len() as f64;
    if left_out.len() < 2 {
        return 0.0;
    }
    let mean = left_out.iter().sum::<f64>() / count;
    let squares: f64 = left_out.iter().map(|value| (value - mean) * (value - mean)).sum();
    ((count - 1.0) / count * squares).sqrt()
}

/// How sure a test is to be.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Power {
    /// The probability of finding a difference that does not exist.
    pub significance: f64,
    /// Whether differences in both directions count.
    pub two_sided: bool,
    /// The probability of finding a difference of the size asked for.
    pub power: f64,
}

impl Default for Power {
    /// The field's habit: 5 %, both directions, 80 %.
    fn default() -> Self {
        Power { significance: 0.05, two_sided: true, power: 0.8 }
    }
}

impl Power {
    /// The smallest difference that such a test finds with this power, where differences have this standard error.
    ///
    /// ```
    /// use bleuprint_eval::resample::Power;
    /// let smallest = Power::default().smallest_difference(0.5);
    /// assert!((smallest - 1.4008).abs() < 1e-4);
    /// ```
    pub fn smallest_difference(&self, standard_error: f64) -> f64 {
        self.factor() * standard_error
    }

    /// How many segments like these would show a difference of this size; at least 1. `None` where no number would.
    pub fn segments_needed(&self, standard_error: f64, segments: usize, difference: f64) -> Option<u64> {
        let ratio = self.smallest_difference(standard_error) / difference.abs();
        let needed = (ratio * ratio * segments as f64).ceil();
        (needed.is_finite() && needed < 1e18).then_some((needed as u64).max(1))
    }

    /// How many units on each side of an unpaired test would show a difference of this size, where a unit of either side has
    /// this standard deviation and the second side has `ratio` times the units of the first:
    /// `n_1 = (z_{1−α/2} + z_{power})² (σ_1² + σ_2²/ratio)/δ²`, rounded up. By Student's distribution in place of the normal
    /// one it is one or two units more. `None` where no number would.
    ///
    /// ```
    /// use bleuprint_eval::resample::Power;
    /// assert_eq!(Power::default().units_needed([1.0, 1.0], 1.0, 0.2), Some([393, 393]));
    /// assert_eq!(Power::default().units_needed([1.0, 1.0], 1.0, 0.0), None);
    /// ```
    pub fn units_needed(&self, deviations: [f64; 2], ratio: f64, difference: f64) -> Option<[u64; 2]> {
        let [one, other] = deviations;
        let first = self.factor().powi(2) * (one * one + other * other / ratio) / (difference * difference);
        let whole = |needed: f64| {
            let needed = needed.ceil();
            (needed.is_finite() && needed < 1e18).then_some((needed as u64).max(1))
        };
        Some([whole(first)?, whole(first * ratio)?])
    }

    fn factor(&self) -> f64 {
        let tail = if self.two_sided { self.significance / 2.0 } else { self.significance };
        normal_quantile(1.0 - tail) + normal_quantile(self.power)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_standard_error_of_a_mean_is_the_textbook_one() {
        let values = [3_u64, 5, 8, 1, 9, 4];
        let rows = Rows::new(2, values.iter().flat_map(|&value| [value, 1]).collect()).unwrap();
        let mean = |row: &[u64]| row[0] as f64 / row[1] as f64;
        let mu = values.iter().sum::<u64>() as f64 / 6.0;
        let variance = values.iter().map(|&v| (v as f64 - mu).powi(2)).sum::<f64>() / 5.0;
        let error = standard_error(&leave_one_out(&rows, &mean).unwrap());
        assert!((error - (variance / 6.0).sqrt()).abs() < 1e-12);
    }

    #[test]
    fn a_quarter_of_the_difference_needs_sixteen_times_the_segments() {
        let power = Power::default();
        let whole = power.segments_needed(0.5, 2000, 2.0).unwrap();
        let quarter = power.segments_needed(0.5, 2000, 0.5).unwrap();
        assert!(quarter.abs_diff(16 * whole) <= 16);
        assert_eq!(power.segments_needed(0.5, 2000, 0.0), None);
        assert_eq!(power.segments_needed(0.0, 2000, 1.0), Some(1));
    }
}
