//! Approximate randomization: how often does swapping the outputs of two systems at random give as large a difference?

use bleuprint_core::Result;

use crate::AtLeast;
use crate::resample::draws::for_each_drawn;
use crate::resample::sums::segments_as_u32;
use crate::rows::require_parallel;
use crate::{CountRows, ExactSums, Finish, NumpyRandom, ResamplePlan};

/// One pair of systems, by index, and the absolute difference of their scores.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct SystemPair {
    /// The system whose outputs go to the first pseudo-system where the bit is 1: sacreBLEU's baseline.
    pub first: usize,
    /// The other one.
    pub second: usize,
    /// The absolute difference of their scores on all segments.
    pub difference: f64,
}

/// The p-value of each pair: every trial assigns the two outputs of each segment to two pseudo-systems by a coin;
/// `p = (1 + trials whose pseudo-systems differ by more than the systems do) / (1 + trials)`.
///
/// Pairs of which no trial differs at all have p = 1, as in [`paired_bootstrap`](super::paired_bootstrap).
///
/// All pairs see the same coins. The sums of a trial are made once per system: what one pseudo-system lacks of a
/// system's total, the other has. Statistics are exact and finished in `f64`, in sacreBLEU too.
///
/// # Errors
/// Those of [`bootstrap`](super::bootstrap()).
pub(crate) fn randomization(
    systems: &[&CountRows],
    pairs: &[SystemPair],
    finish: &Finish<'_>,
    plan: ResamplePlan,
    extreme: AtLeast,
) -> Result<Vec<f64>> {
    Ok(p_values(pairs, &swapped(systems, pairs, finish, plan)?, extreme))
}

/// For each trial the absolute difference of the pseudo-systems of each pair.
///
/// # Errors
/// Those of [`randomization`].
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
    let mut random = NumpyRandom::new(plan.seed);
    let mut coins = random.booleans();
    let mut toss = |indices: &mut [u32]| toss(|| coins.draw(), indices);
    for_each_drawn(plan.count, segments, &mut toss, &|_, scratch| {
        let heads_of: Vec<&[u64]> = scratch.sums(&sums).collect();
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

/// Fills a list with the indices of heads. It has one length; the places of tails have an index that no segment has.
pub(crate) fn toss(mut coin: impl FnMut() -> bool, indices: &mut [u32]) {
    for (index, place) in (0_u32..).zip(indices) {
        *place = if coin() { index } else { u32::MAX };
    }
}

/// The p-value of each pair, from the differences of its pseudo-systems in each trial.
pub(crate) fn p_values(pairs: &[SystemPair], trials: &[Vec<f64>], extreme: AtLeast) -> Vec<f64> {
    let p_value = |(place, pair): (usize, &SystemPair)| {
        let differences = || trials.iter().map(|differences| differences[place]);
        // As for the paired bootstrap: nothing tells the two apart.
        if pair.difference == 0.0 && differences().all(|difference| difference == 0.0) {
            return 1.0;
        }
        let exceeding =
            differences().filter(|&difference| extreme.holds(difference, pair.difference)).count();
        (exceeding + 1) as f64 / (trials.len() + 1) as f64
    };
    pairs.iter().enumerate().map(p_value).collect()
}
