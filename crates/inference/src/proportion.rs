//! [`wilson`]: the confidence interval of a rate of successes.

use bleuprint_core::{InputError, Result};

use crate::distribution::beta::beta_incomplete;
use crate::distribution::normal::normal_quantile;

/// Returns Wilson's interval of the rate of `successes` in `trials`: the lower and the upper bound of the
/// rates that a normal test does not reject. Its coverage is close to `confidence` even for few trials and
/// for rates of 0 and 1. Source: Wilson 1927.
///
/// # Errors
/// Returns [`Limit`](bleuprint_core::InputErrorKind::Limit) if there are no trials or more successes than
/// trials.
///
/// ```
/// use bleuprint_inference::wilson;
/// let [low, high] = wilson(8, 10, 0.95).unwrap();
/// assert!((low - 0.4901625).abs() < 1e-7 && (high - 0.9433178).abs() < 1e-7);
/// assert!(wilson(3, 2, 0.95).is_err() && wilson(0, 0, 0.95).is_err());
/// ```
pub fn wilson(successes: u64, trials: u64, confidence: f64) -> Result<[f64; 2]> {
    let [k, failures, n] = Proportion::new(successes, trials)?.counts();
    let z = normal_quantile(0.5 + 0.5 * confidence);
    let centre = 2.0 * k + z * z;
    let half = z * (z * z + 4.0 * k * failures / n).sqrt();
    let [low, high] = [centre - half, centre + half].map(|end| end / (2.0 * (n + z * z)));
    // Without a success the lower bound is exactly 0, and without a failure the upper bound is exactly 1;
    // rounding would miss both.
    let low = if k == 0.0 { 0.0 } else { low.max(0.0) };
    Ok([low, if failures == 0.0 { 1.0 } else { high.min(1.0) }])
}

/// Number of successes in a number of independent trials.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Proportion {
    successes: u64,
    trials: u64,
}

impl Proportion {
    pub(crate) fn new(successes: u64, trials: u64) -> Result<Self> {
        if successes > trials || trials == 0 {
            let what = format!("the number of successes in {trials} trials");
            let limit = if trials == 0 { "of at least one trial" } else { "at most the number of trials" };
            return Err(InputError::limit(what, successes, limit));
        }
        Ok(Proportion { successes, trials })
    }

    /// Returns the numbers of successes, failures and trials as floats, in this order.
    fn counts(&self) -> [f64; 3] {
        [self.successes as f64, (self.trials - self.successes) as f64, self.trials as f64]
    }

    /// Returns the binomial probability of at most this number of successes if the true success rate is
    /// `rate`; NaN unless `rate` is from 0 to 1.
    pub(crate) fn p_at_most(&self, rate: f64) -> f64 {
        let [k, failures, _] = self.counts();
        if !(0.0..=1.0).contains(&rate) {
            return f64::NAN;
        }
        if failures == 0.0 { 1.0 } else { beta_incomplete(failures, k + 1.0, 1.0 - rate) }
    }
}
