//! Edit-distance table of two sequences, stored with two bits for each cell. The alignment with the fewest
//! edits is traced back in it.

use super::EditOperation;
use super::counts::EditPath;
use super::strip::{Steps, StripColumn, WORD};
use super::sweep::{KeepRows, Strips};

#[derive(Debug, Clone, Default)]
pub(super) struct EditMatrix<const L: usize> {
    columns: Vec<StripColumn<L>>,
    strips: Vec<KeptMatrix>,
}

#[derive(Debug, Clone, Copy)]
struct KeptMatrix {
    start: usize,
    offset: usize,
}

impl<const L: usize> EditMatrix<L> {
    pub(super) fn clear(&mut self) {
        self.columns.clear();
        self.strips.clear();
    }

    pub(super) fn trace_back(&self, reference: &[u32], hypothesis: &[u32], path: &mut impl EditPath) {
        let from = path.len();
        let mut i = reference.len();
        let mut j = hypothesis.len();
        // Column 0 of the table is not stored: there all rows rise by one. Hence `j > 1` below.
        while i > 0 && j > 0 {
            if self.is_more(i, j) {
                path.push(EditOperation::Deletion, 1);
                i -= 1;
            } else if j > 1 && self.is_less(i, j - 1) {
                path.push(EditOperation::Insertion, 1);
                j -= 1;
            } else {
                (i, j) = (i - 1, j - 1);
                path.push_pair(reference[i] == hypothesis[j]);
            }
        }
        path.push(EditOperation::Deletion, i);
        path.push(EditOperation::Insertion, j);
        path.turn(from);
    }

    /// Compares `D(i, j)` with `D(i - 1, j)`. The first flag is `true` if it is greater, the second if it is
    /// less. Here `D(i, j)` is the edit distance of the first `i` reference and `j` hypothesis tokens, both
    /// counted from 1.
    #[inline(always)]
    pub(super) fn compare(&self, i: usize, j: usize) -> (bool, bool) {
        (self.is_more(i, j), self.is_less(i, j))
    }

    /// Returns `true` if `D(i, j) = D(i - 1, j) + 1`. Here `D(i, j)` is the edit distance of the first `i`
    /// reference and `j` hypothesis tokens.
    fn is_more(&self, i: usize, j: usize) -> bool {
        // Columns before the strip count as rising, because the sweep of the strip starts from such a column.
        self.column(i, j).is_none_or(|column| column.more[(i - 1) / WORD % L] >> ((i - 1) % WORD) & 1 != 0)
    }

    fn is_less(&self, i: usize, j: usize) -> bool {
        self.column(i, j).is_some_and(|column| column.less[(i - 1) / WORD % L] >> ((i - 1) % WORD) & 1 != 0)
    }

    /// Returns the part of column `j` of the edit-distance table that contains row `i`, both counted from 1.
    /// Returns `None` if this part was not computed, because the column is too far left of the diagonal.
    #[inline(always)]
    fn column(&self, i: usize, j: usize) -> Option<&StripColumn<L>> {
        let strip = self.strips[(i - 1) / Strips::<L>::ROWS];
        self.columns.get(strip.offset + (j - 1).checked_sub(strip.start)?)
    }
}

/// Traces alignments in an edit-distance table of at most 64 rows, for references of at most 64 tokens.
impl EditMatrix<1> {
    /// Appends the edit operations of an alignment with the fewest edits. Among equally good steps it prefers
    /// pairs of tokens to deletions, and deletions to insertions.
    ///
    /// Let `D(i, j)` be the distance of the first `i` reference and `j` hypothesis tokens. A pair of
    /// different tokens is on a best path unless `D(i, j - 1)` or `D(i - 1, j)` is less than
    /// `D(i - 1, j - 1)`. A stored bit tells whether `D(i, j - 1)` is less. `D(i - 1, j)` can only be less if
    /// a deletion is on a best path, so it is only compared then.
    pub(super) fn trace_pairs(&self, reference: &[u32], hypothesis: &[u32], path: &mut impl EditPath) {
        let from = path.len();
        let mut i = reference.len();
        let mut j = hypothesis.len();
        while i > 0 && j > 0 {
            let equal = reference[i - 1] == hypothesis[j - 1];
            let deletes = self.is_more(i, j);
            let pairs = || !(j > 1 && self.is_less(i, j - 1)) && (!deletes || self.is_level(i - 1, j));
            if equal || pairs() {
                (i, j) = (i - 1, j - 1);
                path.push_pair(equal);
            } else if deletes {
                path.push(EditOperation::Deletion, 1);
                i -= 1;
            } else {
                path.push(EditOperation::Insertion, 1);
                j -= 1;
            }
        }
        path.push(EditOperation::Deletion, i);
        path.push(EditOperation::Insertion, j);
        path.turn(from);
    }

    /// Returns `true` if `D(i, j) = D(i, j - 1)`, where `D(i, j)` is the edit distance of the first `i`
    /// reference and `j` hypothesis tokens.
    fn is_level(&self, i: usize, j: usize) -> bool {
        let rows = u64::MAX.checked_shr((WORD - i) as u32).unwrap_or(0);
        let height = |column: &StripColumn<1>| {
            (column.more[0] & rows).count_ones() as i32 - (column.less[0] & rows).count_ones() as i32
        };
        let before = if j > 1 { height(&self.columns[j - 2]) } else { i as i32 };
        // In row 0, distances rise by one.
        height(&self.columns[j - 1]) + 1 == before
    }
}

impl<const L: usize> KeepRows<L> for EditMatrix<L> {
    fn strip(&mut self, start: usize, steps: &[Steps]) {
        self.strips.push(KeptMatrix { start, offset: self.columns.len() });
        self.columns.reserve(steps.len());
    }

    #[inline(always)]
    fn column(&mut self, column: &StripColumn<L>) {
        self.columns.push(*column);
    }
}
