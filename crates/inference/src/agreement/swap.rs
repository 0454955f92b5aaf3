//! Permutation tests of whether one metric is better than another: each trial swaps scores between the two
//! metrics.

use bleuprint_core::{Choice, ConfigError, Result};
use serde::Serialize;

use super::coins::{Coins, coin};
use super::grouping::{Cells, Grouping};
use super::ratings::Ratings;
use super::signed::fixed;
use super::statistic::{NoValue, Parts, Statistic, added, parts_of_groups};

/// Scores that one trial of a permutation test swaps together between two metrics.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum Swap {
    /// Scores of all systems for one item are swapped together. The result generalizes to similar items, for
    /// the same systems.
    #[default]
    Items,
    /// Scores of one system for all items are swapped together. The result generalizes to other systems; the
    /// test is weak with fewer than ten systems.
    Systems,
    /// Single scores (one system, one item) are swapped separately, as in WMT. Scores for one item are not
    /// independent, so this test may report differences that do not exist.
    Cells,
    /// Orderings of single pairs of scores are swapped, as in WMT for the statistic acc-eq. The test is exact
    /// and needs no trials.
    Pairs,
}

bleuprint_core::choice!(Swap: Items "items", Systems "systems", Cells "cells", Pairs "pairs");

/// Relative tolerance for rounding errors in a difference of statistics.
const ROUNDING: f64 = 1e-12;

/// Returns `true` if the difference `swapped` of a permutation trial is at least the observed difference
/// `seen`, apart from rounding.
pub(super) fn as_large(swapped: f64, seen: f64) -> bool {
    // A trial that swaps everything or nothing repeats the observed value, with sums in another order. Such
    // ties must count: otherwise the p-value would depend on rounding.
    swapped >= seen - ROUNDING * seen.abs().max(1.0)
}

/// Returns the scores minus their mean, divided by their standard deviation. Returns `None` if the scores are
/// constant.
pub(super) fn standardized(values: &[f64]) -> Option<Vec<f64>> {
    let mean = bleuprint_math::exact_mean(values);
    let variance =
        values.iter().map(|value| (value - mean) * (value - mean)).sum::<f64>() / values.len() as f64;
    let deviation = variance.sqrt();
    // Compared directly: rounding of the mean can leave a tiny deviation for constant scores.
    let constant = values.windows(2).all(|pair| pair[0] == pair[1]);
    (!constant && deviation > 0.0).then(|| values.iter().map(|value| (value - mean) / deviation).collect())
}

/// Random mixtures of two metrics, called hybrids, for a permutation test between the metrics: each score
/// comes from one of the two metrics, as a coin decides. Source: PERM-BOTH, Deutsch et al. 2021.
pub(super) trait Hybrids: Sync {
    /// Returns, for each pair of metrics, how well two mixtures of the pair (hybrids) agree with the human
    /// scores in one trial. The first mixture has the first metric's score where the coin is 1, and the
    /// second metric's score where it is 0. The second mixture has the other scores.
    fn draw(&self, coins: &[u8], pairs: &[(usize, usize)]) -> Vec<[f64; 2]>;

    /// Returns how well an unmixed metric agrees with the human scores, computed in the same way as for
    /// mixtures of two metrics (hybrids).
    fn of_metric(&self, metric: usize) -> f64;
}

/// Counts, for each pair of metrics, the permutation trials whose result is at least as large as the observed
/// difference. The observed difference is the second metric's agreement with the human scores minus the first
/// metric's.
///
/// A trial mixes the scores of both metrics at random into two artificial metrics (hybrids) and takes the
/// difference of their agreements.
pub(super) fn counts(hybrids: &dyn Hybrids, pairs: &[(usize, usize)], coins: &Coins) -> Result<Vec<u64>> {
    let seen: Vec<f64> =
        pairs.iter().map(|&(first, second)| hybrids.of_metric(second) - hybrids.of_metric(first)).collect();
    let interrupt = crate::Interrupt::of_thread();
    interrupt.expect(coins.trials);
    let trial = |_: &mut (), trial: usize| -> Result<Vec<bool>> {
        interrupt.check()?;
        let drawn = hybrids.draw(coins.row(trial), pairs);
        let exceeding =
            drawn.iter().zip(&seen).map(|([one, other], seen)| as_large(other - one, *seen)).collect();
        interrupt.advance(1);
        Ok(exceeding)
    };
    let mut counts = vec![0; pairs.len()];
    for exceeds in crate::work::threads::map_with(coins.trials, || (), trial) {
        counts.iter_mut().zip(exceeds?).for_each(|(count, exceeds)| *count += u64::from(exceeds));
    }
    Ok(counts)
}

