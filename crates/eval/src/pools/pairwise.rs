//! All pairs: the score of every hypothesis with every reference alone.
//!
//! ```
//! use bleuprint_eval::pairwise;
//! use bleuprint_metrics::Bleu;
//!
//! let bleu = Bleu::default().sentence();
//! let (hypotheses, references): ([&[u32]; 2], [&[u32]; 2]) = ([&[1, 2, 3, 4], &[1, 2]], [&[1, 2, 3, 4], &[9]]);
//! let scores = pairwise::matrix(&bleu, &hypotheses, &references).unwrap();
//! assert_eq!(scores[..2], [100.00000000000004, 0.0]);
//! assert_eq!(scores.len(), 4);
//! ```
//!
//! Every score has the bits of that pair observed and finished as a segment of its own. A matrix that does not fit
//! memory is handed over in [tiles](Tile).

use core::ops::Range;

use bleuprint_core::{InputError, Location, Metric, Observe, Result, Segment, SegmentCounts};
use bleuprint_inference::{Interrupt, map_mut, threads};

/// The scores of some hypotheses with some references.
#[derive(Debug, Clone, Copy)]
pub struct Tile<'t> {
    /// The first hypothesis.
    first_hypothesis: usize,
    /// The first reference, and the number of references.
    first_reference: usize,
    references: usize,
    scores: &'t [f64],
}

impl<'t> Tile<'t> {
    /// The numbers of the references, the columns.
    pub fn references(&self) -> Range<usize> {
        self.first_reference..self.first_reference + self.references
    }

    /// The number of each hypothesis, and its scores with the references.
    pub fn rows(&self) -> impl ExactSizeIterator<Item = (usize, &'t [f64])> {
        let first = self.first_hypothesis;
        self.scores.chunks(self.references.max(1)).enumerate().map(move |(row, scores)| (first + row, scores))
    }
}

/// The scores of all pairs, row after row: that of hypothesis `h` with reference `r` is at
/// `h * references.len() + r`.
///
/// # Errors
/// A pair without a score: that of [`Observe::observe`] or [`Metric::finalize`](bleuprint_core::Metric::finalize), with the number of the
/// hypothesis.
pub fn matrix<M, S>(metric: &M, hypotheses: &[&S], references: &[&S]) -> Result<Vec<f64>>
where
    M: Observe<S>,
    S: ?Sized + Sync,
{
    let columns = references.len();
    let mut scores = vec![0.0; hypotheses.len() * columns];
    tiles(metric, hypotheses, references, |tile| {
        for (row, of_tile) in tile.rows() {
            let first = row * columns + tile.first_reference;
            scores[first..first + of_tile.len()].copy_from_slice(of_tile);
        }
    })?;
    Ok(scores)
}

/// The scores of all pairs, tile by tile: `each` is called with every tile, those of the same hypotheses one after the
/// other, from left to right. The tiles of one call are some megabytes; threads of the current pool share the work.
///
/// # Errors
/// Those of [`matrix`]; tiles before the pair may have been handed over.
pub fn tiles<M, S>(
    metric: &M,
    hypotheses: &[&S],
    references: &[&S],
    mut each: impl FnMut(Tile<'_>),
) -> Result<()>
where
    M: Observe<S>,
    S: ?Sized + Sync,
{
    let interrupt = Interrupt::of_thread();
    interrupt.expect(hypotheses.len().saturating_mul(references.len()));
    let worker = || Worker { scratch: M::Scratch::default(), scores: Vec::new() };
    let mut workers: Vec<Worker<M::Scratch>> = (0..threads()).map(|_| worker()).collect();
    for (rows, hypotheses) in hypotheses.chunks(TABULATED[0]).enumerate() {
        for (columns, references) in references.chunks(TABULATED[1]).enumerate() {
            let part = Part {
                metric,
                scorer: metric.pair_scorer(hypotheses, references)?,
                hypotheses,
                references,
                first: [rows * TABULATED[0], columns * TABULATED[1]],
                interrupt: &interrupt,
            };
            part.score(&mut workers, &mut each)?;
        }
    }
    Ok(())
}

/// The numbers of hypotheses and references tabulated at a time.
const TABULATED: [usize; 2] = [4096, 1024];

/// The most scores of a tile: a megabyte.
const TILE: usize = 1 << 17;

/// The fewest tiles per thread where somebody looks, if there are enough hypotheses: by speed-ups of sixteen at a time.
const WATCHED: usize = 32;

struct Worker<T> {
    scratch: T,
    scores: Vec<f64>,
}

/// The pairs tabulated at a time.
struct Part<'p, M, S: ?Sized> {
    metric: &'p M,
    scorer: Option<Box<dyn bleuprint_core::PairScorer + 'p>>,
    hypotheses: &'p [&'p S],
    references: &'p [&'p S],
    first: [usize; 2],
    interrupt: &'p Interrupt,
}

