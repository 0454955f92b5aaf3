//! All references in one: the sums of their counts, and hypotheses against them.

use super::lists::{Entry, Hypotheses, References};
use alloc::vec::Vec;

/// The count of each n-gram in all references together, by the number of the n-gram.
///
/// ```
/// use bleuprint_ngram::pairwise::{Hypotheses, References, Sums};
/// let references = References::new(&[&[1, 1, 2], &[1, 3]], 1).unwrap();
/// let mut hypotheses = Hypotheses::default();
/// assert!(hypotheses.look_up(&references, &[&[1, 1, 3]]));
/// // Twice the hypothesis is 1 1 1 1 3 3, all references are 1 1 1 2 3.
/// let matches: Vec<u64> = Sums::new(&references).overlap(&hypotheses, 0, [2]).collect();
/// assert_eq!(matches, [3 + 1]);
/// ```
#[derive(Debug, Clone)]
pub struct Sums {
    sums: Vec<u64>,
}

impl Sums {
    /// Adds up the counts of the references: `O(n-grams)`.
    pub fn new(references: &References) -> Self {
        let mut sums = alloc::vec![0; references.distinct()];
        for order in &references.lists.orders {
            for &Entry { gram, count } in order.all() {
                sums[gram as usize] += u64::from(count);
            }
        }
        Sums { sums }
    }

    /// For each order from 1, the clipped matches of the hypothesis, its counts multiplied by each of `times`, with all
    /// references concatenated; 0 for orders not numbered.
    ///
    /// The hypotheses must have been looked up in the references of these sums; the counts mean nothing otherwise.
    pub fn overlap(
        &self,
        hypotheses: &Hypotheses,
        hypothesis: usize,
        times: impl IntoIterator<Item = u32>,
    ) -> impl Iterator<Item = u64> {
        let mut orders = hypotheses.lists.orders.iter();
        times.into_iter().map(move |times| {
            let entries = orders.next().map_or(&[][..], |order| order.of(hypothesis));
            let clipped = entries.iter().map(|&Entry { gram, count }| {
                let sum = self.sums.get(gram as usize).copied().unwrap_or(0);
                sum.min(u64::from(count) * u64::from(times))
            });
            clipped.sum()
        })
    }
}
