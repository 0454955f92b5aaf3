//! Soft pairwise accuracy of metrics: how close a metric's p-values for pairs of systems are to the p-values
//! from human scores.

use bleuprint_core::{InputError, Result};

use super::answer::{QuestionAnswers, by_value, p_of_counts, p_values, standardize};
use super::{AgreementQuestion, Agrees, MetaRequest};
use crate::agreement::coins::Coins;
use crate::agreement::soft::{SoftTies, Wins, accuracy, alike, complete, wins_of_rows, wins_of_sums};
use crate::agreement::soft_swap::SoftSwap;
use crate::agreement::test_set::{JudgedTestSet, MetricScores};

/// Computes the soft pairwise accuracy of all metrics, on the items that are rated for all systems.
pub(super) fn soft(
    set: &JudgedTestSet,
    ties: SoftTies,
    question: AgreementQuestion,
    request: &MetaRequest,
) -> Result<QuestionAnswers> {
    let items = set.human.complete();
    let name =
        if items.len() == set.human.items() { None } else { Some(set.of_items(set.name.clone(), &items)) };
    let part = name.transpose().map_err(|_| {
        InputError::malformed(format!(
            "{}: no item is rated for all of the {} systems",
            set.name,
            set.human.systems().len()
        ))
    })?;
    let set = part.as_ref().unwrap_or(set);
    // The published program draws the coins once. People, all metrics and all pairs of systems share them.
    let coins = Coins::rounded(request.seed, request.trials, items.len());
    let rated = complete("people", &set.human)?;
    let human = wins_of_sums(&rated, &coins, ties);
    // No value if all systems have equal scores everywhere: every pair is then tied in all trials.
    let wins = |metric: &MetricScores| -> Result<Option<Wins>> {
        if let Some((rows, score)) = metric.rows() {
            let wins = wins_of_rows(rows, &|row: &[u64]| score(row), &coins, ties)?;
            return Ok((!alike(rows)).then_some(wins));
        }
        let shares = metric.shares(&set.human)?;
        Ok((!alike(&shares)).then(|| wins_of_sums(&shares, &coins, ties)))
    };
    let whole = ties.whole(request.trials);
    let agrees = |metric: &MetricScores| {
        let wins = wins(metric)?.filter(|_| whole > 0 && !alike(&rated));
        let value = wins.and_then(|wins| accuracy(&human, &wins, whole));
        Ok(Agrees::new(metric, value, human.len() as u64))
    };
    let mut metrics = set.metrics.iter().map(agrees).collect::<Result<Vec<_>>>()?;
    // Trials swap items between metrics, so a corpus metric needs numbers for single items: its jackknife
    // values.
    let shares = set.metrics.iter().map(|metric| metric.shares(&set.human)).collect::<Result<Vec<_>>>()?;
    let flat: Vec<Vec<f64>> = shares.iter().map(|systems| systems.concat()).collect();
    let standard: Vec<Vec<Vec<f64>>> = standardize(&mut metrics, &flat)
        .iter()
        .map(|values| values.chunks(items.len().max(1)).map(<[f64]>::to_vec).collect())
        .collect();
    let order = by_value(&metrics);
    let p = p_values(&metrics, &order, &|pairs| {
        let test = SoftSwap::new(&standard, &coins, &human, ties, question.swap);
        // Drawn here, because their number depends on the unit that is swapped.
        let trials = Coins::fair(request.seed, request.trials, test.coins());
        Ok(p_of_counts(test.counts(pairs, &trials)?, request.trials))
    })?;
    Ok(QuestionAnswers { metrics, order, p, rated_items: items.len() })
}
