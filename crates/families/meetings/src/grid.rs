//! The grid of ORC-WER: the fewest edits for every position in all streams together, after each utterance. [`mimo`](crate::mimo)
//! takes its steps where the order of utterances is free.
//!
//! Most of the grid is never looked at. A cell is worth keeping while its edits and a lower bound of those still to come
//! are within a limit; all cells of all best paths are kept once the limit is the cost of the best path, and until one is
//! found the limit rises. The bound is the sum over the utterances to come of their fewest edits against any piece of
//! any stream, or the difference of the numbers of words that are left, if that is more. With times the pieces are of the
//! words that the utterance can reach, and before each utterance the positions are those between the first word that one to
//! come reaches and the last that one before reached: words between them are insertions, of no utterance. Such boxes are
//! mostly so small that all of their cells are kept, without a limit.
//!
//! Kept cells are a [`Block`]: the least box that has them. Its other cells have costs too, of some path, if not of the best.
//! Cells beyond its end cost one more for each position: those of a best path are insertions that could as well follow later.
//!
//! Neighbouring cells differ by at most one, so along a stream the row after an utterance follows from the row before it
//! by columns of bits (Myers 1999), 32 words of the utterance at a time. The lines along a stream are worked on side by
//! side, in 32 bits each, so that a vector operation serves several of them. The origins of cells are not kept: on the way
//! back they are found anew, for the one cell that matters. Every origin among equals lies on a best path, so all of them
//! are in their blocks with their least costs, and the choice among them is that of the whole grid.

use core::ops::Range;

use bleuprint_core::{InputError, check_interrupt};
use bleuprint_metrics::Work;

use crate::block::{Block, FAR, each_cell};
use crate::least::{LEAST_WORDS, least_edits};
use crate::lines::{Lines, TIMED_WORDS, WORDS};
use crate::timed::{Reach, TimedWords, overlap, span};

const FIRST_SLACK: u32 = 8;
/// A limit that keeps all cells.
const KEEP_ALL: u32 = FAR;
/// All cells are kept under the time rule if they take no more than this part of the memory.
const ALL_CELLS: u128 = 16;
const CELL_BYTES: u128 = 4;

#[derive(Debug)]
pub(crate) enum Stop {
    /// Tables that need more bytes than are allowed: the number that one pass had come to.
    TooLarge(u128),
    /// More cells to work on than are allowed.
    TooLong(u128),
    Interrupted(InputError),
}

impl From<InputError> for Stop {
    fn from(error: InputError) -> Self {
        Stop::Interrupted(error)
    }
}

pub(crate) struct Grid<'a> {
    streams: &'a [TimedWords],
    /// Of each stream, under the time rule.
    reach: Vec<Reach>,
    /// By token, the words of the utterance at work that equal it.
    equal: Vec<u32>,
    /// By position, the words that overlap and those that are equal too.
    masks: Vec<[u32; 2]>,
    distinct: usize,
    lines: Lines,
    rows: Vec<Vec<u32>>,
    /// The greatest number of bytes, and of cells to work on: a cell takes nanoseconds.
    most: u128,
    /// The cells worked on.
    cells: u128,
}

/// The utterances to come.
struct Rest {
    /// Their least edits.
    least: u32,
    words: usize,
    /// Of each stream the first word that one of them reaches.
    reached: Vec<usize>,
    /// Of each stream the end of the words that those before reach.
    ends: Vec<usize>,
    /// The time from the start of the next one to the latest end of it and those before.
    span: Option<[f64; 2]>,
}

#[derive(Clone, Copy)]
struct Limit<'r> {
    most: u32,
    rest: &'r Rest,
}

impl Limit<'_> {
    /// True if a cell of this cost is kept, with this number of words left of all streams, of which these are out of reach.
    fn holds(self, cost: u32, left: usize, lost: usize) -> bool {
        let more = (self.rest.least + lost as u32).max(left.abs_diff(self.rest.words) as u32);
        cost.saturating_add(more) <= self.most
    }
}

