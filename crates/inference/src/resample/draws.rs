//! [`for_each_drawn`]: draws random lists of segment indices (resamples) and calls a function on each list,
//! in all threads.

use bleuprint_core::{InputError, Result};

use crate::compare::caution::MOST_REDRAWN;
use crate::work::threads::map_with;
use crate::{ExactSums, Interrupt, ResampleWeights};

/// Working memory of a thread that scores resamples: the weights of the segments and buffers for sums.
#[derive(Default)]
pub(crate) struct DrawScratch {
    pub(super) weights: ResampleWeights,
    /// Two buffers for summing a resample: for the partial sums of packed counts, and for the counts computed
    /// from them.
    pub(super) memory: [Vec<u64>; 2],
    pub(super) numbers: Vec<f32>,
}

impl DrawScratch {
    /// Returns, for each system, the sum of the count rows of the segments in this resample.
    pub(crate) fn sums(&mut self, sums: &ExactSums) -> impl Iterator<Item = &[u64]> {
        let [digits, counts] = &mut self.memory;
        sums.sum(&self.weights, digits, counts);
        sums.of_each(counts)
    }
}

/// Number of resamples that one thread draws, in order, before all threads score them in parallel.
const ROUND: usize = 64;

/// Greatest number of bytes that the results of all bootstrap resamples may take.
const MOST_BYTES: u64 = 1 << 32;

/// Estimated bytes of heap memory in the result of one resample, which holds the scores of a few systems.
const BEHIND: usize = 32;

/// Allocates memory for the results of `count` resamples. Returns an error if there are too many.
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

/// Greatest number of times that a bootstrap resample without a score is drawn again.
const TIMES: usize = 10;

/// Draws `count` resamples as [`for_each_drawn`] does, and draws resamples without a score again, up to 10
/// times. Returns the results and the number of resamples that had no score at first.
///
/// If too many resamples have no score, no interval is possible. The function then draws no resample again
/// and keeps all results.
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

/// Draws `count` lists of `length` segment indices (resamples), calls `each` on every list, and returns the
/// results in order.
///
/// The [`DrawScratch`] that `each` receives has the number of occurrences of each index. `each` runs in all
/// threads of the current rayon pool if the feature `parallel` is on, otherwise in one thread.
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
    // One generator draws all lists in order, so the number of threads does not change the results.
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
