//! Scores of all pairs of a hypothesis and a single reference.
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
//! Every score is bit for bit the score of the pair as a separate segment. A metric that wants batches gets
//! several pairs at once. Use [`rows`] for a matrix that does not fit in memory.

use core::cell::Cell;
use core::ops::Range;
use core::slice;

use bleuprint_core::{
    Answer, Ask, InputError, Location, Metric, Observe, Result, Segment, SegmentCounts, Wanted,
};
use bleuprint_inference::{Interrupt, map_mut, threads};

use crate::batches::{ThreadTables, observe_apart};

/// Returns the scores of all pairs in one vector, row by row: hypothesis `h` with reference `r` is at `h *
/// references.len() + r`.
///
/// # Errors
/// Returns the error of [`Observe::observe`] or [`Metric::finalize`](bleuprint_core::Metric::finalize) for a
/// pair without a score, with the number of the hypothesis.
pub fn matrix<M, S>(metric: &M, hypotheses: &[&S], references: &[&S]) -> Result<Vec<f64>>
where
    M: Observe<S>,
    S: ?Sized + Sync,
{
    let columns = references.len();
    let mut scores = vec![0.0; hypotheses.len() * columns];
    rows(metric, hypotheses, references, |hypothesis, reference, row| {
        let first = hypothesis * columns + reference;
        scores[first..first + row.len()].copy_from_slice(row);
    })?;
    Ok(scores)
}

/// Computes the scores of all pairs and passes them to `each` in parts of rows, which come from left to right
/// in each row. `each` gets the index of a hypothesis, the index of the part's first reference, and the
/// scores of the part. Only some megabytes are in memory at a time; threads of the current pool share the
/// work.
///
/// # Errors
/// Returns the errors of [`matrix`]; `each` may already have received parts before the failed pair.
pub fn rows<M, S>(
    metric: &M,
    hypotheses: &[&S],
    references: &[&S],
    mut each: impl FnMut(usize, usize, &[f64]),
) -> Result<()>
where
    M: Observe<S>,
    S: ?Sized + Sync,
{
    let interrupt = Interrupt::of_thread();
    interrupt.expect(hypotheses.len().saturating_mul(references.len()));
    let worker = || PairWorker { tables: ThreadTables::new(metric), scores: Vec::new() };
    let mut workers: Vec<PairWorker<M>> = (0..threads()).map(|_| worker()).collect();
    for (rows, hypotheses) in hypotheses.chunks(TABULATED[0]).enumerate() {
        for (columns, references) in references.chunks(TABULATED[1]).enumerate() {
            let ask = Ask::new(Wanted::Pairs, hypotheses, references);
            let scorer = match metric.ask(&mut M::Scratch::default(), ask)? {
                Some(Answer::Scores(scorer)) => Some(scorer),
                _ => None,
            };
            let part = PairwisePart {
                metric,
                scorer,
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

/// Largest numbers of hypotheses and of references that the metric prepares at a time for scoring pairs.
const TABULATED: [usize; 2] = [4096, 1024];

/// Greatest number of pair scores that a thread computes before it passes them on: a megabyte of `f64`.
const TILE: usize = 1 << 17;

/// Smallest number of steps in which all pairs are scored if a caller watches the progress, so that the
/// progress is reported often enough. A step has a multiple of sixteen hypotheses, which fast methods score
/// together.
const WATCHED: usize = 32;

struct PairWorker<M: Metric> {
    tables: ThreadTables<M>,
    scores: Vec<f64>,
}

struct PairwisePart<'p, M, S: ?Sized> {
    metric: &'p M,
    scorer: Option<Box<dyn bleuprint_core::PairScorer + 'p>>,
    hypotheses: &'p [&'p S],
    references: &'p [&'p S],
    first: [usize; 2],
    interrupt: &'p Interrupt,
}

impl<M: Observe<S>, S: ?Sized + Sync> PairwisePart<'_, M, S> {
    /// Computes the scores of all pairs in blocks of rows, one block in every thread at a time, and passes
    /// the rows to `each` in order.
    fn score(
        &self,
        workers: &mut [PairWorker<M>],
        each: &mut impl FnMut(usize, usize, &[f64]),
    ) -> Result<()> {
        // A tile has whole rows, at least one, even if a single row is longer than the bound.
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
            // All tiles of a round are ready before the first is passed on, so `each` needs no lock.
            for (index, (scored, worker)) in scored.into_iter().zip(&*workers).enumerate() {
                scored?;
                let rows = worker.scores.chunks(self.references.len().max(1));
                for (hypothesis, row) in (self.first[0] + tile(index).start..).zip(rows) {
                    each(hypothesis, self.first[1], row);
                }
            }
            start = tile(used - 1).end;
        }
        Ok(())
    }

    fn score_tile(
        &self,
        rows: Range<usize>,
        PairWorker { tables, scores }: &mut PairWorker<M>,
    ) -> Result<()> {
        let columns = self.references.len();
        self.interrupt.check()?;
        scores.clear();
        scores.resize(rows.len() * columns, f64::NAN);
        if let Some(scorer) = &self.scorer {
            scorer.score(rows.clone(), scores);
        }
        let cells = Cell::from_mut(&mut scores[..]).as_slice_of_cells();
        // A scorer leaves NaN where it has no score. These pairs are observed again, for their value or their
        // error.
        let left = (0..cells.len()).filter(|&at| !cells[at].get().is_finite());
        let pair = |&at: &usize| {
            let hypothesis = self.hypotheses[rows.start + at / columns];
            Segment::new(hypothesis, slice::from_ref(&self.references[at % columns]))
        };
        observe_apart(self.metric, tables, left, pair, |&at, observed| {
            self.interrupt.check()?;
            let number =
                observed.and_then(|stats| finite_number(self.metric, stats, &SegmentCounts::of_segment(1)));
            let hypothesis = (self.first[0] + rows.start + at / columns) as u64 + 1;
            cells[at].set(number.map_err(|error| error.at(Location::segment(hypothesis)))?);
            Ok(())
        })?;
        self.interrupt.advance(scores.len());
        Ok(())
    }
}

pub(super) fn finite_number<M: Metric>(metric: &M, stats: &M::Stats, counts: &SegmentCounts) -> Result<f64> {
    let score = metric.number(stats, counts)?;
    if score.is_finite() {
        return Ok(score);
    }
    // A metric chosen at run time gives more detail in the error of `finalize` than in that number.
    metric.finalize(stats, counts)?;
    Err(InputError::no_score(metric.identity().name(), format!("it would be {score}")))
}
