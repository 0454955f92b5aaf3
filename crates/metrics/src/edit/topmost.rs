//! Finds the topmost of the best alignment paths through a long distance table, and with it all positions at
//! which rapidfuzz splits the table in two.
//!
//! Best paths cross only at common corners, so one of them is above all others. The first of the best
//! positions in any column is on that path. One sweep keeps the steps along the top of each strip and a
//! column now and then. The walk back computes only the blocks that it meets again, with the distances of the
//! whole table.

use std::ops::Range;

use bleuprint_core::Result;

use super::strip::{Steps, StripColumn, WORD};
use super::sweep::{DiagonalBand, FIRST_GUESS, KeepRows, Strips};

const L: usize = 4;
const ROWS: usize = L * WORD;

/// Number of columns of the distance table from one kept column to the next.
const BLOCK: usize = 256;

/// Rows in which an alignment path passes one column of the distance table.
#[derive(Debug, Clone, Copy)]
struct Crossing {
    top: u32,
    bottom: u32,
    /// Number of edits of the alignment path from row `top` of this column to its end.
    edits: u32,
}

/// Alignment path with the fewest edits through a part of the distance table, the topmost one if there are
/// several.
#[derive(Debug)]
pub(super) struct Topmost {
    columns: Range<usize>,
    crossings: Vec<Crossing>,
}

impl Topmost {
    pub(super) fn passes(&self, row: usize, column: usize) -> bool {
        (self.columns.start..=self.columns.end).contains(&column) && {
            let Crossing { top, bottom, .. } = self.crossings[column - self.columns.start];
            (top as usize..=bottom as usize).contains(&row)
        }
    }

    /// Returns the first row in which the alignment path crosses a column of the distance table.
    pub(super) fn row(&self, column: usize) -> usize {
        self.crossings[column - self.columns.start].top as usize
    }

    /// Returns the number of edits of the alignment path from the given cell, which must be on the path, to
    /// its end.
    pub(super) fn edits_from(&self, row: usize, column: usize) -> usize {
        let Crossing { top, edits, .. } = self.crossings[column - self.columns.start];
        // Between the top and the corner the path deletes, one edit for each row.
        edits as usize - (row - top as usize)
    }
}

#[derive(Debug, Clone, Default)]
pub(super) struct TopmostScratch {
    grid: StripGrid,
    last: Vec<u32>,
    block: Vec<StripColumn<L>>,
}

#[derive(Debug, Clone, Default)]
struct StripGrid {
    strips: Vec<KeptStrip>,
    steps: Vec<Steps>,
    columns: Vec<StripColumn<L>>,
}

/// Strip (block of rows) of the distance table: its first column, and the indices of its first kept step and
/// column.
#[derive(Debug, Clone, Copy)]
struct KeptStrip {
    start: usize,
    steps: usize,
    columns: usize,
}

impl KeepRows<L> for StripGrid {
    const PIECE: usize = BLOCK;

    fn strip(&mut self, start: usize, _: u32, steps: &[Steps]) {
        self.strips.push(KeptStrip { start, steps: self.steps.len(), columns: self.columns.len() });
        self.steps.extend_from_slice(steps);
    }

    fn piece(&mut self, before: &StripColumn<L>) {
        self.columns.push(*before);
    }

    #[inline(always)]
    fn column(&mut self, _: &StripColumn<L>) {}
}

/// Returns an upper bound of the bytes that one pass over a distance table of this size keeps.
pub(super) fn kept_bytes(rows: usize, columns: usize, bound: Option<usize>) -> usize {
    let width = bound.map_or(columns, |edits| columns.min(edits + rows.abs_diff(columns) + ROWS));
    rows.div_ceil(ROWS).saturating_mul(width + width / BLOCK * size_of::<StripColumn<L>>())
}

/// Part of the distance table of a reference and a hypothesis: a range of rows and a range of columns.
pub(super) struct TablePart<'a> {
    pub(super) reference: &'a [u32],
    pub(super) hypothesis: &'a [u32],
    pub(super) rows: Range<usize>,
    pub(super) columns: Range<usize>,
}

