//! Finds the topmost of all alignment paths with the fewest edits through a large edit-distance table. The
//! path gives all positions at which rapidfuzz splits the table in two.
//!
//! A row of the table belongs to a reference token, a column to a hypothesis token. Two best paths can cross
//! only in a cell that both visit, so one best path is above all others in every column.
//!
//! Storing the whole table would take too much memory. A first pass stores only the first row of each block
//! of 256 rows, and every 256th column. The walk back then recomputes just the blocks that the path visits.

use std::ops::Range;

use bleuprint_core::Result;

use super::strip::{Steps, StripColumn, WORD};
use super::sweep::{DiagonalBand, FIRST_GUESS, KeepRows, Strips};

const L: usize = 4;
const ROWS: usize = L * WORD;

/// Distance between the columns of the edit-distance table that the first pass stores. The columns between
/// them are recomputed when an alignment path is traced.
const BLOCK: usize = 256;

/// Range of rows in which an alignment path passes one column of the edit-distance table: `top` to `bottom`,
/// inclusive.
#[derive(Debug, Clone, Copy)]
struct Crossing {
    top: u32,
    bottom: u32,
    /// Number of edits on the alignment path from its first cell in this column of the edit-distance table,
    /// in row `top`, to the end of the path.
    edits: u32,
}

/// Alignment path with the fewest edits through a range of rows and columns of the edit-distance table. If
/// several paths are best, it is the one with the smallest row in every column.
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

/// Block of consecutive rows of the edit-distance table, for which only some columns and steps are stored.
/// `start` is its first computed column. `steps` and `columns` are the indices of its first stored step and
/// its first stored column.
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

/// Returns an upper bound of the memory in bytes that one pass over an edit-distance table of this size
/// stores.
pub(super) fn kept_bytes(rows: usize, columns: usize, bound: Option<usize>) -> usize {
    let width = bound.map_or(columns, |edits| columns.min(edits + rows.abs_diff(columns) + ROWS));
    rows.div_ceil(ROWS).saturating_mul(width + width / BLOCK * size_of::<StripColumn<L>>())
}

/// Rectangle of the edit-distance table of a reference and a hypothesis: a range of rows (reference tokens)
/// and a range of columns (hypothesis tokens).
pub(super) struct TablePart<'a> {
    pub(super) reference: &'a [u32],
    pub(super) hypothesis: &'a [u32],
    pub(super) rows: Range<usize>,
    pub(super) columns: Range<usize>,
}

/// Returns the alignment path with the fewest edits through a range of rows and columns of the edit-distance
/// table. Among several it is the topmost, which has the smallest row in every column.
///
/// `bound` is an upper bound of the number of edits, if one is known.
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
    /// Recomputed columns of the edit-distance table. The first element is the column before the recomputed
    /// ones.
    block: &'a mut Vec<StripColumn<L>>,
    /// Place of `block` in the edit-distance table: the index of a block of 256 rows, and the range of
    /// columns.
    of: Option<(usize, Range<usize>)>,
}

impl StripWalk<'_> {
    /// Walks back over the edit-distance table from its last cell. Returns the rows in which the alignment
    /// path crosses each column; rows belong to reference tokens, columns to hypothesis tokens.
    ///
    /// Among equally good steps, a deletion, which moves one row up, is preferred to a pair of tokens, and a
    /// pair to an insertion. So the path is the topmost of the best paths.
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

    /// Compares the distance in row `i` and column `j` of the table, both counted from 1, with the distance
    /// in the row above. The first flag is `true` if the distance is greater, the second if it is less.
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

    /// Recomputes columns of the edit-distance table for one block of 256 rows. `strip` is the index of the
    /// block, and `start` is the first column that was computed for it. The recomputed columns extend from
    /// the last stored column before column `j` to column `j`.
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
