//! [`Statistic`]: measures of a metric's agreement with human scores, such as correlations and pairwise
//! accuracies.

use std::fmt;
use std::str::FromStr;

use bleuprint_core::ConfigError;

use super::counts::PairCounts;
use super::grouping::Cells;
use super::soft::SoftTies;
use super::vectors::{
    difference_moments, fewer_distinct, kendall_like, pearson, pearson_p, spearman, spearman_p, tau_b_p,
};

/// Measure of a metric's agreement with human scores, such as a correlation or a pairwise accuracy. The best
/// value of each is 1.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub enum Statistic {
    /// Soft pairwise accuracy (Thompson et al. 2024): how close the metric's p-values for pairs of systems
    /// `i` and `j` are to the p-values from human scores. A system's score is the sum of its item scores `x`:
    ///
    /// ```text
    /// SPA = 1 − mean over pairs i < j of |p_human(i, j) − p_metric(i, j)|
    /// p(i, j) = share of trials with δ* ≥ δ,   δ = Σ_items (x_i − x_j),   δ* = Σ_items ±(x_i − x_j)
    /// ```
    ///
    /// The random signs `±` are the signs that the published program draws for the same seed; its seed is 4.
    /// All pairs of systems, the human scores and all metrics use the same signs. Sums are exact.
    ///
    /// Items without a rating for some system are left out for all systems. The value is from 0 to 1. It is
    /// undefined with fewer than two systems or without items.
    Spa(SoftTies),
    /// Pairwise accuracy of systems: the share of pairs of systems that the metric orders like the human
    /// scores, pooled over test sets.
    Accuracy,
    /// Pairwise accuracy with calibrated ties: the share of score pairs that the metric orders or ties like
    /// the human scores. The metric's tie threshold is chosen to maximize this share.
    AccEq,
    /// Pairwise accuracy without calibration: the share of score pairs that the metric orders or ties like
    /// the human scores. Only equal metric scores are ties.
    Acc23,
    /// `(right − wrong)/pairs`: score pairs are right if the metric orders or ties them like the human
    /// scores, and otherwise wrong. Only equal scores are ties.
    Tau23,
    /// Pearson's correlation of human scores and metric scores.
    Pearson,
    /// Spearman's rank correlation of human scores and metric scores.
    Spearman,
    /// Kendall's tau-b of human scores and metric scores.
    TauB,
    /// Kendall's tau-c (Stuart) of human scores and metric scores.
    TauC,
    /// Kendall-like tau: `(2 concordant − pairs) / pairs`, over the pairs whose human scores differ by at
    /// least the threshold in this variant.
    KendallLike(f64),
    /// Pearson's correlation between human score differences and metric score differences, over all pairs of
    /// scores within a group.
    PairwisePearson,
}

/// Default threshold of Kendall-like tau: it ignores pairs whose human scores, from 0 to 100, differ by less.
const RAW_ASSESSMENT: f64 = 25.0;

const NAMES: [(&str, Statistic); 12] = [
    ("spa", Statistic::Spa(SoftTies::Counted)),
    ("spa-symmetric", Statistic::Spa(SoftTies::Halved)),
    ("accuracy", Statistic::Accuracy),
    ("acc-eq", Statistic::AccEq),
    ("acc-23", Statistic::Acc23),
    ("tau-23", Statistic::Tau23),
    ("pearson", Statistic::Pearson),
    ("spearman", Statistic::Spearman),
    ("tau-b", Statistic::TauB),
    ("tau-c", Statistic::TauC),
    ("kendall-like", Statistic::KendallLike(RAW_ASSESSMENT)),
    ("pairwise-pearson", Statistic::PairwisePearson),
];

