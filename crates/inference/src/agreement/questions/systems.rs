//! Agreement of metrics with human ratings of whole systems, on one test set or pooled over several.

use bleuprint_core::{InputError, Result};
use bleuprint_math::exact_mean;

use super::answer::{QuestionAnswers, by_value, p_values, permute, rated_items, standardize};
use super::{AgreementQuestion, Agrees, MetaRequest};
use crate::agreement::coins::coin;
use crate::agreement::counts::PairCounts;
use crate::agreement::pairs::PairsTest;
use crate::agreement::statistic::{Statistic, added};
use crate::agreement::swap::{Hybrids, OfMeans, Swap, of_values, pooled, standardized};
use crate::agreement::test_set::{JudgedTestSet, MetricScores, rated};
use crate::agreement::vectors::pearson;
use crate::agreement::williams::williams;

/// Computes how well the metrics' scores of whole systems agree with the human scores, on one test set or
/// pooled over several.
pub(super) fn systems(
    sets: &[&JudgedTestSet],
    question: AgreementQuestion,
    request: &MetaRequest,
) -> Result<QuestionAnswers> {
    let statistic = question.statistic;
    let people = |set: &&JudgedTestSet| -> Vec<f64> {
        let mean = |system: usize| {
            exact_mean(&set.human.row(system).iter().copied().flatten().collect::<Vec<f64>>())
        };
        (0..set.human.systems().len()).map(mean).collect()
    };
    let human: Vec<Vec<f64>> = sets.iter().map(people).collect();
    let named = |set: &JudgedTestSet, name: &str| {
        set.metrics.iter().position(|metric| metric.name == name).unwrap_or(0)
    };
    // `from_sets` has checked that all sets have the same metrics, though perhaps in another order.
    let of_set = |metric: &MetricScores| -> Result<Vec<Vec<f64>>> {
        sets.iter().map(|set| set.metrics[named(set, &metric.name)].of_rated(&set.human)).collect()
    };
    let first = sets[0];
    let scores = first.metrics.iter().map(of_set).collect::<Result<Vec<_>>>()?;
    let single = sets.len() == 1;
    let agrees = |(metric, scores): (&MetricScores, &Vec<Vec<f64>>)| {
        let parts =
            human.iter().zip(scores).filter_map(|(human, scores)| statistic.parts(human, scores, 0.0));
        let value = statistic.finish(added(parts));
        let counts = human.iter().zip(scores).map(|(human, scores)| PairCounts::from_scores(human, scores));
        let counts = counts.fold(PairCounts::default(), PairCounts::merge);
        let p_value =
            value.filter(|_| single).and_then(|value| statistic.p_value(value, &human[0], &scores[0]));
        // Pooled accuracy is over pairs of systems. All other statistics have one vector, and so at most one
        // value.
        let over = if statistic == Statistic::Accuracy { counts.pairs() } else { u64::from(value.is_some()) };
        Agrees { counts: Some(counts), p_value, ..Agrees::new(metric, value, over) }
    };
    let mut metrics: Vec<Agrees> = first.metrics.iter().zip(&scores).map(agrees).collect();
    let order = by_value(&metrics);
    let rated_items = sets.iter().map(|set| rated_items(set)).sum();
    let p = if request.williams {
        p_values(&metrics, &order, &|pairs| {
            pairs.iter().map(|pair| by_williams(sets, &human, &scores, *pair)).collect()
        })?
    } else if question.swap == Swap::Pairs {
        p_values(&metrics, &order, &|pairs| {
            Ok(pairs
                .iter()
                .map(|&(worse, better)| decided(&human, &scores[worse], &scores[better]).p)
                .collect())
        })?
    } else {
        let whole: Vec<Vec<f64>> = scores.iter().map(|sets| sets.concat()).collect();
        let standard = standardize(&mut metrics, &whole);
        let hybrids = OfSystems { statistic, human: &human, scores: standard };
        let coins = whole.first().map_or(0, Vec::len);
        match question.swap {
            Swap::Items => {
                let parts = means_of_sets(sets, &first.metrics, statistic, &human)?;
                p_values(&metrics, &order, &|pairs| permute(&parts.0, pairs, parts.1, request))?
            }
            _ => p_values(&metrics, &order, &|pairs| permute(&hybrids, pairs, coins, request))?,
        }
    };
    Ok(QuestionAnswers { metrics, order, p, rated_items })
}

