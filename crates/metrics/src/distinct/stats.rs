//! Statistics of distinct-n: the set of all n-grams, and their number.

use bleuprint_core::{InputError, InputErrorKind, Result, Stats};
use bleuprint_ngram::{NgramSet, Word};
use serde::{Deserialize, Serialize};

use crate::shared::ngrams::{StoredSet, full};

/// Distinct n-grams of all orders up to the highest, and the number of all n-grams of each order.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(into = "StoredNgrams", try_from = "StoredNgrams")]
pub struct DistinctStats {
    ngrams: NgramSet,
    totals: Vec<u64>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct StoredNgrams {
    ngrams: StoredSet,
    totals: Vec<u64>,
}

/// Creates statistics without orders, which do not merge with the statistics of a metric.
impl Default for DistinctStats {
    fn default() -> Self {
        DistinctStats::new(0)
    }
}

impl DistinctStats {
    pub(super) fn new(max_order: usize) -> Self {
        let ngrams = NgramSet::new(max_order);
        DistinctStats { totals: vec![0; ngrams.max_order()], ngrams }
    }

    pub(crate) fn unique(&self, order: usize) -> u64 {
        self.ngrams.len(order) as u64
    }

    pub(crate) fn total(&self, order: usize) -> u64 {
        order.checked_sub(1).and_then(|index| self.totals.get(index)).copied().unwrap_or(0)
    }

    pub(super) fn add<W: Word>(&mut self, row: &mut Vec<u32>, tokens: &[W]) -> Result<()> {
        let more = (1..=self.totals.len()).map(|order| (tokens.len() + 1).saturating_sub(order) as u64);
        // Stored only after the insertion has succeeded, so that an error changes nothing.
        let totals = sum(&self.totals, more)?;
        self.ngrams.insert(tokens, row, |_, _| ()).map_err(full)?;
        self.totals = totals;
        Ok(())
    }

    pub(super) fn check(&self, max_order: usize, segments: u64) -> Result<()> {
        // A state read from a file can combine a set of one order with totals of another.
        if self.ngrams.max_order() != max_order || self.totals.len() != max_order {
            let given = self.ngrams.max_order();
            let message = format!("n-grams up to order {given}, where {max_order} was expected");
            return Err(InputError::malformed_state(message));
        }
        for order in 1..=max_order {
            let unique = self.unique(order);
            let total = self.total(order);
            let shorter = self.total(order + 1);
            InputError::require_at_most("different n-grams", unique, "n-grams", total)?;
            // A text with n-grams of an order has one more of them than of the next order.
            let ending = if order < max_order { total.checked_sub(shorter) } else { Some(0) };
            if (unique == 0) != (total == 0) || ending.is_none_or(|texts| texts > segments) {
                return Err(InputError::malformed_state(format!(
                    "{total} n-grams of order {order}, {unique} of them different, and {shorter} of the next order, in {segments} segments"
                )));
            }
        }
        Ok(())
    }
}

fn sum(left: &[u64], right: impl IntoIterator<Item = u64>) -> Result<Vec<u64>> {
    let add = |(order, (&left, right)): (usize, (&u64, u64))| {
        let column = format!("total_{order}");
        let error = InputErrorKind::CountRange { column, left, operation: '+', right };
        left.checked_add(right).ok_or_else(|| error.into())
    };
    (1..).zip(left.iter().zip(right)).map(add).collect()
}

impl Stats for DistinctStats {
    fn merge(&mut self, other: &Self) -> Result<()> {
        self.check_merge(other)?;
        let totals = sum(&self.totals, other.totals.iter().copied())?;
        self.ngrams.absorb(&other.ngrams).map_err(full)?;
        self.totals = totals;
        Ok(())
    }

    fn check_merge(&self, other: &Self) -> Result<()> {
        // States of different orders have different n-grams, so their sets must not unite.
        if self.totals.len() != other.totals.len() {
            let message = format!("n-grams up to order {} and {}", self.totals.len(), other.totals.len());
            return Err(InputError::malformed_state(message));
        }
        sum(&self.totals, other.totals.iter().copied())?;
        self.ngrams.has_room(other.ngrams.most()).map_err(full)
    }
}

impl From<DistinctStats> for StoredNgrams {
    fn from(stats: DistinctStats) -> Self {
        StoredNgrams { ngrams: StoredSet::from(&stats.ngrams), totals: stats.totals }
    }
}

impl TryFrom<StoredNgrams> for DistinctStats {
    type Error = InputError;

    fn try_from(stored: StoredNgrams) -> Result<Self> {
        Ok(DistinctStats { ngrams: NgramSet::try_from(stored.ngrams)?, totals: stored.totals })
    }
}
