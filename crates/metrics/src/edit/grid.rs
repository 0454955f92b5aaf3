//! Edit-distance table of two long sequences, of which only some rows and columns are stored. Other cells are
//! computed again when a path is traced back through them.
//!
//! A row of the table belongs to a reference token, a column to a hypothesis token. A first pass stores the
//! steps along the first row of each strip of 256 rows, and every 256th column. The walk back then recomputes
//! just the blocks that the path visits. If even that is too much memory, the first pass stores the steps
//! above each group of strips. The walk sweeps one group at a time again.

use std::ops::Range;

use bleuprint_core::{Result, check_interrupt};

use super::strip::{Steps, StripColumn, UP, WORD};
use super::sweep::{DiagonalBand, KeepRows, Strips};

/// Number of machine words in a column of a strip.
pub(super) const L: usize = 4;
const ROWS: usize = L * WORD;

/// Distance between the stored columns of a strip.
const BLOCK: usize = 256;

/// Limit in bytes of the data that one pass over an edit-distance table stores. For larger tables the pass
/// stores less, and each strip is swept twice.
pub(super) const MOST_KEPT: usize = 1 << 26;

#[derive(Debug, Clone, Default)]
pub(super) struct GridScratch {
    grid: StripGrid,
    groups: GroupTops,
    last: Vec<u32>,
    /// Recomputed columns of the edit-distance table. The first element is the column before the recomputed
    /// ones.
    block: Vec<StripColumn<L>>,
}

#[derive(Debug, Clone, Default)]
struct StripGrid {
    strips: Vec<KeptStrip>,
    steps: Vec<Steps>,
    columns: Vec<StripColumn<L>>,
}

/// Strip of consecutive rows of the edit-distance table, for which only some columns and steps are stored.
/// `start` is its first computed column. `steps` and `columns` are the indices of its first stored step and
/// its first stored column.
#[derive(Debug, Clone, Copy)]
struct KeptStrip {
    start: usize,
    steps: usize,
    columns: usize,
}

impl StripGrid {
    fn clear(&mut self) {
        self.strips.clear();
        self.steps.clear();
        self.columns.clear();
    }
}

impl KeepRows<L> for StripGrid {
    const PIECE: usize = BLOCK;

    fn strip(&mut self, start: usize, steps: &[Steps]) {
        self.strips.push(KeptStrip { start, steps: self.steps.len(), columns: self.columns.len() });
        self.steps.extend_from_slice(steps);
    }

    fn piece(&mut self, before: &StripColumn<L>) {
        self.columns.push(*before);
    }

    #[inline(always)]
    fn column(&mut self, _: &StripColumn<L>) {}
}

/// Steps along the row above each group of strips.
#[derive(Debug, Clone, Default)]
struct GroupTops {
    /// Number of strips in a group.
    strips: usize,
    /// Number of strips that the first pass has computed.
    seen: usize,
    /// For each group, the first computed column of its first strip, and the index of its first stored step.
    tops: Vec<(usize, usize)>,
    steps: Vec<Steps>,
}

impl GroupTops {
    fn clear(&mut self, strips: usize) {
        self.strips = strips;
        self.seen = 0;
        self.tops.clear();
        self.steps.clear();
    }
}

impl KeepRows<L> for GroupTops {
    fn strip(&mut self, start: usize, steps: &[Steps]) {
        if self.seen.is_multiple_of(self.strips) {
            self.tops.push((start, self.steps.len()));
            self.steps.extend_from_slice(steps);
        }
        self.seen += 1;
    }

    #[inline(always)]
    fn column(&mut self, _: &StripColumn<L>) {}
}

/// Returns an upper bound of the memory in bytes that one pass stores for a strip, if the table is computed
/// within the band for `edits` edits.
fn strip_bytes(rows: usize, columns: usize, edits: usize) -> usize {
    let width = columns.min(edits + rows.abs_diff(columns) + ROWS);
    width + width.div_ceil(BLOCK) * size_of::<StripColumn<L>>()
}

/// Edit-distance table of a reference and a hypothesis that [`sweep`](Self::sweep) has computed.
pub(super) struct Grid<'a> {
    reference: &'a [u32],
    hypothesis: &'a [u32],
    band: DiagonalBand,
    scratch: &'a mut GridScratch,
    strips: &'a mut Strips<L>,
    steps: &'a mut Vec<Steps>,
    /// Index of the first strip that `scratch.grid` stores. All strips below have been traced.
    first: usize,
    /// Place of `scratch.block` in the edit-distance table: the index of a strip, and the range of columns.
    of: Option<(usize, Range<usize>)>,
}

