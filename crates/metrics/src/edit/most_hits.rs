//! Of the alignments with the fewest edits, one with the most hits: counts that no rule among equals decides.
//!
//! The table of pairs (edits, hits) is filled a cell at a time. For long sequences only between limits: sweeps from
//! both ends give the fewest edits through every cell of some hundred columns, and no best path leaves the rows
//! between the first and the last that a whole best path goes through.

use std::ops::RangeInclusive;

use super::strip::{Column, Steps};
use super::sweep::{Band, FIRST_GUESS, Keep, OUTSIDE, Strips, climb, spell};

/// The least distance of stored columns, and the greatest number of them, so that memory is linear.
const STRIDE: usize = 256;

/// Tables of up to this number of cells are filled whole: finding limits would take longer.
const WHOLE: usize = 1 << 18;

/// The words of a strip.
const LANES: usize = 4;

/// Reused tables.
#[derive(Debug, Clone)]
pub(crate) struct MostHitsScratch {
    /// Tables of up to this number of cells are filled whole.
    whole: usize,
    strips: Strips<LANES>,
    steps: Vec<Steps>,
    forward: Columns,
    backward: Columns,
    /// One column of the table, and another one.
    column: Vec<u32>,
    other: Vec<u32>,
    cells: Vec<u64>,
    /// The rows of as many columns as the stride, from the first on.
    limits: Vec<RangeInclusive<usize>>,
    stride: usize,
}

impl Default for MostHitsScratch {
    fn default() -> Self {
        MostHitsScratch {
            whole: WHOLE,
            strips: Strips::default(),
            steps: Vec::new(),
            forward: Columns::default(),
            backward: Columns::default(),
            column: Vec::new(),
            other: Vec::new(),
            cells: Vec::new(),
            limits: Vec::new(),
            stride: STRIDE,
        }
    }
}

/// Edits and hits of an alignment with the fewest edits and then the most hits; ids are below `distinct`.
pub(crate) fn most_hits(
    scratch: &mut MostHitsScratch,
    reference: &[u32],
    hypothesis: &[u32],
    distinct: usize,
) -> (u64, u64) {
    // Equal first (or last) tokens are hits of a best alignment: to pair them costs neither an edit nor a hit.
    let front = reference.iter().zip(hypothesis).take_while(|(a, b)| a == b).count();
    let (reference, hypothesis) = (&reference[front..], &hypothesis[front..]);
    let back = reference.iter().rev().zip(hypothesis.iter().rev()).take_while(|(a, b)| a == b).count();
    let reference = &reference[..reference.len() - back];
    let hypothesis = &hypothesis[..hypothesis.len() - back];
    scratch.limits.clear();
    if reference.len().saturating_mul(hypothesis.len()) > scratch.whole {
        scratch.find_limits(reference, hypothesis, distinct);
    } else {
        scratch.limits.push(0..=reference.len());
        scratch.stride = hypothesis.len().max(1);
    }
    let (edits, hits) = scratch.fill(reference, hypothesis);
    (edits, hits + (front + back) as u64)
}

impl MostHitsScratch {
    /// Finds limits for short sequences too.
    #[cfg(test)]
    pub(super) fn limit_all(&mut self) {
        self.whole = 0;
    }

    /// The rows that best paths use in the columns up to each multiple of the stride.
    fn find_limits(&mut self, reference: &[u32], hypothesis: &[u32], distinct: usize) {
        let MostHitsScratch { strips, steps, forward, backward, column, other, limits, .. } = self;
        strips.reserve(distinct);
        let (n, m) = (reference.len(), hypothesis.len());
        let stride = STRIDE.max(m.div_ceil(STRIDE));
        let reversed = |ids: &[u32]| ids.iter().rev().copied().collect::<Vec<u32>>();
        let (back_reference, back_hypothesis) = (reversed(reference), reversed(hypothesis));
        let mut guess = FIRST_GUESS + n.abs_diff(m);
        let (edits, band) = loop {
            let band = Band::of(n, m, guess);
            forward.begin(n, stride, 0);
            strips.sweep(reference, hypothesis, band, steps, Some(column), forward);
            // It is the cost of a path, so no more edits are needed, and with so many the band has a best path.
            let sure = column[n] as usize;
            if sure <= guess {
                break (sure as u32, band);
            }
            guess = if 8 * guess > sure { sure } else { 4 * guess };
        };
        // The same columns, counted from the end.
        backward.begin(n, stride, m % stride);
        strips.sweep(&back_reference, &back_hypothesis, band, steps, None, backward);
        let mut first = 0;
        for at in (stride..m).step_by(stride) {
            forward.spell(at, column);
            backward.spell(m - at, other);
            let best = |(row, (&left, &right)): (usize, (&u32, &u32))| (left + right == edits).then_some(row);
            let mut rows = column.iter().zip(other.iter().rev()).enumerate().filter_map(best);
            let next = rows.next().unwrap_or(first);
            limits.push(first..=rows.next_back().unwrap_or(next));
            first = next;
        }
        limits.push(first..=n);
        self.stride = stride;
    }

