//! A block of references as rows of counts; hypotheses are counted against it.

use super::lists::{Entry, Hypotheses, References};
use super::{Counts, WIDTH};
use alloc::vec::Vec;
use num_traits::{AsPrimitive, PrimInt, WrappingAdd};

/// A block of references, ready for counting; the next block reuses the memory.
///
/// Memory: a row of 64 to 256 bytes per n-gram of the block, and 4 bytes per n-gram of all references.
#[derive(Debug, Clone, Default)]
pub struct Block {
    /// By number, the row of an n-gram; 0, a row of zeros, for n-grams absent from the block.
    row_of: Vec<u32>,
    /// The n-grams of the block, in the order of their rows from 1.
    grams: Vec<u32>,
    rows: Rows,
}

#[derive(Debug, Clone)]
enum Rows {
    Bytes(Vec<[u8; WIDTH]>),
    Halves(Vec<[u16; WIDTH]>),
    Words(Vec<[u32; WIDTH]>),
}

impl Default for Rows {
    fn default() -> Self {
        Rows::Bytes(Vec::new())
    }
}

/// An integer wide enough for any count of a block, and the variant of [`Rows`] that holds it.
trait Count: PrimInt + WrappingAdd + AsPrimitive<u32> {
    /// The memory of the rows, for reuse, if they are of this type.
    fn take(rows: &mut Rows) -> Vec<[Self; WIDTH]>;
    fn wrap(rows: Vec<[Self; WIDTH]>) -> Rows;
}

macro_rules! count {
    ($($integer:ty => $rows:ident),*) => {$(
        impl Count for $integer {
            fn take(rows: &mut Rows) -> Vec<[Self; WIDTH]> {
                if let Rows::$rows(rows) = rows { core::mem::take(rows) } else { Vec::new() }
            }
            fn wrap(rows: Vec<[Self; WIDTH]>) -> Rows {
                Rows::$rows(rows)
            }
        }
    )*};
}

count!(u8 => Bytes, u16 => Halves, u32 => Words);

/// The count, saturated: clipping against counts that fit gives the same result.
#[inline(always)]
fn saturated<C: Count>(count: u32) -> C {
    C::from(count).unwrap_or_else(C::max_value)
}

impl Block {
    /// Loads block `number` of the references: [`WIDTH`] of them, or the remaining ones.
    ///
    /// Time `O(n-grams of the block)`.
    pub fn load(&mut self, references: &References, number: usize) {
        for &gram in &self.grams {
            self.row_of[gram as usize] = 0;
        }
        self.grams.clear();
        self.row_of.resize(references.distinct(), 0);
        let lengths = references.lengths();
        let first = number.saturating_mul(WIDTH).min(lengths.len());
        let end = lengths.len().min(first + WIDTH);
        match lengths[first..end].iter().copied().max().unwrap_or(0) {
            0..=0xFF => self.fill::<u8>(references, first..end),
            0x100..=0xFFFF => self.fill::<u16>(references, first..end),
            _ => self.fill::<u32>(references, first..end),
        }
    }

    fn fill<C: Count>(&mut self, references: &References, range: core::ops::Range<usize>) {
        let mut rows = C::take(&mut self.rows);
        rows.clear();
        rows.push([C::zero(); WIDTH]);
        for order in &references.lists.orders {
            for (lane, reference) in range.clone().enumerate() {
                for &Entry { gram, count } in order.of(reference) {
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

    /// The clipped matches of hypothesis `hypothesis` with each reference of the block, for each order; 0 for orders
    /// not numbered.
    ///
    /// The hypotheses must have been looked up in the references that the block was loaded from; the counts mean
    /// nothing otherwise.
    pub fn overlap(&self, hypotheses: &Hypotheses, hypothesis: usize, counts: &mut [Counts]) {
        let mut orders = hypotheses.lists.orders.iter();
        for counts in counts {
            let entries = orders.next().map_or(&[][..], |order| order.of(hypothesis));
            match &self.rows {
                Rows::Bytes(rows) => *counts = overlap(entries, &self.row_of, rows),
                Rows::Halves(rows) => *counts = overlap(entries, &self.row_of, rows),
                Rows::Words(rows) => *counts = overlap(entries, &self.row_of, rows),
            }
        }
    }
}

/// `Σ min(count in the hypothesis, count in the reference)`, for all references of the block side by side.
#[inline]
fn overlap<C: Count>(entries: &[Entry], row_of: &[u32], rows: &[[C; WIDTH]]) -> Counts {
    let mut clipped = [C::zero(); WIDTH];
    for &Entry { gram, count } in entries {
        let row = row_of.get(gram as usize).and_then(|&row| rows.get(row as usize));
        let (Some(row), count) = (row, saturated::<C>(count)) else { continue };
        for (clipped, in_reference) in clipped.iter_mut().zip(row) {
            // At most the length of the reference, so the sum fits.
            *clipped = clipped.wrapping_add(&count.min(*in_reference));
        }
    }
    clipped.map(AsPrimitive::as_)
}
