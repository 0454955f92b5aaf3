//! Decides ties of the edit distance as jiwer does: rapidfuzz's choice among the alignments of fewest edits.
//!
//! Let `D(i, j)` be the distance of the first `i` reference and `j` hypothesis tokens. The alignment is
//! traced from the ends of both sequences. A step deletes a reference token if `D(i, j) = D(i - 1, j) + 1`.
//! Otherwise it inserts a hypothesis token if `D(i, j - 1) < D(i - 1, j - 1)`. Otherwise it pairs the two
//! tokens. Equal tokens at both ends of the sequences are paired beforehand.
//!
//! If the table of distances is too large to be stored, the hypothesis is cut in two halves, and the
//! reference at the first position that fits. Each pair of halves is aligned separately. The counts depend on
//! all of these rules. One path through the table has all positions of cuts.

use std::ops::Range;

use bleuprint_core::Result;

use super::EditOperation;
use super::counts::EditPath;
use super::grid::{GridScratch, MOST_KEPT};
use super::matrix::EditMatrix;
use super::strip::{Steps, WORD};
use super::sweep::{DiagonalBand, Strips};
use super::topmost::{TablePart, Topmost, topmost};

/// Smallest size, in bytes, of the distance tables that rapidfuzz splits in two. A table cell takes two bits.
const CUT_BYTES: usize = 1 << 20;
// rapidfuzz does not cut tables with fewer rows or columns than these; `is_cut` repeats its condition.
const CUT_REFERENCE: usize = 65;
const CUT_HYPOTHESIS: usize = 10;

#[derive(Debug, Clone, Default)]
pub(crate) struct AlignScratch {
    strips: AnyStrips,
    steps: Vec<Steps>,
    topmost: GridScratch,
}

#[derive(Debug, Clone, Default)]
struct AnyStrips {
    one: (Strips<1>, EditMatrix<1>),
    two: (Strips<2>, EditMatrix<2>),
    three: (Strips<3>, EditMatrix<3>),
    four: (Strips<4>, EditMatrix<4>),
}

/// Appends the edit steps that turn `reference` into `hypothesis` to `path`, in order. The token ids of both
/// sequences are below `distinct`.
///
/// Time is `O(reference · hypothesis / 64)`; for long sequences, the number of edits takes the place of the
/// shorter length. Memory is 16 bytes for every 64 cells of the kept tables, some megabytes if neither
/// sequence is short.
pub(crate) fn align<P: EditPath>(
    scratch: &mut AlignScratch,
    reference: &[u32],
    hypothesis: &[u32],
    distinct: usize,
    path: P,
) -> Result<P> {
    crate::shared::require_table("the alignment", reference, hypothesis)?;
    align_by(scratch, reference, hypothesis, distinct, (is_cut, MOST_KEPT), path)
}

/// Returns the steps of the alignment with the fewest edits, from the last step to the first. Among
/// alignments with equally few edits it prefers pairs of tokens to deletions, and deletions to insertions.
/// The reference has at most [`WORD`] tokens.
pub(super) fn pairs_first(
    scratch: &mut AlignScratch,
    reference: &[u32],
    hypothesis: &[u32],
    distinct: usize,
) -> Result<Vec<EditOperation>> {
    let AlignScratch { strips: AnyStrips { one: (strips, matrix), .. }, steps, .. } = scratch;
    strips.reserve(distinct);
    matrix.clear();
    let band =
        DiagonalBand::within_edits(reference.len(), hypothesis.len(), reference.len().max(hypothesis.len()));
    strips.sweep(reference, hypothesis, band, steps, None, matrix)?;
    let mut path = Vec::with_capacity(reference.len().max(hypothesis.len()));
    matrix.trace_pairs(reference, hypothesis, &mut path);
    Ok(path)
}

/// Aligns two sequences like [`align`], with two settings for tests. `is_cut` decides if a distance table is
/// split into two smaller tables. One pass over a table stores about `most_kept` bytes.
///
/// The rule `is_cut` must be monotone: if a table is not split, no part of the table is split.
pub(super) fn align_by<P: EditPath>(
    scratch: &mut AlignScratch,
    reference: &[u32],
    hypothesis: &[u32],
    distinct: usize,
    (is_cut, most_kept): (CutRule, usize),
    path: P,
) -> Result<P> {
    let mut aligner = PairAligner { scratch, reference, hypothesis, distinct, is_cut, most_kept, path };
    aligner.align(0..reference.len(), 0..hypothesis.len(), None, None)?;
    Ok(aligner.path)
}

/// Rule that decides whether an edit-distance table is split into two smaller tables to save memory. Its
/// arguments are the numbers of rows and columns, and an upper bound of the distance if one is known.
type CutRule = fn(usize, usize, Option<usize>) -> bool;

/// Alignment in progress: a reference, a hypothesis, and the edit steps found so far.
struct PairAligner<'a, P> {
    scratch: &'a mut AlignScratch,
    reference: &'a [u32],
    hypothesis: &'a [u32],
    distinct: usize,
    is_cut: CutRule,
    most_kept: usize,
    path: P,
}

