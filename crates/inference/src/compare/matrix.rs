//! [`PairMatrix`]: the result of comparing every pair of systems.

use super::caution::{Caution, DifferenceMethod};
use super::correction::order;
use crate::{Arm, Interval, McNemar, SequentialLook, SystemRank, Win, ranks};

/// One pair of systems.
#[derive(Debug, Clone, Copy, PartialEq, serde::Serialize)]
#[non_exhaustive]
pub struct PairTest {
    /// The first system, by index.
    pub first: usize,
    /// The second, with a greater index.
    pub second: usize,
    /// Score of the first minus score of the second.
    pub difference: f64,
    /// The interval of that difference by the test, at its level.
    pub interval: Interval,
    /// The p-value of this pair alone; NaN where [`PairTest::inconclusive`] says why there is none.
    pub p_value: f64,
    /// Holm's correction for all pairs.
    pub corrected: f64,
    /// The method of both interval and p-value.
    pub method: DifferenceMethod,
    /// True if the p-value is the least that this number of resamples can show: the true one may be smaller.
    #[serde(skip_serializing_if = "core::ops::Not::not")]
    pub least_p: bool,
    /// Share of the resamples that had no score, and were drawn again.
    #[serde(skip_serializing_if = "is_zero")]
    pub redrawn: f64,
    /// A doubt about the interval, or why there is none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub caution: Option<Caution>,
    /// The standard error of the difference.
    pub standard_error: f64,
    /// The smallest difference that such a test would find on these segments with the power asked for.
    pub smallest_difference: f64,
    /// The segments, or units, that one system alone gets right, where the p-value is exactly that of [`McNemar`].
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mcnemar: Option<McNemar>,
    /// More about systems on different segments.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unpaired: Option<UnpairedPair>,
    /// More about systems whose segments are drawn by units.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub paired_units: Option<PairedUnits>,
}

fn is_zero(share: &f64) -> bool {
    *share == 0.0
}

impl PairTest {
    /// The reason for no verdict, or for doubt: pairs with few units have a p-value.
    pub fn inconclusive(&self) -> Option<Inconclusive> {
        let of_units = self.paired_units.and_then(|units| units.inconclusive);
        of_units.or_else(|| self.unpaired.and_then(|unpaired| unpaired.inconclusive))
    }
}

/// All pairs, and the ranking that follows.
#[derive(Debug, Clone, Default, PartialEq, serde::Serialize)]
#[expect(clippy::exhaustive_structs, reason = "built with `..Default::default()`")]
pub struct PairMatrix {
    /// The name of the test.
    pub test: &'static str,
    /// The score of each system on all segments.
    pub scores: Vec<f64>,
    /// Every pair, in the order of the systems.
    pub pairs: Vec<PairTest>,
    /// The systems from best to worst, with rank ranges and clusters of the corrected p-values.
    pub ranks: Vec<SystemRank>,
    /// The units and the standard error of each system, if there are no pairs of segments.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub arms: Vec<Arm>,
}

/// Facts about a pair whose segments are drawn and swapped by units.
#[derive(Debug, Clone, Copy, PartialEq, serde::Serialize)]
#[non_exhaustive]
pub struct PairedUnits {
    /// The number of units.
    pub units: usize,
    /// The squared standard error over units, over that of segments taken as independent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub design_effect: Option<f64>,
    /// The reason for no conclusion.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub inconclusive: Option<Inconclusive>,
}

/// Facts about a pair beyond a paired comparison.
#[derive(Debug, Clone, Copy, PartialEq, serde::Serialize)]
#[non_exhaustive]
pub struct UnpairedPair {
    /// The difference over its standard error.
    pub statistic: f64,
    /// The degrees of freedom of that.
    pub freedom: f64,
    /// The number of arrangements, where all were tried.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub arrangements: Option<u64>,
    /// The squared standard error over units, over that of segments taken as independent; where there are units.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub design_effect: Option<f64>,
    /// The units on each side that would show the difference asked for, in the proportion that there is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub needed: Option<[u64; 2]>,
    /// The smallest difference that the planned number of units would show.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub smallest_planned: Option<f64>,
    /// The result that holds at every look, from 30 units on each side.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub look: Option<SequentialLook>,
    /// The reason for no conclusion.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub inconclusive: Option<Inconclusive>,
}

/// The reason for no verdict on a pair.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "kebab-case")]
#[expect(clippy::exhaustive_enums, reason = "closed: messages tell each")]
pub enum Inconclusive {
    /// Fewer than [`FEWEST_UNITS`](crate::FEWEST_UNITS) on a side.
    TooFewUnits,
    /// The units of each side are all alike, but the sides differ: there is no standard error.
    NoSpread,
}

pub(crate) fn all_pairs(systems: usize) -> Vec<(usize, usize)> {
    (0..systems).flat_map(|first| (first + 1..systems).map(move |second| (first, second))).collect()
}

/// Ranks by the corrected p-values of all pairs.
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
