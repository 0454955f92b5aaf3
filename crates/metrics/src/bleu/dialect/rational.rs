//! Exact fractions for NLTK's BLEU smoothing methods 5 to 7. They are converted to floats at the step at
//! which NLTK converts its fractions.
//!
//! Fractions are not reduced, because only their value matters. Operations return `None` once a fraction is
//! longer than [`MAX_BITS`], which takes more than ten orders.

use bleuprint_math::quotient;
use num_bigint::BigUint;

// Each order of method 6 about doubles the length of an unreduced fraction, so some bound must stop it.
const MAX_BITS: u64 = 1 << 17;

/// Fraction of natural numbers, not reduced.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Ratio {
    numerator: BigUint,
    denominator: BigUint,
}

impl Ratio {
    pub(super) fn new(numerator: u64, denominator: u64) -> Option<Ratio> {
        Ratio::checked(numerator.into(), denominator.into())
    }

    fn checked(numerator: BigUint, denominator: BigUint) -> Option<Ratio> {
        let fits = numerator.bits() <= MAX_BITS && (1..=MAX_BITS).contains(&denominator.bits());
        fits.then_some(Ratio { numerator, denominator })
    }

    pub(super) fn add(&self, other: &Ratio) -> Option<Ratio> {
        let sum = &self.numerator * &other.denominator + &other.numerator * &self.denominator;
        Ratio::checked(sum, &self.denominator * &other.denominator)
    }

    pub(super) fn multiply(&self, other: &Ratio) -> Option<Ratio> {
        Ratio::checked(&self.numerator * &other.numerator, &self.denominator * &other.denominator)
    }

    pub(super) fn divide(&self, other: &Ratio) -> Option<Ratio> {
        Ratio::checked(&self.numerator * &other.denominator, &self.denominator * &other.numerator)
    }

    pub(super) fn to_f64(&self) -> f64 {
        quotient(&self.numerator, &self.denominator)
    }
}

/// Precision as an exact fraction, or as a float if an operand was a float, by the rule of Python's mixed
/// arithmetic.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum RationalNumber {
    Exact(Ratio),
    Float(f64),
}

impl RationalNumber {
    pub(super) fn to_f64(&self) -> f64 {
        match self {
            RationalNumber::Exact(ratio) => ratio.to_f64(),
            RationalNumber::Float(value) => *value,
        }
    }

    pub(super) fn add(&self, other: &RationalNumber) -> Option<RationalNumber> {
        match (self, other) {
            (RationalNumber::Exact(left), RationalNumber::Exact(right)) => {
                left.add(right).map(RationalNumber::Exact)
            }
            _ => Some(RationalNumber::Float(self.to_f64() + other.to_f64())),
        }
    }

    pub(super) fn divide_by(&self, divisor: u32) -> Option<RationalNumber> {
        match self {
            RationalNumber::Exact(ratio) => {
                ratio.multiply(&Ratio::new(1, divisor.into())?).map(RationalNumber::Exact)
            }
            RationalNumber::Float(value) => Some(RationalNumber::Float(value / f64::from(divisor))),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use quickcheck::quickcheck;

    quickcheck! {
        fn dividing_undoes_multiplying(a: (u32, u32), b: (u32, u32)) -> bool {
            let ratio = |(n, d): (u32, u32)| Ratio::new(n.into(), d.into());
            let (Some(a), Some(b)) = (ratio(a), ratio(b)) else { return true };
            let there_and_back = a.multiply(&b).and_then(|product| product.divide(&b));
            there_and_back.map_or(b.to_f64() == 0.0, |back| back.to_f64() == a.to_f64())
        }
    }

    #[test]
    fn what_is_too_long_is_no_number() {
        let mut ratio = Ratio::new(u64::MAX, 3).unwrap();
        let mut squarings = 0;
        while let Some(square) = ratio.multiply(&ratio) {
            (ratio, squarings) = (square, squarings + 1);
        }
        assert_eq!(squarings, 11);
        assert_eq!(Ratio::new(1, 0), None);
        assert_eq!(ratio.divide(&Ratio::new(0, 1).unwrap()), None);
    }
}
