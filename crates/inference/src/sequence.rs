//! [`Sequence`]: confidence intervals and p-values for data that arrives over time, which remain valid
//! however often they are computed.

use bleuprint_core::InputError;
use bleuprint_math::{exp, ln, ln_1p};

/// Confidence sequence for a score difference: intervals that all hold together although they are computed
/// again and again while data arrives.
///
/// With a difference `d` of standard error `se`, let `V = 1/se²` and `S = d/se²`. If the true difference is
/// 0, `e = √(r/(V + r)) · exp(S²/(2(V + r)))` is a martingale that starts at 1, for any `r > 0` fixed before
/// the first look. The probability that it exceeds `1/α` at any look is at most `α`.
///
/// The intervals `d ± se² √((V + r) ln((V + r)/(r α²)))` therefore hold for all looks together with
/// probability `1 − α`. They are narrowest at the planned information `V*` when `r = V*/c`, with
/// `c = ln(1 + c) + ln(1/α²)`.
///
/// The standard error must be over independently drawn units. With single requests as units, 29 % of tests of
/// two equal systems find a difference at the 5 % level, because requests of one user depend on each other.
/// Both sides must be drawn at the same time, and a new version must start a new sequence. For a one-sided
/// test, use twice the level. Sources: Robbins 1970, Howard et al. 2021.
///
/// ```
/// use bleuprint_inference::Sequence;
/// let sequence = Sequence::new(0.05, 100.0).unwrap();
/// let look = sequence.look(0.3, 0.1);
/// assert!(look.low < 0.0 && look.high > 0.6 && look.p_value > 0.05);
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Sequence {
    significance: f64,
    /// Constant `r` of the confidence sequence, which decides at what amount of data its intervals are
    /// narrowest. It is the inverse variance of a normal mixture.
    pub(crate) mixture: f64,
}

/// Confidence interval and evidence at one look at data that is still arriving.
#[derive(Debug, Clone, Copy, PartialEq, serde::Serialize)]
#[non_exhaustive]
pub struct SequentialLook {
    /// Lower end of the confidence interval of the difference.
    pub low: f64,
    /// Upper end of the confidence interval of the difference.
    pub high: f64,
    /// E-value: evidence against the hypothesis that the true difference is 0. A value of at least `1/α`
    /// rejects this hypothesis at level `α`.
    pub e_value: f64,
    /// P-value of the hypothesis that the true difference is 0: the reciprocal of the e-value, at most 1. The
    /// smallest p-value so far is valid for all looks so far.
    pub p_value: f64,
}

/// Smallest number of units (such as users) in each system before a sequential test reports a result. With
/// fewer units, the standard error itself is too uncertain.
pub const FEWEST_UNITS_OF_LOOK: usize = 30;

impl Sequence {
    /// Creates a confidence sequence: intervals that all hold together with probability `1 − significance`.
    /// They are narrowest when the standard error reaches its planned value `se`; `planned` is `1/se²`.
    ///
    /// # Errors
    /// Returns [`Limit`](bleuprint_core::InputErrorKind::Limit) if `significance` is not between 0 and 1 or
    /// `planned` is not a finite number above 0.
    pub fn new(significance: f64, planned: f64) -> bleuprint_core::Result<Self> {
        let limit = |what: &str, given: f64, limit: &str| Err(InputError::limit(what, given, limit));
        if !(significance > 0.0 && significance < 1.0) {
            return limit("the level of significance", significance, "between 0 and 1");
        }
        if !(planned > 0.0 && planned.is_finite()) {
            return limit("the planned information", planned, "a number above 0");
        }
        Ok(Sequence { significance, mixture: planned / ratio(significance) })
    }

    /// Returns the confidence interval and the evidence for the difference estimated so far, with its
    /// standard error. If the standard error is 0 or not finite, the interval is unbounded and the p-value is
    /// 1.
    pub fn look(&self, difference: f64, standard_error: f64) -> SequentialLook {
        let information = (standard_error * standard_error).recip();
        if !(information.is_finite() && information > 0.0 && difference.is_finite()) {
            return SequentialLook {
                low: f64::NEG_INFINITY,
                high: f64::INFINITY,
                e_value: 1.0,
                p_value: 1.0,
            };
        }
        let r = self.mixture;
        let all = information + self.mixture;
        let half = (all * ln(all / (r * self.significance * self.significance))).sqrt() / information;
        let sum = difference * information;
        let e_value = exp(0.5 * ln(r / all) + sum * sum / (2.0 * all));
        SequentialLook {
            low: difference - half,
            high: difference + half,
            e_value,
            p_value: e_value.recip().min(1.0),
        }
    }
}

/// Returns the number `c` for which a confidence sequence with the constant `r = V/c` is narrowest at the
/// amount of data `V`. It solves `c = ln(1 + c) + ln(1/α²)`, with `α` the significance level.
///
/// The equation is solved by fixed-point iteration. Its right side has the derivative `1/(1 + c)`, so the
/// iteration converges.
fn ratio(significance: f64) -> f64 {
    let constant = -2.0 * ln(significance);
    let mut ratio = constant + 1.0;
    for _ in 0..500 {
        let next = ln_1p(ratio) + constant;
        if (next - ratio).abs() <= f64::EPSILON * next {
            break;
        }
        ratio = next;
    }
    ratio
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_interval_and_the_e_value_agree() {
        let sequence = Sequence::new(0.05, 50.0).unwrap();
        for difference in [0.1, 0.3, 0.42, 0.43, 0.5, 0.9] {
            let look = sequence.look(difference, 0.13);
            assert_eq!(look.low > 0.0, look.e_value > 20.0, "{look:?}");
        }
    }

    #[test]
    fn the_mixture_is_narrowest_at_the_planned_information() {
        assert!((Sequence::new(0.05, 100.0).unwrap().mixture - 12.177348869865693).abs() < 1e-12);
    }

    #[test]
    fn nothing_known_shows_nothing() {
        let sequence = Sequence::new(0.05, 50.0).unwrap();
        for (difference, error) in [(1.0, 0.0), (1.0, f64::INFINITY), (1.0, f64::NAN), (f64::NAN, 1.0)] {
            assert_eq!(sequence.look(difference, error).p_value, 1.0);
        }
        assert!(Sequence::new(0.0, 1.0).is_err() && Sequence::new(0.05, 0.0).is_err());
        assert!(Sequence::new(1.0, 1.0).is_err() && Sequence::new(0.05, f64::NAN).is_err());
    }
}