    /// Fills the table between the limits, column by column; returns the edits and hits of its last cell.
    fn fill(&mut self, reference: &[u32], hypothesis: &[u32]) -> (u64, u64) {
        let MostHitsScratch { cells, limits, .. } = self;
        // Column 0 is of deletions alone.
        let start = *limits[0].end() as u64;
        cells.clear();
        cells.extend((0..=start).map(|row| START + row * EDIT));
        cells.resize(reference.len() + 1, NOWHERE);
        for (tokens, rows) in hypothesis.chunks(self.stride).zip(&*limits) {
            let cells = &mut cells[rows.clone()];
            let reference = &reference[*rows.start()..*rows.end()];
            tokens.iter().for_each(|&token| next_column(cells, reference, token));
        }
        let last = cells[reference.len()];
        (last / EDIT, START - last % EDIT)
    }
}

/// Makes the next column of some rows, of which the first is reached by insertions alone.
fn next_column(cells: &mut [u64], reference: &[u32], token: u32) {
    let mut diagonal = cells[0];
    let mut above = diagonal + EDIT;
    cells[0] = above;
    for (cell, &other) in cells[1..].iter_mut().zip(reference) {
        let pair = if other == token { diagonal - HIT } else { diagonal + EDIT };
        diagonal = *cell;
        above = pair.min(diagonal + EDIT).min(above + EDIT);
        *cell = above;
    }
}

/// A cell is a number that is less, the fewer edits there are and then the more hits.
const EDIT: u64 = 1 << 32;
const HIT: u64 = 1;

/// No edits and no hits. Sequences have less than 2^31 tokens, so hits never borrow from edits.
const START: u64 = 1 << 31;

/// More edits than any, and no overflow after as many more.
const NOWHERE: u64 = 1 << 62;

/// Some columns of a sweep.
#[derive(Debug, Clone, Default)]
struct Columns {
    /// Every multiple of this number of columns.
    stride: usize,
    phase: usize,
    rows: usize,
    strips: Vec<Kept>,
    /// The number in the row above the strip, and the rows of the strip.
    columns: Vec<(u32, Column<LANES>)>,
    /// The columns that the sweep has done, the next one to keep, and its place in the list.
    at: usize,
    next: usize,
    kept: usize,
}

/// Where the columns of a strip are kept.
#[derive(Debug, Clone, Copy)]
struct Kept {
    /// The first stored column, and its place in the list.
    first: usize,
    offset: usize,
}

impl Columns {
    /// Empties it, for a sweep over this number of rows.
    fn begin(&mut self, rows: usize, stride: usize, phase: usize) {
        (self.rows, self.stride, self.phase) = (rows, stride, phase);
        self.strips.clear();
        self.columns.clear();
    }

    /// Writes out the column after `at` tokens, one of the stored ones.
    fn spell(&self, at: usize, column: &mut Vec<u32>) {
        column.clear();
        column.resize(self.rows + 1, OUTSIDE);
        for (strip, kept) in self.strips.iter().enumerate() {
            let top = strip * Strips::<LANES>::ROWS;
            let end = self.strips.get(strip + 1).map_or(self.columns.len(), |next| next.offset);
            let index = at.checked_sub(kept.first).map(|columns| kept.offset + columns / self.stride);
            if let Some(index) = index.filter(|index| *index < end) {
                let (above, rows) = &self.columns[index];
                let bottom = (top + Strips::<LANES>::ROWS).min(self.rows);
                spell(*above, rows, &mut column[top..=bottom]);
            }
        }
    }
}

impl Keep<LANES> for Columns {
    fn strip(&mut self, start: usize, corner: u32, steps: &[Steps]) {
        let first = start + 1 + (self.phase + self.stride - (start + 1) % self.stride) % self.stride;
        self.strips.push(Kept { first, offset: self.columns.len() });
        (self.at, self.next, self.kept) = (start, first, self.columns.len());
        let (mut before, mut above) = (start, corner);
        for at in (first..=start + steps.len()).step_by(self.stride) {
            above = climb(above, &steps[before - start..at - start]);
            self.columns.push((above, Column::RISING));
            before = at;
        }
    }

    #[inline(always)]
    fn column(&mut self, column: &Column<LANES>) {
        self.at += 1;
        if self.at == self.next {
            // Room was made when the strip began.
            self.columns[self.kept].1 = *column;
            (self.next, self.kept) = (self.next + self.stride, self.kept + 1);
        }
    }
}
