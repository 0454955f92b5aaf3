//! Approximate randomization test: how often does a random swap of two systems' outputs create a difference
//! at least as large as the observed one?

use bleuprint_core::Result;

use crate::AtLeast;
use crate::resample::draws::for_each_drawn;
use crate::resample::sums::segments_as_u32;
use crate::rows::require_parallel;
use crate::{CountRows, ExactSums, Finish, NumpyRandom, ResamplePlan};

/// Two systems, given by index, with the absolute difference of their scores.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct SystemPair {
    /// Index of the first system of the pair, the baseline in sacreBLEU's tests. A trial assigns this
    /// system's output of a segment to the first of two pseudo-systems if the random bit of the segment is 1.
    pub first: usize,
    /// Index of the second system of the pair.
    pub second: usize,
    /// Absolute difference of the two systems' scores on all segments.
    pub difference: f64,
}

/// Returns the p-value of each pair of systems by randomization. Every trial assigns the two outputs of each
/// segment to two pseudo-systems by a coin. Then
/// `p = (1 + trials whose pseudo-systems differ by more than the systems do) / (1 + trials)`.
///
/// A pair has p = 1 if its systems do not differ in any trial, as in
/// [`paired_bootstrap`](super::paired_bootstrap).
///
/// All pairs use the same coins. The sums of a trial are computed once for each system: the counts of a
/// system that are not in one pseudo-system are in the other one. Counts are summed exactly and scores are
/// computed in `f64`, as in sacreBLEU.
///
/// # Errors
/// Returns the errors of [`bootstrap`](super::bootstrap()).
pub(crate) fn randomization(
    systems: &[&CountRows],
    pairs: &[SystemPair],
    finish: &Finish<'_>,
    plan: ResamplePlan,
    extreme: AtLeast,
) -> Result<Vec<f64>> {
    Ok(p_values(pairs, &swapped(systems, pairs, finish, plan)?, extreme))
}

/// Returns the absolute score difference of two pseudo-systems, for each trial and pair of systems. A trial
/// assigns the outputs of the pair to the pseudo-systems at random.
///
/// # Errors
/// Returns the errors of [`randomization`].
pub(crate) fn swapped(
    systems: &[&CountRows],
    pairs: &[SystemPair],
    finish: &Finish<'_>,
    plan: ResamplePlan,
) -> Result<Vec<Vec<f64>>> {
    let segments = require_parallel(systems)?;
    segments_as_u32(segments)?;
    let sums = ExactSums::new(systems)?;
    let totals = systems.iter().map(|rows| rows.total()).collect::<Result<Vec<_>, _>>()?;
    // One stream of coins for all trials, in the order in which sacreBLEU draws them: trial by trial, then by
    // segment.
    let mut random = NumpyRandom::new(plan.seed);
    let mut coins = random.booleans();
    let mut toss = |indices: &mut [u32]| toss(|| coins.draw(), indices);
    for_each_drawn(plan.count, segments, &mut toss, &|_, scratch| {
        let heads_of: Vec<&[u64]> = scratch.sums(&sums).collect();
        // The tails of a system are its total minus its heads, so each trial sums only the heads of every
        // system.
        let pseudo = |one: usize, other: usize| {
            let parts = heads_of[one].iter().zip(&totals[other]).zip(heads_of[other]);
            let sum: Vec<u64> = parts.map(|((&heads, &total), &others)| heads + (total - others)).collect();
            finish(&sum)
        };
        let difference =
            |pair: &SystemPair| (pseudo(pair.first, pair.second) - pseudo(pair.second, pair.first)).abs();
        pairs.iter().map(difference).collect::<Vec<_>>()
    })
}

/// Tosses a coin for each segment and writes the indices of the segments with heads. `indices` keeps its
/// length: tails have the index `u32::MAX`, which no segment has.
pub(crate) fn toss(mut coin: impl FnMut() -> bool, indices: &mut [u32]) {
    for (index, place) in (0_u32..).zip(indices) {
        *place = if coin() { index } else { u32::MAX };
    }
}

/// Returns the p-value of each pair of systems. `trials` has the pairs' score differences after random swaps,
/// one list for each trial.
pub(crate) fn p_values(pairs: &[SystemPair], trials: &[Vec<f64>], extreme: AtLeast) -> Vec<f64> {
    let p_value = |(place, pair): (usize, &SystemPair)| {
        let differences = || trials.iter().map(|differences| differences[place]);
        // As in the paired bootstrap test: if no trial differs, the two systems are not distinguishable. A
        // strict comparison would otherwise give the smallest p-value.
        if pair.difference == 0.0 && differences().all(|difference| difference == 0.0) {
            return 1.0;
        }
        let exceeding =
            differences().filter(|&difference| extreme.holds(difference, pair.difference)).count();
        (exceeding + 1) as f64 / (trials.len() + 1) as f64
    };
    pairs.iter().enumerate().map(p_value).collect()
}
