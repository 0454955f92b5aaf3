//! Soft pairwise accuracy of a metric: how close its p-values for all pairs of systems are to the p-values
//! from human scores.

use bleuprint_core::{InputError, Result};

use super::coins::Coins;
use super::ratings::Ratings;
use super::signed::{Whole, fixed, lanes, signed_sums};
use crate::{CountRows, ExactSums, Finish, ResampleWeights};

/// Treatment of ties when soft pairwise accuracy computes the p-value of a pair of systems by permutation.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum SoftTies {
    /// Ties count fully, as published: the p-value is the share of trials with `δ* ≥ δ`. `δ` is the observed
    /// score difference, `δ*` the difference after random swaps.
    #[default]
    Counted,
    /// Ties count by half, and each trial is used a second time with all swaps inverted. The p-value then
    /// does not depend on the order of the two systems, and has half the noise.
    Halved,
}

/// Trial counts of soft pairwise accuracy, one for each pair of systems. A trial swaps item scores of the two
/// systems at random; it counts if the new score difference is at least the observed one. The count divided
/// by [`SoftTies::whole`] is the pair's p-value.
pub(super) type Wins = Vec<i64>;

impl SoftTies {
    /// Returns the count that corresponds to a p-value of 1: the number of trials, or four times this number
    /// under [`SoftTies::Halved`].
    pub(super) fn whole(self, trials: usize) -> i64 {
        // Halved counts have two rows for each trial and two halves for each row.
        trials as i64 * if self == SoftTies::Counted { 1 } else { 4 }
    }

    /// Counts the trials whose difference `one - other` is at least `ahead`, the observed difference. `self`
    /// decides how ties count.
    #[inline]
    fn count<T: Whole + Ord>(self, one: &[T], other: &[T], ahead: T) -> i64 {
        let differences = one.iter().zip(other).map(|(one, other)| *one - *other);
        match self {
            SoftTies::Counted => i64::from(differences.map(|by| u32::from(by >= ahead)).sum::<u32>()),
            SoftTies::Halved => {
                let both = |by: T| {
                    let half = |by: T| u32::from(by > ahead) + u32::from(by >= ahead);
                    half(by) + half(-by)
                };
                i64::from(differences.map(both).sum::<u32>())
            }
        }
    }

    /// Returns, for each pair of systems, the number of trials in which a random swap favours the first
    /// system at least as much as observed. `sums` are each system's score sums with random signs, by trial;
    /// `totals` are the sums without signs.
    pub(super) fn wins<T: Whole + Ord>(self, sums: &[Vec<T>], totals: &[T]) -> Wins {
        let mut wins = Vec::with_capacity(sums.len() * sums.len() / 2);
        for (first, one) in sums.iter().enumerate() {
            for (second, other) in sums.iter().enumerate().skip(first + 1) {
                wins.push(self.count(one, other, totals[first] - totals[second]));
            }
        }
        wins
    }
}

/// Returns `true` if all systems have identical scores. Every pair is then tied in all trials, so no p-value
/// is meaningful.
pub(super) fn alike<T: PartialEq>(systems: &[T]) -> bool {
    systems.windows(2).all(|pair| pair[0] == pair[1])
}

/// Returns the soft pairwise accuracy of a metric: `1 − mean |p_human − p_metric|` over all pairs of systems.
/// `human` and `metric` are p-values as counts of trials; the count `whole` is `p = 1`. Returns `None` if
/// there are fewer than two systems.
pub(super) fn accuracy(human: &Wins, metric: &Wins, whole: i64) -> Option<f64> {
    let apart = apart(human, metric);
    (!human.is_empty()).then(|| 1.0 - apart as f64 / (whole * human.len() as i64) as f64)
}

/// Returns the sum over all pairs of systems of `|p_human − p_metric|`. All p-values are counts of trials.
pub(super) fn apart(human: &Wins, metric: &Wins) -> i64 {
    // In integers, so that two metrics compare exactly in a permutation test.
    human.iter().zip(metric).map(|(human, metric)| (human - metric).abs()).sum()
}

