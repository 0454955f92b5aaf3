//! [`StreamGrid`]: the dynamic programming table of ORC-WER. After each utterance, it has the fewest edits
//! for every combination of positions in all streams (output channels). [`orders`](crate::orders) uses its
//! steps for free orders of utterances.
//!
//! **Pruning.** Most of the table is never computed. A cell is kept if its edits, plus a lower bound of the
//! edits still to come, are within a limit. The limit rises until a path is found; it is then at least the
//! cost of the best path, so all cells of all best paths are kept. The lower bound sums, over the utterances
//! to come, their fewest edits against any part of any stream. The difference between the numbers of
//! remaining words is used instead if it is larger.
//!
//! **Times.** With times, each utterance is compared only with the words that it can reach. Before each
//! utterance, the positions run from the first word that a later utterance reaches to the last word that an
//! earlier one reached. Words between these ranges are insertions that belong to no utterance. With times,
//! the ranges are usually small enough to keep all cells without a limit.
//!
//! **Blocks.** Kept cells are a [`CellBlock`], the smallest box that contains them. The other cells of the
//! box have the cost of some path to them, which need not be the best. Cells after the end of the box cost
//! one more for each position. On a best path these words are insertions, which may be counted later at the
//! same cost.
//!
//! **Bits.** Neighbouring cells differ by at most one. Along a stream, the row after an utterance
//! therefore follows from the row before it by columns of bits (Myers 1999), 32 words of the utterance at
//! a time. The lines along a stream are processed side by side in 32 bits each, so one vector operation
//! serves several lines.
//!
//! **Origins.** Cells do not store their origins: the way back recomputes the origin of the one cell it
//! needs. Every origin among equals is on a best path, so all of them are in their blocks with their least
//! costs. The choice among them is therefore the same as on the whole table.

mod origin;
mod remaining;

use core::ops::Range;

use bleuprint_core::{InputError, check_interrupt};

use crate::block::{CellBlock, FAR, each_cell};
use crate::lines::{LineRows, TIMED_WORDS, WORDS};
use crate::timed::{Reach, WordsWithTimes, overlap, span};

pub(crate) use remaining::{EditLimit, RemainingUtterances};

/// First limit of edits above the lower bound; the difference doubles until a path is within the limit.
pub(crate) const FIRST_SLACK: u32 = 2;
/// EditLimit on the number of edits that is so high that every cell of ORC-WER's dynamic programming table is
/// kept.
pub(crate) const KEEP_ALL: u32 = FAR;
/// Divisor of the memory limit: words with times keep all cells from the beginning if the table needs at most
/// this part of it.
const ALL_CELLS: u128 = 16;
const CELL_BYTES: u128 = 4;

#[derive(Debug)]
pub(crate) enum GridStop {
    /// Stop because the tables need more bytes than the limit; the value is the number of bytes needed.
    TooLarge(u128),
    /// Stop because more cells must be computed than the limit allows; the value is their number so far.
    TooLong(u128),
    Interrupted(InputError),
}

impl From<InputError> for GridStop {
    fn from(error: InputError) -> Self {
        GridStop::Interrupted(error)
    }
}

pub(crate) struct StreamGrid<'a> {
    streams: &'a [WordsWithTimes],
    /// Time index of each stream's words, to find those that overlap an interval; empty without times.
    reach: Vec<Reach>,
    /// Bit mask of the words in the current part of an utterance that equal a token id, for each token id.
    equal: Vec<u32>,
    /// Bit mask for each stream position: utterance words that overlap it in time (even bits), and words that
    /// also equal it (odd bits).
    masks: Vec<[u32; 2]>,
    distinct: usize,
    lines: LineRows,
    rows: Vec<Vec<u32>>,
    /// EditLimit on the memory of the tables in bytes. The same number also limits how many table cells are
    /// computed, and so the running time.
    most: u128,
    /// Number of cells of the dynamic programming table that have been computed so far.
    cells: u128,
}

impl<'a> StreamGrid<'a> {
    /// Prepares the dynamic programming table of ORC-WER for these streams of words. With `timed`, words are
    /// aligned only if they overlap in time. `most` limits both the table's bytes and the number of cells
    /// that are computed.
    pub(crate) fn over_streams(
        streams: &'a [WordsWithTimes],
        distinct: usize,
        timed: bool,
        most: u128,
    ) -> Self {
        let lines = LineRows::default();
        let rows = vec![Vec::new(); streams.len()];
        let reach = streams.iter().filter(|_| timed).map(|stream| Reach::from_times(&stream.times)).collect();
        let equal = vec![0; distinct];
        let masks = Vec::new();
        StreamGrid { streams, reach, equal, masks, distinct, lines, rows, most, cells: 0 }
    }

