//! Finds an alignment with the fewest edits by tracing the edit-distance table backwards from its last cell.
//! Among equally good steps it makes the same choice as kaldialign or mweralign, which store the whole table.
//!
//! The table is computed only near the diagonal. A small table is stored with two bits for each cell. A
//! larger table is stored in part, as a [`Grid`].

use bleuprint_core::Result;

use super::EditOperation;
use super::distance::{DistanceScratch, distance};
use super::grid::{Grid, GridScratch, L, MOST_KEPT};
use super::matrix::EditMatrix;
use super::strip::Steps;
use super::sweep::{DiagonalBand, FIRST_GUESS, Strips};

/// Preferred alignment step if both a deletion and an insertion are on a best path through the edit-distance
/// table. Two tokens are paired only if neither of these steps is on a best path.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Prefer {
    /// The insertion is chosen if a deletion and an insertion are both on a best path, like in kaldialign,
    /// Kaldi's `compute-wer` and MeetEval.
    Insertion,
    /// The deletion is chosen if a deletion and an insertion are both on a best path, like in mweralign.
    Deletion,
}

#[derive(Debug, Clone, Default)]
pub(crate) struct PathScratch {
    distance: DistanceScratch,
    strips: Strips<L>,
    matrix: EditMatrix<L>,
    grid: GridScratch,
    steps: Vec<Steps>,
    operations: Vec<EditOperation>,
}

/// Settings of [`path_by`] that do not affect its result.
#[derive(Debug, Clone, Copy)]
pub(super) struct PathLimits {
    /// Maximum number of cells of an edit-distance table that is stored whole.
    pub(super) whole_cells: usize,
    /// Bytes of a larger table that one pass may store, see [`Grid::sweep`].
    pub(super) most_kept: usize,
    /// First guess of the number of edits for a larger table, in addition to the difference of the lengths.
    pub(super) first_guess: usize,
}

const LIMITS: PathLimits =
    PathLimits { whole_cells: 1 << 18, most_kept: MOST_KEPT, first_guess: FIRST_GUESS };

/// Returns the edit steps that turn `reference` into `hypothesis`, in order. The token ids of both sequences
/// are below `distinct`.
///
/// Time is `O(reference · hypothesis / 64)`; for long sequences, the number of edits takes the place of the
/// shorter length. Memory is 1.25 bytes for every 256 of the computed cells, up to 64 MB. For larger tables
/// it is proportional to `√reference · hypothesis`, and the last sweep over the table is done twice.
pub(crate) fn path<'s>(
    scratch: &'s mut PathScratch,
    reference: &[u32],
    hypothesis: &[u32],
    distinct: usize,
    prefer: Prefer,
) -> Result<&'s [EditOperation]> {
    crate::shared::require_table("the alignment", reference, hypothesis)?;
    path_by(scratch, reference, hypothesis, distinct, prefer, LIMITS)
}

/// Returns the same steps as [`path`], with other settings for tests.
pub(super) fn path_by<'s>(
    scratch: &'s mut PathScratch,
    reference: &[u32],
    hypothesis: &[u32],
    distinct: usize,
    prefer: Prefer,
    limits: PathLimits,
) -> Result<&'s [EditOperation]> {
    let PathScratch { distance: table, strips, matrix, grid, steps, operations } = scratch;
    operations.clear();
    // The walk prefers deletions. Exchanging the sides makes insertions of them, and the loop below renames
    // the steps.
    let (rows, columns) = match prefer {
        Prefer::Deletion => (reference, hypothesis),
        Prefer::Insertion => (hypothesis, reference),
    };
    strips.reserve(distinct);
    if rows.len().saturating_mul(columns.len()) <= limits.whole_cells {
        // The exact distance gives the narrowest band that still has every best path, which the preference
        // chooses among.
        let edits = distance(table, rows, columns, distinct)? as usize;
        let band = DiagonalBand::within_edits(rows.len(), columns.len(), edits);
        matrix.clear();
        strips.sweep(rows, columns, band, steps, None, matrix)?;
        trace(rows, columns, operations, |i, j| Ok(matrix.compare(i, j)))?;
    } else {
        let guess = limits.first_guess + rows.len().abs_diff(columns.len());
        let mut grid = Grid::sweep(grid, strips, steps, [rows, columns], guess, limits.most_kept)?;
        trace(rows, columns, operations, |i, j| grid.compare(i, j))?;
    }
    if prefer == Prefer::Insertion {
        for operation in &mut *operations {
            *operation = match *operation {
                EditOperation::Insertion => EditOperation::Deletion,
                EditOperation::Deletion => EditOperation::Insertion,
                pair => pair,
            };
        }
    }
    Ok(operations)
}

/// Appends the edit operations of an alignment with the fewest edits. Among equally good steps it prefers
/// deletions to insertions, and insertions to pairs of tokens.
///
/// `compare(i, j)` compares the distance in row `i` and column `j` of the table, both counted from 1, with
/// the distance in the row above: it is greater, or less. Let `D(i, j)` be the distance of the first `i`
/// reference and `j` hypothesis tokens. If a deletion is not on a best path, an insertion is on one in two
/// cases:
/// - `D(i, j - 1) < D(i - 1, j - 1)`;
/// - `D(i, j - 1) = D(i - 1, j - 1)`, and the tokens `i` and `j` differ.
///
/// A band that has every best path decides like the whole table. Cells outside are never too small, so they
/// do not add a step, and the steps of best paths lead to cells inside.
#[inline(always)]
fn trace(
    reference: &[u32],
    hypothesis: &[u32],
    operations: &mut Vec<EditOperation>,
    mut compare: impl FnMut(usize, usize) -> Result<(bool, bool)>,
) -> Result<()> {
    let from = operations.len();
    let mut i = reference.len();
    let mut j = hypothesis.len();
    while i > 0 && j > 0 {
        if compare(i, j)?.0 {
            operations.push(EditOperation::Deletion);
            i -= 1;
            continue;
        }
        let equal = reference[i - 1] == hypothesis[j - 1];
        // In column 0 all rows rise by one.
        let (more, less) = if j > 1 { compare(i, j - 1)? } else { (true, false) };
        if less || !equal && !more {
            operations.push(EditOperation::Insertion);
            j -= 1;
        } else {
            operations.push(if equal { EditOperation::Hit } else { EditOperation::Substitution });
            (i, j) = (i - 1, j - 1);
        }
    }
    operations.extend(std::iter::repeat_n(EditOperation::Deletion, i));
    operations.extend(std::iter::repeat_n(EditOperation::Insertion, j));
    operations[from..].reverse();
    Ok(())
}
