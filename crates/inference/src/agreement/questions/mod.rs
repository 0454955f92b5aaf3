//! [`Agreement`]: one statistic of all metrics on a test set, and which of them is better than which.

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

/// Whose scores are compared.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum AgreementLevel {
    /// Those of items.
    #[default]
    Segment,
    /// Those of systems: means over the items that people rated.
    System,
}

bleuprint_core::choice!(AgreementLevel: Segment "segment", System "system");

/// The question.
#[derive(Debug, Clone, Copy, PartialEq)]
#[expect(clippy::exhaustive_structs, reason = "closed: a question needs all of it")]
pub struct AgreementQuestion {
    /// The statistic.
    pub statistic: Statistic,
    /// Whose scores; of statistics of systems alone, always theirs.
    pub level: AgreementLevel,
    /// The cells that are one vector, at the level of segments.
    pub grouping: Grouping,
    /// The unit of permutation in tests.
    pub swap: Swap,
}

/// The way to an answer.
#[derive(Debug, Clone, PartialEq)]
#[expect(clippy::exhaustive_structs, reason = "built with `..Default::default()`")]
pub struct MetaRequest {
    /// The trials of tests, and of soft pairwise accuracy. Without any there are no tests of swapped scores.
    pub trials: usize,
    /// The seed of soft pairwise accuracy; tests have the next one.
    pub seed: u128,
    /// The greatest p-value of a verdict.
    pub alpha: f64,
    /// The value of a group without one.
    pub no_value: NoValue,
    /// True if p-values are corrected for the number of pairs of metrics.
    pub holm: bool,
    /// True if Williams' test compares Pearson's correlations of systems, instead of swapping.
    pub williams: bool,
    /// Ties of metrics, by name, or of all that are not named (an empty name). Calibrated where none is given and the statistic
    /// asks for it.
    pub epsilons: Vec<(String, f64)>,
}

impl Default for MetaRequest {
    /// As WMT: 1,000 trials, seed 4, 5 %.
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
        find(metric).or_else(|| find(""))
    }
}

/// The answers about one metric.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Agrees {
    /// The metric.
    pub name: String,
    /// The value; none where it is not defined.
    pub value: Option<f64>,
    /// The number of groups that have a value; of Kendall-like tau and accuracies of systems, of pairs.
    pub over: u64,
    /// The largest difference that is a tie.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub epsilon: Option<f64>,
    /// The agreement of the pairs, over all groups.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub counts: Option<PairCounts>,
    /// The p-value of no correlation, if there is one group alone.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub p_value: Option<f64>,
    /// The reason for no comparison with others.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub untested: Option<String>,
    /// The signature, where the metric is ours.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub signature: Option<String>,
}

/// One statistic of all metrics.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Agreement {
    /// The statistic.
    pub statistic: String,
    /// Whose scores.
    pub level: AgreementLevel,
    /// The cells that are one vector; none at the level of systems.
    pub grouping: Option<Grouping>,
    /// The unit of permutation in its tests.
    pub swap: Swap,
    /// The test sets.
    pub sets: Vec<String>,
    /// The number of systems, over all test sets.
    pub systems: usize,
    /// The number of items.
    pub items: usize,
    /// The number of items that counted: for soft pairwise accuracy, those that all systems have a rating for.
    pub rated_items: usize,
    /// The number of cells without a rating.
    pub missing: usize,
    /// The metrics, from the best to the worst, then by name.
    pub metrics: Vec<Agrees>,
    /// For each metric, the p-value of being no better than each one below it; none if there is no test.
    pub p: Vec<Vec<Option<f64>>>,
    /// The rank of each metric.
    pub ranks: Vec<usize>,
}

impl Agreement {
    /// Answers a question on one test set, or of [`Statistic::Accuracy`] on several, whose pairs are pooled.
    ///
    /// # Errors
    /// Questions without an answer: soft pairwise accuracy and statistics of segments over several test sets, calibrated ties
    /// under swaps that mix two metrics' scores, pairs swapped of what has no decisions; metrics that the test sets do not share;
    /// missing scores.
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
        let level = if question.statistic.is_of_systems() { AgreementLevel::System } else { question.level };
        let question = AgreementQuestion { level, ..question };
        if !others.is_empty() && question.statistic != Statistic::Accuracy {
            let message = format!("{} is of one test set: only accuracy is pooled", question.statistic);
            return Err(InputError::malformed(message));
        }
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

/// Refuses what cannot be answered before anything is counted.
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
            "acc-eq calibrates ties of segments; of systems there is accuracy",
        ));
    }
    fits.map_err(refuse)
}

fn correct(p: &mut [Vec<Option<f64>>]) {
    let corrected = Correction::Holm.apply(&p.iter().flatten().copied().flatten().collect::<Vec<f64>>());
    let mut next = corrected.into_iter();
    p.iter_mut().flatten().filter(|p| p.is_some()).for_each(|p| *p = next.next());
}