    /// Returns the range of words in stream `k` that can overlap in time with words that have these `times`.
    fn reached(&self, k: usize, times: &[[f64; 2]]) -> Range<usize> {
        let Some(reach) = self.reach.get(k) else { return 0..self.streams[k].words.len() };
        span(times).map_or(0..0, |span| reach.range(span))
    }

    fn work_on(&mut self, cells: u128) -> Result<(), GridStop> {
        self.cells += cells;
        if self.cells > self.most { Err(GridStop::TooLong(self.cells)) } else { Ok(()) }
    }

    /// Assigns each utterance to a stream with the fewest edits in total, and returns the stream indices.
    ///
    /// # Errors
    /// Returns an error if the tables exceed the limit, or if the user interrupts the work.
    pub(crate) fn give(mut self, utterances: &[&WordsWithTimes]) -> Result<Vec<usize>, GridStop> {
        if utterances.is_empty() {
            return Ok(Vec::new());
        }
        let rests = self.rests(utterances)?;
        let blocks = self.blocks(utterances, &rests)?;
        let mut cell = self.ends();
        let mut given = vec![0; utterances.len()];
        let steps = blocks.iter().zip(utterances).zip(rests.windows(2));
        for (stream, ((block, utterance), pair)) in given.iter_mut().zip(steps).rev() {
            // Words after the reached ones are insertions that follow the utterance.
            cell.iter_mut().zip(&pair[1].ends).for_each(|(at, &end)| *at = end.min(*at));
            let origin = self.origin(block, utterance, pair[0].span, &cell)?;
            if let Some((_, chosen, position)) = origin {
                (*stream, cell[chosen]) = (chosen, position);
            }
        }
        Ok(given)
    }

    /// Returns the number of bytes that the table would need if no cell were pruned. `rests` has a summary
    /// for each point of the search.
    fn bytes_of_all(&self, rests: &[RemainingUtterances]) -> u128 {
        let of_block = |rest: &RemainingUtterances| {
            let lens = rest.ends.iter().zip(&rest.reached).map(|(end, first)| end - first + 1);
            lens.fold(CELL_BYTES, |product, len| product.saturating_mul(len as u128))
        };
        rests.iter().map(of_block).fold(0, u128::saturating_add)
    }

    /// Computes ORC-WER's dynamic programming table: one box of kept cells before each utterance and one
    /// after the last. Cells on paths with too many edits are left out; the limit of edits rises until a path
    /// is found. With word times, all cells are kept if they take little memory, or if earlier attempts have
    /// already computed more cells.
    fn blocks(
        &mut self,
        utterances: &[&WordsWithTimes],
        rests: &[RemainingUtterances],
    ) -> Result<Vec<CellBlock>, GridStop> {
        let bytes = if self.reach.is_empty() { u128::MAX } else { self.bytes_of_all(rests) };
        let all = self.ends().iter().sum::<usize>();
        let words = rests[0].words;
        let lower = rests[0].lower_bound(all);
        let mut slack = FIRST_SLACK;
        loop {
            // No path costs more than to delete and insert every word, so that cost ends the search.
            let most = match bytes {
                _ if bytes <= self.most / ALL_CELLS => KEEP_ALL,
                _ if bytes <= self.most / 2 && bytes <= self.cells => KEEP_ALL,
                _ => lower.saturating_add(slack).min((words + all) as u32),
            };
            if let Some(blocks) = self.pass(utterances, rests, most)? {
                return Ok(blocks);
            }
            slack = slack.saturating_mul(2);
        }
    }

    /// Returns the number of words in each stream, which is the last position in it.
    pub(crate) fn ends(&self) -> Vec<usize> {
        self.streams.iter().map(|stream| stream.words.len()).collect()
    }

