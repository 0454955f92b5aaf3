//! [`Statistic`]: what is said of a metric, over groups of cells.

use std::fmt;
use std::str::FromStr;

use bleuprint_core::ConfigError;

use super::counts::PairCounts;
use super::grouping::Cells;
use super::soft::SoftTies;
use super::vectors::{
    difference_moments, fewer_distinct, kendall_like, pearson, pearson_p, spearman, spearman_p, tau_b_p,
};

/// A statistic of a metric's agreement with people. All are best at 1.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub enum Statistic {
    /// Soft pairwise accuracy of a metric whose system scores are sums over items (Thompson et al. 2024):
    ///
    /// ```text
    /// SPA = 1 − mean over pairs i < j of |p_human(i, j) − p_metric(i, j)|
    /// p(i, j) = share of trials with δ* ≥ δ,   δ = Σ_items (x_i − x_j),   δ* = Σ_items ±(x_i − x_j)
    /// ```
    ///
    /// The coins are those of the published program for this seed (4 there), the same for all pairs, people and metrics; sums are
    /// exact. Items that lack a rating are left out for all systems. 0 to 1; none below two systems or without items.
    Spa(SoftTies),
    /// Pairs of systems in the right order, pooled over test sets.
    Accuracy,
    /// Pairs right, ties calibrated: where people have a tie, a difference that is small enough for the metric.
    AccEq,
    /// Pairs right, ties as they are.
    Acc23,
    /// Pairs right less pairs wrong, ties as they are, over all pairs.
    Tau23,
    /// Pearson's correlation.
    Pearson,
    /// Spearman's correlation.
    Spearman,
    /// Kendall's tau-b.
    TauB,
    /// Kendall's tau-c, of Stuart.
    TauC,
    /// Kendall-like tau, `(2 concordant − pairs) / pairs`, of the pairs that people tell apart by at least this much.
    KendallLike(f64),
    /// Pearson of all differences within groups.
    PairwisePearson,
}

/// The threshold of raw direct assessment.
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
    /// The names of all.
    pub fn names() -> impl Iterator<Item = &'static str> {
        NAMES.iter().map(|(name, _)| *name)
    }

    /// The two-sided p-value of this correlation `r` of two vectors; none for other statistics. Kendall's is that of all
    /// permutations where it has few, as SciPy has it.
    pub fn p_value(self, r: f64, human: &[f64], metric: &[f64]) -> Option<f64> {
        match self {
            Statistic::Pearson => Some(pearson_p(r, human.len())),
            Statistic::Spearman => spearman_p(r, human.len()),
            Statistic::TauB => tau_b_p(human, metric),
            _ => None,
        }
    }

    /// True if it looks at scores of whole systems.
    pub(crate) fn is_of_systems(self) -> bool {
        matches!(self, Statistic::Spa(_) | Statistic::Accuracy)
    }

    /// True if it is a share of right decisions about pairs, or follows from one.
    pub(crate) fn is_of_decisions(self) -> bool {
        matches!(self, Statistic::Accuracy | Statistic::AccEq | Statistic::Acc23 | Statistic::Tau23)
    }

    /// The worst value.
    pub fn least(self) -> f64 {
        match self {
            Statistic::Spa(_) | Statistic::Accuracy | Statistic::AccEq | Statistic::Acc23 => 0.0,
            _ => -1.0,
        }
    }

    /// The value of one vector of people's scores and one of a metric's, a metric tying what differs by at most `epsilon`
    /// (of `acc-eq` given, as calibrating takes groups). None where it is not defined.
    pub fn value(self, human: &[f64], metric: &[f64], epsilon: f64) -> Option<f64> {
        self.parts(human, metric, epsilon).and_then(|parts| self.finish(parts))
    }

    /// The part that adds up over groups; none where the group has no value.
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

    /// The value of added parts.
    pub(super) fn finish(self, [first, second, third]: Parts) -> Option<f64> {
        match self {
            Statistic::PairwisePearson => {
                let r = first / (second.sqrt() * third.sqrt());
                r.is_finite().then(|| r.clamp(-1.0, 1.0))
            }
            Statistic::KendallLike(_) if second == 0.0 => Some(0.0),
            _ => (second > 0.0).then(|| first / second),
        }
    }
}

/// The statistic of a name; `kendall-like=5` has another threshold than 25. A name that is unknown, or a threshold that is
/// not a finite number from 0, is an error.
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

/// Up to three sums: of values and their weights, or of moments.
pub(super) type Parts = [f64; 3];

/// The value of a group without one.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum NoValue {
    /// Nothing: the mean is over the others.
    #[default]
    Skip,
    /// 0.
    Zero,
}

bleuprint_core::choice!(NoValue: Skip "skip", Zero "zero");

/// The parts of every group; of groups with fewer than two cells, and of those without a value that are skipped, none.
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
