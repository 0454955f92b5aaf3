//! [`Tally`]: the three counts of a label, and the quotients that follow from them.

use serde::{Deserialize, Serialize};

/// The counts of one label.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(into = "[u64; 3]", from = "[u64; 3]")]
pub(crate) struct Tally {
    /// Predicted where it is right.
    pub(crate) right: u64,
    /// Predicted.
    pub(crate) predicted: u64,
    /// In the references.
    pub(crate) gold: u64,
}

impl From<[u64; 3]> for Tally {
    fn from([right, predicted, gold]: [u64; 3]) -> Self {
        Tally { right, predicted, gold }
    }
}

impl From<Tally> for [u64; 3] {
    fn from(tally: Tally) -> Self {
        [tally.right, tally.predicted, tally.gold]
    }
}

/// Counts in a map: they add up, or leave 64 bits.
pub(crate) trait Count: Copy + PartialEq + Default {
    fn plus(self, other: Self, times: u64) -> Option<Self>;
}

impl Count for u64 {
    fn plus(self, other: u64, times: u64) -> Option<u64> {
        other.checked_mul(times).and_then(|more| self.checked_add(more))
    }
}

impl Count for Tally {
    fn plus(self, other: Tally, times: u64) -> Option<Tally> {
        Some(Tally {
            right: self.right.plus(other.right, times)?,
            predicted: self.predicted.plus(other.predicted, times)?,
            gold: self.gold.plus(other.gold, times)?,
        })
    }
}

impl Tally {
    /// Some predictions of some references.
    pub(crate) const PREDICTED: Tally = Tally { right: 0, predicted: 1, gold: 0 };
    pub(crate) const GOLD: Tally = Tally { right: 0, predicted: 0, gold: 1 };
    pub(crate) const RIGHT: Tally = Tally { right: 1, predicted: 1, gold: 1 };

    /// Whether segments can have these counts.
    pub(crate) fn is_possible(self) -> bool {
        self.right <= self.predicted.min(self.gold)
    }

    pub(crate) fn is_equal(self) -> bool {
        self.right == self.predicted && self.right == self.gold
    }

    pub(crate) fn is_seen(self) -> bool {
        self != Tally::default()
    }

    pub(crate) fn sums(self) -> Sums {
        Sums { right: self.right.into(), predicted: self.predicted.into(), gold: self.gold.into() }
    }
}

/// Sums of the counts of labels: of 2^64 labels, they fit.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(crate) struct Sums {
    pub(crate) right: u128,
    pub(crate) predicted: u128,
    pub(crate) gold: u128,
}

impl Sums {
    pub(crate) fn of(tallies: impl IntoIterator<Item = Tally>) -> Sums {
        tallies.into_iter().map(Tally::sums).fold(Sums::default(), |sum, more| Sums {
            right: sum.right.saturating_add(more.right),
            predicted: sum.predicted.saturating_add(more.predicted),
            gold: sum.gold.saturating_add(more.gold),
        })
    }

    /// Precision, recall and F; each is `zero` by itself where its denominator is 0.
    pub(crate) fn quotients(self, rule: FRule, zero: f64) -> Prf {
        let precision = quotient(self.right, self.predicted, zero);
        let recall = quotient(self.right, self.gold, zero);
        let f = match rule {
            FRule::OfCounts(_) if self.gold == 0 && self.predicted == 0 => zero,
            FRule::OfCounts(1.0) => {
                quotient(self.right.saturating_mul(2), self.gold.saturating_add(self.predicted), zero)
            }
            FRule::OfCounts(beta) => {
                let square = beta * beta;
                (1.0 + square) * self.right as f64 / (square * self.gold as f64 + self.predicted as f64)
            }
            FRule::OfQuotients if precision + recall == 0.0 => 0.0,
            FRule::OfQuotients => 2.0 * precision * recall / (precision + recall),
        };
        Prf { precision, recall, f }
    }
}

/// One division of exactly converted integers.
pub(crate) fn quotient(part: u128, whole: u128, zero: f64) -> f64 {
    if whole == 0 { zero } else { part as f64 / whole as f64 }
}

/// The definition of F.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum FRule {
    /// `(1+β²)·tp / (β²·gold + predicted)`, as scikit-learn's.
    OfCounts(f64),
    /// `2·P·R / (P+R)` from the rounded quotients, as seqeval's.
    OfQuotients,
}

/// Precision, recall and F.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(crate) struct Prf {
    /// Right predictions among the predictions.
    pub(crate) precision: f64,
    /// Right predictions among the references.
    pub(crate) recall: f64,
    /// The weighted harmonic mean of both.
    pub(crate) f: f64,
}
