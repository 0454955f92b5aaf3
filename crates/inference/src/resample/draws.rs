//! [`for_each_drawn`]: drawn lists of indices, shared out to all threads.

use bleuprint_core::{InputError, Result};

use crate::work::threads::map_with;
use crate::{ExactSums, Interrupt, Weights};

/// The weights of a resample, and buffers for its sums.
#[derive(Default)]
pub(crate) struct Scratch {
    pub(super) weights: Weights,
    /// Digits, and the counts made of them.
    pub(super) memory: [Vec<u64>; 2],
    pub(super) numbers: Vec<f32>,
}

impl Scratch {
    /// The sum of the rows of the resample, for each system.
    pub(crate) fn sums(&mut self, sums: &ExactSums) -> impl Iterator<Item = &[u64]> {
        let [digits, counts] = &mut self.memory;
        sums.sum(&self.weights, digits, counts);
        sums.of_each(counts)
    }
}

/// The number of resamples drawn in a row before the threads share them out.
const ROUND: usize = 64;

/// Draws `count` lists of `length` indices and maps them in order by `each`, with their weights in its
/// scratch, in all threads of the current rayon pool (feature `parallel`; else in one).
///
/// # Errors
/// [`Interrupted`](InputErrorKind::Interrupted).
pub(crate) fn for_each_drawn<T: Send>(
    count: usize,
    length: usize,
    mut draw: impl FnMut(&mut [u32]),
    each: impl Fn(&[u32], &mut Scratch) -> T + Sync,
) -> Result<Vec<T>> {
    let interrupt = Interrupt::of_thread();
    interrupt.expect(count);
    let each = |list: &[u32], scratch: &mut Scratch| {
        interrupt.check()?;
        scratch.weights.fill(list, length);
        let result = each(list, scratch);
        interrupt.advance(1);
        Ok::<T, InputError>(result)
    };
    let mut lists = vec![0; length * ROUND.min(count)];
    let mut results = Vec::with_capacity(count);
    while results.len() < count {
        let round = ROUND.min(count - results.len());
        let lists = &mut lists[..round * length];
        for list in lists.chunks_exact_mut(length) {
            interrupt.check()?;
            draw(list);
        }
        let list = |index: usize| &lists[index * length..(index + 1) * length];
        for result in map_with(round, Scratch::default, |scratch, index| each(list(index), scratch)) {
            results.push(result?);
        }
    }
    Ok(results)
}