impl Statistic {
    /// Returns the names of all statistics of agreement with human scores, such as `pearson`.
    pub fn names() -> impl Iterator<Item = &'static str> {
        NAMES.iter().map(|(name, _)| *name)
    }

    /// Returns the two-sided p-value of the correlation `r` of two vectors, or `None` if this statistic has
    /// no p-value. Kendall's tau-b is tested exactly for short vectors, as in SciPy.
    pub fn p_value(self, r: f64, human: &[f64], metric: &[f64]) -> Option<f64> {
        match self {
            Statistic::Pearson => Some(pearson_p(r, human.len())),
            Statistic::Spearman => spearman_p(r, human.len()),
            Statistic::TauB => tau_b_p(human, metric),
            _ => None,
        }
    }

    /// Returns `true` if the statistic exists only for scores of whole systems.
    pub(crate) fn is_of_systems(self) -> bool {
        matches!(self, Statistic::Spa(_) | Statistic::Accuracy)
    }

    /// Returns `true` if the statistic is a share of correctly ordered pairs, or a linear function of such a
    /// share.
    pub(crate) fn is_of_decisions(self) -> bool {
        matches!(self, Statistic::Accuracy | Statistic::AccEq | Statistic::Acc23 | Statistic::Tau23)
    }

    /// Returns the worst possible value of this statistic: 0 for accuracies, −1 for correlations.
    pub fn least(self) -> f64 {
        match self {
            Statistic::Spa(_) | Statistic::Accuracy | Statistic::AccEq | Statistic::Acc23 => 0.0,
            _ => -1.0,
        }
    }

    /// Returns the agreement of one vector of human scores and one vector of metric scores. The metric ties
    /// pairs of scores that differ by at most `epsilon`. Returns `None` if the agreement is undefined.
    ///
    /// Unlike in a comparison of metrics, `acc-eq` does not choose the best tie threshold here; it uses
    /// `epsilon`.
    pub fn value(self, human: &[f64], metric: &[f64], epsilon: f64) -> Option<f64> {
        self.parts(human, metric, epsilon).and_then(|parts| self.finish(parts))
    }

    /// Returns the agreement of one group of scores (such as all outputs for one item) as three terms that
    /// can be added over groups; [`Statistic::finish`] turns their sum into a value. Returns `None` if the
    /// group has no value.
    pub(super) fn parts(self, human: &[f64], metric: &[f64], epsilon: f64) -> Option<Parts> {
        let counts = || PairCounts::of_with_epsilon(human, metric, epsilon);
        let one = |value: Option<f64>| value.map(|value| [value, 1.0, 0.0]);
        match self {
            Statistic::Pearson => one(pearson(human, metric)),
            Statistic::Spearman => one(spearman(human, metric)),
            Statistic::TauB => one(counts().tau_b()),
            Statistic::TauC => {
                one(PairCounts::from_scores(human, metric).tau_c(human.len(), fewer_distinct(human, metric)))
            }
            Statistic::Tau23 => one(counts().tau_23()),
            Statistic::AccEq | Statistic::Acc23 => one(counts().accuracy()),
            Statistic::Accuracy | Statistic::Spa(_) => {
                let counts = counts();
                Some([(counts.concordant + counts.ties_both) as f64, counts.pairs() as f64, 0.0])
            }
            Statistic::KendallLike(threshold) => {
                let (concordant, pairs) = kendall_like(human, metric, threshold);
                Some([2.0 * concordant as f64 - pairs as f64, pairs as f64, 0.0])
            }
            Statistic::PairwisePearson => Some(difference_moments(human, metric)),
        }
    }

    /// Computes the value of this agreement statistic from three terms. The terms come from
    /// [`Statistic::parts`] and are summed over groups of scores, such as items. Returns `None` if the value
    /// is undefined.
    pub(super) fn finish(self, [first, second, third]: Parts) -> Option<f64> {
        match self {
            Statistic::PairwisePearson => {
                let r = first / (second.sqrt() * third.sqrt());
                r.is_finite().then(|| r.clamp(-1.0, 1.0))
            }
            // Without any pair the value is 0, as in WMT's program, and not undefined.
            Statistic::KendallLike(_) if second == 0.0 => Some(0.0),
            // Sum of values over sum of weights: a mean over groups, or right pairs over all pairs.
            _ => (second > 0.0).then(|| first / second),
        }
    }
}

/// Parses the name of a statistic. `kendall-like=5` sets a threshold other than 25. Returns an error if the
/// name is unknown or the threshold is not a finite number of at least 0.
///
/// ```
/// use bleuprint_inference::agreement::Statistic;
/// assert_eq!("kendall-like=5".parse::<Statistic>()?, Statistic::KendallLike(5.0));
/// assert_eq!("tau-b".parse::<Statistic>()?.to_string(), "tau-b");
/// # Ok::<(), bleuprint_core::ConfigError>(())
/// ```
impl FromStr for Statistic {
    type Err = ConfigError;

    fn from_str(text: &str) -> Result<Self, ConfigError> {
        if let Some(threshold) = text.strip_prefix("kendall-like=") {
            let value = threshold.parse().ok().filter(|value: &f64| value.is_finite() && *value >= 0.0);
            let wrong = || ConfigError::out_of_range("kendall-like", threshold, "a number from 0");
            return value.map(Statistic::KendallLike).ok_or_else(wrong);
        }
        let found = NAMES.iter().find(|(name, _)| *name == text).map(|(_, statistic)| *statistic);
        found.ok_or_else(|| ConfigError::unknown_name("statistic", text, Self::names()))
    }
}

impl fmt::Display for Statistic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Statistic::KendallLike(threshold) = self {
            return write!(f, "kendall-like={threshold}");
        }
        let named = NAMES.iter().find(|(_, statistic)| statistic == self);
        f.write_str(named.map_or("", |(name, _)| name))
    }
}

/// Terms of an agreement statistic for one group of scores, which can be added over groups: a value and its
/// weight, or three moments of a correlation.
pub(super) type Parts = [f64; 3];

/// Treatment of a group of scores (such as all outputs for one item) whose agreement is undefined, for
/// example because all scores are equal.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum NoValue {
    /// A group of scores without a value is left out: the agreement is averaged over all other groups.
    #[default]
    Skip,
    /// A group of scores without a value, for example because all its scores are equal, counts as agreement
    /// 0.
    Zero,
}

bleuprint_core::choice!(NoValue: Skip "skip", Zero "zero");

/// Returns the agreement of each group of scores (such as all outputs for one item) as terms that can be
/// added over groups. A group with fewer than two scores gives `None`. A group with undefined agreement gives
/// `None` or counts as 0, as `no_value` decides.
pub(super) fn parts_of_groups(
    statistic: Statistic,
    cells: &Cells,
    values: &[f64],
    epsilon: f64,
    no_value: NoValue,
) -> Vec<Option<Parts>> {
    let group = |range: core::ops::Range<usize>| {
        let parts = (range.len() > 1).then(|| {
            let parts = statistic.parts(&cells.human[range.clone()], &values[range], epsilon);
            parts.or((no_value == NoValue::Zero).then_some([0.0, 1.0, 0.0]))
        });
        parts.flatten()
    };
    cells.groups().map(group).collect()
}

pub(super) fn added(parts: impl Iterator<Item = Parts>) -> Parts {
    parts.fold([0.0; 3], |[a, b, c], [d, e, f]| [a + d, b + e, c + f])
}
