//! Precision, recall and their harmonic mean, computed from counts, for ROUGE and the token F1 of question
//! answering.
//!
//! ```text
//! P = hits / hypothesis        R = hits / reference        F = 2 · P · R / (P + R)
//! ```
//!
//! Without hits, and so for an empty text on either side, all three are 0. The order of operations follows
//! rouge_score and the SQuAD script, `((2 · P) · R) / (P + R)`, so results match bit for bit.

use std::borrow::Cow;
use std::fmt;

use bleuprint_core::{PartValue, Score, ScorePart, ShowPart};

#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(crate) struct FMeasure {
    /// Precision: the share of the hypothesis's n-grams (or tokens) that are found in the reference.
    pub(crate) precision: f64,
    /// Recall: the share of the reference's n-grams (or tokens) that are found in the hypothesis.
    pub(crate) recall: f64,
    /// Harmonic mean of precision and recall.
    pub(crate) f: f64,
}

impl FMeasure {
    pub(crate) fn new(hits: u64, hypothesis: u64, reference: u64) -> Self {
        if hits == 0 {
            return FMeasure::default();
        }
        Self::from_rates(hits as f64 / hypothesis as f64, hits as f64 / reference as f64, 0.5)
    }

    /// Creates the F-measure from a precision `P` and a recall `R`, with `F = P · R / ((1 − α) · P + α · R)`.
    pub(crate) fn from_rates(precision: f64, recall: f64, alpha: f64) -> Self {
        let f = if precision * recall == 0.0 {
            0.0
        // The formula and the order of operations of rouge_score.
        } else if alpha == 0.5 {
            2.0 * precision * recall / (precision + recall)
        } else {
            precision * recall / ((1.0 - alpha) * precision + alpha * recall)
        };
        FMeasure { precision, recall, f }
    }

    /// Returns `self` or `other`, whichever has the greater F. Ties are decided by recall, then by precision,
    /// so the order of references does not matter.
    pub(crate) fn better(self, other: Self) -> Self {
        // An array compares its fields in order.
        let rank = |of: &Self| [of.f, of.recall, of.precision];
        if rank(&other) > rank(&self) { other } else { self }
    }
}

/// Score of ROUGE and similar metrics: means of F, precision and recall over segments.
#[derive(Debug, Clone, Copy, PartialEq)]
#[expect(clippy::exhaustive_structs, reason = "closed: F, precision and recall")]
pub struct FScore {
    /// Mean over segments of F, the harmonic mean of precision and recall; it is the score's main number.
    pub f1: f64,
    /// Mean over segments of precision.
    pub precision: f64,
    /// Mean over segments of recall.
    pub recall: f64,
    /// Number of segments over which the means are taken.
    pub segments: u64,
}

impl FScore {
    /// Returns the names of the numbers in an [`FScore`], for metrics that return this score.
    ///
    /// ```
    /// assert_eq!(bleuprint_metrics::FScore::headline_names(), ["f1", "precision", "recall"]);
    /// ```
    pub fn headline_names() -> Vec<Cow<'static, str>> {
        ["f1", "precision", "recall"].map(Cow::Borrowed).to_vec()
    }
}

impl Score for FScore {
    fn value(&self) -> f64 {
        self.f1
    }

    fn headlines(&self) -> Vec<f64> {
        vec![self.f1, self.precision, self.recall]
    }

    fn parts(&self) -> Vec<ScorePart> {
        // A text line shows F alone, as the programs print it. The headlines carry the names of precision
        // and recall.
        let hidden = |key, number| ScorePart::new(key, ShowPart::Hidden, PartValue::Number(number));
        vec![
            hidden("precision", self.precision),
            hidden("recall", self.recall),
            ScorePart::count("segments", self.segments),
        ]
    }
}

impl fmt::Display for FScore {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.f1.fmt(f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_hits_are_zero_whatever_the_lengths() {
        assert_eq!(FMeasure::new(0, 0, 0), FMeasure::default());
        assert_eq!(FMeasure::new(0, 3, 0), FMeasure::default());
    }

    #[test]
    fn of_equal_f_the_better_recall_counts() {
        let short = FMeasure::new(1, 1, 2);
        let long = FMeasure::new(1, 2, 1);
        assert_eq!(short.f, long.f);
        assert_eq!(short.better(long), long);
        assert_eq!(long.better(short), long);
    }
}
