//! Natural numbers of any length, as far as exact fractions need them.

use core::cmp::Ordering;

/// Limbs of 32 bits, the lowest first, without zeros at the top: 0 has none.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Natural {
    limbs: Vec<u32>,
}

/// Bits per limb.
const BITS: usize = u32::BITS as usize;

impl From<u64> for Natural {
    fn from(value: u64) -> Self {
        Natural::trimmed(vec![value as u32, (value >> BITS) as u32])
    }
}

impl Natural {
    fn trimmed(mut limbs: Vec<u32>) -> Self {
        while limbs.last() == Some(&0) {
            limbs.pop();
        }
        Natural { limbs }
    }

    pub(super) fn is_zero(&self) -> bool {
        self.limbs.is_empty()
    }

    /// How many binary digits; 0 for 0.
    pub(super) fn bits(&self) -> usize {
        self.limbs.last().map_or(0, |top| self.limbs.len() * BITS - top.leading_zeros() as usize)
    }

    pub(super) fn add(&self, other: &Natural) -> Natural {
        let mut carry = 0u64;
        let longer = self.limbs.len().max(other.limbs.len());
        let limbs = (0..=longer).map(|index| {
            let sum = carry + self.limb(index) + other.limb(index);
            carry = sum >> BITS;
            sum as u32
        });
        Natural::trimmed(limbs.collect())
    }

    pub(super) fn multiply(&self, other: &Natural) -> Natural {
        let mut limbs = vec![0u32; self.limbs.len() + other.limbs.len()];
        for (start, &left) in self.limbs.iter().enumerate() {
            let mut carry = 0u64;
            for (limb, right) in limbs[start..].iter_mut().zip(other.limbs.iter().chain([&0])) {
                let sum = u64::from(left) * u64::from(*right) + u64::from(*limb) + carry;
                *limb = sum as u32;
                carry = sum >> BITS;
            }
        }
        Natural::trimmed(limbs)
    }

    /// `self · 2^count`.
    pub(super) fn shifted(&self, count: usize) -> Natural {
        let (whole, part) = (count / BITS, count % BITS);
        let mut limbs = vec![0u32; whole];
        let mut carry = 0u64;
        for &limb in self.limbs.iter().chain([&0]) {
            let shifted = u64::from(limb) << part | carry;
            limbs.push(shifted as u32);
            carry = shifted >> BITS;
        }
        Natural::trimmed(limbs)
    }

    /// `self / 2`, rounded down.
    fn halved(&self) -> Natural {
        let above = self.limbs.iter().skip(1).chain([&0]);
        Natural::trimmed(
            self.limbs.iter().zip(above).map(|(limb, above)| limb >> 1 | above << (BITS - 1)).collect(),
        )
    }

    /// `self − other` where that is not negative.
    fn subtract(&self, other: &Natural) -> Option<Natural> {
        if self.compare(other) == Ordering::Less {
            return None;
        }
        let mut borrow = 0u64;
        let limbs = (0..self.limbs.len()).map(|index| {
            let difference = self.limb(index).wrapping_sub(other.limb(index) + borrow);
            borrow = difference >> (u64::BITS - 1);
            difference as u32
        });
        Some(Natural::trimmed(limbs.collect()))
    }

    fn compare(&self, other: &Natural) -> Ordering {
        let by_length = self.limbs.len().cmp(&other.limbs.len());
        by_length.then_with(|| self.limbs.iter().rev().cmp(other.limbs.iter().rev()))
    }

    fn limb(&self, index: usize) -> u64 {
        self.limbs.get(index).copied().unwrap_or(0).into()
    }

    /// The lowest `digits` (at most 64) binary digits of `self / divisor`, and whether something remains. The
    /// quotient must not have more digits.
    pub(super) fn divided(&self, divisor: &Natural, digits: usize) -> (u64, bool) {
        let (mut rest, mut part, mut quotient) = (self.clone(), divisor.shifted(digits), 0);
        for _ in 0..digits {
            part = part.halved();
            quotient <<= 1;
            if let Some(less) = rest.subtract(&part) {
                rest = less;
                quotient |= 1;
            }
        }
        (quotient, !rest.is_zero())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use quickcheck::quickcheck;

    fn natural(value: u128) -> Natural {
        Natural::from(value as u64).add(&Natural::from((value >> 64) as u64).shifted(64))
    }

    quickcheck! {
        fn arithmetic_is_that_of_u128(a: u64, b: u64, shift: u8) -> bool {
            let (wide_a, wide_b, shift) = (u128::from(a), u128::from(b), usize::from(shift % 64));
            let (small_a, small_b) = (Natural::from(a), Natural::from(b));
            small_a.add(&small_b) == natural(wide_a + wide_b)
                && small_a.multiply(&small_b) == natural(wide_a * wide_b)
                && small_a.shifted(shift) == natural(wide_a << shift)
                && small_a.halved() == natural(wide_a / 2)
                && small_a.bits() == 64 - a.leading_zeros() as usize
                && small_a.subtract(&small_b) == a.checked_sub(b).map(Natural::from)
        }

        fn division_is_that_of_u64(a: u64, b: u32) -> bool {
            let b = u64::from(b).max(1);
            Natural::from(a).divided(&Natural::from(b), 64) == (a / b, !a.is_multiple_of(b))
        }

        fn products_are_subtracted_away(a: Vec<u64>, b: u64) -> bool {
            let long = a.iter().fold(Natural::from(1), |product, &factor| product.multiply(&Natural::from(factor)));
            let sum = long.add(&Natural::from(b));
            sum.subtract(&long) == Some(Natural::from(b)) && sum.bits() >= long.bits()
        }
    }
}
