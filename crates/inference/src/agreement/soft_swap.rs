//! Permutation tests of which of two metrics has the higher soft pairwise accuracy. Every trial mixes the
//! scores of both metrics at random into two artificial metrics (hybrids), and compares the accuracies of the
//! hybrids.
//!
//! Let `a` and `b` be the scores of the two metrics. One hybrid has the score `(a + b)/2 ± (a − b)/2`, the
//! other has the opposite sign. Soft pairwise accuracy adds these scores over items with random signs. If a
//! trial swaps whole items, such a sum is computed once for each metric, not for each pair of metrics.

use bleuprint_core::Result;

use super::coins::{Coins, coin};
use super::signed::{lanes, signed_sums};
use super::soft::{SoftTies, Wins, apart};
use super::swap::Swap;

/// Number of permutation trials whose score sums (item scores added with random signs) are computed together.
// One table of 256 sums of eight items serves all trials of a block. The number is small because each trial
// of a block keeps a sum for every metric, system and row of coins.
const TOGETHER: usize = 4;

/// Upper bound of the sum of one metric's absolute scores for a system, after the scores are scaled to
/// integers. With this bound, all sums and differences in a permutation test of two metrics fit 32 bits.
// A hybrid's sum is the sums of both metrics plus or minus their signed difference: up to 4 · 2²⁷. A
// difference of two systems doubles this to 2³⁰, which is below 2³¹.
const MOST: f64 = (1 << 27) as f64;

/// Standardized scores of one metric as integers, with two kinds of sums for each system: the plain sum over
/// items, and the sums in which the items have the random signs of each trial.
struct SignedMetric {
    values: Vec<Vec<i32>>,
    sums: Vec<Vec<i32>>,
    totals: Vec<i32>,
    /// Distance of the metric from the human raters: the sum of `|p_human − p_metric|` over all pairs of
    /// systems. A p-value is given as its number of trials; see [`apart`].
    apart: i64,
}

pub(super) struct SoftSwap<'w> {
    metrics: Vec<SignedMetric>,
    eights: Vec<Vec<u8>>,
    human: &'w Wins,
    ties: SoftTies,
    swap: Swap,
}

/// Score sums of each system in one trial of the permutation test: with the random signs of soft pairwise
/// accuracy (`sums`) and without them (`totals`).
struct Tossed {
    sums: Vec<Vec<i32>>,
    totals: Vec<i32>,
}

impl<'w> SoftSwap<'w> {
    /// Creates the permutation test between metrics from standardized scores by metric, system and item.
    /// `coins` are the random tosses from which soft pairwise accuracy computes p-values.
    ///
    /// `human` has, for each pair of systems, the number of trials that gives the human p-value.
    pub(super) fn new(
        values: &[Vec<Vec<f64>>],
        coins: &Coins,
        human: &'w Wins,
        ties: SoftTies,
        swap: Swap,
    ) -> Self {
        let magnitude = |system: &Vec<f64>| system.iter().map(|value| value.abs()).sum::<f64>();
        let most = values.iter().flatten().map(magnitude).fold(1.0, f64::max);
        let items = values.first().and_then(|systems| systems.first()).map_or(0, Vec::len);
        // Rounding changes each item by at most a half, so the bound keeps a distance of one for each item.
        let scale = (MOST - items as f64) / most;
        let eights = coins.by_eight();
        let plain = vec![0; items.div_ceil(8)];
        let metric = |systems: &Vec<Vec<f64>>| {
            let whole =
                |values: &Vec<f64>| values.iter().map(|value| (value * scale).round() as i32).collect();
            let values: Vec<Vec<i32>> = systems.iter().map(whole).collect();
            let totals: Vec<i32> = values.iter().map(|values| values.iter().sum()).collect();
            let sums =
                signed_sums(&lanes(&values), values.len(), &eights, &[&plain]).pop().unwrap_or_default();
            let apart = apart(human, &ties.wins(&sums, &totals));
            SignedMetric { values, sums, totals, apart }
        };
        SoftSwap { metrics: values.iter().map(metric).collect(), eights, human, ties, swap }
    }

    pub(super) fn coins(&self) -> usize {
        let values = self.metrics.first().map(|metric| &metric.values);
        let (systems, items) = values.map_or((0, 0), |v| (v.len(), v.first().map_or(0, Vec::len)));
        match self.swap {
            Swap::Items => items,
            Swap::Systems => systems,
            Swap::Cells | Swap::Pairs => systems * items,
        }
    }

