//! Finds the topmost of all alignment paths with the fewest edits through a large edit-distance table. The
//! path gives all positions at which rapidfuzz splits the table in two.
//!
//! A row of the table belongs to a reference token, a column to a hypothesis token. Two best paths can cross
//! only in a cell that both visit, so one best path is above all others in every column.
//!
//! [`Grid`] stores only a part of the table and computes the blocks that the path visits again.

use std::ops::Range;

use bleuprint_core::Result;

use super::grid::{Grid, GridScratch, L};
use super::strip::Steps;
use super::sweep::{FIRST_GUESS, Strips};

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
/// `bound` is an upper bound of the number of edits, if one is known; for `most_kept` see [`Grid::sweep`].
pub(super) fn topmost(
    scratch: &mut GridScratch,
    strips: &mut Strips<L>,
    steps: &mut Vec<Steps>,
    part: &TablePart<'_>,
    bound: Option<usize>,
    most_kept: usize,
) -> Result<Topmost> {
    let reference = &part.reference[part.rows.clone()];
    let hypothesis = &part.hypothesis[part.columns.clone()];
    // A known bound makes the first band exact, so one sweep is enough.
    let guess = bound.unwrap_or(FIRST_GUESS + reference.len().abs_diff(hypothesis.len()));
    let mut grid = Grid::sweep(scratch, strips, steps, [reference, hypothesis], guess, most_kept)?;
    let mut crossings = crossings(&mut grid, reference, hypothesis)?;
    for crossing in &mut crossings {
        crossing.top += part.rows.start as u32;
        crossing.bottom += part.rows.start as u32;
    }
    Ok(Topmost { columns: part.columns.clone(), crossings })
}

/// Walks back over the edit-distance table from its last cell. Returns the rows in which the alignment
/// path crosses each column; rows belong to reference tokens, columns to hypothesis tokens.
///
/// Among equally good steps, a deletion, which moves one row up, is preferred to a pair of tokens, and a
/// pair to an insertion. So the path is the topmost of the best paths.
fn crossings(grid: &mut Grid<'_>, reference: &[u32], hypothesis: &[u32]) -> Result<Vec<Crossing>> {
    let mut i = reference.len();
    let mut j = hypothesis.len();
    let mut edits = 0;
    let mut crossings = vec![Crossing { top: 0, bottom: 0, edits: 0 }; j + 1];
    crossings[j].bottom = i as u32;
    loop {
        while i > 0 && (j == 0 || grid.compare(i, j)?.0) {
            (i, edits) = (i - 1, edits + 1);
        }
        (crossings[j].top, crossings[j].edits) = (i as u32, edits);
        if j == 0 {
            return Ok(crossings);
        }
        let equal = i > 0 && reference[i - 1] == hypothesis[j - 1];
        let inserts = i == 0 || !equal && j > 1 && grid.compare(i, j - 1)?.1;
        edits += u32::from(!equal);
        i -= usize::from(!inserts);
        j -= 1;
        crossings[j].bottom = i as u32;
    }
}
