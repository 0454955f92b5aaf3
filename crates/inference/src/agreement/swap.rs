//! Is one metric better than another? Permutation tests that swap their scores.

use bleuprint_core::{Choice, ConfigError, Result};
use serde::Serialize;

use super::coins::{Coins, coin};
use super::grouping::{Cells, Grouping};
use super::ratings::Ratings;
use super::signed::fixed;
use super::statistic::{NoValue, Parts, Statistic, added, parts_of_groups};

/// The unit of permutation: scores that a trial exchanges between two metrics.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum Swap {
    /// All cells of an item: verdicts hold for these systems and other items like these.
    #[default]
    Items,
    /// All cells of a system: verdicts for other systems; weak below ten.
    Systems,
    /// Single cells, as WMT does. Cells of one item are not independent, so differences are found that are not there.
    Cells,
    /// Single decisions about pairs, as WMT does for acc-eq: an exact test, without trials.
    Pairs,
}

bleuprint_core::choice!(Swap: Items "items", Systems "systems", Cells "cells", Pairs "pairs");

/// The relative size of rounding in a difference of statistics.
const ROUNDING: f64 = 1e-12;

/// True if a difference of swapped metrics is as large as that seen, but for rounding.
pub(super) fn as_large(swapped: f64, seen: f64) -> bool {
    swapped >= seen - ROUNDING * seen.abs().max(1.0)
}

/// Scores less their mean over their standard deviation (of all of them); none where they are constant.
pub(super) fn standardized(values: &[f64]) -> Option<Vec<f64>> {
    let mean = bleuprint_math::exact_mean(values);
    let variance =
        values.iter().map(|value| (value - mean) * (value - mean)).sum::<f64>() / values.len() as f64;
    let deviation = variance.sqrt();
    let constant = values.windows(2).all(|pair| pair[0] == pair[1]);
    (!constant && deviation > 0.0).then(|| values.iter().map(|value| (value - mean) / deviation).collect())
}

/// Trials of pairs of metrics.
pub(super) trait Hybrids: Sync {
    /// For each pair, the statistic of the hybrid that takes the first metric where the coin is 1, and that of the other.
    fn draw(&self, coins: &[u8], pairs: &[(usize, usize)]) -> Vec<[f64; 2]>;

    /// The statistic of a metric, computed like those of hybrids.
    fn of_metric(&self, metric: usize) -> f64;
}

/// For each pair (a first metric, and a second that is to be better): in how many trials the second hybrid exceeds the first by
/// as much as the second metric exceeds the first.
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

/// The statistics of both hybrids of each pair.
fn both(pairs: &[(usize, usize)], hybrids: &dyn Fn(usize, usize) -> [f64; 2]) -> Vec<[f64; 2]> {
    pairs.iter().map(|&(first, second)| hybrids(first, second)).collect()
}

/// The statistics of both hybrids of each pair, from the values of the metrics and the coin of each value.
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

/// Hybrids of whole groups: by item where items are swapped, by system where systems are.
pub(super) struct OfGroups {
    pub(super) statistic: Statistic,
    /// By metric and group.
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

/// Hybrids of cells, each with the coin of its item, of its system, or of its own.
pub(super) struct OfCells<'c> {
    pub(super) statistic: Statistic,
    pub(super) no_value: NoValue,
    pub(super) cells: &'c Cells,
    /// The coin of each cell.
    pub(super) coins: Vec<usize>,
    /// Standardized, by metric.
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

/// The statistic over test sets that lie one after the other.
pub(super) fn pooled(statistic: Statistic, human: &[Vec<f64>], scores: &[f64]) -> f64 {
    let mut rest = scores;
    let parts = human.iter().filter_map(|human| {
        let (scores, others) = rest.split_at(human.len());
        rest = others;
        statistic.parts(human, scores, 0.0)
    });
    statistic.finish(added(parts)).unwrap_or(0.0)
}

/// Hybrids of systems whose scores are means over items, the items being swapped.
pub(super) struct OfMeans {
    statistic: Statistic,
    /// By test set.
    human: Vec<Vec<f64>>,
    /// Of each system of all test sets, the places of its items.
    items: Vec<Vec<usize>>,
    /// By metric and system: whole numbers of one scale for all.
    values: Vec<Vec<Vec<i128>>>,
    totals: Vec<Vec<i128>>,
}

impl OfMeans {
    /// From standardized values by metric and system, beside the places of their items.
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
        // By metric and system, the sum over the items whose coin is 1.
        let of_metric = |systems: &Vec<Vec<i128>>| self.items.iter().zip(systems).map(heads).collect();
        let tossed: Vec<Vec<i128>> = self.values.iter().map(of_metric).collect();
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

/// The coin of each cell, and the number of coins.
pub(super) fn coins_of(cells: &Cells, human: &Ratings, swap: Swap) -> (Vec<usize>, usize) {
    match swap {
        Swap::Items => (cells.places.iter().map(|(_, item)| *item).collect(), human.items()),
        Swap::Systems => (cells.places.iter().map(|(system, _)| *system).collect(), human.systems().len()),
        Swap::Cells | Swap::Pairs => ((0..cells.len()).collect(), cells.len()),
    }
}

/// Refuses statistics whose ties were calibrated on a metric's own scores where hybrids would have others.
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
            "{} has ties of its own for each metric, which hybrids of {} would not have: group by item and swap items, or \
             swap pairs",
            statistic,
            swap.name()
        )));
    }
    Ok(())
}
