//! [`PairMatrix`]: scores, differences, p-values and ranks from comparing every pair of systems.

use super::caution::{Caution, DifferenceMethod};
use super::correction::order;
use crate::{Arm, Interval, McNemar, SequentialLook, SystemRank, Win, ranks};

/// Comparison of two systems: score difference, confidence interval and p-value.
#[derive(Debug, Clone, Copy, PartialEq, serde::Serialize)]
#[non_exhaustive]
pub struct PairTest {
    /// Index of the first of the two compared systems.
    pub first: usize,
    /// Index of the second of the two compared systems, which is larger than `first`.
    pub second: usize,
    /// Score of the first system minus the score of the second.
    pub difference: f64,
    /// Confidence interval of the score difference, at the level of the test.
    pub interval: Interval,
    /// P-value of this pair of systems, not corrected for the number of pairs; NaN if the pair has none.
    /// [`PairTest::inconclusive`] or `caution` then has the reason.
    pub p_value: f64,
    /// P-value after Holm's correction for the number of pairs of systems.
    pub corrected: f64,
    /// Method that computed the confidence interval and the p-value.
    pub method: DifferenceMethod,
    /// `true` if the p-value is the smallest that this number of resamples can give. The exact p-value may be
    /// even smaller.
    #[serde(skip_serializing_if = "core::ops::Not::not")]
    pub least_p: bool,
    /// Share of the bootstrap resamples that had no score and were drawn again, from 0 to 1.
    #[serde(skip_serializing_if = "is_zero")]
    pub redrawn: f64,
    /// Reason to doubt the confidence interval, or reason why there is none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub caution: Option<Caution>,
    /// Standard error of the score difference.
    pub standard_error: f64,
    /// Smallest score difference that the test would detect on these segments with the required power.
    pub smallest_difference: f64,
    /// Numbers of segments or units that only one system gets right, if the p-value comes from [`McNemar`]'s
    /// test.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mcnemar: Option<McNemar>,
    /// Results that exist only if the two systems were scored on different segments, such as the test
    /// statistic.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unpaired: Option<UnpairedPair>,
    /// Results that exist only if segments are resampled in units such as documents, for example the design
    /// effect.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub paired_units: Option<PairedUnits>,
}

fn is_zero(share: &f64) -> bool {
    *share == 0.0
}

impl PairTest {
    /// Returns the reason why the two systems have no verdict, for example too few documents; `None` if they
    /// have one. Systems on the same segments have a p-value even if they have too few units.
    pub fn inconclusive(&self) -> Option<Inconclusive> {
        let of_units = self.paired_units.and_then(|units| units.inconclusive);
        of_units.or_else(|| self.unpaired.and_then(|unpaired| unpaired.inconclusive))
    }
}

/// Comparisons of all pairs of systems, with the systems' scores and the ranking by significance.
#[derive(Debug, Clone, Default, PartialEq, serde::Serialize)]
#[expect(clippy::exhaustive_structs, reason = "built with `..Default::default()`")]
pub struct PairMatrix {
    /// Name of the significance test by which pairs of systems were compared.
    pub test: &'static str,
    /// Score of each system on all segments.
    pub scores: Vec<f64>,
    /// Comparisons of all pairs of systems, ordered by the index of the first and then of the second system.
    pub pairs: Vec<PairTest>,
    /// Systems from best to worst, with rank ranges and clusters that follow from the corrected p-values.
    pub ranks: Vec<SystemRank>,
    /// Number of units and standard error of each system, if the systems were scored on different segments;
    /// otherwise empty.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub arms: Vec<Arm>,
}

/// Results of a comparison of two systems over units (groups of dependent segments, such as documents).
#[derive(Debug, Clone, Copy, PartialEq, serde::Serialize)]
#[non_exhaustive]
pub struct PairedUnits {
    /// Number of units, such as documents, that were resampled.
    pub units: usize,
    /// Design effect of correlated segments: the squared standard error over units (such as documents),
    /// divided by the squared standard error for independent segments.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub design_effect: Option<f64>,
    /// Reason why the two systems have no verdict, if they have none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub inconclusive: Option<Inconclusive>,
}

/// Results of a comparison of two systems that were scored on different segments.
#[derive(Debug, Clone, Copy, PartialEq, serde::Serialize)]
#[non_exhaustive]
pub struct UnpairedPair {
    /// Test statistic: the difference of the scores divided by its standard error.
    pub statistic: f64,
    /// Degrees of freedom of Student's distribution for the test statistic.
    pub freedom: f64,
    /// Number of all ways to divide the units (such as documents) between the two systems, if the permutation
    /// test tried all of them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub arrangements: Option<u64>,
    /// Design effect of correlated segments: the squared standard error over units (such as documents),
    /// divided by the squared standard error for independent segments. `None` if each segment is a unit.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub design_effect: Option<f64>,
    /// Numbers of units (such as documents) for the two systems at which the test would detect the wanted
    /// difference. Their ratio is the ratio of the present numbers of units.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub needed: Option<[u64; 2]>,
    /// Smallest score difference that the test would detect with the planned number of units, such as
    /// documents.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub smallest_planned: Option<f64>,
    /// Anytime-valid result, which stays valid if it is computed again and again while data arrives. Present
    /// if each system has at least 30 units.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub look: Option<SequentialLook>,
    /// Reason why the two systems have no verdict, if they have none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub inconclusive: Option<Inconclusive>,
}

/// Reason why the comparison of two systems has no verdict.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "kebab-case")]
#[expect(clippy::exhaustive_enums, reason = "closed: messages tell each")]
pub enum Inconclusive {
    /// One of the two systems has fewer than [`FEWEST_UNITS`](crate::FEWEST_UNITS) units, such as documents.
    TooFewUnits,
    /// The standard error is 0: in each system all units (such as documents) have equal scores, but the two
    /// systems differ.
    NoSpread,
}

pub(crate) fn all_pairs(systems: usize) -> Vec<(usize, usize)> {
    (0..systems).flat_map(|first| (first + 1..systems).map(move |second| (first, second))).collect()
}

/// Ranks the systems by score and by the corrected p-values of all pairs, from best to worst.
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
