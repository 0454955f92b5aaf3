//! [`LabelTally`]: the numbers of right predictions, predictions and references of a label, and precision,
//! recall and F computed from them.

use serde::{Deserialize, Serialize};

/// The counts of predictions and references of one label.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(into = "[u64; 3]", from = "[u64; 3]")]
pub(crate) struct LabelTally {
    /// Number of segments, or positions in segments, in which the label was predicted and is right.
    pub(crate) right: u64,
    /// Number of times that the label was predicted.
    pub(crate) predicted: u64,
    /// Number of times that the label is in the reference.
    pub(crate) gold: u64,
}

impl From<[u64; 3]> for LabelTally {
    fn from([right, predicted, gold]: [u64; 3]) -> Self {
        LabelTally { right, predicted, gold }
    }
}

impl From<LabelTally> for [u64; 3] {
    fn from(tally: LabelTally) -> Self {
        [tally.right, tally.predicted, tally.gold]
    }
}

/// Trait of counts that are added with a check for overflow; `plus` returns `None` beyond 64 bits.
pub(crate) trait CheckedCount: Copy + PartialEq + Default {
    fn plus(self, other: Self, times: u64) -> Option<Self>;
}

impl CheckedCount for u64 {
    fn plus(self, other: u64, times: u64) -> Option<u64> {
        other.checked_mul(times).and_then(|more| self.checked_add(more))
    }
}

impl CheckedCount for LabelTally {
    fn plus(self, other: LabelTally, times: u64) -> Option<LabelTally> {
        Some(LabelTally {
            right: self.right.plus(other.right, times)?,
            predicted: self.predicted.plus(other.predicted, times)?,
            gold: self.gold.plus(other.gold, times)?,
        })
    }
}

impl LabelTally {
    /// Counts of a label that was predicted once and is wrong.
    pub(crate) const PREDICTED: LabelTally = LabelTally { right: 0, predicted: 1, gold: 0 };
    // A wrong prediction counts twice: the predicted label gets PREDICTED, and the label of the reference
    // gets GOLD.
    pub(crate) const GOLD: LabelTally = LabelTally { right: 0, predicted: 0, gold: 1 };
    pub(crate) const RIGHT: LabelTally = LabelTally { right: 1, predicted: 1, gold: 1 };

    /// Returns `true` if these counts are consistent: right predictions cannot exceed predictions or
    /// references.
    pub(crate) fn is_possible(self) -> bool {
        self.right <= self.predicted.min(self.gold)
    }

    pub(crate) fn is_equal(self) -> bool {
        self.right == self.predicted && self.right == self.gold
    }

    pub(crate) fn is_seen(self) -> bool {
        self != LabelTally::default()
    }

    pub(crate) fn sums(self) -> LabelSums {
        LabelSums { right: self.right.into(), predicted: self.predicted.into(), gold: self.gold.into() }
    }
}

/// Sums of the counts of many labels, in 128 bits so that 2^64 counts of 64 bits fit.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(crate) struct LabelSums {
    pub(crate) right: u128,
    pub(crate) predicted: u128,
    pub(crate) gold: u128,
}

impl LabelSums {
    pub(crate) fn from_tallies(tallies: impl IntoIterator<Item = LabelTally>) -> LabelSums {
        tallies.into_iter().map(LabelTally::sums).fold(LabelSums::default(), |sum, more| LabelSums {
            right: sum.right.saturating_add(more.right),
            predicted: sum.predicted.saturating_add(more.predicted),
            gold: sum.gold.saturating_add(more.gold),
        })
    }

    /// Returns precision, recall and F of these counts. Each of them is `zero` if its own denominator is 0.
    pub(crate) fn quotients(self, rule: FRule, zero: f64) -> Prf {
        let precision = quotient(self.right, self.predicted, zero);
        let recall = quotient(self.right, self.gold, zero);
        let f = match rule {
            FRule::OfCounts(_) if self.gold == 0 && self.predicted == 0 => zero,
            // At β = 1 both terms are integers, so that one division rounds once and matches scikit-learn bit
            // for bit.
            FRule::OfCounts(1.0) => {
                quotient(self.right.saturating_mul(2), self.gold.saturating_add(self.predicted), zero)
            }
            FRule::OfCounts(beta) => {
                let square = beta * beta;
                (1.0 + square) * self.right as f64 / (square * self.gold as f64 + self.predicted as f64)
            }
            // A number that is left out follows from no quotient: F has a case if one side has the label.
            FRule::OfQuotients if precision.is_nan() || recall.is_nan() => {
                if self.gold == 0 && self.predicted == 0 { zero } else { 0.0 }
            }
            FRule::OfQuotients if precision + recall == 0.0 => 0.0,
            FRule::OfQuotients => 2.0 * precision * recall / (precision + recall),
        };
        Prf { precision, recall, f }
    }
}

/// Returns `part / whole` after converting both to floats, or `zero` if `whole` is 0.
pub(crate) fn quotient(part: u128, whole: u128, zero: f64) -> f64 {
    if whole == 0 { zero } else { part as f64 / whole as f64 }
}

/// The formula of the F score of a label.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum FRule {
    /// `(1+β²)·tp / (β²·gold + predicted)`, as in scikit-learn, from the true positives `tp`, references
    /// `gold` and predictions of a label. The field is β.
    OfCounts(f64),
    /// `2·P·R / (P+R)` from the rounded precision `P` and recall `R`, as in seqeval.
    OfQuotients,
}

/// Precision, recall and F of one label, or their average over labels.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(crate) struct Prf {
    /// Precision: the share of the predictions of a label that are correct.
    pub(crate) precision: f64,
    /// Recall: the share of the references with a label for which this label is predicted.
    pub(crate) recall: f64,
    /// Weighted harmonic mean of precision and recall.
    pub(crate) f: f64,
}
