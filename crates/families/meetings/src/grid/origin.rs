//! The way back through the table of [`StreamGrid`]: recomputes the origin of one cell at a time.

use bleuprint_core::InputError;
use bleuprint_metrics::KernelWork;

use super::StreamGrid;
use crate::block::CellBlock;
use crate::timed::{WordsWithTimes, overlap};

impl StreamGrid<'_> {
    /// Traces back one step of the best path that leads to `cell`: the step that aligns `utterance`. Returns
    /// the path's cost, the stream with which the utterance is aligned, and the position in this stream
    /// before the utterance.
    ///
    /// Ties go to the first stream. Along a stream, insertions come before deletions, and deletions before
    /// substitutions. With word times, a stream is skipped if none of its words overlaps with the time `span`
    /// or, without a span, with a word of the utterance. If all other streams were skipped, the last stream
    /// is tried in any case.
    ///
    /// # Errors
    /// Returns an error if the user interrupts the work.
    pub(crate) fn origin(
        &self,
        block: &CellBlock,
        utterance: &WordsWithTimes,
        span: Option<[f64; 2]>,
        cell: &[usize],
    ) -> Result<Option<(u32, usize, usize)>, InputError> {
        let mut best: Option<(u32, usize, usize)> = None;
        let mut work = KernelWork::default();
        let timed = !self.reach.is_empty();
        let last = self.streams.len().saturating_sub(1);
        let mut tried = false;
        for k in 0..self.streams.len() {
            if timed && (tried || k < last) && !self.meets(k, utterance, span) {
                continue;
            }
            tried = true;
            // The cell is before the block, so no path from this block leads to it.
            if cell.iter().zip(&block.from).any(|(at, from)| at < from) {
                continue;
            }
            let mut row = block.row_before(cell, k);
            self.add_utterance(&mut row, k, block.from[k], utterance, &mut work)?;
            let (cost, position) = row[row.len() - 1];
            // Strictly less, so that the first of equal streams stays.
            if best.is_none_or(|(known, ..)| cost < known) {
                best = Some((cost, k, position));
            }
        }
        Ok(best)
    }

    /// Aligns the utterance with stream `k` from position `from` on. `row` has, for each position, the cost
    /// before the utterance and the position itself; afterwards it has the cost after the utterance and the
    /// position where the best path entered the stream.
    ///
    /// # Errors
    /// Returns an error if the user interrupts the work.
    fn add_utterance(
        &self,
        row: &mut [(u32, usize)],
        k: usize,
        from: usize,
        utterance: &WordsWithTimes,
        work: &mut KernelWork,
    ) -> Result<(), InputError> {
        let stream = &self.streams[k];
        let timed = !self.reach.is_empty();
        for (place, &word) in utterance.words.iter().enumerate() {
            work.add(row.len())?;
            // A plain table, not bits: each cell carries the position where its path began, and ties must be
            // MeetEval's.
            let mut diagonal = row[0];
            row[0].0 += 1;
            for at in 1..row.len() {
                let above = row[at];
                let other = from + at - 1;
                let near = !timed || overlap(utterance.times[place], stream.times[other]);
                row[at] = if near && stream.words[other] == word {
                    diagonal
                } else {
                    let mut least = row[at - 1];
                    for other in [above, diagonal].into_iter().take(1 + usize::from(near)) {
                        if other.0 < least.0 {
                            least = other;
                        }
                    }
                    (least.0 + 1, least.1)
                };
                diagonal = above;
            }
        }
        Ok(())
    }

    /// Returns `true` if a word of stream `k` overlaps with the time span or, if `span` is `None`, with any
    /// word of the utterance.
    fn meets(&self, k: usize, utterance: &WordsWithTimes, span: Option<[f64; 2]>) -> bool {
        let among = |times: &[[f64; 2]], own: &[[f64; 2]]| {
            let near = &self.streams[k].times[self.reached(k, times)];
            near.iter().any(|time| own.iter().any(|own| overlap(*own, *time)))
        };
        match span {
            Some(span) => among(&[span], &[span]),
            None => among(&utterance.times, &utterance.times),
        }
    }
}
