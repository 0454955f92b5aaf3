//! [`Power`]: computes the smallest score difference that a test set can show, and the number of segments
//! needed.

use crate::distribution::normal_quantile;

/// Significance level and power (probability of detection) of a test, for planning how many segments are
/// needed.
#[derive(Debug, Clone, Copy, PartialEq)]
#[expect(clippy::exhaustive_structs, reason = "built with `..Default::default()`")]
pub struct Power {
    /// Significance level: the probability of finding a difference that does not exist, from 0 to 1.
    pub significance: f64,
    /// `true` if a test counts differences in both directions as evidence, `false` if in one direction only.
    pub two_sided: bool,
    /// Power: the probability of finding a true difference of the assumed size, from 0 to 1.
    pub power: f64,
}

impl Default for Power {
    /// Returns the usual settings of a power calculation: a two-sided test at significance level 5 % with a
    /// power of 80 %.
    fn default() -> Self {
        Power { significance: 0.05, two_sided: true, power: 0.8 }
    }
}

impl Power {
    /// Returns the smallest true difference that the test finds with this power, from the standard error of
    /// the difference.
    ///
    /// ```
    /// use bleuprint_inference::Power;
    /// let smallest = Power::default().smallest_difference(0.5);
    /// assert!((smallest - 1.4008).abs() < 1e-4);
    /// ```
    pub fn smallest_difference(&self, standard_error: f64) -> f64 {
        self.factor() * standard_error
    }

    /// Returns the number of segments, at least 1, that the test needs to detect this difference.
    /// `standard_error` was measured on a sample of `segments` segments. Returns `None` if no number is
    /// enough.
    pub fn segments_needed(&self, standard_error: f64, segments: usize, difference: f64) -> Option<u64> {
        let ratio = self.smallest_difference(standard_error) / difference.abs();
        let needed = (ratio * ratio * segments as f64).ceil();
        // The bound keeps the cast exact: 10¹⁸ fits 64 bits.
        (needed.is_finite() && needed < 1e18).then_some((needed as u64).max(1))
    }

    /// Returns the numbers of units (such as documents) of two systems at which an unpaired test finds this
    /// difference, or `None` if no number is enough. `deviations` are the standard deviations of one unit of
    /// each system. The second system has `ratio` times the units of the first.
    ///
    /// The formula is `n_1 = (z_{1−α/2} + z_{power})² (σ_1² + σ_2²/ratio)/δ²`, rounded up, with normal
    /// quantiles `z`, the significance level `α`, the deviations `σ` and the difference `δ`. Student's
    /// distribution in place of the normal distribution would need one or two units more.
    pub(crate) fn units_needed(&self, deviations: [f64; 2], ratio: f64, difference: f64) -> Option<[u64; 2]> {
        let [one, other] = deviations;
        let first = self.factor().powi(2) * (one * one + other * other / ratio) / (difference * difference);
        let whole = |needed: f64| {
            let needed = needed.ceil();
            (needed.is_finite() && needed < 1e18).then_some((needed as u64).max(1))
        };
        Some([whole(first)?, whole(first * ratio)?])
    }

    /// Returns the sum of two normal quantiles, for the significance level and for the power. The smallest
    /// detectable difference is this number of standard errors.
    pub(crate) fn factor(&self) -> f64 {
        let tail = if self.two_sided { self.significance / 2.0 } else { self.significance };
        normal_quantile(1.0 - tail) + normal_quantile(self.power)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
