//! [`PairedRates`]: the difference of two systems' shares of right segments on the same segments, with
//! Tango's interval and McNemar's exact test.

use bleuprint_core::{InputError, Result};

use super::{end_of, extended};
use crate::distribution::{normal_quantile, normal_tail};
use crate::{McNemar, Power};

/// Comparison of two systems on the same segments. Each system gets each segment right or wrong.
///
/// The interval is Tango's score interval. It is extended to 0 if McNemar's exact test does not reject 0, so
/// `p < 0.05` if and only if the 95 % interval excludes 0. Sources: Tango 1998, McNemar 1947.
///
/// ```
/// use bleuprint_inference::PairedRates;
/// let rates = PairedRates::new(400, 20, 6).unwrap();
/// let [lower, upper] = rates.interval(0.95);
/// assert!((lower - 0.0108).abs() < 5e-5 && (upper - 0.0629).abs() < 5e-5);
/// assert!((rates.p_value() - 0.0094).abs() < 5e-5);
/// // Equal systems have an interval of some width.
/// assert!(PairedRates::new(10, 0, 0).unwrap().interval(0.95)[1] > 0.27);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PairedRates {
    segments: u64,
    counts: McNemar,
}

impl PairedRates {
    /// Creates the comparison from the number of segments, the number that only the first system gets right,
    /// and the number that only the second gets right.
    ///
    /// # Errors
    /// Returns [`Limit`](bleuprint_core::InputErrorKind::Limit) if `segments` is 0 or less than
    /// `only_first + only_second`.
    pub fn new(segments: u64, only_first: u64, only_second: u64) -> Result<Self> {
        let differ = only_first.saturating_add(only_second);
        if segments == 0 || differ > segments {
            let what =
                format!("the number of segments that one system alone gets right, of {segments} segments,");
            let limit =
                if segments == 0 { "of at least one segment" } else { "at most the number of segments" };
            return Err(InputError::limit(what, differ, limit));
        }
        Ok(PairedRates { segments, counts: McNemar { only_first, only_second } })
    }

    /// Returns how many segments only the first system gets right, and how many only the second system gets
    /// right.
    pub fn counts(&self) -> McNemar {
        self.counts
    }

    /// Returns the difference of the rates of right segments: the first system's minus the second's.
    pub fn difference(&self) -> f64 {
        let [n, b, c] = self.numbers();
        (b - c) / n
    }

    /// Returns `[n, b, c]`: the number of segments, the number that only the first system gets right, and the
    /// number that only the second system gets right.
    fn numbers(&self) -> [f64; 3] {
        [self.segments as f64, self.counts.only_first as f64, self.counts.only_second as f64]
    }

    /// Returns Tango's score statistic for the hypothesis that the true difference is `d`:
    /// `(b − c − n d)/√(n (2 q(d) + d (1 − d)))`. Out of `n` segments, `b` are right for the first system
    /// only, and `c` for the second system only.
    ///
    /// `q(d)` estimates the share of segments that only the second system gets right, if the difference is
    /// `d`. The statistic decreases as `d` grows.
    pub(crate) fn statistic(&self, d: f64) -> f64 {
        let [n, b, c] = self.numbers();
        let twice = 2.0 * n;
        let linear = -b - c + (twice - b + c) * d;
        let constant = -c * d * (1.0 - d);
        let root = (linear * linear - 4.0 * twice * constant).max(0.0).sqrt();
        // `q` is the larger root of a quadratic equation. One of these two forms subtracts nearly equal
        // numbers, depending on the sign of the linear term, so the other form is used.
        let q =
            if linear > 0.0 { -2.0 * constant / (root + linear) } else { (root - linear) / (2.0 * twice) };
        let (numerator, spread) = (b - c - n * d, n * (2.0 * q + d * (1.0 - d)));
        // A variance of 0 means that the difference `d` leaves nothing to chance, as −1 and 1 do, or 0
        // between systems that agree on all segments. Any other observed difference is then impossible.
        if spread <= 0.0 {
            return if numerator == 0.0 { 0.0 } else { f64::INFINITY.copysign(numerator) };
        }
        numerator / spread.sqrt()
    }

    /// Returns Tango's score interval of the difference of rates with confidence `level`. It may exclude 0
    /// although the exact test does not reject 0.
    pub fn tango(&self, level: f64) -> [f64; 2] {
        let z = normal_quantile(0.5 + 0.5 * level);
        let statistic = |d: f64| self.statistic(d);
        [-1.0, 1.0].map(|outside| end_of(&statistic, z, self.difference(), outside))
    }

    /// Returns Tango's interval of the difference of rates, extended to 0 if the exact p-value is at least
    /// `1 − level`.
    pub fn interval(&self, level: f64) -> [f64; 2] {
        extended(self.tango(level), self.p_value(), level)
    }

    /// Returns McNemar's exact two-sided p-value of the hypothesis that both systems have the same rate; 1 if
    /// they differ on no segment.
    pub fn p_value(&self) -> f64 {
        self.counts.p_value()
    }

    /// Returns the one-sided p-value of the score test: the probability of at least the observed difference
    /// of rates if the true difference is `value`.
    pub fn p_above(&self, value: f64) -> f64 {
        normal_tail(self.statistic(value.clamp(-1.0, 1.0)))
    }

    /// Returns the smallest true difference of the two rates that the test would detect with this power and
    /// number of segments; it is never 0.
    ///
    /// Formula: `min(1, k √(w/n) + 1/n)` with `k = z + z_power` (normal quantiles for the level and the
    /// power) and `w = max((b + c)/n, k²/(n + k²))`. `b + c` of the `n` segments are right for exactly one
    /// system.
    pub fn smallest_difference(&self, power: &Power) -> f64 {
        let [n, b, c] = self.numbers();
        smallest_difference(n, (b + c) / n, power.factor())
    }
}

/// Returns the smallest detectable difference of rates over `n` segments. `share` is the share of segments on
/// which the systems differ; `k` is the needed number of standard errors.
pub(crate) fn smallest_difference(n: f64, share: f64, k: f64) -> f64 {
    // Without this lower bound, two systems that agree on all segments would seem to need a difference of 0.
    // It is the upper end of Wilson's interval for a share of 0.
    let share = share.max(k * k / (n + k * k));
    (k * (share / n).sqrt() + 1.0 / n).min(1.0)
}
