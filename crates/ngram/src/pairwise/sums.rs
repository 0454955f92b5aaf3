//! Clipped n-gram counts of hypotheses against the summed n-gram counts of all references.

use super::lists::{HypothesisNgrams, ListEntry, NumberedReferences};
use alloc::vec::Vec;

/// The total count of each n-gram in all references together, indexed by the number of the n-gram.
///
/// ```
/// use bleuprint_ngram::pairwise::{HypothesisNgrams, NumberedReferences, ReferenceSums};
/// let references = NumberedReferences::new(&[&[1, 1, 2], &[1, 3]], 1).unwrap();
/// let mut hypotheses = HypothesisNgrams::default();
/// assert!(hypotheses.look_up(&references, &[&[1, 1, 3]]));
/// // Twice the hypothesis is 1 1 1 1 3 3, all references are 1 1 1 2 3.
/// let matches: Vec<u64> = ReferenceSums::new(&references).overlap(&hypotheses, 0, [2]).collect();
/// assert_eq!(matches, [3 + 1]);
/// ```
#[derive(Debug, Clone)]
pub struct ReferenceSums {
    sums: Vec<u64>,
}

impl ReferenceSums {
    /// Adds up the n-gram counts of all references, in time `O(n-grams)`.
    pub fn new(references: &NumberedReferences) -> Self {
        let mut sums = alloc::vec![0; references.distinct()];
        for order in &references.lists.orders {
            for &ListEntry { gram, count } in order.all() {
                sums[gram as usize] += u64::from(count);
            }
        }
        ReferenceSums { sums }
    }

    /// Returns the number of clipped n-gram matches of a hypothesis with all references together, for each
    /// order from 1. The sum is `Σ min(times · count in the hypothesis, count in all references)`, and
    /// `times` has one factor per order.
    ///
    /// Orders above the `max_order` of [`NumberedReferences::new`] get 0. The hypotheses must have been
    /// looked up in the same references from which these sums were made; otherwise the counts are
    /// meaningless.
    pub fn overlap(
        &self,
        hypotheses: &HypothesisNgrams,
        hypothesis: usize,
        times: impl IntoIterator<Item = u32>,
    ) -> impl Iterator<Item = u64> {
        let mut orders = hypotheses.lists.orders.iter();
        times.into_iter().map(move |times| {
            // An order's entry of `times` is consumed even if the order has no n-grams, so both stay in step.
            let entries = orders.next().map_or(&[][..], |order| order.entries(hypothesis));
            let clipped = entries.iter().map(|&ListEntry { gram, count }| {
                let sum = self.sums.get(gram as usize).copied().unwrap_or(0);
                sum.min(u64::from(count) * u64::from(times))
            });
            clipped.sum()
        })
    }
}
