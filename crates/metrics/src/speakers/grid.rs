//! The grid of ORC-WER: the fewest edits for every position in all streams together, after each utterance.
//!
//! Most of the grid is never looked at. A cell is worth keeping while its edits and a lower bound of those still to come
//! are within a limit; all cells of all best paths are kept once the limit is the cost of the best path, and until one is
//! found the limit rises. The bound is the sum over the utterances to come of their fewest edits against any piece of
//! any stream, or the difference of the numbers of words that are left, if that is more. Kept cells are a [`Block`]: the
//! least box that has them. Its other cells have costs too, of some path, if not of the best.
//!
//! Neighbouring cells differ by at most one, so along a stream the row after an utterance follows from the row before it
//! by columns of bits (Myers 1999), 32 words of the utterance at a time. The lines along a stream are worked on side by
//! side, in 32 bits each, so that a vector operation serves several of them. The origins of cells are not kept: on the way
//! back they are found anew, for the one cell that matters. Every origin among equals lies on a best path, so all of them
//! are in their blocks with their least costs, and the choice among them is that of the whole grid.

use bleuprint_core::{InputError, check_interrupt};

use super::least::least_edits;
use crate::shared::Work;

const WORDS: usize = 32;

/// More than any cost, even with the length of a stream added.
const FAR: u32 = u32::MAX / 2;
const FIRST_SLACK: u32 = 8;
const CELL_BYTES: u128 = 4;

#[derive(Debug)]
pub(super) enum Stop {
    /// Tables that need more bytes than are allowed: the number that one pass had come to.
    TooLarge(u128),
    Interrupted(InputError),
}

pub(super) struct Grid<'a> {
    streams: &'a [&'a [u32]],
    /// By token, the words of the utterance at work that equal it.
    equal: Vec<u32>,
    distinct: usize,
    lines: Lines,
    rows: Vec<Vec<u32>>,
    most_bytes: u128,
}

/// A box of cells: along each stream the first position and the number of positions; the last stream runs fastest.
struct Block {
    from: Vec<usize>,
    lens: Vec<usize>,
    costs: Vec<u32>,
}

#[derive(Clone, Copy)]
struct Limit {
    most: u32,
    /// The least edits of the utterances to come.
    rest: u32,
    words: usize,
}

impl Limit {
    /// True if a cell of this cost is kept, with this number of words left of all streams.
    fn holds(self, cost: u32, left: usize) -> bool {
        cost.saturating_add(self.rest.max(left.abs_diff(self.words) as u32)) <= self.most
    }
}