    /// Counts, for each pair of metrics, the trials in which the second metric's advantage is at least the
    /// observed advantage.
    pub(super) fn counts(&self, pairs: &[(usize, usize)], coins: &Coins) -> Result<Vec<u64>> {
        let interrupt = crate::Interrupt::of_thread();
        interrupt.expect(coins.trials);
        let block = |_: &mut (), block: usize| -> Result<Vec<u64>> {
            interrupt.check()?;
            let trials: Vec<usize> = (block * TOGETHER..coins.trials.min((block + 1) * TOGETHER)).collect();
            let tossed = self.toss_items(&trials, coins);
            let exceeds = |&(first, second): &(usize, usize)| {
                // A smaller distance from people is better, hence first minus second.
                let seen = self.metrics[first].apart - self.metrics[second].apart;
                let of_trial = |(place, trial): (usize, &usize)| {
                    let by = match self.swap {
                        Swap::Items => {
                            let one = &tossed[first][place];
                            let other = &tossed[second][place];
                            self.difference(first, second, &one.less(other))
                        }
                        Swap::Systems => self.difference(
                            first,
                            second,
                            &self.toss_systems(first, second, coins.row(*trial)),
                        ),
                        Swap::Cells | Swap::Pairs => {
                            self.difference(first, second, &self.toss_cells(first, second, coins.row(*trial)))
                        }
                    };
                    u64::from(by >= seen)
                };
                trials.iter().enumerate().map(of_trial).sum()
            };
            let exceeding = pairs.iter().map(exceeds).collect();
            interrupt.advance(trials.len());
            Ok(exceeding)
        };
        let mut counts = vec![0; pairs.len()];
        for block in crate::work::threads::map_with(coins.trials.div_ceil(TOGETHER), || (), block) {
            counts.iter_mut().zip(block?).for_each(|(count, more)| *count += more);
        }
        Ok(counts)
    }

    /// Returns the score sums of the systems after the swaps of each of the given `trials`, for each metric.
    /// In a trial, each item has a random sign. Returns an empty list if the test swaps systems or single
    /// scores, not items.
    fn toss_items(&self, trials: &[usize], coins: &Coins) -> Vec<Vec<Tossed>> {
        if self.swap != Swap::Items {
            return Vec::new();
        }
        // An item counts + if its coin of the trial equals its coin of the accuracy: the product of both
        // signs. `signed_sums` adds an item if coin and flip differ, so the bits are inverted.
        let flips: Vec<Vec<u8>> =
            trials.iter().map(|&trial| coins.row(trial).iter().map(|byte| !byte).collect()).collect();
        let flips: Vec<&[u8]> = flips.iter().map(|flip| &flip[..]).collect();
        let metric = |metric: &SignedMetric| {
            let sums = signed_sums(&lanes(&metric.values), metric.values.len(), &self.eights, &flips);
            let of_trial = |(sums, &trial): (Vec<Vec<i32>>, &usize)| {
                let sign = |item: usize| if coin(coins.row(trial), item) { 1 } else { -1 };
                let total = |values: &Vec<i32>| {
                    values.iter().enumerate().map(|(item, value)| sign(item) * value).sum()
                };
                Tossed { sums, totals: metric.values.iter().map(total).collect() }
            };
            sums.into_iter().zip(trials).map(of_trial).collect()
        };
        self.metrics.iter().map(metric).collect()
    }

    fn toss_systems(&self, first: usize, second: usize, coins: &[u8]) -> Tossed {
        let one = &self.metrics[first];
        let other = &self.metrics[second];
        let sign = |system: usize| if coin(coins, system) { 1 } else { -1 };
        let parts = one.sums.iter().zip(&other.sums).enumerate();
        let sums = parts.map(|(system, (one, other))| {
            one.iter().zip(other).map(|(one, other)| sign(system) * (one - other)).collect()
        });
        let parts = one.totals.iter().zip(&other.totals).enumerate();
        Tossed {
            sums: sums.collect(),
            totals: parts.map(|(system, (one, other))| sign(system) * (one - other)).collect(),
        }
    }

