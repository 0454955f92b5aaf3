//! [`McNemar`]: exact test of whether two systems get the same share of segments right, on the same segments.

use crate::Proportion;

/// McNemar's exact test of two systems that get each segment right or wrong: the numbers of segments that
/// only one of them gets right.
///
/// A randomization test swaps the outputs of the two systems at random. A swap matters only on segments where
/// one system is right and the other wrong, and each such segment is swapped with probability ½. The p-value
/// over all swaps is therefore a binomial probability, and no swaps are needed. Source: McNemar 1947, in its
/// exact form.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize)]
#[non_exhaustive]
pub struct McNemar {
    /// Number of segments that only the first system gets right.
    pub only_first: u64,
    /// Number of segments that only the second system gets right.
    pub only_second: u64,
}

impl McNemar {
    /// Returns the proportion for the exact test: `min(b, c)` successes in `b + c` trials. `b` segments are
    /// right for the first system only, `c` for the second system only. Returns `None` if both are 0.
    fn smaller(&self) -> Option<Proportion> {
        let smaller = self.only_first.min(self.only_second);
        Proportion::new(smaller, self.only_first.saturating_add(self.only_second)).ok()
    }

    pub(crate) fn p_value(&self) -> f64 {
        self.smaller().map_or(1.0, |smaller| (2.0 * smaller.p_at_most(0.5)).min(1.0))
    }
}