/// Calls `hybrids` for each pair of metrics and returns its results: the agreements with the human scores of
/// the two mixtures of this pair in one permutation trial.
fn both(pairs: &[(usize, usize)], hybrids: &dyn Fn(usize, usize) -> [f64; 2]) -> Vec<[f64; 2]> {
    pairs.iter().map(|&(first, second)| hybrids(first, second)).collect()
}

/// Returns, for each pair of metrics, the statistics of two complementary mixtures of their scores (hybrids).
/// The first mixture has the first metric's score where the coin in `tossed` is 1, and the second metric's
/// score where it is 0. The second mixture has the other scores. `values` are the scores of each metric.
pub(super) fn of_values(
    tossed: &[bool],
    values: &[Vec<f64>],
    pairs: &[(usize, usize)],
    statistic: &dyn Fn(&[f64]) -> f64,
) -> Vec<[f64; 2]> {
    let hybrid = |first: usize, second: usize, heads: bool| {
        let chosen = tossed.iter().zip(values[first].iter().zip(&values[second]));
        let hybrid: Vec<f64> =
            chosen.map(|(coin, (one, other))| if *coin == heads { *one } else { *other }).collect();
        statistic(&hybrid)
    };
    both(pairs, &|first, second| [hybrid(first, second, true), hybrid(first, second, false)])
}

/// Mixtures of two metrics (hybrids) that take all scores of an item, or all scores of a system, from the
/// same metric.
pub(super) struct OfGroups {
    pub(super) statistic: Statistic,
    /// Agreement with the human scores, by metric and group of scores, as terms that can be added over
    /// groups; `None` if a group has no value.
    pub(super) parts: Vec<Vec<Option<Parts>>>,
}

impl OfGroups {
    fn value(&self, parts: impl Iterator<Item = Parts>) -> f64 {
        self.statistic.finish(added(parts)).unwrap_or(0.0)
    }
}

impl Hybrids for OfGroups {
    fn draw(&self, coins: &[u8], pairs: &[(usize, usize)]) -> Vec<[f64; 2]> {
        let groups = self.parts.first().map_or(0, Vec::len);
        let tossed: Vec<bool> = (0..groups).map(|group| coin(coins, group)).collect();
        let hybrid = |first: usize, second: usize, heads: bool| {
            let chosen = tossed.iter().zip(self.parts[first].iter().zip(&self.parts[second]));
            self.value(chosen.filter_map(|(coin, (one, other))| if *coin == heads { *one } else { *other }))
        };
        both(pairs, &|first, second| [hybrid(first, second, true), hybrid(first, second, false)])
    }

    fn of_metric(&self, metric: usize) -> f64 {
        self.value(self.parts[metric].iter().flatten().copied())
    }
}

/// Mixtures of two metrics (hybrids) that are built score by score. A coin decides from which metric each
/// score comes; there is one coin for each item, each system or each score.
pub(super) struct OfCells<'c> {
    pub(super) statistic: Statistic,
    pub(super) no_value: NoValue,
    pub(super) cells: &'c Cells,
    /// Index of the coin for each cell (one item of one system). The coin decides from which metric the
    /// cell's score comes.
    pub(super) coins: Vec<usize>,
    /// Standardized scores of the cells (one item of one system), by metric.
    pub(super) values: Vec<Vec<f64>>,
}

impl OfCells<'_> {
    fn value(&self, values: &[f64]) -> f64 {
        let parts = parts_of_groups(self.statistic, self.cells, values, 0.0, self.no_value);
        self.statistic.finish(added(parts.into_iter().flatten())).unwrap_or(0.0)
    }
}

impl Hybrids for OfCells<'_> {
    fn draw(&self, coins: &[u8], pairs: &[(usize, usize)]) -> Vec<[f64; 2]> {
        let tossed: Vec<bool> = self.coins.iter().map(|&at| coin(coins, at)).collect();
        of_values(&tossed, &self.values, pairs, &|values| self.value(values))
    }

    fn of_metric(&self, metric: usize) -> f64 {
        self.value(&self.values[metric])
    }
}

/// Returns the agreement of metric scores with human scores, pooled over test sets. `human` has one vector
/// for each set; `scores` holds the metric scores of all sets one after another.
pub(super) fn pooled(statistic: Statistic, human: &[Vec<f64>], scores: &[f64]) -> f64 {
    let mut rest = scores;
    let parts = human.iter().filter_map(|human| {
        let (scores, others) = rest.split_at(human.len());
        rest = others;
        statistic.parts(human, scores, 0.0)
    });
    statistic.finish(added(parts)).unwrap_or(0.0)
}