/// Counts, for all pairs of systems, the trials in which a random swap favours the first system at least as
/// much as observed. The score of a system is the exact sum of its `values`.
pub(super) fn wins_of_sums(values: &[Vec<f64>], coins: &Coins, ties: SoftTies) -> Wins {
    let values = fixed(values);
    let totals: Vec<i128> = values.iter().map(|values| values.iter().sum()).collect();
    let plain = vec![0; values.first().map_or(0, Vec::len).div_ceil(8)];
    let sums = signed_sums(&lanes(&values), values.len(), &coins.by_eight(), &[&plain]);
    sums.first().map(|sums| ties.wins(sums, &totals)).unwrap_or_default()
}

/// Counts, for each pair of systems, the permutation trials that favour the first system, for a metric such
/// as corpus BLEU that scores summed count rows. A trial swaps items of two systems at random and computes
/// both scores again.
///
/// # Errors
/// Returns an error if sums of counts overflow or if a swapped system has no finite score.
pub(super) fn wins_of_rows(
    rows: &[CountRows],
    finish: &Finish<'_>,
    coins: &Coins,
    ties: SoftTies,
) -> Result<Wins> {
    let sums = ExactSums::new(&rows.iter().collect::<Vec<_>>())?;
    let totals = rows.iter().map(CountRows::total).collect::<Result<Vec<_>, _>>()?;
    let score = |row: &[u64]| match finish(row) {
        score if score.is_finite() => Ok(score),
        _ => Err(InputError::malformed("a trial that swaps outputs of two systems has no score")),
    };
    let scores = totals.iter().map(|total| score(total)).collect::<Result<Vec<_>, _>>()?;
    let items = rows.first().map_or(0, CountRows::len) as u32;
    let of_trial = |(weights, digits): &mut (ResampleWeights, Vec<u64>), trial: usize| -> Result<Wins> {
        let row = coins.row(trial);
        let heads: Vec<u32> = (0..items).filter(|&item| super::coins::coin(row, item as usize)).collect();
        // A row of coins is a resample in which each item occurs once or not at all, so the packed sums can
        // be used. The rest of a system's total belongs to the tails.
        weights.fill(&heads, items as usize);
        let mut all = Vec::new();
        sums.sum(weights, digits, &mut all);
        let all: Vec<&[u64]> = sums.of_each(&all).collect();
        let swapped = |one: usize, other: usize| {
            let parts = all[one].iter().zip(&totals[other]).zip(all[other]);
            score(&parts.map(|((&heads, &total), &others)| heads + (total - others)).collect::<Vec<u64>>())
        };
        let mut wins = Vec::new();
        for first in 0..all.len() {
            for second in first + 1..all.len() {
                let ahead = scores[first] - scores[second];
                let by = swapped(first, second)? - swapped(second, first)?;
                let half = |by: f64| i64::from(by > ahead) + i64::from(by >= ahead);
                wins.push(match ties {
                    SoftTies::Counted => i64::from(by >= ahead),
                    SoftTies::Halved => half(by) + half(-by),
                });
            }
        }
        Ok(wins)
    };
    let trials = crate::work::threads::map_with(coins.trials, Default::default, of_trial);
    let mut total = vec![0; rows.len() * rows.len().saturating_sub(1) / 2];
    for wins in trials {
        total.iter_mut().zip(wins?).for_each(|(sum, win)| *sum += win);
    }
    Ok(total)
}
/// Returns one vector of item scores for each system.
///
/// # Errors
/// Returns an error with `name`, the item and the system of the first missing score.
pub(super) fn complete(name: &str, ratings: &Ratings) -> Result<Vec<Vec<f64>>> {
    let row = |system: usize| {
        let cell = |(item, cell): (usize, &Option<f64>)| {
            cell.ok_or_else(|| {
                let system = &ratings.systems()[system];
                InputError::malformed(format!(
                    "{name} has no score for item {} of system `{system}`",
                    item + 1
                ))
            })
        };
        ratings.row(system).iter().enumerate().map(cell).collect()
    };
    (0..ratings.systems().len()).map(row).collect()
}