impl<'a> Grid<'a> {
    /// The grid of these streams; `timed` for words that meet only if they overlap in time.
    pub(crate) fn of(streams: &'a [TimedWords], distinct: usize, timed: bool, most: u128) -> Self {
        let (lines, rows) = (Lines::default(), vec![Vec::new(); streams.len()]);
        let reach = streams.iter().filter(|_| timed).map(|stream| Reach::of(&stream.times)).collect();
        let (equal, masks) = (vec![0; distinct], Vec::new());
        Grid { streams, reach, equal, masks, distinct, lines, rows, most, cells: 0 }
    }

    /// The words of a stream that one of these may meet.
    fn reached(&self, k: usize, times: &[[f64; 2]]) -> Range<usize> {
        let Some(reach) = self.reach.get(k) else { return 0..self.streams[k].words.len() };
        span(times).map_or(0..0, |span| reach.range(span))
    }

    /// What is to come before each utterance, and after the last.
    ///
    /// # Errors
    /// More words to look at than may be worked on; an interruption.
    fn rests(&mut self, utterances: &[&TimedWords]) -> Result<Vec<Rest>, Stop> {
        self.work_on(utterances.iter().map(|utterance| self.looked_at(utterance)).sum())?;
        let mut rests =
            vec![Rest { least: 0, words: 0, reached: self.ends(), ends: self.ends(), span: None }];
        let (mut equal, mut work) = (vec![0; self.distinct], Work::default());
        for utterance in utterances.iter().rev() {
            let after = &rests[rests.len() - 1];
            let (mut least, mut reached) = (after.least, after.reached.clone());
            let mut ends = vec![0; self.streams.len()];
            for (at, words) in utterance.words.chunks(LEAST_WORDS).enumerate() {
                let times = utterance.times.chunks(LEAST_WORDS).nth(at).unwrap_or_default();
                let piece = |(k, stream): (usize, &'a TimedWords)| {
                    let range = self.reached(k, times);
                    if !range.is_empty() {
                        reached[k] = range.start.min(reached[k]);
                        ends[k] = range.end.max(ends[k]);
                    }
                    &stream.words[range]
                };
                let pieces: Vec<&[u32]> = self.streams.iter().enumerate().map(piece).collect();
                work.add(pieces.iter().map(|piece| piece.len()).sum::<usize>() + words.len())?;
                least += least_edits(words, &pieces, &mut equal);
            }
            let words = after.words + utterance.words.len();
            rests.push(Rest { least, words, reached, ends, span: span(&utterance.times) });
        }
        rests.reverse();
        let mut before = vec![0; self.streams.len()];
        let mut latest = f64::NEG_INFINITY;
        for rest in &mut rests {
            if let Some([_, end]) = &mut rest.span {
                latest = latest.max(*end);
                *end = latest;
            }
            for ((end, before), &first) in rest.ends.iter_mut().zip(&mut before).zip(&rest.reached) {
                let own = core::mem::replace(end, first.max(*before));
                *before = own.max(*before);
            }
        }
        Ok(rests)
    }

    /// The words of all streams that the parts of an utterance may meet.
    fn looked_at(&self, utterance: &TimedWords) -> u128 {
        let parts = utterance.words.len().div_ceil(LEAST_WORDS);
        let times = |part| utterance.times.chunks(LEAST_WORDS).nth(part).unwrap_or_default();
        let of_part = |part| (0..self.streams.len()).map(move |k| self.reached(k, times(part)).len() as u128);
        (0..parts).flat_map(of_part).sum()
    }

    fn work_on(&mut self, cells: u128) -> Result<(), Stop> {
        self.cells += cells;
        if self.cells > self.most { Err(Stop::TooLong(self.cells)) } else { Ok(()) }
    }

