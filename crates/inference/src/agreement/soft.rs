//! Soft pairwise accuracy: how near a metric's confidence in every pair of systems is to people's.

use bleuprint_core::{InputError, Result};

use super::coins::Coins;
use super::ratings::Ratings;
use super::signed::{Whole, fixed, lanes, signed_sums};
use crate::{CountRows, ExactSums, Finish, ResampleWeights};

/// The rule that counts p-values of pairs.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum SoftTies {
    /// `#{δ* ≥ δ} / trials`, as published.
    #[default]
    Counted,
    /// Every row of coins with its complement, and half of the ties: no order of systems matters, and half the noise.
    Halved,
}

/// For every pair of systems (first below second), in how many of [`SoftTies::of`] the first is at least as far ahead by
/// chance.
pub(super) type Wins = Vec<i64>;

impl SoftTies {
    /// The numerator of a p-value of 1.
    pub(super) fn whole(self, trials: usize) -> i64 {
        trials as i64 * if self == SoftTies::Counted { 1 } else { 4 }
    }

    /// The number of times that `one - other` is at least `ahead`.
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

    /// The counts of all pairs, from the sums of each system with signs and without.
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

/// True if no two systems differ anywhere. Every pair is tied in all trials then, and the order of names decides.
pub(super) fn alike<T: PartialEq>(systems: &[T]) -> bool {
    systems.windows(2).all(|pair| pair[0] == pair[1])
}

/// `1 − mean |p_human − p_metric|`. None below two systems.
pub(super) fn accuracy(human: &Wins, metric: &Wins, whole: i64) -> Option<f64> {
    let apart = apart(human, metric);
    (!human.is_empty()).then(|| 1.0 - apart as f64 / (whole * human.len() as i64) as f64)
}

/// `Σ |p_human − p_metric|`, in counts.
pub(super) fn apart(human: &Wins, metric: &Wins) -> i64 {
    human.iter().zip(metric).map(|(human, metric)| (human - metric).abs()).sum()
}

/// The counts of numbers whose sum is the score of a system, exact.
pub(super) fn wins_of_sums(values: &[Vec<f64>], coins: &Coins, ties: SoftTies) -> Wins {
    let values = fixed(values);
    let totals: Vec<i128> = values.iter().map(|values| values.iter().sum()).collect();
    let plain = vec![0; values.first().map_or(0, Vec::len).div_ceil(8)];
    let sums = signed_sums(&lanes(&values), values.len(), &coins.by_eight(), &[&plain]);
    sums.first().map(|sums| ties.wins(sums, &totals)).unwrap_or_default()
}

/// The counts of a metric of corpora: a trial swaps the rows of two systems, and both are scored anew.
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
        _ => Err(InputError::malformed("no score where the outputs of two systems are swapped")),
    };
    let scores = totals.iter().map(|total| score(total)).collect::<Result<Vec<_>, _>>()?;
    let items = rows.first().map_or(0, CountRows::len) as u32;
    let of_trial = |(weights, digits): &mut (ResampleWeights, Vec<u64>), trial: usize| -> Result<Wins> {
        let row = coins.row(trial);
        let heads: Vec<u32> = (0..items).filter(|&item| super::coins::coin(row, item as usize)).collect();
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
