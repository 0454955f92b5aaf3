//! Helpers for ranking metrics by their agreement with human judgments and for testing each pair of metrics.

use bleuprint_core::Result;

use super::Agrees;
use super::MetaRequest;
use crate::agreement::coins::Coins;
use crate::agreement::swap::{Hybrids, counts, standardized};
use crate::agreement::test_set::{JudgedTestSet, MetricScores};
use crate::compare::correction::order;

/// Results for all metrics: their agreement with the human scores, their order by agreement, and the p-values
/// of all pairs of metrics.
pub(super) struct QuestionAnswers {
    pub(super) metrics: Vec<Agrees>,
    pub(super) order: Vec<usize>,
    pub(super) p: Vec<Vec<Option<f64>>>,
    pub(super) rated_items: usize,
}

impl Agrees {
    pub(super) fn new(metric: &MetricScores, value: Option<f64>, over: u64) -> Self {
        Agrees {
            name: metric.name.clone(),
            value,
            over,
            epsilon: None,
            counts: None,
            p_value: None,
            untested: value.is_none().then(|| "it has no value".to_owned()),
            signature: metric.signature.clone(),
        }
    }
}

/// Returns the indices of the metrics in descending order of their values; equal values are ordered by name.
/// Metrics without a value are last.
pub(super) fn by_value(metrics: &[Agrees]) -> Vec<usize> {
    let value = |metric: usize| metrics[metric].value.unwrap_or(f64::NEG_INFINITY);
    order(metrics.len(), &|one, other| {
        value(other).total_cmp(&value(one)).then_with(|| metrics[one].name.cmp(&metrics[other].name))
    })
}

/// Function that tests pairs of metrics, each given as the indices of the worse and the better metric, and
/// returns their p-values.
type Test<'t> = dyn Fn(&[(usize, usize)]) -> Result<Vec<Option<f64>>> + 't;

/// Returns, for each metric in `order`, the p-values of its advantage over all metrics that follow. `None`
/// marks a pair that cannot be tested. `test` is called once, with all pairs that can be tested.
pub(super) fn p_values(
    metrics: &[Agrees],
    order: &[usize],
    test: &Test<'_>,
) -> Result<Vec<Vec<Option<f64>>>> {
    let tested = |metric: usize| metrics[metric].untested.is_none();
    let below = |place: usize| order[place + 1..].iter().map(move |&worse| (worse, order[place]));
    let pairs: Vec<(usize, usize)> =
        (0..order.len()).flat_map(below).filter(|&(worse, better)| tested(worse) && tested(better)).collect();
    // All pairs go to one call, because the pairs of a trial share its coins and sums. The results come back
    // in the order of the pairs, so the rows below take them one by one.
    let mut found = if pairs.is_empty() { Vec::new() } else { test(&pairs)? }.into_iter();
    let row = |place: usize| {
        let pair = |(worse, better): (usize, usize)| {
            if tested(worse) && tested(better) { found.next().flatten() } else { None }
        };
        below(place).map(pair).collect()
    };
    Ok((0..order.len()).map(row).collect())
}

/// Returns a p-value for each count of trials that are at least as extreme as observed:
/// `(1 + count) / (1 + trials)`. All p-values are `None` if there are no trials.
pub(super) fn p_of_counts(counts: Vec<u64>, trials: usize) -> Vec<Option<f64>> {
    // The observed assignment counts as one of the trials, so that no p-value is 0.
    let p = |count: u64| (trials > 0).then(|| (1 + count) as f64 / (1 + trials) as f64);
    counts.into_iter().map(p).collect()
}

/// Standardizes the scores of each metric to mean 0 and standard deviation 1. Metrics with constant scores
/// are marked as untested.
pub(super) fn standardize(metrics: &mut [Agrees], values: &[Vec<f64>]) -> Vec<Vec<f64>> {
    // Trials mix the scores of two metrics, which must therefore have one scale. A constant metric has no
    // scale.
    let standard = |(metric, values): (&mut Agrees, &Vec<f64>)| {
        standardized(values).unwrap_or_else(|| {
            metric.untested.get_or_insert_with(|| "its scores are constant".to_owned());
            vec![0.0; values.len()]
        })
    };
    metrics.iter_mut().zip(values).map(standard).collect()
}

pub(super) fn permute(
    hybrids: &dyn Hybrids,
    pairs: &[(usize, usize)],
    coins: usize,
    request: &MetaRequest,
) -> Result<Vec<Option<f64>>> {
    let coins = Coins::fair(request.seed, request.trials, coins);
    Ok(p_of_counts(counts(hybrids, pairs, &coins)?, request.trials))
}

pub(super) fn rated_items(set: &JudgedTestSet) -> usize {
    let systems = 0..set.human.systems().len();
    (0..set.human.items())
        .filter(|&item| systems.clone().any(|system| set.human.get(system, item).is_some()))
        .count()
}
