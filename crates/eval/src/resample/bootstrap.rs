//! Bootstrap: the scores of resamples of all segments, drawn with replacement.

use bleuprint_core::{InputError, InputErrorKind, Number, Result, SinglePrecision};

use crate::threads::map_with;

use super::sums::segments_as_u32;
use super::{ExactSums, FloatSums, NumpyRandom, Rows, Scores, Weights};
use crate::Interrupt;

/// The number of resamples, and the seed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Plan {
    /// The seed of NumPy's `default_rng`.
    pub seed: u128,
    /// How many resamples or trials.
    pub count: usize,
}

impl Plan {
    /// sacreBLEU's default seed.
    pub const SEED: u128 = 12345;
    /// sacreBLEU's default number of bootstrap resamples.
    pub const RESAMPLES: usize = 1_000;
    /// sacreBLEU's default number of randomization trials.
    pub const TRIALS: usize = 10_000;

    /// The fewest resamples that can show a p-value of at most `significant` among all pairs of this many systems, when
    /// it is corrected by Holm, at worst a product with the number of pairs.
    pub fn fewest_for_pairs(systems: usize, significant: f64) -> usize {
        let pairs = systems * systems.saturating_sub(1) / 2;
        (pairs as f64 / significant).ceil() as usize
    }

    /// As many resamples as usual, or twice the [fewest](Plan::fewest_for_pairs) where these are more.
    pub fn count_for_pairs(usual: usize, systems: usize, significant: f64) -> usize {
        usual.max(2 * Plan::fewest_for_pairs(systems, significant))
    }

    /// This many from sacreBLEU's default seed.
    pub fn of(count: usize) -> Self {
        Plan { seed: Self::SEED, count }
    }
}

/// The score of a sum of rows.
pub type Finish<'f> = dyn Fn(&[u64]) -> f64 + Sync + 'f;

/// The arithmetic of sums and scores of resamples.
#[derive(Clone, Copy)]
pub enum Arithmetic<'f> {
    /// Exact integers, finished in `f64`: right beyond 2²⁴, where `f32` stops counting.
    Exact(&'f Finish<'f>),
    /// sacreBLEU's with NumPy 2, to the last bit.
    Single(&'f dyn SinglePrecision),
}

/// The scores of `plan.count` resamples of each system: all systems see the same resamples.
///
/// The statistics of a resample are sums of rows, made one resample at a time, so that memory does not grow with
/// their number: only the scores do, 8 bytes each.
///
/// ```
/// use bleuprint_eval::resample::{Arithmetic, Plan, Rows, bootstrap};
/// // Two columns: matches and totals.
/// let rows = Rows::new(2, vec![1, 2, 2, 2, 0, 2, 1, 1]).unwrap();
/// let ratio = |row: &[u64]| row[0] as f64 / row[1] as f64;
/// let scores = bootstrap(&[&rows], Arithmetic::Exact(&ratio), Plan::of(1000)).unwrap();
/// let interval = scores[0].interval();
/// assert!(interval.lower < 4.0 / 7.0 && interval.upper > 4.0 / 7.0);
/// ```
///
/// # Errors
/// [`EmptyCorpus`](InputErrorKind::EmptyCorpus); [`LengthMismatch`](InputErrorKind::LengthMismatch) when systems have
/// different numbers of segments; sums that would not fit 64 bits.
pub fn bootstrap(systems: &[&Rows], arithmetic: Arithmetic<'_>, plan: Plan) -> Result<Vec<Scores>> {
    bootstrap_from(NumpyRandom::new(plan.seed), plan.count, systems, arithmetic)
}

/// [`bootstrap`] of `count` resamples, continuing the draws of `random`.
///
/// # Errors
/// Those of [`bootstrap`].
pub fn bootstrap_from(
    mut random: NumpyRandom,
    count: usize,
    systems: &[&Rows],
    arithmetic: Arithmetic<'_>,
) -> Result<Vec<Scores>> {
    let segments = segments_as_u32(require_parallel(systems)?)?;
    let prepared = Prepared::new(systems, arithmetic)?;
    let draw = |indices: &mut [u32]| random.fill_indices(segments, indices);
    let numbers =
        for_each_drawn(count, segments as usize, draw, |indices, scratch| prepared.scores(indices, scratch))?;
    Ok((0..systems.len()).map(|system| numbers.iter().map(|numbers| numbers[system]).collect()).collect())
}

/// The number of segments of all systems.
pub(crate) fn require_parallel(systems: &[&Rows]) -> Result<usize> {
    let segments = systems.first().map_or(0, |rows| rows.len());
    if segments == 0 {
        return Err(InputErrorKind::EmptyCorpus.into());
    }
    for (index, rows) in systems.iter().enumerate() {
        if rows.len() != segments {
            return Err(InputErrorKind::LengthMismatch {
                left: "system 1".to_owned(),
                left_len: segments as u64,
                right: format!("system {}", index + 1),
                right_len: rows.len() as u64,
            }
            .into());
        }
    }
    Ok(segments)
}

/// All systems in one table, ready to be summed.
enum Prepared<'f> {
    Exact(ExactSums, &'f Finish<'f>),
    /// With the number of systems.
    Single(FloatSums, usize, &'f dyn SinglePrecision),
}

impl<'f> Prepared<'f> {
    fn new(systems: &[&Rows], arithmetic: Arithmetic<'f>) -> Result<Self> {
        let single = match arithmetic {
            Arithmetic::Exact(finish) => return Ok(Prepared::Exact(ExactSums::new(systems)?, finish)),
            Arithmetic::Single(single) => single,
        };
        let mut numbers = Vec::new();
        let segments = systems.first().map_or(0, |rows| rows.len());
        for segment in 0..segments {
            systems.iter().for_each(|rows| single.row(rows.row(segment), &mut numbers));
        }
        let all = numbers.len() / segments.max(1);
        Ok(Prepared::Single(FloatSums::new(all, &numbers)?, systems.len(), single))
    }

    fn scores(&self, indices: &[u32], scratch: &mut Scratch) -> Vec<Number> {
        match self {
            Prepared::Exact(sums, finish) => {
                scratch.sums(sums).map(|sum| Number::Double(finish(sum))).collect()
            }
            Prepared::Single(sums, systems, single) => {
                let Scratch { weights, memory, numbers } = scratch;
                sums.sum(indices, weights, memory, numbers);
                // A system may have no columns, but has a score.
                let columns = numbers.len() / systems;
                let own = |system: usize| &numbers[system * columns..(system + 1) * columns];
                (0..*systems).map(|system| single.finish(own(system))).collect()
            }
        }
    }
}

/// The weights of a resample, and buffers for its sums.
#[derive(Default)]
pub(crate) struct Scratch {
    weights: Weights,
    /// Digits, and the counts made of them.
    memory: [Vec<u64>; 2],
    numbers: Vec<f32>,
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

/// Draws `count` lists of `length` indices and maps them by `each`, with their weights in its scratch, in order; in all threads of the current rayon pool
/// (feature `parallel`; else in one).
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
