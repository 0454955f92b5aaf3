//! Results of resampling and of tests, below the code that computes them.

use crate::compare::caution::MOST_REDRAWN;
use crate::{Caution, Interval};

/// The arithmetic of resamples.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Precision {
    /// sacreBLEU's `float32` for the metrics that it has, exact for the others.
    #[default]
    Sacrebleu,
    /// Exact integers, finished in `f64`.
    Exact,
}

/// The result of a paired test for one system.
#[derive(Debug, Clone, Copy, PartialEq)]
#[expect(clippy::exhaustive_structs, reason = "closed: a score with its interval and p-value")]
pub struct Tested {
    /// The score on all segments.
    pub score: f64,
    /// The interval of the score; none by randomization.
    pub interval: Option<Interval>,
    /// The p-value of the difference from the baseline; none for the baseline itself.
    pub p_value: Option<f64>,
    /// The share of the resamples that had no score, and were drawn again.
    pub redrawn: f64,
    /// A doubt about the interval, or why there is none.
    pub caution: Option<Caution>,
}

impl Tested {
    /// Creates a result without interval, p-value and caution.
    pub fn new(score: f64) -> Self {
        Tested { score, interval: None, p_value: None, redrawn: 0.0, caution: None }
    }
}

/// The interval of a score, or why there is none.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub struct Estimate {
    /// The interval.
    pub interval: Option<Interval>,
    /// The share of the resamples that had no score, and were drawn again.
    pub redrawn: f64,
    /// A doubt about the interval, or why there is none.
    pub caution: Option<Caution>,
}

/// The scores of resamples.
#[derive(Debug, Clone, Default, PartialEq)]
#[non_exhaustive]
pub struct Resamples {
    /// By system; NaN if too many resamples have no score for these to be drawn again.
    pub scores: Vec<Vec<f64>>,
    /// The share of the resamples that had no score, and were drawn again.
    pub redrawn: f64,
}

impl Resamples {
    /// Returns `true` if too many resamples have no score for an interval.
    pub fn are_unscored(&self) -> bool {
        self.redrawn > MOST_REDRAWN || self.scores.iter().flatten().any(|score| !score.is_finite())
    }
}
