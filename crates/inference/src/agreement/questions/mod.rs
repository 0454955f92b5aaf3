//! [`Agreement`]: measures how well each metric agrees with human ratings of a test set, and tests which
//! metrics agree better than others.

mod answer;
mod segments;
mod soft;
mod systems;

use bleuprint_core::{ConfigError, InputError, Result};
use serde::Serialize;

use super::counts::PairCounts;
use super::grouping::Grouping;
use super::ranks::wmt_ranks;
use super::statistic::{NoValue, Statistic};
use super::swap::{Swap, require_swappable};
use super::test_set::JudgedTestSet;
use crate::Correction;
use answer::QuestionAnswers;

/// Level at which human scores and metric scores are compared: segments or systems.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum AgreementLevel {
    /// Scores of single items (segments) are compared.
    #[default]
    Segment,
    /// Scores of whole systems are compared: the mean over the items with human ratings.
    System,
}

bleuprint_core::choice!(AgreementLevel: Segment "segment", System "system");

/// Choice of how metrics are compared with human ratings: the statistic, and the scores that it compares.
#[derive(Debug, Clone, Copy, PartialEq)]
#[expect(clippy::exhaustive_structs, reason = "closed: a question needs all of it")]
pub struct AgreementQuestion {
    /// Measure of agreement with human ratings, such as a correlation, that is computed for every metric.
    pub statistic: Statistic,
    /// Level of the compared scores: segments or systems. Statistics that exist only for systems always use
    /// [`AgreementLevel::System`].
    pub level: AgreementLevel,
    /// Groups of scores within which the statistic is computed, at the level of segments.
    pub grouping: Grouping,
    /// Scores that a permutation test swaps together between two metrics, for example all scores of an item.
    pub swap: Swap,
}

/// Settings for computing an [`Agreement`]: trials, seed, significance level and tie thresholds.
#[derive(Debug, Clone, PartialEq)]
#[expect(clippy::exhaustive_structs, reason = "built with `..Default::default()`")]
pub struct MetaRequest {
    /// Number of trials of permutation tests and of soft pairwise accuracy. With 0, metrics are not compared
    /// by permutation tests.
    pub trials: usize,
    /// Seed of the random numbers of soft pairwise accuracy. Permutation tests use the next seed.
    pub seed: u128,
    /// Significance level: the largest p-value at which one metric counts as better than another.
    pub alpha: f64,
    /// Treatment of a group of scores (such as all outputs for one item) whose agreement is undefined, for
    /// example because all scores are equal: skip the group, or use 0.
    pub no_value: NoValue,
    /// `true` if p-values are corrected for the number of pairs of metrics, by Holm's method.
    pub holm: bool,
    /// `true` if Williams' test compares Pearson's correlations of system scores, in place of a permutation
    /// test.
    pub williams: bool,
    /// Tie thresholds by metric name: outputs are tied if their metric scores differ by at most the
    /// threshold. An empty name applies to all metrics without an entry.
    ///
    /// For a metric without a threshold, pairwise accuracy with calibrated ties (`acc-eq`) chooses the best
    /// threshold. All other statistics then tie only equal scores.
    pub epsilons: Vec<(String, f64)>,
}

impl Default for MetaRequest {
    /// Returns the settings of the WMT shared tasks: 1,000 trials, seed 4, significance level 5 %.
    fn default() -> Self {
        MetaRequest {
            trials: 1000,
            seed: 4,
            alpha: 0.05,
            no_value: NoValue::Skip,
            holm: false,
            williams: false,
            epsilons: Vec::new(),
        }
    }
}

impl MetaRequest {
    fn epsilon(&self, metric: &str) -> Option<f64> {
        let find =
            |name: &str| self.epsilons.iter().find(|(known, _)| known == name).map(|(_, epsilon)| *epsilon);
        // The name of a metric has priority over the empty name, whatever their order.
        find(metric).or_else(|| find(""))
    }
}

