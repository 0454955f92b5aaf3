//! Exact fractions that turn into floats where the program's do: what NLTK's methods 5 to 7 compute with.
//!
//! Fractions are kept in lowest terms in 128 bits, and every step is checked: what does not fit is `None`. For four
//! orders that is far beyond the length of any sentence.

/// A fraction of natural numbers, in lowest terms.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Ratio {
    numerator: u128,
    denominator: u128,
}

impl Ratio {
    /// `numerator / denominator`; `None` if the denominator is 0.
    pub(super) fn new(numerator: u128, denominator: u128) -> Option<Ratio> {
        let divisor = gcd(numerator, denominator);
        if denominator == 0 {
            return None;
        }
        Some(Ratio { numerator: numerator / divisor, denominator: denominator / divisor })
    }

    pub(super) fn is_zero(self) -> bool {
        self.numerator == 0
    }

    pub(super) fn add(self, other: Ratio) -> Option<Ratio> {
        let divisor = gcd(self.denominator, other.denominator);
        let left = self.numerator.checked_mul(other.denominator / divisor)?;
        let right = other.numerator.checked_mul(self.denominator / divisor)?;
        let denominator = self.denominator.checked_mul(other.denominator / divisor)?;
        Ratio::new(left.checked_add(right)?, denominator)
    }

    pub(super) fn multiply(self, other: Ratio) -> Option<Ratio> {
        // Crosswise in lowest terms first, so that the products stay small.
        let left = Ratio::new(self.numerator, other.denominator)?;
        let right = Ratio::new(other.numerator, self.denominator)?;
        let numerator = left.numerator.checked_mul(right.numerator)?;
        Ratio::new(numerator, left.denominator.checked_mul(right.denominator)?)
    }

    /// `self / other`; `None` also where `other` is 0.
    pub(super) fn divide(self, other: Ratio) -> Option<Ratio> {
        if other.is_zero() {
            return None;
        }
        self.multiply(Ratio { numerator: other.denominator, denominator: other.numerator })
    }

    /// The nearest float, ties to even; `None` where the long division does not fit.
    pub(super) fn to_f64(self) -> Option<f64> {
        const BITS: u32 = f64::MANTISSA_DIGITS;
        if self.is_zero() {
            return Some(0.0);
        }
        let (mut quotient, mut rest) = (self.numerator / self.denominator, self.numerator % self.denominator);
        // Binary digits of the quotient until it has two more than a float keeps, the last one sticky.
        let mut scale = 0i32;
        while quotient >> (BITS + 1) == 0 {
            rest = rest.checked_mul(2)?;
            quotient = quotient * 2 + u128::from(rest >= self.denominator);
            rest %= self.denominator;
            scale -= 1;
        }
        quotient |= u128::from(rest > 0);
        // The conversion rounds once, ties to even; the power of two is exact: a fraction of 128-bit numbers is
        // far from the ends of the range.
        Some(quotient as f64 * 2f64.powi(scale))
    }
}

fn gcd(mut a: u128, mut b: u128) -> u128 {
    while b > 0 {
        (a, b) = (b, a % b);
    }
    a.max(1)
}

/// A fraction, or a float once a float has entered: the arithmetic of Python's mixed sums.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Number {
    Exact(Ratio),
    Float(f64),
}

impl Number {
    pub(super) fn to_f64(self) -> Option<f64> {
        match self {
            Number::Exact(ratio) => ratio.to_f64(),
            Number::Float(value) => Some(value),
        }
    }

    pub(super) fn add(self, other: Number) -> Option<Number> {
        match (self, other) {
            (Number::Exact(left), Number::Exact(right)) => left.add(right).map(Number::Exact),
            _ => Some(Number::Float(self.to_f64()? + other.to_f64()?)),
        }
    }

    /// Divides by a whole number above 0.
    pub(super) fn divide_by(self, divisor: u32) -> Option<Number> {
        match self {
            Number::Exact(ratio) => ratio.divide(Ratio::new(divisor.into(), 1)?).map(Number::Exact),
            Number::Float(value) => Some(Number::Float(value / f64::from(divisor))),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use quickcheck::quickcheck;

    quickcheck! {
        fn a_fraction_of_small_numbers_rounds_as_division_does(numerator: u32, denominator: u32) -> bool {
            let Some(ratio) = Ratio::new(numerator.into(), denominator.into()) else { return denominator == 0 };
            ratio.to_f64() == Some(f64::from(numerator) / f64::from(denominator))
        }

        fn dividing_undoes_multiplying(a: (u32, u32), b: (u32, u32)) -> bool {
            let ratio = |(n, d): (u32, u32)| Ratio::new(n.into(), d.into());
            let (Some(a), Some(b)) = (ratio(a), ratio(b)) else { return true };
            b.is_zero() || a.multiply(b).and_then(|product| product.divide(b)) == Some(a)
        }
    }

    #[test]
    fn rounding_is_to_even_and_only_once() {
        let ratio = |n, d| Ratio::new(n, d).and_then(Ratio::to_f64);
        let one = 1u128 << 53;
        assert_eq!(ratio(one + 1, 1), Some(one as f64));
        assert_eq!(ratio(one + 3, 1), Some((one + 4) as f64));
        assert_eq!(ratio((one + 1) * 3 + 1, 3), Some((one + 2) as f64));
        assert_eq!(ratio(u128::MAX, 1), Some(2f64.powi(128)));
    }

    #[test]
    fn what_does_not_fit_is_no_number() {
        let huge = Ratio::new(u128::MAX, 2).unwrap();
        assert_eq!(huge.add(huge), None);
        assert_eq!(huge.multiply(huge), None);
        assert_eq!(Ratio::new(1, 0), None);
        assert_eq!(huge.divide(Ratio::new(0, 1).unwrap()), None);
    }
}
