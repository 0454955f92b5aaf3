//! Decides ties of the edit distance as jiwer does: rapidfuzz's choice among the alignments of fewest edits.
//!
//! Let `D(i, j)` be the distance of the first `i` reference and `j` hypothesis tokens. The alignment is
//! traced from the ends of both sequences. A step deletes a reference token if `D(i, j) = D(i - 1, j) + 1`.
//! Otherwise it inserts a hypothesis token if `D(i, j - 1) < D(i - 1, j - 1)`. Otherwise it pairs the two
//! tokens. Equal tokens at both ends of the sequences are paired beforehand.
//!
//! If the table of distances is too large to be stored, the hypothesis is cut in two halves, and the
//! reference at the first position that fits. Each pair of halves is aligned separately. The counts depend on
//! all of these rules. One pass finds all positions of cuts; if even its data is too large, two passes find
//! one position.

use std::ops::Range;

use bleuprint_core::Result;

use super::EditOperation;
use super::counts::EditPath;
use super::matrix::EditMatrix;
use super::strip::{Steps, WORD};
use super::sweep::{DiagonalBand, FIRST_GUESS, Nothing, Strips};
use super::topmost::{TablePart, Topmost, TopmostScratch, kept_bytes, topmost};

/// Smallest size, in bytes, of the distance tables that rapidfuzz splits in two. A table cell takes two bits.
const CUT_BYTES: usize = 1 << 20;
// rapidfuzz does not cut tables with fewer rows or columns than these; `is_cut` repeats its condition.
const CUT_REFERENCE: usize = 65;
const CUT_HYPOTHESIS: usize = 10;

/// Limit in bytes of the data that one pass over an edit-distance table stores. For larger tables, two passes
/// find a single position at which to split the table.
const MOST_KEPT: usize = 1 << 26;

#[derive(Debug, Clone, Default)]
pub(crate) struct AlignScratch {
    strips: AnyStrips,
    steps: Vec<Steps>,
    forward: Vec<u32>,
    backward: Vec<u32>,
    reversed: [Vec<u32>; 2],
    topmost: TopmostScratch,
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
/// split into two smaller tables. `most_kept` limits the memory in bytes for a table.
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
    let [mut back_reference, mut back_hypothesis] = std::mem::take(&mut scratch.reversed);
    if is_cut(reference.len(), hypothesis.len(), None) {
        for (reversed, sequence) in [(&mut back_reference, reference), (&mut back_hypothesis, hypothesis)] {
            reversed.clear();
            reversed.extend(sequence.iter().rev());
        }
    }
    let mut aligner = PairAligner {
        scratch,
        reference,
        hypothesis,
        back_reference: &back_reference,
        back_hypothesis: &back_hypothesis,
        distinct,
        is_cut,
        most_kept,
        path,
    };
    aligner.align(0..reference.len(), 0..hypothesis.len(), None, None)?;
    let path = aligner.path;
    scratch.reversed = [back_reference, back_hypothesis];
    Ok(path)
}

/// Rule that decides whether an edit-distance table is split into two smaller tables to save memory. Its
/// arguments are the numbers of rows and columns, and an upper bound of the distance if one is known.
type CutRule = fn(usize, usize, Option<usize>) -> bool;

/// Alignment in progress: a reference, a hypothesis, and the edit steps found so far. The reversed sequences
/// are empty unless the distance table is large enough to be split in two.
struct PairAligner<'a, P> {
    scratch: &'a mut AlignScratch,
    reference: &'a [u32],
    hypothesis: &'a [u32],
    back_reference: &'a [u32],
    back_hypothesis: &'a [u32],
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
        let found = match known {
            None if kept_bytes(rows.len(), columns.len(), bound) <= self.most_kept => {
                Some(self.topmost(&rows, &columns, bound)?)
            }
            _ => None,
        };
        let path = known.or(found.as_ref());
        // rapidfuzz cuts at the middle of the hypothesis, rounded down.
        let column = columns.start + columns.len() / 2;
        let (row, left, right) = match path {
            Some(path) => {
                let row = path.row(column);
                let [before, after] = ends.map(|(row, column)| path.edits_from(row, column));
                let here = path.edits_from(row, column);
                (row, before - here, here - after)
            }
            None => self.first_best(rows.clone(), columns.clone(), bound)?,
        };
        self.align(rows.start..row, columns.start..column, Some(left), path)?;
        self.align(row..rows.end, column..columns.end, Some(right), path)
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
        topmost(scratch, &mut strips.four.0, steps, &part, bound)
    }

    /// Returns the position in the reference at which an alignment with the fewest edits passes the middle of
    /// the hypothesis, and the edits before and after it. Among several positions it is the first.
    ///
    /// It repeats [`halves`](Self::halves) with wider bands around the diagonal until the band holds every
    /// best path.
    fn first_best(
        &mut self,
        rows: Range<usize>,
        columns: Range<usize>,
        bound: Option<usize>,
    ) -> Result<(usize, usize, usize)> {
        let n = rows.len();
        let m = columns.len();
        // The band is widened until it holds every best path. Its size then follows the edits, not the
        // lengths.
        let mut guess = bound.unwrap_or(FIRST_GUESS + n.abs_diff(m));
        loop {
            let (above, left, right) =
                self.halves(rows.clone(), columns.clone(), DiagonalBand::within_edits(n, m, guess))?;
            match DiagonalBand::next_guess(guess, left + right) {
                Some(next) => guess = next,
                None => return Ok((rows.start + above, left, right)),
            }
        }
    }

    /// Returns the position in the reference at which an alignment with the fewest edits passes the middle of
    /// the hypothesis, and the edits before and after it. Only alignments within a band of diagonals of the
    /// edit-distance table are considered. Among several positions it is the first.
    fn halves(
        &mut self,
        rows: Range<usize>,
        columns: Range<usize>,
        band: DiagonalBand,
    ) -> Result<(usize, usize, usize)> {
        let half = columns.len() / 2;
        let reference = &self.reference[rows.clone()];
        let hypothesis = &self.hypothesis[columns.clone()];
        let from_end = |range: Range<usize>, len: usize| len - range.end..len - range.start;
        let back_reference = &self.back_reference[from_end(rows, self.back_reference.len())];
        let back_hypothesis = &self.back_hypothesis[from_end(columns, self.back_hypothesis.len())];
        let AlignScratch { strips, steps, forward, backward, .. } = &mut *self.scratch;
        let strips = &mut strips.four.0;
        strips.reserve(self.distinct);
        // Hirschberg's method: distances of the first half forwards, and of the second half on reversed
        // sequences.
        strips.sweep(reference, &hypothesis[..half], band, steps, Some(forward), &mut Nothing)?;
        let rest = &back_hypothesis[..hypothesis.len() - half];
        strips.sweep(back_reference, rest, band, steps, Some(backward), &mut Nothing)?;
        let sums = forward.iter().zip(backward.iter().rev()).map(|(&left, &right)| left + right);
        // `min_by_key` returns the first of equal sums, like rapidfuzz.
        let best = sums.enumerate().min_by_key(|&(_, sum)| sum).map_or(0, |(row, _)| row);
        Ok((best, forward[best] as usize, backward[reference.len() - best] as usize))
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
