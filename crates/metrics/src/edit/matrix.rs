//! A table that is kept, to walk back over: two bits per cell.

use super::Operation;
use super::strip::{Steps, WORD};
use super::sweep::{Keep, Strips};

/// The columns of all strips.
#[derive(Debug, Clone, Default)]
pub(super) struct Matrix {
    /// Rows that are more than the row above, and rows that are less.
    cells: Vec<(u64, u64)>,
    strips: Vec<Kept>,
}

/// Where the columns of a strip are.
#[derive(Debug, Clone, Copy)]
struct Kept {
    /// The columns before its first.
    start: usize,
    offset: usize,
}

impl Matrix {
    /// Empties it, for a sweep to fill.
    pub(super) fn keeper(&mut self) -> Keeper<'_> {
        self.cells.clear();
        self.strips.clear();
        Keeper { matrix: self, offset: 0 }
    }

    /// Appends the operations of the path that rapidfuzz chooses.
    pub(super) fn trace_back<const L: usize>(
        &self,
        _: &Strips<L>,
        reference: &[u32],
        hypothesis: &[u32],
        operations: &mut Vec<Operation>,
    ) {
        let from = operations.len();
        let (mut i, mut j) = (reference.len(), hypothesis.len());
        while i > 0 && j > 0 {
            if self.is_more::<L>(i, j) {
                operations.push(Operation::Deletion);
                i -= 1;
            } else if j > 1 && self.is_less::<L>(i, j - 1) {
                operations.push(Operation::Insertion);
                j -= 1;
            } else {
                (i, j) = (i - 1, j - 1);
                let equal = reference[i] == hypothesis[j];
                operations.push(if equal { Operation::Hit } else { Operation::Substitution });
            }
        }
        operations.extend(std::iter::repeat_n(Operation::Deletion, i));
        operations.extend(std::iter::repeat_n(Operation::Insertion, j));
        operations[from..].reverse();
    }

    /// Whether the number of row `i` is more than that of the row above, in column `j`.
    fn is_more<const L: usize>(&self, i: usize, j: usize) -> bool {
        self.word::<L>(i, j).is_none_or(|word| word.0 >> ((i - 1) % WORD) & 1 != 0)
    }

    /// Whether it is less.
    fn is_less<const L: usize>(&self, i: usize, j: usize) -> bool {
        self.word::<L>(i, j).is_some_and(|word| word.1 >> ((i - 1) % WORD) & 1 != 0)
    }

    /// The word of row `i` in column `j`, both from 1; none before the first column of its strip.
    #[inline(always)]
    fn word<const L: usize>(&self, i: usize, j: usize) -> Option<(u64, u64)> {
        let strip = self.strips[(i - 1) / Strips::<L>::ROWS];
        let at = (j - 1).checked_sub(strip.start)?;
        self.cells.get(strip.offset + at * L + (i - 1) / WORD % L).copied()
    }
}

/// Fills a matrix.
pub(super) struct Keeper<'m> {
    matrix: &'m mut Matrix,
    offset: usize,
}

impl<const L: usize> Keep<L> for Keeper<'_> {
    fn strip(&mut self, start: usize, _: u32, steps: &[Steps]) {
        self.offset = self.matrix.cells.len();
        self.matrix.cells.resize(self.offset + steps.len() * L, (0, 0));
        self.matrix.strips.push(Kept { start, offset: self.offset });
    }

    #[inline(always)]
    fn column(&mut self, word: usize, at: usize, more: u64, less: u64) {
        self.matrix.cells[self.offset + at * L + word] = (more, less);
    }
}
