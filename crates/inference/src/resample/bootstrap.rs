//! Bootstrap resampling: draws segments with replacement and scores each resample.

use bleuprint_core::{NumpyNumber, Result, SinglePrecision};

use super::draws::{DrawScratch, for_each_scored};
use super::sums::segments_as_u32;
use crate::rows::require_parallel;
use crate::{CountRows, ExactSums, Finish, FloatSums, NumpyRandom, ResamplePlan, Scores};

/// Arithmetic in which the counts of a bootstrap resample are summed and scored: exact integers or
/// sacreBLEU's `f32`.
#[derive(Clone, Copy)]
pub(crate) enum Arithmetic<'f> {
    /// Exact integer sums of counts, scored in `f64`. The sums are also correct above 2²⁴, where `f32` cannot
    /// represent all integers.
    Exact(&'f Finish<'f>),
    /// sacreBLEU's arithmetic with NumPy 2, matched bit for bit: sums and scores in `f32`.
    Single(&'f dyn SinglePrecision),
}

/// Returns the scores of `plan.count` bootstrap resamples of the segments, one list for each system. All
/// systems have the same resamples.
///
/// The statistics of a resample are sums of rows, computed one resample at a time. Memory holds only the
/// scores, 8 bytes for each resample and system.
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
/// Returns [`EmptyCorpus`](bleuprint_core::InputErrorKind::EmptyCorpus) if there are no segments,
/// [`LengthMismatch`](bleuprint_core::InputErrorKind::LengthMismatch) if systems have different numbers of
/// segments, and an error if a sum does not fit 64 bits.
pub fn bootstrap(systems: &[&CountRows], finish: &Finish<'_>, plan: ResamplePlan) -> Result<Vec<Vec<f64>>> {
    let (scores, _) = resampled(systems, Arithmetic::Exact(finish), plan)?;
    Ok(scores.iter().map(Scores::to_f64).collect())
}

/// Returns the scores of bootstrap resamples in the given arithmetic, and the share of resamples that had no
/// score and were drawn again.
pub(crate) fn resampled(
    systems: &[&CountRows],
    arithmetic: Arithmetic<'_>,
    plan: ResamplePlan,
) -> Result<(Vec<Scores>, f64)> {
    bootstrap_from(NumpyRandom::new(plan.seed), plan.count, systems, arithmetic)
}

/// Returns the scores of `count` bootstrap resamples as [`resampled`] does, but takes its random numbers from
/// the generator `random`, which may have been used before.
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

/// Counts of all systems' segments in one table, prepared for fast sums over resamples.
enum PreparedSystems<'f> {
    /// Table for integer sums of counts, and the function that turns a sum into a score.
    Exact(ExactSums, &'f Finish<'f>),
    /// Table for sums of counts in `f32`, the number of systems, and the function that turns a sum into a
    /// score.
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
                // The number of systems cannot be derived from `numbers`: a system without columns still has
                // a score.
                let columns = numbers.len() / systems;
                let own = |system: usize| &numbers[system * columns..(system + 1) * columns];
                (0..*systems).map(|system| single.finish(own(system))).collect()
            }
        }
    }
}