    /// For each utterance the stream that it is given to.
    ///
    /// # Errors
    /// Tables beyond the limit; an interruption.
    pub(crate) fn give(mut self, utterances: &[&TimedWords]) -> Result<Vec<usize>, Stop> {
        if utterances.is_empty() {
            return Ok(Vec::new());
        }
        let rests = self.rests(utterances)?;
        let blocks = self.blocks(utterances, &rests)?;
        let mut cell = self.ends();
        let mut given = vec![0; utterances.len()];
        let steps = blocks.iter().zip(utterances).zip(rests.windows(2));
        for (stream, ((block, utterance), pair)) in given.iter_mut().zip(steps).rev() {
            // Words behind those reached are insertions after the utterance.
            cell.iter_mut().zip(&pair[1].ends).for_each(|(at, &end)| *at = end.min(*at));
            let origin = self.origin(block, utterance, pair[0].span, &cell)?;
            if let Some((_, chosen, position)) = origin {
                (*stream, cell[chosen]) = (chosen, position);
            }
        }
        Ok(given)
    }

    /// The bytes of the blocks of all cells.
    fn bytes_of_all(&self, rests: &[Rest]) -> u128 {
        let of_block = |rest: &Rest| {
            let lens = rest.ends.iter().zip(&rest.reached).map(|(end, first)| end - first + 1);
            lens.fold(CELL_BYTES, |product, len| product.saturating_mul(len as u128))
        };
        rests.iter().map(of_block).fold(0, u128::saturating_add)
    }