impl<M: Observe<S>, S: ?Sized + Sync> Part<'_, M, S> {
    /// A tile for every thread at a time, handed over in order.
    fn score(&self, workers: &mut [Worker<M::Scratch>], each: &mut impl FnMut(Tile<'_>)) -> Result<()> {
        let mut most = (TILE / self.references.len().max(1)).max(1);
        if self.interrupt.is_watched() {
            most = most.min(self.hypotheses.len().div_ceil(WATCHED).next_multiple_of(16));
        }
        let rows = self.hypotheses.len().div_ceil(workers.len()).clamp(1, most);
        let mut start = 0;
        while start < self.hypotheses.len() {
            let left = self.hypotheses.len() - start;
            let used = left.div_ceil(rows).min(workers.len());
            let tile =
                |index: usize| start + index * rows..self.hypotheses.len().min(start + (index + 1) * rows);
            let scored = map_mut(&mut workers[..used], |index, worker| self.score_tile(tile(index), worker));
            for (index, (scored, worker)) in scored.into_iter().zip(&*workers).enumerate() {
                scored?;
                each(Tile {
                    first_hypothesis: self.first[0] + tile(index).start,
                    first_reference: self.first[1],
                    references: self.references.len(),
                    scores: &worker.scores,
                });
            }
            start = tile(used - 1).end;
        }
        Ok(())
    }

    fn score_tile(&self, rows: Range<usize>, worker: &mut Worker<M::Scratch>) -> Result<()> {
        let Worker { scratch, scores } = worker;
        self.interrupt.check()?;
        scores.clear();
        scores.resize(rows.len() * self.references.len(), f64::NAN);
        if let Some(scorer) = &self.scorer {
            scorer.score(rows.clone(), scores);
        }
        for (row, scores) in rows.zip(scores.chunks_mut(self.references.len().max(1))) {
            for (score, reference) in scores.iter_mut().zip(self.references) {
                if !score.is_finite() {
                    self.interrupt.check()?;
                    let scored = score_pair(self.metric, scratch, self.hypotheses[row], reference);
                    let number = (self.first[0] + row) as u64 + 1;
                    *score = scored.map_err(|error| error.at(Location::segment(number)))?;
                }
            }
        }
        self.interrupt.advance(scores.len());
        Ok(())
    }
}

fn score_pair<M, S>(metric: &M, scratch: &mut M::Scratch, hypothesis: &S, reference: &S) -> Result<f64>
where
    M: Observe<S>,
    S: ?Sized,
{
    let mut stats = metric.zero();
    metric.observe(scratch, &mut stats, Segment::new(hypothesis, &[reference]))?;
    finite_number(metric, &stats, &SegmentCounts::of_segment(1))
}

/// The score, if it is finite.
pub(super) fn finite_number<M: Metric>(metric: &M, stats: &M::Stats, counts: &SegmentCounts) -> Result<f64> {
    let score = metric.number(stats, counts)?;
    if score.is_finite() {
        return Ok(score);
    }
    // The error of a metric chosen at run time has more detail.
    metric.finalize(stats, counts)?;
    Err(InputError::no_score(metric.identity().name(), format!("it would be {score}")))
}
