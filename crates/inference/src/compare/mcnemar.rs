//! [`McNemar`]: the exact test of two systems on the same segments where a segment is right or wrong.

use crate::Proportion;

/// The segments that one system alone gets right.
///
/// A randomization test swaps the outputs of the two systems at random. Of segments that are right or wrong it moves only
/// those where the systems differ, each with probability ½ to either side: so its p-value over all swaps is a binomial
/// probability, and no swap is needed. Source: McNemar 1947, in its exact form.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize)]
#[non_exhaustive]
pub struct McNemar {
    /// Segments that the first system alone gets right.
    pub only_first: u64,
    /// Segments that the second alone gets right.
    pub only_second: u64,
}

impl McNemar {
    /// The segments where the systems differ, and the smaller part of them, as a proportion; none without such segments.
    fn smaller(&self) -> Option<Proportion> {
        let smaller = self.only_first.min(self.only_second);
        Proportion::new(smaller, self.only_first.saturating_add(self.only_second)).ok()
    }

    pub(crate) fn p_value(&self) -> f64 {
        self.smaller().map_or(1.0, |smaller| (2.0 * smaller.p_at_most(0.5)).min(1.0))
    }
}
