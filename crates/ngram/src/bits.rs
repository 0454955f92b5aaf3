//! What the mask path asks of a row of bits: `u64` for 64 positions, `u128` for 128.

use core::hint::select_unpredictable;
use core::ops::{BitAnd, BitOr, Not};

/// An unsigned integer taken as a set of positions.
pub(crate) trait Bits:
    Copy + Default + Eq + BitAnd<Output = Self> + BitOr<Output = Self> + Not<Output = Self>
{
    /// How many positions there are.
    const WIDTH: usize;

    /// The one bit at `position`, which is below the width.
    fn one(position: usize) -> Self;

    /// Every position one up; the highest falls out.
    fn up(self) -> Self;

    /// The difference as numbers, without the final borrow.
    fn minus(self, other: Self) -> Self;

    /// How many positions are in the set.
    fn count(self) -> u64;

    /// Itself where `keep`, else nothing, and never by a branch: the processor could not foretell it.
    fn only_if(self, keep: bool) -> Self;
}

macro_rules! bits {
    ($($integer:ty),*) => {$(
        impl Bits for $integer {
            const WIDTH: usize = <$integer>::BITS as usize;

            #[inline]
            fn one(position: usize) -> Self {
                <$integer>::wrapping_shl(1, position as u32)
            }

            #[inline]
            fn up(self) -> Self {
                self << 1
            }

            #[inline]
            fn minus(self, other: Self) -> Self {
                self.wrapping_sub(other)
            }

            #[inline]
            fn count(self) -> u64 {
                self.count_ones().into()
            }

            #[inline]
            fn only_if(self, keep: bool) -> Self {
                select_unpredictable(keep, self, 0)
            }
        }
    )*};
}

bits!(u64, u128);
