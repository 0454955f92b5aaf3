//! A block of 64 references, with which hypotheses are compared: for each n-gram, a row with its count in
//! each of the references.

use super::lists::{HypothesisNgrams, ListEntry, NumberedReferences};
use super::{Counts, WIDTH};
use alloc::vec::Vec;
use num_traits::{AsPrimitive, PrimInt, WrappingAdd};

/// Counts of the n-grams in a block of up to 64 references, with which hypotheses are compared. The memory is
/// reused for the next block.
///
/// Memory: a row of 64 to 256 bytes per n-gram of the block, and 4 bytes per n-gram of all references.
#[derive(Debug, Clone, Default)]
pub struct ReferenceBlock {
    /// Index of the row of counts of each n-gram, indexed by the n-gram's id. Row 0, which has only zeros, is
    /// for n-grams that no reference of the block has.
    row_of: Vec<u32>,
    /// Ids of the n-grams that occur in the block of references. The counts of the n-gram at index `i` are in
    /// row `i + 1`; row 0 has only zeros.
    grams: Vec<u32>,
    rows: BlockRows,
}

#[derive(Debug, Clone)]
enum BlockRows {
    Bytes(Vec<[u8; WIDTH]>),
    Halves(Vec<[u16; WIDTH]>),
    Words(Vec<[u32; WIDTH]>),
}

impl Default for BlockRows {
    fn default() -> Self {
        BlockRows::Bytes(Vec::new())
    }
}

/// An integer type for n-gram counts of a block of references, with the variant of [`BlockRows`] that stores
/// it.
trait BlockCount: PrimInt + WrappingAdd + AsPrimitive<u32> {
    /// Takes the buffer out of `rows` for reuse if its counts have this integer type, else creates a new one.
    fn take(rows: &mut BlockRows) -> Vec<[Self; WIDTH]>;
    fn wrap(rows: Vec<[Self; WIDTH]>) -> BlockRows;
}

macro_rules! count {
    ($($integer:ty => $rows:ident),*) => {$(
        impl BlockCount for $integer {
            fn take(rows: &mut BlockRows) -> Vec<[Self; WIDTH]> {
                if let BlockRows::$rows(rows) = rows { core::mem::take(rows) } else { Vec::new() }
            }
            fn wrap(rows: Vec<[Self; WIDTH]>) -> BlockRows {
                BlockRows::$rows(rows)
            }
        }
    )*};
}

count!(u8 => Bytes, u16 => Halves, u32 => Words);

/// Converts an n-gram count to a smaller integer type, with saturation. Clipping against counts that fit the
/// smaller type gives an unchanged result.
#[inline(always)]
fn saturated<C: BlockCount>(count: u32) -> C {
    C::from(count).unwrap_or_else(C::max_value)
}

impl ReferenceBlock {
    /// Loads the n-gram counts of the block with index `number`: at most [`WIDTH`] references, in the last
    /// block fewer.
    ///
    /// Time `O(n-grams of the block)`.
    pub fn load(&mut self, references: &NumberedReferences, number: usize) {
        // Only the rows that the last block used are reset; clearing `row_of` as a whole would cost as much
        // as all references.
        for &gram in &self.grams {
            self.row_of[gram as usize] = 0;
        }
        self.grams.clear();
        self.row_of.resize(references.distinct(), 0);
        let lengths = references.lengths();
        let first = number.saturating_mul(WIDTH).min(lengths.len());
        let end = lengths.len().min(first + WIDTH);
        // No count exceeds its reference's length, so the longest reference decides the width. Narrow counts
        // fit more lanes into a vector register.
        match lengths[first..end].iter().copied().max().unwrap_or(0) {
            0..=0xFF => self.fill::<u8>(references, first..end),
            0x100..=0xFFFF => self.fill::<u16>(references, first..end),
            _ => self.fill::<u32>(references, first..end),
        }
    }

    fn fill<C: BlockCount>(&mut self, references: &NumberedReferences, range: core::ops::Range<usize>) {
        let mut rows = C::take(&mut self.rows);
        rows.clear();
        rows.push([C::zero(); WIDTH]);
        for order in &references.lists.orders {
            for (lane, reference) in range.clone().enumerate() {
                for &ListEntry { gram, count } in order.entries(reference) {
                    let row = &mut self.row_of[gram as usize];
                    if *row == 0 {
                        *row = rows.len() as u32;
                        self.grams.push(gram);
                        rows.push([C::zero(); WIDTH]);
                    }
                    rows[*row as usize][lane] = saturated(count);
                }
            }
        }
        self.rows = C::wrap(rows);
    }

    /// Writes the clipped n-gram matches of a hypothesis with each reference of the block: `counts[n - 1]`
    /// for order `n`. `hypothesis` is the index of the hypothesis. Orders above the `max_order` of
    /// [`NumberedReferences::new`] get 0.
    ///
    /// The hypotheses must have been looked up in the references that the block was loaded from; otherwise
    /// the counts are meaningless.
    pub fn overlap(&self, hypotheses: &HypothesisNgrams, hypothesis: usize, counts: &mut [Counts]) {
        let mut orders = hypotheses.lists.orders.iter();
        for counts in counts {
            let entries = orders.next().map_or(&[][..], |order| order.entries(hypothesis));
            match &self.rows {
                BlockRows::Bytes(rows) => *counts = overlap(entries, &self.row_of, rows),
                BlockRows::Halves(rows) => *counts = overlap(entries, &self.row_of, rows),
                BlockRows::Words(rows) => *counts = overlap(entries, &self.row_of, rows),
            }
        }
    }
}

/// Returns the clipped matches `Σ min(count in the hypothesis, count in the reference)` of a hypothesis with
/// all references of the block side by side.
#[inline]
fn overlap<C: BlockCount>(entries: &[ListEntry], row_of: &[u32], rows: &[[C; WIDTH]]) -> Counts {
    let mut clipped = [C::zero(); WIDTH];
    for &ListEntry { gram, count } in entries {
        let row = row_of.get(gram as usize).and_then(|&row| rows.get(row as usize));
        let (Some(row), count) = (row, saturated::<C>(count)) else { continue };
        for (clipped, in_reference) in clipped.iter_mut().zip(row) {
            // The sum is at most the length of the reference, so it fits.
            *clipped = clipped.wrapping_add(&count.min(*in_reference));
        }
    }
    clipped.map(AsPrimitive::as_)
}
