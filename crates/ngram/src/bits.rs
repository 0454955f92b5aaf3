//! Rows of bits of a fixed width, 64 to 256, with the few operations that the mask path needs.

use core::hint::select_unpredictable;

/// `64 * W` bits; bit 0 is the lowest of the first word.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Bits<const W: usize>([u64; W]);

impl<const W: usize> Default for Bits<W> {
    fn default() -> Self {
        Self::ZERO
    }
}

impl<const W: usize> Bits<W> {
    pub(crate) const ZERO: Self = Bits([0; W]);

    /// How many bits there are.
    pub(crate) const WIDTH: usize = 64 * W;

    /// The one bit at `position`, which must be below the width.
    #[inline]
    pub(crate) fn one(position: usize) -> Self {
        let mut bits = Self::ZERO;
        bits.0[position / 64 % W] = 1 << (position % 64);
        bits
    }

    /// Every bit one place up; the highest falls out.
    #[inline]
    pub(crate) fn up(self) -> Self {
        let mut bits = self;
        for word in (1..W).rev() {
            bits.0[word] = self.0[word] << 1 | self.0[word - 1] >> 63;
        }
        bits.0[0] = self.0[0] << 1;
        bits
    }

    #[inline]
    pub(crate) fn and(self, other: Self) -> Self {
        self.with(other, |a, b| a & b)
    }

    #[inline]
    pub(crate) fn or(self, other: Self) -> Self {
        self.with(other, |a, b| a | b)
    }

    #[inline]
    pub(crate) fn and_not(self, other: Self) -> Self {
        self.with(other, |a, b| a & !b)
    }

    /// The difference as numbers, without the final borrow.
    #[inline]
    pub(crate) fn minus(self, other: Self) -> Self {
        let (mut bits, mut borrow) = (self, false);
        for word in 0..W {
            let (first, one) = self.0[word].overflowing_sub(other.0[word]);
            let (second, two) = first.overflowing_sub(borrow.into());
            (bits.0[word], borrow) = (second, one | two);
        }
        bits
    }

    /// Itself where `keep`, else nothing, and never by a branch: callers cannot foretell it either.
    #[inline]
    pub(crate) fn only_if(self, keep: bool) -> Self {
        Bits(self.0.map(|word| select_unpredictable(keep, word, 0)))
    }

    #[inline]
    pub(crate) fn any(self) -> bool {
        self.0.iter().fold(0, |any, word| any | word) != 0
    }

    #[inline]
    pub(crate) fn count(self) -> u64 {
        self.0.iter().map(|word| u64::from(word.count_ones())).sum()
    }

    #[inline]
    fn with(self, other: Self, combine: impl Fn(u64, u64) -> u64) -> Self {
        let mut bits = self;
        for word in 0..W {
            bits.0[word] = combine(self.0[word], other.0[word]);
        }
        bits
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn carries_and_borrows_cross_the_words() {
        let low = Bits::<4>::one(0);
        let mut walking = low;
        for position in 0..256 {
            assert_eq!(walking, Bits::one(position));
            // A power of two less one is as many ones as its exponent.
            assert_eq!(walking.minus(low).count(), position as u64);
            walking = walking.up();
        }
        assert!(!walking.any());
        assert_eq!(Bits::<4>::ZERO.minus(low).count(), 256);
    }
}
