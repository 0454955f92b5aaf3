//! [`PairMatrix`]: the result of comparing every pair of systems.

use super::caution::{Caution, DifferenceMethod};
use super::correction::order;
use crate::{Arm, Interval, McNemar, SequentialLook, SystemRank, Win, ranks};

/// Comparison of one pair of systems.
#[derive(Debug, Clone, Copy, PartialEq, serde::Serialize)]
#[non_exhaustive]
pub struct PairTest {
    /// Index of the first system.
    pub first: usize,
    /// Index of the second system, which is larger than `first`.
    pub second: usize,
    /// Score of the first system minus the score of the second.
    pub difference: f64,
    /// Confidence interval of the difference, at the level of the test.
    pub interval: Interval,
    /// p-value of this pair of systems, not corrected for other pairs. It is NaN if there is none;
    /// [`PairTest::inconclusive`] or `caution` has the reason.
    pub p_value: f64,
    /// p-value with Holm's correction for all pairs.
    pub corrected: f64,
    /// Method that computed the interval and the p-value.
    pub method: DifferenceMethod,
    /// `true` if the p-value is the smallest that this number of resamples can give; the true one may be
    /// smaller.
    #[serde(skip_serializing_if = "core::ops::Not::not")]
    pub least_p: bool,
    /// Share of the resamples that had no score and were drawn again, from 0 to 1.
    #[serde(skip_serializing_if = "is_zero")]
    pub redrawn: f64,
    /// Reason to doubt the interval, or reason why there is none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub caution: Option<Caution>,
    /// Standard error of the difference.
    pub standard_error: f64,
    /// Smallest difference that the test would detect on these segments with the required power.
    pub smallest_difference: f64,
    /// Numbers of segments or units that only one system gets right, if the p-value comes from [`McNemar`]'s
    /// test.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mcnemar: Option<McNemar>,
    /// Further results for systems on different segments; `None` for systems on the same segments.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unpaired: Option<UnpairedPair>,
    /// Further results if the segments are resampled by units such as documents.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub paired_units: Option<PairedUnits>,
}

fn is_zero(share: &f64) -> bool {
    *share == 0.0
}

impl PairTest {
    /// Returns the reason why the pair is inconclusive, if it is. Systems on the same segments have a p-value
    /// even if they have too few units.
    pub fn inconclusive(&self) -> Option<Inconclusive> {
        let of_units = self.paired_units.and_then(|units| units.inconclusive);
        of_units.or_else(|| self.unpaired.and_then(|unpaired| unpaired.inconclusive))
    }
}

/// Comparisons of all pairs of systems, with the ranking that follows from them.
#[derive(Debug, Clone, Default, PartialEq, serde::Serialize)]
#[expect(clippy::exhaustive_structs, reason = "built with `..Default::default()`")]
pub struct PairMatrix {
    /// Name of the test that compares the pairs of systems.
    pub test: &'static str,
    /// Score of each system on all segments.
    pub scores: Vec<f64>,
    /// Comparisons of all pairs, in the order of the systems.
    pub pairs: Vec<PairTest>,
    /// Systems from best to worst, with rank ranges and clusters that follow from the corrected p-values.
    pub ranks: Vec<SystemRank>,
    /// Number of units and standard error of each system, if the systems have different segments; otherwise
    /// empty.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub arms: Vec<Arm>,
}

/// Further results for a pair of systems whose segments are resampled and swapped by units.
#[derive(Debug, Clone, Copy, PartialEq, serde::Serialize)]
#[non_exhaustive]
pub struct PairedUnits {
    /// Number of units, such as documents, that were resampled.
    pub units: usize,
    /// Squared standard error over units, divided by the squared standard error for independent segments.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub design_effect: Option<f64>,
    /// Reason why the pair is inconclusive, if it is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub inconclusive: Option<Inconclusive>,
}

/// Further results for a pair of systems that have different segments.
#[derive(Debug, Clone, Copy, PartialEq, serde::Serialize)]
#[non_exhaustive]
pub struct UnpairedPair {
    /// Test statistic: the difference of the scores divided by its standard error.
    pub statistic: f64,
    /// Degrees of freedom of Student's distribution for the test statistic.
    pub freedom: f64,
    /// Number of all arrangements of the units, if the permutation test tried all.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub arrangements: Option<u64>,
    /// Squared standard error over units, divided by the squared standard error for independent segments;
    /// `None` if segments are the units.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub design_effect: Option<f64>,
    /// Numbers of units of the two systems that would detect the wanted difference, in the present
    /// proportion.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub needed: Option<[u64; 2]>,
    /// Smallest difference that the planned number of units would detect.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub smallest_planned: Option<f64>,
    /// Result that stays valid if it is computed again and again while data arrives; from 30 units on each
    /// side.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub look: Option<SequentialLook>,
    /// Reason why the pair is inconclusive, if it is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub inconclusive: Option<Inconclusive>,
}

/// Reason why there is no verdict on a pair.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "kebab-case")]
#[expect(clippy::exhaustive_enums, reason = "closed: messages tell each")]
pub enum Inconclusive {
    /// One of the two systems has fewer than [`FEWEST_UNITS`](crate::FEWEST_UNITS) units.
    TooFewUnits,
    /// There is no standard error: the units of each system are all alike, but the systems differ.
    NoSpread,
}

pub(crate) fn all_pairs(systems: usize) -> Vec<(usize, usize)> {
    (0..systems).flat_map(|first| (first + 1..systems).map(move |second| (first, second))).collect()
}

/// Ranks the systems by the corrected p-values of all pairs.
pub(crate) fn ranking(
    scores: &[f64],
    pairs: &[PairTest],
    higher_is_better: bool,
    significance: f64,
) -> Vec<SystemRank> {
    let gain = |difference: f64| if higher_is_better { difference } else { -difference };
    let order = order(scores.len(), &|one, other| gain(scores[other]).total_cmp(&gain(scores[one])));
    let significant = pairs.iter().filter(|pair| pair.corrected <= significance);
    let win = |pair: &PairTest| {
        if gain(pair.difference) > 0.0 {
            Win { better: pair.first, worse: pair.second }
        } else {
            Win { better: pair.second, worse: pair.first }
        }
    };
    ranks(&order, &significant.map(win).collect::<Vec<_>>())
}