    /// Aligns one more utterance, which may be one of several: each source is an utterance and the box of
    /// kept table cells before it. Returns the box of the kept cells after it, where each cell has the least
    /// cost over all sources. Returns `None` if no cell is within the limit of edits.
    ///
    /// # Errors
    /// Returns an error if the user interrupts the work.
    pub(crate) fn after_any<'s>(
        &mut self,
        sources: impl Iterator<Item = (&'s CellBlock, &'s WordsWithTimes)>,
        limit: EditLimit<'_>,
    ) -> Result<Option<CellBlock>, GridStop> {
        let mut all: Option<CellBlock> = None;
        for (block, utterance) in sources {
            // The caller limits the memory of all boxes.
            let Some(next) = self.next(block, utterance, limit, &mut 0)? else { continue };
            all = Some(match all {
                Some(all) => all.united(next),
                None => next,
            });
        }
        Ok(all)
    }

    /// Returns the number of table cells that have been computed so far.
    pub(crate) fn cells(&self) -> u128 {
        self.cells
    }

    /// Returns the indices of the streams with words that can overlap with an utterance in time, or only the
    /// first stream if there are none: the utterance then counts as deleted in every stream.
    fn tried(&self, utterance: &WordsWithTimes) -> Vec<usize> {
        let meets = |k: &usize| !self.reached(*k, &utterance.times).is_empty();
        let mut met: Vec<usize> = (0..self.streams.len()).filter(meets).collect();
        if met.is_empty() {
            met.push(0);
        }
        met
    }

    /// Computes ORC-WER's table with only the cells on paths with at most `most` edits, as one box before each
    /// utterance and one after the last. Returns `None` if no path is within the limit.
    fn pass(
        &mut self,
        utterances: &[&WordsWithTimes],
        rests: &[RemainingUtterances],
        most: u32,
    ) -> Result<Option<Vec<CellBlock>>, GridStop> {
        let mut bytes = 0;
        let mut blocks = vec![CellBlock::start(rests[0].reached.clone())];
        for (utterance, pair) in utterances.iter().zip(rests.windows(2)) {
            check_interrupt()?;
            let limit = EditLimit { most, rest: &pair[1] };
            match self.next(&blocks[blocks.len() - 1], utterance, limit, &mut bytes)? {
                Some(block) => blocks.push(block),
                None => return Ok(None),
            }
        }
        // Words between a kept cell after the last utterance and the end are insertions, and count too.
        let cost = blocks[blocks.len() - 1].cost_at(&self.ends());
        Ok((cost <= most).then_some(blocks))
    }

    /// Adds the bytes of one more box of table cells with the side lengths `lens` to `bytes`, and returns the
    /// sum. Returns an error if the sum, together with the `rows` bytes of working rows, exceeds the memory
    /// limit.
    fn with_block(&self, bytes: u128, rows: u128, lens: &[usize]) -> Result<u128, GridStop> {
        let cells = lens.iter().fold(1u128, |product, &len| product.saturating_mul(len as u128));
        let bytes = bytes.saturating_add(cells.saturating_mul(CELL_BYTES));
        match bytes.saturating_add(rows) {
            all if all <= self.most => Ok(bytes),
            all => Err(GridStop::TooLarge(all)),
        }
    }

    /// Returns the number of bytes of the working rows that align an utterance with each stream in `met`. A
    /// row has the costs of all lines of table cells along the stream, and three numbers of working memory
    /// for each line.
    fn rows_bytes(&self, block: &CellBlock, met: &[(usize, usize)]) -> u128 {
        let of_stream = |&(k, positions): &(usize, usize)| {
            let cells = block.lines(k) as u128 * (positions as u128 + 3);
            cells.max(self.rows[k].capacity() as u128) * CELL_BYTES
        };
        met.iter().map(of_stream).sum()
    }

    fn next(
        &mut self,
        block: &CellBlock,
        utterance: &WordsWithTimes,
        limit: EditLimit<'_>,
        bytes: &mut u128,
    ) -> Result<Option<CellBlock>, GridStop> {
        let least = block.costs.iter().min().copied().unwrap_or(FAR);
        let Some(slack) = limit.most.checked_sub(limit.rest.least.saturating_add(least)) else {
            return Ok(None);
        };
        // Along a stream a path advances at most by the words of the utterance, plus the insertions that the
        // limit still allows.
        let words = utterance.words.len();
        let farther = if words == 0 { 0 } else { words + slack as usize };
        let starts = &limit.rest.starts;
        let ends = &limit.rest.ends;
        let positions = |k: usize| (k, (ends[k] - block.from[k]).min(block.lens[k] - 1 + farther) + 1);
        let met: Vec<(usize, usize)> = self.tried(utterance).into_iter().map(positions).collect();
        let rows = self.rows_bytes(block, &met);
        self.with_block(*bytes, rows, &[])?;
        self.work_on(met.iter().map(|&(k, positions)| (block.lines(k) * positions) as u128).sum())?;
        let all = limit.most == KEEP_ALL;
        let mut kept: Vec<(usize, usize)> = if all {
            block.from.iter().copied().zip(ends.iter().copied()).collect()
        } else {
            vec![(usize::MAX, 0); self.streams.len()]
        };
        for &(k, positions) in &met {
            self.run(block, k, positions, utterance)?;
            if !all {
                self.keep(block, k, limit, &mut kept);
            }
        }
        // No cell is within the limit, so no path is.
        if kept.iter().any(|(first, last)| first > last) {
            return Ok(None);
        }
        let from: Vec<usize> =
            kept.iter().zip(starts).map(|((first, _), &start)| start.max(*first)).collect();
        let lens: Vec<usize> =
            kept.iter().zip(&from).map(|((_, last), first)| last.saturating_sub(*first) + 1).collect();
        *bytes = self.with_block(*bytes, rows, &lens)?;
        // Every cell is read once from each stream, and levelled along it in both directions.
        let steps = 3 * self.streams.len() as u128;
        self.work_on(lens.iter().fold(steps, |product, &len| product * len as u128))?;
        let mut next = CellBlock { costs: vec![FAR; lens.iter().product()], from, lens };
        met.iter().for_each(|&(k, _)| next.take(block, k, &self.rows[k]));
        // Cells of the box outside the kept ones need the cost of some path, or the way back would see
        // unreached cells. If every cell is kept and was in the box before, all of them have such a cost.
        if !all || next.from != block.from || next.lens != block.lens {
            next.level();
        }
        Ok(Some(next))
    }

    fn run(
        &mut self,
        block: &CellBlock,
        k: usize,
        positions: usize,
        utterance: &WordsWithTimes,
    ) -> Result<(), InputError> {
        let len = block.lens[k];
        let stride = block.lens[k + 1..].iter().product::<usize>();
        self.lines.load(&block.costs, len, stride, positions, &mut self.rows[k]);
        let range = block.from[k]..block.from[k] + positions - 1;
        if !self.reach.is_empty() {
            let times = utterance.times.chunks(TIMED_WORDS);
            for (words, times) in utterance.words.chunks(TIMED_WORDS).zip(times) {
                self.load_masks(k, range.clone(), words, times);
                self.lines.run_timed(words.len(), &self.masks, &mut self.rows[k])?;
            }
            return Ok(());
        }
        let StreamGrid { streams, equal, lines, rows, .. } = self;
        let text = &streams[k].words[range];
        for words in utterance.words.chunks(WORDS) {
            for (bit, &word) in words.iter().enumerate() {
                equal[word as usize] |= 1 << bit;
            }
            lines.run(words.len(), text, equal, &mut rows[k])?;
            // Only the set bits are cleared, because the table is as large as the vocabulary.
            words.iter().for_each(|&word| equal[word as usize] = 0);
        }
        Ok(())
    }

    /// Computes the bit masks for the stream words in `piece`: for each, the utterance words that overlap it
    /// in time, and those that also equal it.
    fn load_masks(&mut self, k: usize, piece: Range<usize>, words: &[u32], times: &[[f64; 2]]) {
        let reached = self.reached(k, times);
        let stream = &self.streams[k];
        self.masks.clear();
        self.masks.extend(piece.map(|at| {
            let mut mask = [0; 2];
            if reached.contains(&at) {
                for (bit, (&word, &time)) in words.iter().zip(times).enumerate() {
                    let near = u32::from(overlap(time, stream.times[at]));
                    mask[0] |= near << (2 * bit);
                    mask[1] |= (near & u32::from(word == stream.words[at])) << (2 * bit + 1);
                }
            }
            mask
        }));
    }

    fn keep(&self, block: &CellBlock, k: usize, limit: EditLimit<'_>, kept: &mut [(usize, usize)]) {
        let rows = &self.rows[k];
        let lines = block.lines(k);
        let left = |axis: usize, at: usize| self.streams[axis].words.len() - at;
        let lost = |axis: usize, at: usize| limit.rest.reached[axis].saturating_sub(at);
        let positions = rows.len() / lines;
        let mut line = 0;
        each_cell(&block.others(k), |others| {
            let beside = || block.beside(k, others);
            let all_left: usize = beside().map(|(axis, at)| left(axis, at)).sum();
            let all_lost: usize = beside().map(|(axis, at)| lost(axis, at)).sum();
            let held = |place: &usize| {
                let at = block.from[k] + place;
                limit.holds(rows[place * lines + line], all_left + left(k, at), all_lost + lost(k, at))
            };
            // The box needs only the outermost kept cells of each line.
            if let Some(first) = (0..positions).find(held) {
                let last = (first..positions).rev().find(held).unwrap_or(first);
                let own = [first, last].map(|place| (k, block.from[k] + place));
                for (axis, at) in beside().chain(own) {
                    let (least, most) = kept[axis];
                    kept[axis] = (least.min(at), most.max(at));
                }
            }
            line += 1;
        });
    }
}