/// Tests exactly which of two metrics orders more pairs of systems like the human raters, pooled over test
/// sets.
fn decided(human: &[Vec<f64>], worse: &[Vec<f64>], better: &[Vec<f64>]) -> PairsTest {
    let of_set = |((human, worse), better): ((&Vec<f64>, &Vec<f64>), &Vec<f64>)| {
        PairsTest::from_scores([(&human[..], &worse[..], &better[..])], [0.0; 2])
    };
    let all = human.iter().zip(worse).zip(better).map(of_set);
    let (first, second) =
        all.fold((0, 0), |(first, second), test| (first + test.first, second + test.second));
    // Sets differ in their number of pairs, but pooled accuracy weighs all pairs alike.
    PairsTest::of_counts(first, second)
}

/// Returns the p-value of Williams' test that the metric `better` correlates with the human scores better
/// than the metric `worse`, on the first test set. Returns `None` if a correlation is undefined.
///
/// # Errors
/// Returns an error if a rating is missing.
fn by_williams(
    sets: &[&JudgedTestSet],
    human: &[Vec<f64>],
    scores: &[Vec<Vec<f64>>],
    (worse, better): (usize, usize),
) -> Result<Option<f64>> {
    // The test assumes that the three correlations are over the same observations.
    if sets.iter().any(|set| set.human.rated() < set.human.systems().len() * set.human.items()) {
        return Err(InputError::malformed("Williams' test needs complete ratings, but some are missing"));
    }
    let human = &human[0];
    let worse = &scores[worse][0];
    let better = &scores[better][0];
    let correlations = [pearson(human, better), pearson(human, worse), pearson(worse, better)];
    Ok(match correlations {
        [Some(one), Some(other), Some(between)] => williams(one, other, between, human.len()),
        _ => None,
    })
}

/// Mixtures (hybrids) of two metrics for a permutation test: for each system, a coin decides from which of
/// the two metrics its score comes.
struct OfSystems<'h> {
    statistic: Statistic,
    human: &'h [Vec<f64>],
    /// Standardized system scores: one vector for each metric, with the systems of all test sets one after
    /// another.
    scores: Vec<Vec<f64>>,
}

impl Hybrids for OfSystems<'_> {
    fn draw(&self, coins: &[u8], pairs: &[(usize, usize)]) -> Vec<[f64; 2]> {
        let count = self.scores.first().map_or(0, Vec::len);
        let tossed: Vec<bool> = (0..count).map(|system| coin(coins, system)).collect();
        of_values(&tossed, &self.scores, pairs, &|scores| pooled(self.statistic, self.human, scores))
    }

    fn of_metric(&self, metric: usize) -> f64 {
        pooled(self.statistic, self.human, &self.scores[metric])
    }
}

/// Prepares a permutation test between metrics by their scores of whole systems. In a trial, a coin decides
/// for each item whether two metrics swap its scores. Also returns the number of coins: the number of items
/// of all test sets.
fn means_of_sets(
    sets: &[&JudgedTestSet],
    metrics: &[MetricScores],
    statistic: Statistic,
    human: &[Vec<f64>],
) -> Result<(OfMeans, usize)> {
    let mut items = Vec::new();
    let mut before = 0;
    for set in sets {
        let of_system =
            |system: usize| rated(&set.human, system).into_iter().map(|item| before + item).collect();
        // Items of different sets must not share a coin, so each set's items are numbered after those of the
        // sets before.
        items.extend((0..set.human.systems().len()).map(of_system).collect::<Vec<Vec<usize>>>());
        before += set.human.items();
    }
    let of_metric = |metric: &MetricScores| -> Result<Vec<Vec<f64>>> {
        let mut shares = Vec::new();
        for set in sets {
            let found = set.metrics.iter().find(|known| known.name == metric.name);
            shares.extend(found.map_or_else(|| Ok(Vec::new()), |metric| metric.shares(&set.human))?);
        }
        // Standardized over all sets together: system scores are pooled on one scale.
        let flat = standardized(&shares.concat()).unwrap_or_else(|| vec![0.0; shares.concat().len()]);
        let mut rest = &flat[..];
        let cut = shares.iter().map(|system| {
            let (one, others) = rest.split_at(system.len());
            rest = others;
            one.to_vec()
        });
        Ok(cut.collect())
    };
    let values = metrics.iter().map(of_metric).collect::<Result<Vec<_>>>()?;
    Ok((OfMeans::new(statistic, human.to_vec(), items, &values), before))
}