    fn toss_cells(&self, first: usize, second: usize, coins: &[u8]) -> Tossed {
        let one = &self.metrics[first].values;
        let other = &self.metrics[second].values;
        let items = one.first().map_or(0, Vec::len);
        let signed = |(system, (one, other)): (usize, (&Vec<i32>, &Vec<i32>))| {
            let differences = one.iter().zip(other).enumerate();
            differences
                .map(
                    |(item, (one, other))| {
                        if coin(coins, system * items + item) { one - other } else { other - one }
                    },
                )
                .collect()
        };
        let values: Vec<Vec<i32>> = one.iter().zip(other).enumerate().map(signed).collect();
        let plain = vec![0; items.div_ceil(8)];
        let sums =
            signed_sums(&lanes(&values), values.len(), &self.eights, &[&plain]).pop().unwrap_or_default();
        Tossed { sums, totals: values.iter().map(|values| values.iter().sum()).collect() }
    }

    /// Returns the distance of the first of two artificial metrics (hybrids) from the human scores, minus the
    /// distance of the second. Distances are numbers of trials of soft pairwise accuracy.
    ///
    /// The hybrids are mixtures of the metrics `first` and `second`. `by` holds the sums of the score
    /// differences between the two metrics, signed as the trial swaps them.
    fn difference(&self, first: usize, second: usize, by: &Tossed) -> i64 {
        let one = &self.metrics[first];
        let other = &self.metrics[second];
        let hybrid = |sign: i32| {
            let rows = one.sums.iter().zip(&other.sums).zip(&by.sums);
            let sums: Vec<Vec<i32>> = rows
                .map(|((one, other), by)| {
                    one.iter().zip(other).zip(by).map(|((one, other), by)| one + other + sign * by).collect()
                })
                .collect();
            let totals = one.totals.iter().zip(&other.totals).zip(&by.totals);
            let totals: Vec<i32> = totals.map(|((one, other), by)| one + other + sign * by).collect();
            apart(self.human, &self.ties.wins(&sums, &totals))
        };
        hybrid(1) - hybrid(-1)
    }
}

impl Tossed {
    fn less(&self, other: &Self) -> Self {
        let less =
            |one: &[i32], other: &[i32]| one.iter().zip(other).map(|(one, other)| one - other).collect();
        let sums = self.sums.iter().zip(&other.sums).map(|(one, other)| less(one, other)).collect();
        Tossed { sums, totals: less(&self.totals, &other.totals) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::agreement::soft::wins_of_sums;

    /// Compares the optimized permutation test between two metrics with a plain one that builds each mixture
    /// of the metrics score by score.
    #[test]
    fn hybrids_are_what_swapping_cells_gives() {
        let systems = 5;
        let items = 19;
        let value = |seed: usize, at: usize| ((seed * 7919 + at * 104_729) % 257) as f64 - 128.0;
        let scores = |seed: usize| -> Vec<Vec<f64>> {
            (0..systems).map(|s| (0..items).map(|i| value(seed, s * 37 + i)).collect()).collect()
        };
        let values = vec![scores(1), scores(2), scores(3)];
        for ties in [SoftTies::Counted, SoftTies::Halved] {
            let coins = Coins::rounded(4, 100, items);
            let human = wins_of_sums(&scores(9), &coins, ties);
            for swap in [Swap::Items, Swap::Systems, Swap::Cells] {
                let test = SoftSwap::new(&values, &coins, &human, ties, swap);
                let trials = Coins::fair(7, 30, test.coins());
                let of = |values: &[Vec<f64>]| apart(&human, &wins_of_sums(values, &coins, ties));
                let hybrid = |one: &[Vec<f64>], other: &[Vec<f64>], row: &[u8]| -> Vec<Vec<f64>> {
                    let place = |s: usize, i: usize| match swap {
                        Swap::Items => i,
                        Swap::Systems => s,
                        _ => s * items + i,
                    };
                    let cell =
                        |s: usize, i: usize| if coin(row, place(s, i)) { one[s][i] } else { other[s][i] };
                    (0..systems).map(|s| (0..items).map(|i| cell(s, i)).collect()).collect()
                };
                for (first, second) in [(0, 1), (2, 1)] {
                    let one = &values[first];
                    let other = &values[second];
                    let seen = of(one) - of(other);
                    let exceeds = (0..30).filter(|&trial| {
                        let row = trials.row(trial);
                        of(&hybrid(one, other, row)) - of(&hybrid(other, one, row)) >= seen
                    });
                    let expected = exceeds.count() as u64;
                    // The integers of both computations differ in scale, so rounding may decide a tie
                    // differently.
                    let found = test.counts(&[(first, second)], &trials).unwrap()[0];
                    assert!(found.abs_diff(expected) <= 1, "{swap:?} {ties:?}: {found}, not {expected}");
                }
            }
        }
    }
}