impl<P: EditPath> PairAligner<'_, P> {
    fn align(
        &mut self,
        rows: Range<usize>,
        columns: Range<usize>,
        bound: Option<usize>,
        known: Option<&Topmost>,
    ) -> Result<()> {
        let reference = &self.reference[rows.clone()];
        let hypothesis = &self.hypothesis[columns.clone()];
        let (front, back) = common_ends(reference, hypothesis);
        let rows = rows.start + front..rows.end - back;
        let columns = columns.start + front..columns.end - back;
        // rapidfuzz removes common ends at every level of the recursion, not only at the top. That changes
        // which of the best alignments is found.
        self.path.push(EditOperation::Hit, front);
        if rows.is_empty() {
            self.path.push(EditOperation::Insertion, columns.len());
        } else if columns.is_empty() {
            self.path.push(EditOperation::Deletion, rows.len());
        } else if (self.is_cut)(rows.len(), columns.len(), bound) {
            self.cut(rows, columns, bound, known)?;
        } else {
            self.trace(rows, columns, bound)?;
        }
        self.path.push(EditOperation::Hit, back);
        Ok(())
    }

    fn trace(&mut self, rows: Range<usize>, columns: Range<usize>, bound: Option<usize>) -> Result<()> {
        let reference = &self.reference[rows];
        let hypothesis = &self.hypothesis[columns];
        let bound = bound.unwrap_or(reference.len().max(hypothesis.len()));
        let band = DiagonalBand::within_edits(reference.len(), hypothesis.len(), bound);
        let AlignScratch { strips: AnyStrips { one, two, three, four }, steps, .. } = &mut *self.scratch;
        macro_rules! trace {
            ($tables:expr) => {{
                let (strips, matrix) = $tables;
                strips.reserve(self.distinct);
                matrix.clear();
                strips.sweep(reference, hypothesis, band, steps, None, matrix)?;
                matrix.trace_back(reference, hypothesis, &mut self.path);
            }};
        }
        // Narrow tables take strips of just their words: wider strips would compute empty rows.
        match reference.len().div_ceil(WORD) {
            ..=1 => trace!(one),
            2 => trace!(two),
            3 => trace!(three),
            4.. => trace!(four),
        }
        Ok(())
    }

    fn cut(
        &mut self,
        rows: Range<usize>,
        columns: Range<usize>,
        bound: Option<usize>,
        known: Option<&Topmost>,
    ) -> Result<()> {
        let ends = [(rows.start, columns.start), (rows.end, columns.end)];
        // A path found for a larger table also serves a part, if it passes both corners of the part: its
        // first rows in the columns between are then those of the part.
        let known = known.filter(|path| ends.iter().all(|&(row, column)| path.passes(row, column)));
        let found;
        let path = match known {
            Some(path) => path,
            None => {
                found = self.topmost(&rows, &columns, bound)?;
                &found
            }
        };
        // rapidfuzz cuts at the middle of the hypothesis, rounded down.
        let column = columns.start + columns.len() / 2;
        let row = path.row(column);
        let [before, after] = ends.map(|(row, column)| path.edits_from(row, column));
        let here = path.edits_from(row, column);
        let (left, right) = (before - here, here - after);
        self.align(rows.start..row, columns.start..column, Some(left), Some(path))?;
        self.align(row..rows.end, column..columns.end, Some(right), Some(path))
    }

    fn topmost(
        &mut self,
        rows: &Range<usize>,
        columns: &Range<usize>,
        bound: Option<usize>,
    ) -> Result<Topmost> {
        let AlignScratch { strips, steps, topmost: scratch, .. } = &mut *self.scratch;
        let reference = self.reference;
        let hypothesis = self.hypothesis;
        let part = TablePart { reference, hypothesis, rows: rows.clone(), columns: columns.clone() };
        strips.four.0.reserve(self.distinct);
        topmost(scratch, &mut strips.four.0, steps, &part, bound, self.most_kept)
    }
}

/// Returns the number of equal tokens at the front of both sequences, and then the number of equal tokens at
/// the back of the rest.
fn common_ends<T: Eq>(one: &[T], other: &[T]) -> (usize, usize) {
    let front = one.iter().zip(other).take_while(|(a, b)| a == b).count();
    let one = &one[front..];
    let other = &other[front..];
    let back = one.iter().rev().zip(other.iter().rev()).take_while(|(a, b)| a == b).count();
    (front, back)
}

/// Returns the number of equal tokens at both ends of two sequences, and the rest of each. Some best
/// alignment pairs all of these tokens.
pub(crate) fn without_ends<'t, T: Eq>(one: &'t [T], other: &'t [T]) -> (usize, &'t [T], &'t [T]) {
    let (front, back) = common_ends(one, other);
    (front + back, &one[front..one.len() - back], &other[front..other.len() - back])
}

pub(super) fn is_cut(reference: usize, hypothesis: usize, bound: Option<usize>) -> bool {
    // rapidfuzz computes the width of its band from the bound, so a known distance can save a cut.
    let edits = bound.unwrap_or(usize::MAX).min(reference.max(hypothesis));
    let band = reference.min(2 * edits + 1);
    let bytes = (2 * band as u128 * hypothesis as u128) / 8;
    bytes >= CUT_BYTES as u128 && reference >= CUT_REFERENCE && hypothesis >= CUT_HYPOTHESIS
}
