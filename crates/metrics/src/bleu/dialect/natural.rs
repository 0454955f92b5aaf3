//! [`Natural`]: whole numbers of any length, with the few operations that exact fractions need.

use std::cmp::Ordering;

/// A whole number: digits of 32 bits, the lowest first, the last one not 0.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Natural(Vec<u32>);

impl Natural {
    fn of(mut digits: Vec<u32>) -> Self {
        while digits.last() == Some(&0) {
            digits.pop();
        }
        Natural(digits)
    }

    pub(super) fn power_of_two(exponent: u64) -> Self {
        let mut digits = vec![0; (exponent / 32) as usize];
        digits.push(1 << (exponent % 32));
        Natural(digits)
    }

    pub(super) fn is_zero(&self) -> bool {
        self.0.is_empty()
    }

    pub(super) fn bits(&self) -> u64 {
        self.0.last().map_or(0, |last| 32 * self.0.len() as u64 - u64::from(last.leading_zeros()))
    }

    pub(super) fn add(&self, other: &Natural) -> Natural {
        let (long, short) = if self.0.len() < other.0.len() { (other, self) } else { (self, other) };
        let mut carry = 0;
        let add = |(&left, &right): (&u32, &u32)| {
            carry += u64::from(left) + u64::from(right);
            let digit = carry as u32;
            carry >>= 32;
            digit
        };
        let mut digits: Vec<u32> =
            long.0.iter().zip(short.0.iter().chain(std::iter::repeat(&0))).map(add).collect();
        digits.push(carry as u32);
        Natural::of(digits)
    }

    pub(super) fn multiply(&self, other: &Natural) -> Natural {
        let mut digits = vec![0; self.0.len() + other.0.len()];
        for (at, &left) in self.0.iter().enumerate() {
            let mut carry = 0;
            for (digit, &right) in digits[at..].iter_mut().zip(other.0.iter().chain([&0])) {
                carry += u64::from(left) * u64::from(right) + u64::from(*digit);
                *digit = carry as u32;
                carry >>= 32;
            }
        }
        Natural::of(digits)
    }

    pub(super) fn subtract(&self, other: &Natural) -> Option<Natural> {
        let longer = self.0.len().cmp(&other.0.len());
        if longer.then_with(|| self.0.iter().rev().cmp(other.0.iter().rev())) == Ordering::Less {
            return None;
        }
        let mut borrow = false;
        let subtract = |(&left, &right): (&u32, &u32)| {
            let (digit, first) = left.overflowing_sub(right);
            let (digit, second) = digit.overflowing_sub(u32::from(borrow));
            borrow = first | second;
            digit
        };
        Some(Natural::of(
            self.0.iter().zip(other.0.iter().chain(std::iter::repeat(&0))).map(subtract).collect(),
        ))
    }
}

impl From<u64> for Natural {
    fn from(value: u64) -> Self {
        Natural::of(vec![value as u32, (value >> 32) as u32])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use num_bigint::BigUint;
    use quickcheck::quickcheck;

    fn natural(digits: &[u8]) -> Natural {
        Natural::of(
            digits
                .iter()
                .map(|&digit| [0, 1, u32::MAX, u32::from(digit) << 24 | 7][digit as usize % 4])
                .collect(),
        )
    }

    fn big(natural: &Natural) -> BigUint {
        BigUint::new(natural.0.clone())
    }

    quickcheck! {
        fn sums_and_products_are_those_of_a_proven_library(left: Vec<u8>, right: Vec<u8>) -> bool {
            let (left, right) = (natural(&left), natural(&right));
            big(&left.add(&right)) == big(&left) + big(&right)
                && big(&left.multiply(&right)) == big(&left) * big(&right)
                && (left.bits(), left.is_zero()) == (big(&left).bits(), big(&left) == BigUint::ZERO)
        }

        fn differences_are_those_of_a_proven_library(left: Vec<u8>, right: Vec<u8>) -> bool {
            let (left, right) = (natural(&left), natural(&right));
            let expected = (big(&left) >= big(&right)).then(|| big(&left) - big(&right));
            left.subtract(&right).as_ref().map(big) == expected
                && left.add(&right).subtract(&right).as_ref() == Some(&left)
        }

        fn small_numbers_are_kept(value: u64, exponent: u8) -> bool {
            big(&value.into()) == BigUint::from(value)
                && big(&Natural::power_of_two(exponent.into())) == BigUint::from(1_u8) << exponent
        }
    }
}
