//! [`LineRows`]: computes many lines of ORC-WER's dynamic programming table side by side, one in each SIMD
//! lane.

use bleuprint_core::InputError;
use bleuprint_metrics::KernelWork;

/// Number of words of an utterance that [`LineRows::run`] processes at a time, one bit each.
pub(crate) const WORDS: usize = 32;

/// Number of words of an utterance that [`LineRows::run_timed`] processes at a time, two bits each.
pub(crate) const TIMED_WORDS: usize = 16;

/// Working memory that updates many lines of ORC-WER's dynamic programming table at once. A line has the
/// costs of the cells along one stream, at fixed positions in the other streams. In a list of costs, cell `x`
/// of line `l` has the index `x * lines + l`.
#[derive(Default)]
pub(crate) struct LineRows {
    count: usize,
    above: Vec<u32>,
    more: Vec<u32>,
    less: Vec<u32>,
}

impl LineRows {
    /// Copies the costs of a box of table cells into `row`, reordered for updates along one stream. The box
    /// has `len` cells along this stream, `stride` entries of `costs` apart. Each line is continued to
    /// `positions` cells, each of which costs one more than the cell before.
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
        // The stream becomes the slowest axis, so the lines lie side by side and one vector operation
        // updates several.
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

    /// Aligns at most [`WORDS`] words of an utterance with the words `text` of a stream, and updates the
    /// costs in `row`. The row has many lines of ORC-WER's dynamic programming table, all along this stream.
    /// The algorithm is the bit-parallel one of Myers (1999). In `equal[token]`, a bit is 1 for each word of
    /// the utterance that equals the token.
    ///
    /// # Errors
    /// Returns an error if the user interrupts the work.
    pub(crate) fn run(
        &mut self,
        words: usize,
        text: &[u32],
        equal: &[u32],
        row: &mut [u32],
    ) -> Result<(), InputError> {
        let mut work = KernelWork::default();
        let LineRows { count, above, more, less } = self;
        let last = words - 1;
        above.clear();
        above.extend_from_slice(&row[..*count]);
        // At the first position no word of the stream is used, so every word of the utterance is a deletion.
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
                // Neighbouring cells differ by at most one, so the step is -1 (as `u32::MAX`), 0 or 1.
                let step = cost.wrapping_sub(*above);
                *above = *cost;
                let up = u32::from(step == 1);
                let down = u32::from(step == u32::MAX);
                // Myers's column step for one word of the stream; `up` and `down` carry in the step above
                // the first word.
                let level_or_less = equals | *less;
                let equal = equals | down;
                let level = ((equal & *more).wrapping_add(*more) ^ *more) | equal;
                let step_up = *less | !(level | *more);
                let step_down = *more & level;
                let above_up = step_up << 1 | up;
                let above_down = step_down << 1 | down;
                *more = above_down | !(level_or_less | above_up);
                *less = above_up & level_or_less;
                // The bit of the last word is the step of the row below the utterance, which is the only row
                // kept.
                *cost = before.wrapping_add(step_up >> last & 1).wrapping_sub(step_down >> last & 1);
            }
        }
        Ok(())
    }

    /// Aligns at most [`TIMED_WORDS`] words of an utterance with the words of a stream that overlap them in
    /// time, and updates the costs in `row`. The row has many lines of ORC-WER's dynamic programming table,
    /// all along this stream. For each stream position, the even bits of `masks` mark overlapping utterance
    /// words, and the odd bits mark words that are also equal.
    ///
    /// The algorithm computes the longest common subsequence (Hyyrö 2004) of symbols, with one bit for each
    /// symbol. Every word is encoded as two symbols: a wildcard that is the same for all words, and the word
    /// itself. So a pair of equal words has two symbols in common, and a pair of different words one. A pair
    /// saves that number of edits, compared with a deletion and an insertion.
    ///
    /// # Errors
    /// Returns an error if the user interrupts the work.
    pub(crate) fn run_timed(
        &mut self,
        words: usize,
        masks: &[[u32; 2]],
        row: &mut [u32],
    ) -> Result<(), InputError> {
        let mut work = KernelWork::default();
        let LineRows { count, above, more, .. } = self;
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
                // Above the first row the word of the stream saves two edits, one or none. Two symbols are
                // pushed, so the cost falls from one more by what each of them saves.
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

/// Advances a column of the alignment table by one symbol of the stream of words. The table counts saved
/// edits, compared with deleting and inserting every word. Returns the new column, and by how much (0 or 1)
/// the saved edits in its last row grow.
///
/// A bit of the column `level` is 1 if its row saves no more than the row above. `step` (0 or 1) is the
/// growth of the saved edits in the row above the column.
fn symbol(level: u32, equal: u32, step: u32) -> (u32, u32) {
    let met = level & equal;
    let sum = level.wrapping_add(met).wrapping_add(step);
    (sum | level & !equal, (met | level & !sum) >> 31)
}
