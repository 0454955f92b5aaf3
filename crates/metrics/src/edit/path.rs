//! Finds an alignment with the fewest edits by tracing the edit-distance table backwards from its last cell.
//! Among equally good steps it makes the same choice as kaldialign or mweralign, which store the whole table.
//!
//! A table of moderate size is computed only near the diagonal and stored whole. A larger table is stored
//! only in part: the columns between the stored ones are recomputed on the way back, with two bits for each
//! cell. The bits tell whether a deletion or an insertion is on a best path (Myers 1999, Hyyrö 2003).

use bleuprint_core::{Result, check_interrupt};

use super::EditOperation;
use super::distance::{DistanceScratch, distance};
use super::matrix::EditMatrix;
use super::strip::{Steps, WORD, advance};
use super::sweep::{DiagonalBand, Strips};

/// Maximum number of 64-bit words of an edit-distance table that is stored whole, 64 MB. If a table is
/// larger, some columns are computed again when the alignment is traced back.
const KEPT_WORDS: usize = 1 << 23;
const CHECKED_COLUMNS: usize = 64;

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
    /// Start of each token's list of reference positions (rows): token `id` has
    /// `rows[starts[id]..starts[id + 1]]`.
    starts: Vec<u32>,
    rows: Vec<u32>,
    equal: Vec<u64>,
    /// Rows of the current column of the edit-distance table whose distance is one more than in the row
    /// above, as a bit set. A row belongs to a reference token, a column to a hypothesis token.
    more: Vec<u64>,
    less: Vec<u64>,
    checkpoints: Vec<u64>,
    /// Two bit sets of rows for each stored column of the edit-distance table. A bit of the first set means
    /// that a deletion is on a best path in this row. A bit of the second set means the same for an
    /// insertion.
    kept: Vec<u64>,
    banded: BandedScratch,
    operations: Vec<EditOperation>,
}

#[derive(Debug, Clone, Default)]
struct BandedScratch {
    distance: DistanceScratch,
    strips: Strips<4>,
    matrix: EditMatrix<4>,
    steps: Vec<Steps>,
}

/// Returns the edit steps that turn `reference` into `hypothesis`, in order. The token ids of both sequences
/// are below `distinct`.
///
/// Time is `O(reference · hypothesis / 64)`, and for similar sequences with tables of moderate size
/// proportional to the edits. A table of up to 64 MB is stored whole, with two bits for each of its
/// `reference · hypothesis` cells. For a larger table, memory is proportional to `reference · √hypothesis`.
pub(crate) fn path<'s>(
    scratch: &'s mut PathScratch,
    reference: &[u32],
    hypothesis: &[u32],
    distinct: usize,
    prefer: Prefer,
) -> Result<&'s [EditOperation]> {
    crate::shared::require_table("the alignment", reference, hypothesis)?;
    if 2 * reference.len().div_ceil(WORD) * hypothesis.len() > KEPT_WORDS {
        return path_within(scratch, reference, hypothesis, distinct, prefer, KEPT_WORDS);
    }
    let PathScratch { banded: BandedScratch { distance: table, strips, matrix, steps }, operations, .. } =
        scratch;
    operations.clear();
    // The walk prefers deletions. Exchanging the sides makes insertions of them, and the loop below renames
    // the steps.
    let (rows, columns) = match prefer {
        Prefer::Deletion => (reference, hypothesis),
        Prefer::Insertion => (hypothesis, reference),
    };
    // The exact distance gives the narrowest band that still has every best path, which the preference
    // chooses among.
    let edits = distance(table, rows, columns, distinct)? as usize;
    strips.reserve(distinct);
    matrix.clear();
    strips.sweep(
        rows,
        columns,
        DiagonalBand::within_edits(rows.len(), columns.len(), edits),
        steps,
        None,
        matrix,
    )?;
    matrix.trace_fixed(rows, columns, operations);
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

pub(super) fn path_within<'s>(
    scratch: &'s mut PathScratch,
    reference: &[u32],
    hypothesis: &[u32],
    distinct: usize,
    prefer: Prefer,
    kept_words: usize,
) -> Result<&'s [EditOperation]> {
    scratch.operations.clear();
    let words = reference.len().div_ceil(WORD);
    scratch.load(reference, distinct, words);
    let part = part_len(hypothesis.len(), words, kept_words);
    let parts = scratch.save_checkpoints(hypothesis, part)?;
    let mut i = reference.len();
    let mut j = hypothesis.len();
    for number in (0..parts).rev() {
        let first = number * part;
        let (more, less) = scratch.checkpoints[2 * words * number..2 * words * (number + 1)].split_at(words);
        scratch.more.copy_from_slice(more);
        scratch.less.copy_from_slice(less);
        scratch.kept.clear();
        // Only columns up to the current one matter, so a part is cut short at `j`.
        scratch.columns(&hypothesis[first..j], true)?;
        (i, j) = scratch.trace_part(reference, hypothesis, first, (i, j), prefer);
        if i == 0 {
            break;
        }
    }
    scratch.operations.extend(std::iter::repeat_n(EditOperation::Insertion, j));
    scratch.operations.extend(std::iter::repeat_n(EditOperation::Deletion, i));
    scratch.operations.reverse();
    Ok(&scratch.operations)
}

