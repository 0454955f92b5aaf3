//! Bootstrap: the scores of resamples of all segments, drawn with replacement.

use bleuprint_core::{NumpyNumber, Result, SinglePrecision};

use super::draws::{DrawScratch, for_each_scored};
use super::sums::segments_as_u32;
use crate::rows::require_parallel;
use crate::{CountRows, ExactSums, Finish, FloatSums, NumpyRandom, ResamplePlan, Scores};

/// The arithmetic of sums and scores of resamples.
#[derive(Clone, Copy)]
pub(crate) enum Arithmetic<'f> {
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
/// use bleuprint_inference::{Interval, ResamplePlan, CountRows, bootstrap};
/// // Two columns: matches and totals.
/// let rows = CountRows::new(2, vec![1, 2, 2, 2, 0, 2, 1, 1]).unwrap();
/// let ratio = |row: &[u64]| row[0] as f64 / row[1] as f64;
/// let scores = bootstrap(&[&rows], &ratio, ResamplePlan::new(1000)).unwrap().remove(0);
/// let interval = Interval::from_values(scores);
/// assert!(interval.lower < 4.0 / 7.0 && interval.upper > 4.0 / 7.0);
/// ```
///
/// # Errors
/// [`EmptyCorpus`](bleuprint_core::InputErrorKind::EmptyCorpus); [`LengthMismatch`](bleuprint_core::InputErrorKind::LengthMismatch) when systems have
/// different numbers of segments; sums that would not fit 64 bits.
pub fn bootstrap(systems: &[&CountRows], finish: &Finish<'_>, plan: ResamplePlan) -> Result<Vec<Vec<f64>>> {
    let (scores, _) = resampled(systems, Arithmetic::Exact(finish), plan)?;
    Ok(scores.iter().map(Scores::to_f64).collect())
}

/// [`bootstrap`] in either arithmetic, with the share of the resamples that had no score and were drawn again.
pub(crate) fn resampled(
    systems: &[&CountRows],
    arithmetic: Arithmetic<'_>,
    plan: ResamplePlan,
) -> Result<(Vec<Scores>, f64)> {
    bootstrap_from(NumpyRandom::new(plan.seed), plan.count, systems, arithmetic)
}

/// [`bootstrap`] of `count` resamples, continuing the draws of `random`.
pub(crate) fn bootstrap_from(
    mut random: NumpyRandom,
    count: usize,
    systems: &[&CountRows],
    arithmetic: Arithmetic<'_>,
) -> Result<(Vec<Scores>, f64)> {
    let segments = segments_as_u32(require_parallel(systems)?)?;
    let prepared = PreparedSystems::new(systems, arithmetic)?;
    let mut draw = |indices: &mut [u32]| random.fill_indices(segments, indices);
    let each = |indices: &[u32], scratch: &mut DrawScratch| prepared.scores(indices, scratch);
    let is_scored = |numbers: &Vec<NumpyNumber>| numbers.iter().all(|&number| f64::from(number).is_finite());
    let (numbers, redrawn) = for_each_scored(count, segments as usize, &mut draw, &each, &is_scored)?;
    let of_system = |system| numbers.iter().map(|numbers| numbers[system]).collect();
    Ok(((0..systems.len()).map(of_system).collect(), redrawn as f64 / count.max(1) as f64))
}

/// All systems in one table, ready to be summed.
enum PreparedSystems<'f> {
    Exact(ExactSums, &'f Finish<'f>),
    /// With the number of systems.
    Single(FloatSums, usize, &'f dyn SinglePrecision),
}

impl<'f> PreparedSystems<'f> {
    fn new(systems: &[&CountRows], arithmetic: Arithmetic<'f>) -> Result<Self> {
        let single = match arithmetic {
            Arithmetic::Exact(finish) => return Ok(PreparedSystems::Exact(ExactSums::new(systems)?, finish)),
            Arithmetic::Single(single) => single,
        };
        let mut numbers = Vec::new();
        let segments = systems.first().map_or(0, |rows| rows.len());
        for segment in 0..segments {
            systems.iter().for_each(|rows| single.row(rows.row(segment), &mut numbers));
        }
        let all = numbers.len() / segments.max(1);
        Ok(PreparedSystems::Single(FloatSums::new(all, &numbers)?, systems.len(), single))
    }

    fn scores(&self, indices: &[u32], scratch: &mut DrawScratch) -> Vec<NumpyNumber> {
        match self {
            PreparedSystems::Exact(sums, finish) => {
                scratch.sums(sums).map(|sum| NumpyNumber::Double(finish(sum))).collect()
            }
            PreparedSystems::Single(sums, systems, single) => {
                let DrawScratch { weights, memory, numbers } = scratch;
                sums.sum(indices, weights, memory, numbers);
                // A system may have no columns, but has a score.
                let columns = numbers.len() / systems;
                let own = |system: usize| &numbers[system * columns..(system + 1) * columns];
                (0..*systems).map(|system| single.finish(own(system))).collect()
            }
        }
    }
}