/// Agreement of one metric with human ratings.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Agrees {
    /// Name of the metric.
    pub name: String,
    /// Value of the agreement statistic, for example a correlation, or `None` if it is undefined.
    pub value: Option<f64>,
    /// Number of groups of scores, such as items, over which the agreement is averaged. For Kendall-like tau
    /// and for the pairwise accuracy of systems, it is the number of compared pairs instead.
    pub over: u64,
    /// Tie threshold: the largest score difference that the metric treats as a tie.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub epsilon: Option<f64>,
    /// Counts of the pairs that metric and human scores order alike, order oppositely or tie, added up over
    /// all groups.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub counts: Option<PairCounts>,
    /// P-value of the hypothesis that metric scores and human scores are uncorrelated. Present only if there
    /// is a single group of scores.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub p_value: Option<f64>,
    /// Reason why no significance test compares this metric with other metrics, for example constant scores.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub untested: Option<String>,
    /// Signature of the metric's settings, if Bleuprint computed the metric's scores.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub signature: Option<String>,
}

/// Agreement of all metrics with human ratings of the same test sets, with p-values between metrics and
/// ranks.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Agreement {
    /// Name of the measure of agreement with human ratings, such as `pearson`.
    pub statistic: String,
    /// Level of the compared scores: segments or systems.
    pub level: AgreementLevel,
    /// Groups of scores within which the statistic was computed; `None` at the level of systems.
    pub grouping: Option<Grouping>,
    /// Scores that the permutation tests swapped together between two metrics, for example all scores of an
    /// item.
    pub swap: Swap,
    /// Names of the test sets with human ratings.
    pub sets: Vec<String>,
    /// Number of rated systems, added up over all test sets.
    pub systems: usize,
    /// Number of items (segments), added up over all test sets.
    pub items: usize,
    /// Number of items that were used because human ratings exist. Soft pairwise accuracy uses only the items
    /// that are rated for all systems.
    pub rated_items: usize,
    /// Number of missing human ratings: combinations of an item and a system that nobody rated.
    pub missing: usize,
    /// Results of the metrics, from the best to the worst agreement; ties are ordered by name.
    pub metrics: Vec<Agrees>,
    /// P-values by metric: row `i` has the p-values of the advantage of `metrics[i]` over each metric that
    /// follows. `None` if a pair was not tested.
    pub p: Vec<Vec<Option<f64>>>,
    /// Rank of each metric, from 1, in the order of `metrics`.
    pub ranks: Vec<usize>,
}