impl PathScratch {
    /// Computes the edit-distance table once and stores only the column before each group of `part`
    /// hypothesis tokens. Returns the number of groups.
    fn save_checkpoints(&mut self, hypothesis: &[u32], part: usize) -> Result<usize> {
        let parts = hypothesis.len().div_ceil(part);
        self.checkpoints.clear();
        for (number, tokens) in hypothesis.chunks(part).enumerate() {
            self.checkpoints.extend_from_slice(&self.more);
            self.checkpoints.extend_from_slice(&self.less);
            // No checkpoint follows the last part, so it need not be computed here.
            if number + 1 < parts {
                self.columns(tokens, false)?;
            }
        }
        Ok(parts)
    }

    /// Traces the best path backwards from cell `(i, j)` through the stored columns of the edit-distance
    /// table. Returns the cell at which the path leaves these columns; the first of them belongs to
    /// hypothesis token `first`.
    fn trace_part(
        &mut self,
        reference: &[u32],
        hypothesis: &[u32],
        first: usize,
        (mut i, mut j): (usize, usize),
        prefer: Prefer,
    ) -> (usize, usize) {
        let words = reference.len().div_ceil(WORD);
        while j > first && i > 0 {
            let column = &self.kept[2 * words * (j - 1 - first)..2 * words * (j - first)];
            let bit = |word: usize| column[word] >> ((i - 1) % WORD) & 1 != 0;
            let deletion = bit((i - 1) / WORD);
            let insertion = bit(words + (i - 1) / WORD);
            let operation = match prefer {
                Prefer::Insertion if insertion => EditOperation::Insertion,
                _ if deletion => EditOperation::Deletion,
                _ if insertion => EditOperation::Insertion,
                _ if reference[i - 1] == hypothesis[j - 1] => EditOperation::Hit,
                _ => EditOperation::Substitution,
            };
            i -= usize::from(operation != EditOperation::Insertion);
            j -= usize::from(operation != EditOperation::Deletion);
            self.operations.push(operation);
        }
        (i, j)
    }
}

/// Returns how many columns of the edit-distance table are stored at a time. It is all of them if they fit
/// into `kept_words` machine words. Otherwise it is the number that fits, but at least the square root of
/// `columns`.
fn part_len(columns: usize, words: usize, kept_words: usize) -> usize {
    if 2 * words * columns <= kept_words {
        return columns.max(1);
    }
    columns.isqrt().max(kept_words / (2 * words)).max(1)
}

impl PathScratch {
    /// Prepares the distance table of a reference: lists the positions of each token, and sets the table
    /// column before the first hypothesis token. In this column the distance rises by one from row to row.
    fn load(&mut self, reference: &[u32], distinct: usize, words: usize) {
        self.starts.clear();
        self.starts.resize(distinct + 2, 0);
        for &token in reference {
            self.starts[token as usize + 2] += 1;
        }
        for id in 1..self.starts.len() {
            self.starts[id] += self.starts[id - 1];
        }
        self.rows.clear();
        self.rows.resize(reference.len(), 0);
        for (row, &token) in (0..).zip(reference) {
            let place = &mut self.starts[token as usize + 1];
            self.rows[*place as usize] = row;
            *place += 1;
        }
        for (words_of, value) in [(&mut self.equal, 0), (&mut self.more, u64::MAX), (&mut self.less, 0)] {
            words_of.clear();
            words_of.resize(words, value);
        }
    }

    fn columns(&mut self, tokens: &[u32], keep: bool) -> Result<()> {
        for tokens in tokens.chunks(CHECKED_COLUMNS) {
            check_interrupt()?;
            tokens.iter().for_each(|&token| self.column(token, keep));
        }
        Ok(())
    }

    fn column(&mut self, token: u32, keep: bool) {
        let PathScratch { starts, rows, equal, more, less, kept, .. } = self;
        let rows = &rows[starts[token as usize] as usize..starts[token as usize + 1] as usize];
        rows.iter().for_each(|&row| equal[row as usize / WORD] |= 1 << (row as usize % WORD));
        let words = more.len();
        let from = kept.len();
        if keep {
            kept.resize(from + 2 * words, 0);
        }
        // In row 0 of the table the distance rises by one.
        let mut above = (1, 0);
        for word in 0..words {
            let step_up;
            (step_up, above) = advance(equal[word], &mut more[word], &mut less[word], above);
            if keep {
                kept[from + word] = more[word];
                kept[from + words + word] = step_up;
            }
        }
        // Only the words of this token were set, so only those are reset.
        rows.iter().for_each(|&row| equal[row as usize / WORD] = 0);
    }
}
