//! [`Lines`]: rows of the grid along a stream, side by side in the lanes of vectors.

use bleuprint_core::InputError;
use bleuprint_metrics::Work;

/// The words of an utterance that are worked on at a time.
pub(crate) const WORDS: usize = 32;

/// The same under the time rule, with two bits for each.
pub(crate) const TIMED_WORDS: usize = 16;

/// Rows along a stream for all lines at once: cell `x` of line `l` is at `x · lines + l`.
#[derive(Default)]
pub(crate) struct Lines {
    count: usize,
    above: Vec<u32>,
    more: Vec<u32>,
    less: Vec<u32>,
}

impl Lines {
    /// Takes in the costs of a block along a stream, of which it has `len` cells that are `stride` apart, and beyond its end one more for each position.
    pub(crate) fn load(
        &mut self,
        costs: &[u32],
        len: usize,
        stride: usize,
        positions: usize,
        row: &mut Vec<u32>,
    ) {
        self.count = costs.len() / len;
        row.clear();
        row.reserve_exact(self.count * positions);
        row.resize(self.count * positions, 0);
        for (outer, cells) in costs.chunks(len * stride).enumerate() {
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
    ///
    /// # Errors
    /// An interruption.
    pub(crate) fn run(
        &mut self,
        words: usize,
        text: &[u32],
        equal: &[u32],
        row: &mut [u32],
    ) -> Result<(), InputError> {
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

    /// The same by at most [`TIMED_WORDS`] words under the time rule. Of each position of the stream the masks have the words
    /// that overlap with it, in even bits, and those that are equal too, in the odd bits after them.
    ///
    /// Every word is two symbols, a place and the word itself: a common subsequence has two for a match and one for a
    /// substitution, which are the edits that they save. Its table has columns of one bit for each symbol (Hyyrö 2004).
    ///
    /// # Errors
    /// An interruption.
    pub(crate) fn run_timed(
        &mut self,
        words: usize,
        masks: &[[u32; 2]],
        row: &mut [u32],
    ) -> Result<(), InputError> {
        let mut work = Work::default();
        let Lines { count, above, more, .. } = self;
        above.clear();
        above.extend_from_slice(&row[..*count]);
        row[..*count].iter_mut().for_each(|cost| *cost += words as u32);
        more.clear();
        more.resize(*count, u32::MAX);
        for (&[near, equal], at) in masks.iter().zip(1..) {
            work.add(*count)?;
            let (done, rest) = row.split_at_mut(at * *count);
            let before = &done[(at - 1) * *count..];
            let columns = more.iter_mut().zip(above.iter_mut());
            for ((level, above), (cost, &before)) in columns.zip(rest[..*count].iter_mut().zip(before)) {
                // Above the first row the word of the stream saves two edits, one or none.
                let step = cost.wrapping_sub(*above);
                *above = *cost;
                let (place, first) = symbol(*level, near, u32::from(step == u32::MAX));
                let (word, second) = symbol(place, equal, u32::from(step != 1));
                *level = word;
                *cost = before.wrapping_add(1).wrapping_sub(first + second);
            }
        }
        Ok(())
    }
}

/// A column after one more symbol of the stream, and its step in the last row. `level` has the rows that are no longer than the
/// one above; `step` is that above the first.
fn symbol(level: u32, equal: u32, step: u32) -> (u32, u32) {
    let met = level & equal;
    let sum = level.wrapping_add(met).wrapping_add(step);
    (sum | level & !equal, (met | level & !sum) >> 31)
}