/// Mixtures of two metrics (hybrids) whose system scores are means over items. Each item's scores come from
/// one of the two metrics.
pub(super) struct OfMeans {
    statistic: Statistic,
    /// Human scores of the systems, one vector for each test set. The system scores of each mixture of two
    /// metrics are compared with them.
    human: Vec<Vec<f64>>,
    /// Indices of the human-rated items of each system, for the systems of all test sets.
    items: Vec<Vec<usize>>,
    /// Scores by metric, system and rated item, as integers of one common scale.
    values: Vec<Vec<Vec<i128>>>,
    totals: Vec<Vec<i128>>,
}

impl OfMeans {
    /// Creates the mixtures of two metrics (hybrids) from standardized scores by metric, system and rated
    /// item. `items` are the indices of the rated items of each system.
    pub(super) fn new(
        statistic: Statistic,
        human: Vec<Vec<f64>>,
        items: Vec<Vec<usize>>,
        values: &[Vec<Vec<f64>>],
    ) -> Self {
        let flat: Vec<Vec<f64>> = values.iter().map(|systems| systems.concat()).collect();
        let cut = |whole: Vec<i128>| {
            let mut rest = &whole[..];
            let mut next = |items: &Vec<usize>| {
                let (system, others) = rest.split_at(items.len());
                rest = others;
                system.to_vec()
            };
            items.iter().map(&mut next).collect::<Vec<Vec<i128>>>()
        };
        // Integers make sums independent of the order of items, so a trial that swaps nothing repeats the
        // observed value.
        let values: Vec<Vec<Vec<i128>>> = fixed(&flat).into_iter().map(cut).collect();
        let totals = values.iter().map(|systems| systems.iter().map(|system| system.iter().sum()).collect());
        OfMeans { statistic, human, items, totals: totals.collect(), values }
    }

    fn value(&self, sums: impl Iterator<Item = i128>) -> f64 {
        let means: Vec<f64> =
            sums.zip(&self.items).map(|(sum, items)| sum as f64 / items.len() as f64).collect();
        pooled(self.statistic, &self.human, &means)
    }
}

impl Hybrids for OfMeans {
    fn draw(&self, coins: &[u8], pairs: &[(usize, usize)]) -> Vec<[f64; 2]> {
        let heads = |(items, values): (&Vec<usize>, &Vec<i128>)| {
            items.iter().zip(values).filter(|(item, _)| coin(coins, **item)).map(|(_, value)| value).sum()
        };
        // Sums over the items whose coin is 1, by metric and system: computed once for all pairs of metrics.
        let of_metric = |systems: &Vec<Vec<i128>>| self.items.iter().zip(systems).map(heads).collect();
        let tossed: Vec<Vec<i128>> = self.values.iter().map(of_metric).collect();
        // The tails of a metric are its total minus its heads: one sum for each metric serves all pairs.
        let hybrid = |heads: usize, tails: usize| {
            let parts = tossed[heads].iter().zip(&self.totals[tails]).zip(&tossed[tails]);
            self.value(parts.map(|((heads, total), others)| heads + total - others))
        };
        both(pairs, &|first, second| [hybrid(first, second), hybrid(second, first)])
    }

    fn of_metric(&self, metric: usize) -> f64 {
        self.value(self.totals[metric].iter().copied())
    }
}

/// Returns, for each cell (one item of one system), the index of the coin that decides from which metric its
/// score comes, and the number of coins.
pub(super) fn coins_of(cells: &Cells, human: &Ratings, swap: Swap) -> (Vec<usize>, usize) {
    match swap {
        Swap::Items => (cells.places.iter().map(|(_, item)| *item).collect(), human.items()),
        Swap::Systems => (cells.places.iter().map(|(system, _)| *system).collect(), human.systems().len()),
        Swap::Cells | Swap::Pairs => ((0..cells.len()).collect(), cells.len()),
    }
}

/// Rejects swaps that mix scores of two metrics within a group if each metric has a separate tie threshold.
/// `epsilon` is `true` if the request sets a threshold.
///
/// # Errors
/// Returns [`ConfigError::Conflict`] with the swaps that are possible.
pub(super) fn require_swappable(
    statistic: Statistic,
    grouping: Grouping,
    swap: Swap,
    epsilon: bool,
) -> Result<(), ConfigError> {
    let whole_groups =
        matches!((grouping, swap), (Grouping::Item, Swap::Items) | (Grouping::System, Swap::Systems));
    if (statistic == Statistic::AccEq || epsilon) && swap != Swap::Pairs && !whole_groups {
        return Err(ConfigError::Conflict(format!(
            "{} has a separate tie threshold for each metric, so {} cannot be swapped: group by item and swap items, or \
             swap pairs",
            statistic,
            swap.name()
        )));
    }
    Ok(())
}
