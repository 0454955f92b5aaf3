//! [`for_each_drawn`]: drawn lists of indices, shared out to all threads.

use bleuprint_core::{InputError, Result};

use crate::compare::caution::MOST_REDRAWN;
use crate::work::threads::map_with;
use crate::{ExactSums, Interrupt, ResampleWeights};

/// The weights of a resample, and buffers for its sums.
#[derive(Default)]
pub(crate) struct DrawScratch {
    pub(super) weights: ResampleWeights,
    /// Digits, and the counts made of them.
    pub(super) memory: [Vec<u64>; 2],
    pub(super) numbers: Vec<f32>,
}

impl DrawScratch {
    /// The sum of the rows of the resample, for each system.
    pub(crate) fn sums(&mut self, sums: &ExactSums) -> impl Iterator<Item = &[u64]> {
        let [digits, counts] = &mut self.memory;
        sums.sum(&self.weights, digits, counts);
        sums.of_each(counts)
    }
}

/// The number of resamples drawn in a row before the threads share them out.
const ROUND: usize = 64;

/// The greatest memory of results, in bytes.
const MOST_BYTES: u64 = 1 << 32;

/// The memory of a result outside of its own bytes: the scores of a few systems.
const BEHIND: usize = 32;

/// Room for the results, of a size that the user chose.
fn room<T>(count: usize) -> Result<Vec<T>> {
    let bytes = count.saturating_mul(size_of::<T>() + BEHIND);
    let mut results = Vec::new();
    if bytes as u64 <= MOST_BYTES && results.try_reserve_exact(count).is_ok() {
        return Ok(results);
    }
    let what = format!("the memory of {count} resamples, in bytes,");
    let limit = format!("at most {MOST_BYTES} and what is free: take fewer resamples");
    Err(InputError::limit(what, bytes, limit))
}

/// The number of times that a resample without a score is drawn again.
const TIMES: usize = 10;

/// [`for_each_drawn`] that draws again, up to 10 times, the resamples without a score; with their number. Where this is so
/// great that there is no interval, they stay.
pub(crate) fn for_each_scored<T: Send>(
    count: usize,
    length: usize,
    draw: &mut dyn FnMut(&mut [u32]),
    each: &(dyn Fn(&[u32], &mut DrawScratch) -> T + Sync),
    is_scored: &dyn Fn(&T) -> bool,
) -> Result<(Vec<T>, usize)> {
    let mut results = for_each_drawn(count, length, draw, each)?;
    let mut without: Vec<usize> = (0..results.len()).filter(|&place| !is_scored(&results[place])).collect();
    let redrawn = without.len();
    for _ in 0..TIMES {
        if without.is_empty() || redrawn as f64 > MOST_REDRAWN * count as f64 {
            break;
        }
        let again = for_each_drawn(without.len(), length, draw, each)?;
        for (place, result) in without.iter().zip(again) {
            results[*place] = result;
        }
        without.retain(|&place| !is_scored(&results[place]));
    }
    Ok((results, redrawn))
}

/// Draws `count` lists of `length` indices and maps them in order by `each`, with their weights in its
/// scratch, in all threads of the current rayon pool (feature `parallel`; else in one).
pub(crate) fn for_each_drawn<T: Send>(
    count: usize,
    length: usize,
    draw: &mut dyn FnMut(&mut [u32]),
    each: &(dyn Fn(&[u32], &mut DrawScratch) -> T + Sync),
) -> Result<Vec<T>> {
    let mut results = room(count)?;
    let interrupt = Interrupt::of_thread();
    interrupt.expect(count);
    let each = |list: &[u32], scratch: &mut DrawScratch| {
        interrupt.check()?;
        scratch.weights.fill(list, length);
        let result = each(list, scratch);
        interrupt.advance(1);
        Ok::<T, InputError>(result)
    };
    let mut lists = vec![0; length * ROUND.min(count)];
    while results.len() < count {
        let round = ROUND.min(count - results.len());
        let lists = &mut lists[..round * length];
        for list in lists.chunks_exact_mut(length) {
            interrupt.check()?;
            draw(list);
        }
        let list = |index: usize| &lists[index * length..(index + 1) * length];
        for result in map_with(round, DrawScratch::default, |scratch, index| each(list(index), scratch)) {
            results.push(result?);
        }
    }
    Ok(results)
}