/// Returns the topmost alignment path with the fewest edits through a part of the distance table, whose
/// opposite corners are at most `bound` edits apart.
pub(super) fn topmost(
    scratch: &mut TopmostScratch,
    strips: &mut Strips<L>,
    steps: &mut Vec<Steps>,
    part: &TablePart<'_>,
    bound: Option<usize>,
) -> Result<Topmost> {
    let reference = &part.reference[part.rows.clone()];
    let hypothesis = &part.hypothesis[part.columns.clone()];
    let TopmostScratch { grid, last, block } = scratch;
    // A known bound makes the first band exact, so the loop ends after one sweep.
    let mut guess = bound.unwrap_or(FIRST_GUESS + reference.len().abs_diff(hypothesis.len()));
    loop {
        grid.strips.clear();
        grid.steps.clear();
        grid.columns.clear();
        let band = DiagonalBand::within_edits(reference.len(), hypothesis.len(), guess);
        strips.sweep(reference, hypothesis, band, steps, Some(last), grid)?;
        match DiagonalBand::next_guess(guess, last[reference.len()] as usize) {
            Some(next) => guess = next,
            None => break,
        }
    }
    let mut walk = StripWalk { reference, hypothesis, grid, strips, steps, block, of: None };
    let mut crossings = walk.crossings()?;
    for crossing in &mut crossings {
        crossing.top += part.rows.start as u32;
        crossing.bottom += part.rows.start as u32;
    }
    Ok(Topmost { columns: part.columns.clone(), crossings })
}

struct StripWalk<'a> {
    reference: &'a [u32],
    hypothesis: &'a [u32],
    grid: &'a StripGrid,
    strips: &'a mut Strips<L>,
    steps: &'a mut Vec<Steps>,
    /// Columns of a block of the distance table; the first element is the column before the block.
    block: &'a mut Vec<StripColumn<L>>,
    /// Number of the strip (block of rows) that the block is in, and the range of its columns in the distance
    /// table.
    of: Option<(usize, Range<usize>)>,
}

impl StripWalk<'_> {
    /// Returns the rows in which the alignment path crosses each column of the distance table, found by
    /// walking back from the end. The path prefers deletions to pairs, and pairs to insertions: deletions
    /// lead upwards first.
    fn crossings(&mut self) -> Result<Vec<Crossing>> {
        let mut i = self.reference.len();
        let mut j = self.hypothesis.len();
        let mut edits = 0;
        let mut crossings = vec![Crossing { top: 0, bottom: 0, edits: 0 }; j + 1];
        crossings[j].bottom = i as u32;
        loop {
            while i > 0 && (j == 0 || self.compare(i, j)?.0) {
                (i, edits) = (i - 1, edits + 1);
            }
            (crossings[j].top, crossings[j].edits) = (i as u32, edits);
            if j == 0 {
                return Ok(crossings);
            }
            let equal = i > 0 && self.reference[i - 1] == self.hypothesis[j - 1];
            let inserts = i == 0 || !equal && j > 1 && self.compare(i, j - 1)?.1;
            edits += u32::from(!equal);
            i -= usize::from(!inserts);
            j -= 1;
            crossings[j].bottom = i as u32;
        }
    }

    /// Returns two flags for row `i` in column `j` of the distance table, both counted from 1: the distance
    /// is more, or less, than in the row above.
    fn compare(&mut self, i: usize, j: usize) -> Result<(bool, bool)> {
        let strip = (i - 1) / ROWS;
        let KeptStrip { start, .. } = self.grid.strips[strip];
        // Outside the band a column rises by one, like in the sweep.
        if j <= start {
            return Ok((true, false));
        }
        let known = self.of.as_ref().is_some_and(|(of, columns)| *of == strip && columns.contains(&(j - 1)));
        if !known {
            self.make(strip, start, j)?;
        }
        let from = self.of.as_ref().map_or(0, |(_, columns)| columns.start);
        let column = &self.block[j - from];
        let row = (i - 1) % ROWS;
        let bit = |set: &[u64; L]| set[row / WORD] >> (row % WORD) & 1 != 0;
        Ok((bit(&column.more), bit(&column.less)))
    }

    /// Computes again the columns of a strip (block of rows) of the distance table, from the last kept column
    /// before column `j` on.
    fn make(&mut self, strip: usize, start: usize, j: usize) -> Result<()> {
        bleuprint_core::check_interrupt()?;
        let kept = self.grid.strips[strip];
        let block = (j - 1 - start) / BLOCK;
        let from = start + block * BLOCK;
        let tokens = &self.hypothesis[from..j];
        let first = kept.steps + block * BLOCK;
        self.steps.clear();
        self.steps.extend_from_slice(&self.grid.steps[first..first + tokens.len()]);
        let before = self.grid.columns[kept.columns + block];
        self.block.clear();
        self.block.push(before);
        let rows = &self.reference[strip * ROWS..self.reference.len().min((strip + 1) * ROWS)];
        self.strips.again(rows, tokens, self.steps, before, self.block);
        self.of = Some((strip, from..j));
        Ok(())
    }
}