impl<'a> Grid<'a> {
    pub(super) fn of(streams: &'a [&'a [u32]], distinct: usize, most_bytes: u128) -> Self {
        let (lines, rows) = (Lines::default(), vec![Vec::new(); streams.len()]);
        Grid { streams, equal: vec![0; distinct], distinct, lines, rows, most_bytes }
    }

    pub(super) fn give(mut self, utterances: &[&[u32]]) -> Result<Vec<usize>, Stop> {
        let words: usize = utterances.iter().map(|utterance| utterance.len()).sum();
        let all: usize = self.streams.iter().map(|stream| stream.len()).sum();
        // After each utterance, and before the first: the least edits to come, and the words to come.
        let mut rests = vec![(0, 0)];
        let least = least_edits(utterances, self.streams, self.distinct).map_err(Stop::Interrupted)?;
        for (utterance, least) in utterances.iter().zip(least).rev() {
            let (rest, left) = rests[rests.len() - 1];
            rests.push((rest + least, left + utterance.len()));
        }
        rests.reverse();
        let limits = |most| {
            let limit = move |&(rest, words): &(u32, usize)| Limit { most, rest, words };
            rests.iter().map(limit).collect::<Vec<Limit>>()
        };
        let lower = rests[0].0.max(words.abs_diff(all) as u32);
        let mut slack = FIRST_SLACK;
        let blocks = loop {
            // No path costs more than to delete and insert everything.
            let most = lower.saturating_add(slack).min((words + all) as u32);
            if let Some(blocks) = self.pass(utterances, &limits(most))? {
                break blocks;
            }
            slack = slack.saturating_mul(2);
        };
        let mut cell: Vec<usize> = self.streams.iter().map(|stream| stream.len()).collect();
        let mut given = vec![0; utterances.len()];
        for (stream, (block, utterance)) in given.iter_mut().zip(blocks.iter().zip(utterances)).rev() {
            let (chosen, position) = self.origin(block, utterance, &cell).map_err(Stop::Interrupted)?;
            (*stream, cell[chosen]) = (chosen, position);
        }
        Ok(given)
    }

    /// The blocks before each utterance and after the last; none where no path is within the limit.
    fn pass(&mut self, utterances: &[&[u32]], limits: &[Limit]) -> Result<Option<Vec<Block>>, Stop> {
        let mut bytes = 0;
        let Some(first) = self.first(limits[0], &mut bytes)? else { return Ok(None) };
        let mut blocks = vec![first];
        for (utterance, &limit) in utterances.iter().zip(&limits[1..]) {
            check_interrupt().map_err(Stop::Interrupted)?;
            match self.next(&blocks[blocks.len() - 1], utterance, limit, &mut bytes)? {
                Some(block) => blocks.push(block),
                None => return Ok(None),
            }
        }
        // A kept cell after the last utterance is as far from the end as its limit allows.
        let last = &blocks[blocks.len() - 1];
        let corner = last.costs[last.costs.len() - 1];
        let ends = (0..self.streams.len()).all(|k| last.end(k) > self.streams[k].len());
        Ok((ends && corner <= limits[limits.len() - 1].most).then_some(blocks))
    }

    /// The bytes of the blocks before and of one more, which fit next to those of all rows.
    fn with_block(&self, bytes: u128, rows: u128, lens: &[usize]) -> Result<u128, Stop> {
        let cells = lens.iter().fold(1u128, |product, &len| product.saturating_mul(len as u128));
        let bytes = bytes.saturating_add(cells.saturating_mul(CELL_BYTES));
        match bytes.saturating_add(rows) {
            all if all <= self.most_bytes => Ok(bytes),
            all => Err(Stop::TooLarge(all)),
        }
    }

    /// The bytes of the rows along all streams, with three columns of bits for each line.
    fn rows_bytes(&self, block: &Block, positions: &[usize]) -> u128 {
        let of_stream = |(k, &positions): (usize, &usize)| {
            let cells = block.lines(k) as u128 * (positions as u128 + 3);
            cells.max(self.rows[k].capacity() as u128) * CELL_BYTES
        };
        positions.iter().enumerate().map(of_stream).sum()
    }

    fn left(&self, cell: &[usize]) -> usize {
        self.streams.iter().zip(cell).map(|(stream, at)| stream.len() - at).sum()
    }

    /// Before the first utterance all words up to a cell are insertions.
    fn first(&self, limit: Limit, bytes: &mut u128) -> Result<Option<Block>, Stop> {
        let Some(slack) = limit.most.checked_sub(limit.rest) else { return Ok(None) };
        let lens: Vec<usize> =
            self.streams.iter().map(|stream| stream.len().min(slack as usize) + 1).collect();
        *bytes = self.with_block(*bytes, 0, &lens)?;
        let mut costs = Vec::with_capacity(lens.iter().product());
        each_cell(&lens, |cell| costs.push(cell.iter().sum::<usize>() as u32));
        Ok(Some(Block { from: vec![0; lens.len()], lens, costs }))
    }

    fn next(
        &mut self,
        block: &Block,
        words: &[u32],
        limit: Limit,
        bytes: &mut u128,
    ) -> Result<Option<Block>, Stop> {
        let least = block.costs.iter().min().copied().unwrap_or(FAR);
        let Some(slack) = limit.most.checked_sub(limit.rest.saturating_add(least)) else { return Ok(None) };
        // Along a stream a path goes as far as the utterance has words, and by insertions as far as they are within the limit.
        let farther = if words.is_empty() { 0 } else { words.len() + slack as usize };
        let mut kept = vec![(usize::MAX, 0); self.streams.len()];
        let positions =
            |k: usize| (self.streams[k].len() - block.from[k]).min(block.lens[k] - 1 + farther) + 1;
        let positions: Vec<usize> = (0..self.streams.len()).map(positions).collect();
        let rows = self.rows_bytes(block, &positions);
        self.with_block(*bytes, rows, &[])?;
        for (k, &positions) in positions.iter().enumerate() {
            self.run(block, k, positions, words).map_err(Stop::Interrupted)?;
            self.keep(block, k, limit, &mut kept);
        }
        if kept.iter().any(|(first, last)| first > last) {
            return Ok(None);
        }
        let from: Vec<usize> = kept.iter().map(|(first, _)| *first).collect();
        let lens: Vec<usize> = kept.iter().map(|(first, last)| last - first + 1).collect();
        *bytes = self.with_block(*bytes, rows, &lens)?;
        let costs = vec![FAR; lens.iter().product()];
        let mut next = Block { from, lens, costs };
        for k in 0..self.streams.len() {
            next.take(block, k, &self.rows[k]);
        }
        next.level();
        Ok(Some(next))
    }

    fn run(&mut self, block: &Block, k: usize, positions: usize, words: &[u32]) -> Result<(), InputError> {
        let Grid { streams, equal, lines, rows, .. } = self;
        lines.load(block, k, positions, &mut rows[k]);
        let text = &streams[k][block.from[k]..block.from[k] + positions - 1];
        for words in words.chunks(WORDS) {
            for (bit, &word) in words.iter().enumerate() {
                equal[word as usize] |= 1 << bit;
            }
            lines.run(words.len(), text, equal, &mut rows[k])?;
            words.iter().for_each(|&word| equal[word as usize] = 0);
        }
        Ok(())
    }

    fn keep(&self, block: &Block, k: usize, limit: Limit, kept: &mut [(usize, usize)]) {
        let (rows, lines) = (&self.rows[k], block.lines(k));
        let mut line = 0;
        each_cell(&block.others(k), |others| {
            let cell = block.absolute(k, others, 0);
            let left = self.left(&cell);
            let held = |at: &usize| limit.holds(rows[at * lines + line], left - at);
            let positions = rows.len() / lines;
            if let Some(first) = (0..positions).find(held) {
                let last = (first..positions).rev().find(held).unwrap_or(first);
                for (axis, ((least, most), &at)) in kept.iter_mut().zip(&cell).enumerate() {
                    let (low, high) = if axis == k { (at + first, at + last) } else { (at, at) };
                    (*least, *most) = ((*least).min(low), (*most).max(high));
                }
            }
            line += 1;
        });
    }

    /// The stream that an utterance is given to on the best path to a cell, and the position in it before. Of equal streams
    /// the first; along a stream an insertion comes before a deletion, and this before a substitution.
    fn origin(&self, block: &Block, words: &[u32], cell: &[usize]) -> Result<(usize, usize), InputError> {
        let (mut best, mut work): (Option<(u32, usize, usize)>, _) = (None, Work::default());
        for (k, stream) in self.streams.iter().enumerate() {
            let beside = |axis: usize| axis == k || (block.from[axis]..block.end(axis)).contains(&cell[axis]);
            let from = block.from[k];
            if cell[k] < from || !(0..cell.len()).all(beside) {
                continue;
            }
            let mut start = cell.to_vec();
            start[k] = from;
            let (start, stride) = (block.place(&start), block.lens[k + 1..].iter().product::<usize>());
            let cost = |at: usize| if at < block.lens[k] { block.costs[start + at * stride] } else { FAR };
            let mut row: Vec<(u32, usize)> = (0..=cell[k] - from).map(|at| (cost(at), from + at)).collect();
            for &word in words {
                work.add(row.len())?;
                let mut diagonal = row[0];
                row[0].0 += 1;
                for at in 1..row.len() {
                    let above = row[at];
                    row[at] = if stream[from + at - 1] == word {
                        diagonal
                    } else {
                        let mut least = row[at - 1];
                        for other in [above, diagonal] {
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
        Ok(best.map_or((0, cell[0]), |(_, stream, position)| (stream, position)))
    }
}

impl Block {
    fn end(&self, k: usize) -> usize {
        self.from[k] + self.lens[k]
    }

    fn others(&self, k: usize) -> Vec<usize> {
        let others = self.lens.iter().enumerate().filter(|(axis, _)| *axis != k);
        others.map(|(_, &len)| len).collect()
    }

    fn lines(&self, k: usize) -> usize {
        self.others(k).iter().product()
    }

    fn absolute(&self, k: usize, others: &[usize], at: usize) -> Vec<usize> {
        let mut others = others.iter();
        let place = |axis: usize| if axis == k { at } else { others.next().copied().unwrap_or(0) };
        (0..self.lens.len()).map(place).zip(&self.from).map(|(at, from)| from + at).collect()
    }

    fn place(&self, cell: &[usize]) -> usize {
        let axes = cell.iter().zip(&self.from).zip(&self.lens);
        axes.fold(0, |place, ((at, from), len)| place * len + (at - from))
    }

    /// Takes in the rows along a stream of the block before, where they are less.
    fn take(&mut self, before: &Block, k: usize, rows: &[u32]) {
        let lines = before.lines(k);
        let positions = rows.len() / lines;
        let stride: usize = self.lens[k + 1..].iter().product();
        let first = self.from[k].max(before.from[k]);
        let end = self.end(k).min(before.from[k] + positions);
        let mut line = 0;
        each_cell(&before.others(k), |others| {
            let mut cell = before.absolute(k, others, 0);
            cell[k] = first;
            let within = |axis: usize| (self.from[axis]..self.end(axis)).contains(&cell[axis]);
            if (0..cell.len()).all(within) {
                let mut place = self.place(&cell);
                for at in first - before.from[k]..end.saturating_sub(before.from[k]) {
                    self.costs[place] = self.costs[place].min(rows[at * lines + line]);
                    place += stride;
                }
            }
            line += 1;
        });
    }

    /// Lowers cells to one more than their neighbours: one word more or less of a stream is one edit at most.
    fn level(&mut self) {
        for k in 0..self.lens.len() {
            let (len, stride) = (self.lens[k], self.lens[k + 1..].iter().product::<usize>());
            for cells in self.costs.chunks_mut(len * stride) {
                for at in stride..cells.len() {
                    cells[at] = cells[at].min(cells[at - stride] + 1);
                }
                for at in (stride..cells.len()).rev() {
                    cells[at - stride] = cells[at - stride].min(cells[at] + 1);
                }
            }
        }
    }
}

/// Every cell of a box from 0, the last axis fastest; one without axes.
fn each_cell(lens: &[usize], mut look: impl FnMut(&[usize])) {
    let mut cell = vec![0; lens.len()];
    loop {
        look(&cell);
        let Some(axis) = (0..lens.len()).rev().find(|&axis| cell[axis] + 1 < lens[axis]) else { return };
        cell[axis] += 1;
        cell[axis + 1..].fill(0);
    }
}

/// Rows along a stream for all lines at once: cell `x` of line `l` is at `x · lines + l`.
#[derive(Default)]
struct Lines {
    count: usize,
    above: Vec<u32>,
    more: Vec<u32>,
    less: Vec<u32>,
}

impl Lines {
    /// Takes in the costs of a block along a stream, and beyond its end one more for each position.
    fn load(&mut self, block: &Block, k: usize, positions: usize, row: &mut Vec<u32>) {
        let (len, stride) = (block.lens[k], block.lens[k + 1..].iter().product::<usize>());
        self.count = block.costs.len() / len;
        row.clear();
        row.reserve_exact(self.count * positions);
        row.resize(self.count * positions, 0);
        for (outer, cells) in block.costs.chunks(len * stride).enumerate() {
            for (at, cells) in cells.chunks(stride).enumerate() {
                let to = at * self.count + outer * stride;
                row[to..to + stride].copy_from_slice(cells);
            }
        }
        for at in len * self.count..row.len() {
            row[at] = row[at - self.count] + 1;
        }
    }

    /// Updates all lines by at most [`WORDS`] words; `equal` has a bit for each that equals a token.
    fn run(&mut self, words: usize, text: &[u32], equal: &[u32], row: &mut [u32]) -> Result<(), InputError> {
        let mut work = Work::default();
        let Lines { count, above, more, less } = self;
        let last = words - 1;
        above.clear();
        above.extend_from_slice(&row[..*count]);
        row[..*count].iter_mut().for_each(|cost| *cost += words as u32);
        more.clear();
        more.resize(*count, u32::MAX);
        less.clear();
        less.resize(*count, 0);
        for (&token, at) in text.iter().zip(1..) {
            work.add(*count)?;
            let equals = equal[token as usize];
            let (done, rest) = row.split_at_mut(at * *count);
            let before = &done[(at - 1) * *count..];
            let columns = more.iter_mut().zip(less.iter_mut()).zip(above.iter_mut());
            for (((more, less), above), (cost, &before)) in columns.zip(rest[..*count].iter_mut().zip(before))
            {
                let step = cost.wrapping_sub(*above);
                *above = *cost;
                let (up, down) = (u32::from(step == 1), u32::from(step == u32::MAX));
                let level_or_less = equals | *less;
                let equal = equals | down;
                let level = ((equal & *more).wrapping_add(*more) ^ *more) | equal;
                let step_up = *less | !(level | *more);
                let step_down = *more & level;
                let above_up = step_up << 1 | up;
                let above_down = step_down << 1 | down;
                *more = above_down | !(level_or_less | above_up);
                *less = above_up & level_or_less;
                *cost = before.wrapping_add(step_up >> last & 1).wrapping_sub(step_down >> last & 1);
            }
        }
        Ok(())
    }
}