    /// The blocks by the least limit that has a path. Those of all cells under the time rule if they are few, or no more than the
    /// passes before have worked on.
    fn blocks(&mut self, utterances: &[&TimedWords], rests: &[Rest]) -> Result<Vec<Block>, Stop> {
        let bytes = if self.reach.is_empty() { u128::MAX } else { self.bytes_of_all(rests) };
        let all = self.ends().iter().sum::<usize>();
        let Rest { least, words, ref reached, .. } = rests[0];
        let lost = reached.iter().sum::<usize>() as u32;
        let lower = (least + lost).max(words.abs_diff(all) as u32);
        let mut slack = FIRST_SLACK;
        loop {
            // No path costs more than to delete and insert everything.
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

    /// The last position in each stream.
    pub(crate) fn ends(&self) -> Vec<usize> {
        self.streams.iter().map(|stream| stream.words.len()).collect()
    }

    /// All cells before the first utterance, where all words are insertions.
    pub(crate) fn whole(&self) -> Block {
        let lens: Vec<usize> = self.ends().into_iter().map(|end| end + 1).collect();
        let mut costs = Vec::with_capacity(lens.iter().product());
        each_cell(&lens, |cell| costs.push(cell.iter().sum::<usize>() as u32));
        Block { from: vec![0; lens.len()], lens, costs }
    }

    /// Lowers costs to those after one more utterance, if `before` has all cells.
    ///
    /// # Errors
    /// An interruption.
    pub(crate) fn lower(
        &mut self,
        next: &mut Block,
        before: &Block,
        words: &TimedWords,
    ) -> Result<(), InputError> {
        for k in self.tried(words) {
            self.run(before, k, before.lens[k], words)?;
            next.take(before, k, &self.rows[k]);
        }
        Ok(())
    }

    /// The streams in which an utterance meets a word; without any it is deleted, in whatever stream.
    fn tried(&self, utterance: &TimedWords) -> Vec<usize> {
        let meets = |k: &usize| !self.reached(*k, &utterance.times).is_empty();
        let mut met: Vec<usize> = (0..self.streams.len()).filter(meets).collect();
        if met.is_empty() {
            met.push(0);
        }
        met
    }

    /// The blocks before each utterance and after the last; none where no path is within the limit.
    fn pass(
        &mut self,
        utterances: &[&TimedWords],
        rests: &[Rest],
        most: u32,
    ) -> Result<Option<Vec<Block>>, Stop> {
        let (mut bytes, mut blocks) = (0, vec![Block::start(rests[0].reached.clone())]);
        for (utterance, pair) in utterances.iter().zip(rests.windows(2)) {
            check_interrupt()?;
            let limit = Limit { most, rest: &pair[1] };
            match self.next(&blocks[blocks.len() - 1], utterance, limit, &mut bytes)? {
                Some(block) => blocks.push(block),
                None => return Ok(None),
            }
        }
        // A kept cell after the last utterance is as far from the end as its limit allows.
        let last = &blocks[blocks.len() - 1];
        let corner = last.costs[last.costs.len() - 1];
        let left: usize =
            (0..self.streams.len()).map(|k| self.streams[k].words.len() + 1 - last.end(k)).sum();
        Ok((corner as usize + left <= most as usize).then_some(blocks))
    }

    /// The bytes of the blocks before and of one more, which fit next to those of all rows.
    fn with_block(&self, bytes: u128, rows: u128, lens: &[usize]) -> Result<u128, Stop> {
        let cells = lens.iter().fold(1u128, |product, &len| product.saturating_mul(len as u128));
        let bytes = bytes.saturating_add(cells.saturating_mul(CELL_BYTES));
        match bytes.saturating_add(rows) {
            all if all <= self.most => Ok(bytes),
            all => Err(Stop::TooLarge(all)),
        }
    }

    /// The bytes of the rows along all streams, with three columns of bits for each line.
    fn rows_bytes(&self, block: &Block, met: &[(usize, usize)]) -> u128 {
        let of_stream = |&(k, positions): &(usize, usize)| {
            let cells = block.lines(k) as u128 * (positions as u128 + 3);
            cells.max(self.rows[k].capacity() as u128) * CELL_BYTES
        };
        met.iter().map(of_stream).sum()
    }

    fn next(
        &mut self,
        block: &Block,
        utterance: &TimedWords,
        limit: Limit<'_>,
        bytes: &mut u128,
    ) -> Result<Option<Block>, Stop> {
        let least = block.costs.iter().min().copied().unwrap_or(FAR);
        let Some(slack) = limit.most.checked_sub(limit.rest.least.saturating_add(least)) else {
            return Ok(None);
        };
        // Along a stream a path goes as far as the utterance has words, and by insertions as far as they are within the limit.
        let words = utterance.words.len();
        let farther = if words == 0 { 0 } else { words + slack as usize };
        let (reached, ends) = (&limit.rest.reached, &limit.rest.ends);
        let positions = |k: usize| (k, (ends[k] - block.from[k]).min(block.lens[k] - 1 + farther) + 1);
        let met: Vec<(usize, usize)> = self.tried(utterance).into_iter().map(positions).collect();
        let rows = self.rows_bytes(block, &met);
        self.with_block(*bytes, rows, &[])?;
        self.work_on(met.iter().map(|&(k, positions)| (block.lines(k) * positions) as u128).sum())?;
        let all = limit.most == KEEP_ALL;
        let mut kept: Vec<(usize, usize)> = match all {
            true => block.from.iter().copied().zip(ends.iter().copied()).collect(),
            false => vec![(usize::MAX, 0); self.streams.len()],
        };
        for &(k, positions) in &met {
            self.run(block, k, positions, utterance)?;
            if !all {
                self.keep(block, k, limit, &mut kept);
            }
        }
        if kept.iter().any(|(first, last)| first > last) {
            return Ok(None);
        }
        let from: Vec<usize> =
            kept.iter().zip(reached).map(|((first, _), &reached)| reached.max(*first)).collect();
        let lens: Vec<usize> =
            kept.iter().zip(&from).map(|((_, last), first)| last.saturating_sub(*first) + 1).collect();
        *bytes = self.with_block(*bytes, rows, &lens)?;
        // Each cell is taken from every stream, and levelled along it in both directions.
        let steps = 3 * self.streams.len() as u128;
        self.work_on(lens.iter().fold(steps, |product, &len| product * len as u128))?;
        let mut next = Block { costs: vec![FAR; lens.iter().product()], from, lens };
        met.iter().for_each(|&(k, _)| next.take(block, k, &self.rows[k]));
        next.level();
        Ok(Some(next))
    }

    fn run(
        &mut self,
        block: &Block,
        k: usize,
        positions: usize,
        utterance: &TimedWords,
    ) -> Result<(), InputError> {
        let (len, stride) = (block.lens[k], block.lens[k + 1..].iter().product::<usize>());
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
        let Grid { streams, equal, lines, rows, .. } = self;
        let text = &streams[k].words[range];
        for words in utterance.words.chunks(WORDS) {
            for (bit, &word) in words.iter().enumerate() {
                equal[word as usize] |= 1 << bit;
            }
            lines.run(words.len(), text, equal, &mut rows[k])?;
            words.iter().for_each(|&word| equal[word as usize] = 0);
        }
        Ok(())
    }

    /// For each word of a piece of a stream those of an utterance that it may meet.
    fn load_masks(&mut self, k: usize, piece: Range<usize>, words: &[u32], times: &[[f64; 2]]) {
        let (reached, stream) = (self.reached(k, times), &self.streams[k]);
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

    fn keep(&self, block: &Block, k: usize, limit: Limit<'_>, kept: &mut [(usize, usize)]) {
        let (rows, lines) = (&self.rows[k], block.lines(k));
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

    /// The stream that an utterance is given to on the best path to a cell, and the position in it before. Of equal streams
    /// the first; along a stream an insertion comes before a deletion, and this before a substitution. Under the time rule
    /// a stream without words in the span, or if none is given without words that meet the utterance, is tried only if it is the
    /// last, and no other was.
    ///
    /// # Errors
    /// An interruption.
    pub(crate) fn origin(
        &self,
        block: &Block,
        utterance: &TimedWords,
        span: Option<[f64; 2]>,
        cell: &[usize],
    ) -> Result<Option<(u32, usize, usize)>, InputError> {
        let (mut best, mut work): (Option<(u32, usize, usize)>, _) = (None, Work::default());
        let (timed, last) = (!self.reach.is_empty(), self.streams.len().saturating_sub(1));
        let mut tried = false;
        for (k, stream) in self.streams.iter().enumerate() {
            if timed && (tried || k < last) && !self.meets(k, utterance, span) {
                continue;
            }
            tried = true;
            if cell.iter().zip(&block.from).any(|(at, from)| at < from) {
                continue;
            }
            let from = block.from[k];
            let mut start: Vec<usize> =
                (0..cell.len()).map(|axis| cell[axis].min(block.end(axis) - 1)).collect();
            let beyond: usize =
                (0..cell.len()).filter(|axis| *axis != k).map(|axis| cell[axis] - start[axis]).sum();
            start[k] = from;
            let (start, stride) = (block.place(&start), block.lens[k + 1..].iter().product::<usize>());
            let cost = |at: usize| {
                let inside = at.min(block.lens[k] - 1);
                block.costs[start + inside * stride] + (at - inside + beyond) as u32
            };
            let mut row: Vec<(u32, usize)> = (0..=cell[k] - from).map(|at| (cost(at), from + at)).collect();
            for (place, &word) in utterance.words.iter().enumerate() {
                work.add(row.len())?;
                let mut diagonal = row[0];
                row[0].0 += 1;
                for at in 1..row.len() {
                    let (above, other) = (row[at], from + at - 1);
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
            let (cost, position) = row[row.len() - 1];
            if best.is_none_or(|(known, ..)| cost < known) {
                best = Some((cost, k, position));
            }
        }
        Ok(best)
    }

    /// True if a word of a stream overlaps with the span, or with any word of the utterance.
    fn meets(&self, k: usize, utterance: &TimedWords, span: Option<[f64; 2]>) -> bool {
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