impl Agreement {
    /// Computes the agreement of all metrics with the human ratings of one test set. [`Statistic::Accuracy`]
    /// may have several test sets; their pairs of systems are pooled.
    ///
    /// # Errors
    /// Returns an error in these cases:
    /// - Several test sets are given for a statistic other than accuracy.
    /// - The statistic calibrates ties, but the test mixes scores of two metrics within a group.
    /// - The test swaps pairs, but the statistic does not count correctly ordered pairs.
    /// - The test sets do not have the same metrics.
    /// - A metric has no score for a rated cell.
    ///
    /// ```
    /// use bleuprint_inference::agreement::{Agreement, Grouping, AgreementLevel, MetaRequest, MetricScores, AgreementQuestion, Ratings, Statistic, Swap, JudgedTestSet};
    /// let rated = |scores: [[f64; 2]; 3]| {
    ///     Ratings::new(["a", "b", "c"].into_iter().zip(scores.map(|row| row.map(Some).to_vec())))
    /// };
    /// let human = rated([[1.0, 2.0], [3.0, 1.0], [5.0, 5.0]])?;
    /// let good = MetricScores::new("good", rated([[0.1, 0.2], [0.3, 0.1], [0.5, 0.5]])?);
    /// let bad = MetricScores::new("bad", rated([[0.5, 0.2], [0.3, 0.1], [0.1, 0.0]])?);
    /// let set = JudgedTestSet::new("example", human, vec![bad, good])?;
    /// let (level, grouping, swap) = (AgreementLevel::Segment, Grouping::Item, Swap::Items);
    /// let question = AgreementQuestion { statistic: Statistic::AccEq, level, grouping, swap };
    /// let agreement = Agreement::from_sets(&[&set], question, &MetaRequest::default())?;
    /// assert_eq!((&*agreement.metrics[0].name, agreement.metrics[0].value), ("good", Some(1.0)));
    /// assert_eq!(agreement.ranks, [1, 1]);
    /// # Ok::<(), bleuprint_core::InputError>(())
    /// ```
    pub fn from_sets(
        sets: &[&JudgedTestSet],
        question: AgreementQuestion,
        request: &MetaRequest,
    ) -> Result<Self> {
        let Some((first, others)) = sets.split_first() else {
            return Err(InputError::malformed("no test set"));
        };
        // Soft pairwise accuracy and accuracy are defined for systems only, so they override the level.
        let level = if question.statistic.is_of_systems() { AgreementLevel::System } else { question.level };
        let question = AgreementQuestion { level, ..question };
        if !others.is_empty() && question.statistic != Statistic::Accuracy {
            let message = format!(
                "{} takes one test set: only accuracy can be pooled over several",
                question.statistic
            );
            return Err(InputError::malformed(message));
        }
        // Before any computation: a question without an answer fails at once, not after thousands of trials.
        check(question, request)?;
        for set in others {
            let lacks = |one: &JudgedTestSet, other: &JudgedTestSet| {
                let missing = one
                    .metrics
                    .iter()
                    .find(|metric| !other.metrics.iter().any(|known| known.name == metric.name));
                missing.map(|metric| {
                    format!("{} has the metric {}, but {} does not", one.name, metric.name, other.name)
                })
            };
            if let Some(message) = lacks(first, set).or_else(|| lacks(set, first)) {
                return Err(InputError::malformed(message));
            }
        }
        let answer = match (question.statistic, level) {
            (Statistic::Spa(ties), _) => soft::soft(first, ties, question, request)?,
            (_, AgreementLevel::System) => systems::systems(sets, question, request)?,
            (_, AgreementLevel::Segment) => segments::segments(first, question, request)?,
        };
        let QuestionAnswers { metrics, order, mut p, rated_items } = answer;
        if request.holm {
            correct(&mut p);
        }
        // Row `better` of `p` begins with the metric right below it, hence the offset of 1. Ranks use
        // corrected p-values.
        let ranks = wmt_ranks(order.len(), request.alpha, |better, worse| p[better][worse - better - 1]);
        let sum = |count: fn(&JudgedTestSet) -> usize| sets.iter().map(|set| count(set)).sum();
        Ok(Agreement {
            statistic: question.statistic.to_string(),
            level,
            grouping: (level == AgreementLevel::Segment).then_some(question.grouping),
            swap: question.swap,
            sets: sets.iter().map(|set| set.name.clone()).collect(),
            systems: sum(|set| set.human.systems().len()),
            items: sum(|set| set.human.items()),
            rated_items,
            missing: sum(|set| set.human.systems().len() * set.human.items() - set.human.rated()),
            metrics: order.iter().map(|&metric| metrics[metric].clone()).collect(),
            p,
            ranks,
        })
    }
}

/// Rejects a statistic with settings that do not fit it.
///
/// # Errors
/// Returns an error that names the combination of settings which is not supported.
fn check(question: AgreementQuestion, request: &MetaRequest) -> Result<()> {
    let AgreementQuestion { statistic, level, grouping, swap } = question;
    let refuse = |error: ConfigError| InputError::malformed(error.to_string());
    let fits = if request.williams {
        match (statistic, level) {
            (Statistic::Pearson, AgreementLevel::System) => Ok(()),
            _ => Err(ConfigError::Conflict(
                "Williams' test is for Pearson's correlation of systems".to_owned(),
            )),
        }
    } else if swap == Swap::Pairs {
        statistic.require_decisions()
    } else if level == AgreementLevel::Segment {
        let epsilon = request.epsilons.iter().any(|(_, epsilon)| *epsilon != 0.0);
        require_swappable(statistic, grouping, swap, epsilon && statistic.is_of_decisions())
    } else {
        Ok(())
    };
    if level == AgreementLevel::System && statistic == Statistic::AccEq {
        return Err(InputError::malformed(
            "acc-eq calibrates ties between segments; at the level of systems, use accuracy",
        ));
    }
    fits.map_err(refuse)
}

/// Applies Holm's correction in place to the p-values of all tested pairs of metrics.
fn correct(p: &mut [Vec<Option<f64>>]) {
    let corrected = Correction::Holm.apply(&p.iter().flatten().copied().flatten().collect::<Vec<f64>>());
    let mut next = corrected.into_iter();
    p.iter_mut().flatten().filter(|p| p.is_some()).for_each(|p| *p = next.next());
}
