//! Results of resampling and of significance tests: scores, confidence intervals and p-values.

use crate::compare::caution::MOST_REDRAWN;
use crate::{Caution, Interval};

/// Arithmetic in which the counts of resamples are summed and scored.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Precision {
    /// sacreBLEU's `float32` arithmetic, for the metrics that sacreBLEU has; all other metrics use exact
    /// arithmetic.
    #[default]
    Sacrebleu,
    /// Exact integer sums of counts, scored in `f64`.
    Exact,
}

/// Score of one system, with its confidence interval and the p-value of its difference from the baseline
/// system.
#[derive(Debug, Clone, Copy, PartialEq)]
#[expect(clippy::exhaustive_structs, reason = "closed: a score with its interval and p-value")]
pub struct Tested {
    /// Score of the system on all segments.
    pub score: f64,
    /// Confidence interval of the score; `None` if there were no bootstrap resamples, as in a randomization
    /// test.
    pub interval: Option<Interval>,
    /// P-value of the score difference from the baseline system; `None` for the baseline itself.
    pub p_value: Option<f64>,
    /// Share of the bootstrap resamples that had no score and were drawn again, from 0 to 1.
    pub redrawn: f64,
    /// Reason to doubt the confidence interval of the score, or the reason why there is no interval.
    pub caution: Option<Caution>,
}

impl Tested {
    /// Creates a result that has only a score: no interval, p-value or caution.
    pub fn new(score: f64) -> Self {
        Tested { score, interval: None, p_value: None, redrawn: 0.0, caution: None }
    }
}

/// Confidence interval of a score, or the reason why there is none.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub struct Estimate {
    /// Confidence interval of the score; `None` if the resamples do not allow one.
    pub interval: Option<Interval>,
    /// Share of the bootstrap resamples that had no score and were drawn again, from 0 to 1.
    pub redrawn: f64,
    /// Reason to doubt the confidence interval of the score, or the reason why there is no interval.
    pub caution: Option<Caution>,
}

/// Scores of all systems on the same bootstrap resamples.
#[derive(Debug, Clone, Default, PartialEq)]
#[non_exhaustive]
pub struct Resamples {
    /// Scores of the bootstrap resamples, one list for each system. NaN marks a resample without a score that
    /// was not drawn again, because too many have none.
    pub scores: Vec<Vec<f64>>,
    /// Share of the bootstrap resamples that had no score, from 0 to 1. They are drawn again unless they are
    /// too many.
    pub redrawn: f64,
}

impl Resamples {
    /// Returns `true` if too many resamples have no score, so that no interval can be computed.
    pub fn are_unscored(&self) -> bool {
        self.redrawn > MOST_REDRAWN || self.scores.iter().flatten().any(|score| !score.is_finite())
    }
}