impl<'a> Grid<'a> {
    /// Computes the edit-distance table within bands of diagonals. The band is widened until it contains all
    /// paths with the fewest edits.
    ///
    /// `guess` is a first guess of the number of edits, at least 1. The first pass stores up to about
    /// `most_kept` bytes, or for very large tables the number of columns times the square root of the number
    /// of strips.
    pub(super) fn sweep(
        scratch: &'a mut GridScratch,
        strips: &'a mut Strips<L>,
        steps: &'a mut Vec<Steps>,
        [reference, hypothesis]: [&'a [u32]; 2],
        mut guess: usize,
        most_kept: usize,
    ) -> Result<Grid<'a>> {
        let rows = reference.len();
        let columns = hypothesis.len();
        let GridScratch { grid, groups, last, .. } = &mut *scratch;
        let (band, first) = loop {
            let band = DiagonalBand::within_edits(rows, columns, guess);
            grid.clear();
            let all = rows.div_ceil(ROWS);
            let fitting = most_kept / strip_bytes(rows, columns, guess).max(1);
            let first = if all <= fitting {
                strips.sweep(reference, hypothesis, band, steps, Some(last), grid)?;
                0
            } else {
                groups.clear(all.isqrt().max(fitting));
                strips.sweep(reference, hypothesis, band, steps, Some(last), groups)?;
                all
            };
            match DiagonalBand::next_guess(guess, last[rows] as usize) {
                Some(next) => guess = next,
                None => break (band, first),
            }
        };
        Ok(Grid { reference, hypothesis, band, scratch, strips, steps, first, of: None })
    }

    /// Compares the distance in row `i` and column `j` of the table, both counted from 1, with the distance
    /// in the row above. The first flag is `true` if the distance is greater, the second if it is less.
    ///
    /// From call to call the row must not rise.
    pub(super) fn compare(&mut self, i: usize, j: usize) -> Result<(bool, bool)> {
        let strip = (i - 1) / ROWS;
        if strip < self.first {
            self.make_group(strip)?;
        }
        let KeptStrip { start, .. } = self.scratch.grid.strips[strip - self.first];
        // Outside the band a column rises by one, like in the sweep.
        if j <= start {
            return Ok((true, false));
        }
        let known = self.of.as_ref().is_some_and(|(of, columns)| *of == strip && columns.contains(&(j - 1)));
        if !known {
            self.make_block(strip, j)?;
        }
        let from = self.of.as_ref().map_or(0, |(_, columns)| columns.start);
        let column = &self.scratch.block[j - from];
        let row = (i - 1) % ROWS;
        let bit = |set: &[u64; L]| set[row / WORD] >> (row % WORD) & 1 != 0;
        Ok((bit(&column.more), bit(&column.less)))
    }

    /// Sweeps the group of strips again whose last strip has the index `strip`.
    fn make_group(&mut self, strip: usize) -> Result<()> {
        let GridScratch { grid, groups, .. } = &mut *self.scratch;
        let group = strip / groups.strips;
        self.first = group * groups.strips;
        let (start, from) = groups.tops[group];
        let end = groups.tops.get(group + 1).map_or(groups.steps.len(), |(_, end)| *end);
        self.steps.clear();
        // Right of the band above, the distance counts as rising, like in the first pass.
        self.steps.resize(self.hypothesis.len(), UP);
        self.steps[start..start + end - from].copy_from_slice(&groups.steps[from..end]);
        grid.clear();
        self.strips.sweep_strips(
            self.reference,
            self.first..strip + 1,
            self.hypothesis,
            self.band,
            self.steps,
            grid,
        )
    }

    /// Recomputes columns of the edit-distance table for one strip. They extend from the last stored column
    /// before column `j` to column `j`.
    fn make_block(&mut self, strip: usize, j: usize) -> Result<()> {
        check_interrupt()?;
        let GridScratch { grid, block: columns, .. } = &mut *self.scratch;
        let kept = grid.strips[strip - self.first];
        let block = (j - 1 - kept.start) / BLOCK;
        let from = kept.start + block * BLOCK;
        let tokens = &self.hypothesis[from..j];
        let first = kept.steps + block * BLOCK;
        self.steps.clear();
        self.steps.extend_from_slice(&grid.steps[first..first + tokens.len()]);
        let before = grid.columns[kept.columns + block];
        columns.clear();
        columns.push(before);
        let rows = &self.reference[strip * ROWS..self.reference.len().min((strip + 1) * ROWS)];
        self.strips.again(rows, tokens, self.steps, before, columns);
        self.of = Some((strip, from..j));
        Ok(())
    }
}
