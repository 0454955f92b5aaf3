//! Exact fractions that turn into floats where the program's do, for NLTK's methods 5 to 7.
//!
//! Fractions are not reduced: their value is what counts. They are given up as `None` once they are longer than
//! [`MAX_BITS`], which takes more than ten orders.

use super::natural::Natural;

const MAX_BITS: u64 = 1 << 17;

/// A fraction of natural numbers, not reduced.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Ratio {
    numerator: Natural,
    denominator: Natural,
}

impl Ratio {
    pub(super) fn new(numerator: u64, denominator: u64) -> Option<Ratio> {
        Ratio::checked(numerator.into(), denominator.into())
    }

    fn checked(numerator: Natural, denominator: Natural) -> Option<Ratio> {
        let fits = !denominator.is_zero() && numerator.bits() <= MAX_BITS && denominator.bits() <= MAX_BITS;
        fits.then_some(Ratio { numerator, denominator })
    }

    pub(super) fn add(&self, other: &Ratio) -> Option<Ratio> {
        let left = self.numerator.multiply(&other.denominator);
        let right = other.numerator.multiply(&self.denominator);
        Ratio::checked(left.add(&right), self.denominator.multiply(&other.denominator))
    }

    pub(super) fn multiply(&self, other: &Ratio) -> Option<Ratio> {
        Ratio::checked(
            self.numerator.multiply(&other.numerator),
            self.denominator.multiply(&other.denominator),
        )
    }

    pub(super) fn divide(&self, other: &Ratio) -> Option<Ratio> {
        Ratio::checked(
            self.numerator.multiply(&other.denominator),
            self.denominator.multiply(&other.numerator),
        )
    }

    /// The nearest float, ties to even.
    pub(super) fn to_f64(&self) -> f64 {
        /// Two digits more than a float keeps, the last one sticky, and one for the quotient that starts with 0.
        const DIGITS: u64 = f64::MANTISSA_DIGITS as u64 + 3;
        if self.numerator.is_zero() {
            return 0.0;
        }
        // Both get as many digits as the longer one has: the quotient then is above 1/2 and below 2.
        let (above, below) = (self.numerator.bits(), self.denominator.bits());
        let mut rest = Natural::power_of_two(below.saturating_sub(above)).multiply(&self.numerator);
        let divisor = Natural::power_of_two(above.saturating_sub(below)).multiply(&self.denominator);
        let mut quotient = 0_u64;
        for _ in 0..DIGITS {
            quotient <<= 1;
            if let Some(less) = rest.subtract(&divisor) {
                (rest, quotient) = (less, quotient | 1);
            }
            rest = rest.add(&rest);
        }
        // The conversion rounds, once and to even; the power of two is exact, as precisions are far from the ends
        // of the range.
        let rounded = (quotient | u64::from(!rest.is_zero())) as f64;
        rounded * 2f64.powi(above as i32 - (below + DIGITS - 1) as i32)
    }
}

/// A fraction, or a float once a float has entered: the arithmetic of Python's mixed sums.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Number {
    Exact(Ratio),
    Float(f64),
}

impl Number {
    pub(super) fn to_f64(&self) -> f64 {
        match self {
            Number::Exact(ratio) => ratio.to_f64(),
            Number::Float(value) => *value,
        }
    }

    pub(super) fn add(&self, other: &Number) -> Option<Number> {
        match (self, other) {
            (Number::Exact(left), Number::Exact(right)) => left.add(right).map(Number::Exact),
            _ => Some(Number::Float(self.to_f64() + other.to_f64())),
        }
    }

    pub(super) fn divide_by(&self, divisor: u32) -> Option<Number> {
        match self {
            Number::Exact(ratio) => ratio.multiply(&Ratio::new(1, divisor.into())?).map(Number::Exact),
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
            ratio.to_f64() == f64::from(numerator) / f64::from(denominator)
        }

        fn dividing_undoes_multiplying(a: (u32, u32), b: (u32, u32)) -> bool {
            let ratio = |(n, d): (u32, u32)| Ratio::new(n.into(), d.into());
            let (Some(a), Some(b)) = (ratio(a), ratio(b)) else { return true };
            let there_and_back = a.multiply(&b).and_then(|product| product.divide(&b));
            there_and_back.map_or(b.to_f64() == 0.0, |back| back.to_f64() == a.to_f64())
        }
    }

    #[test]
    fn rounding_is_to_even_and_only_once() {
        let ratio = |n, d| Ratio::new(n, d).map(|ratio| ratio.to_f64());
        let one = 1u64 << 53;
        assert_eq!(ratio(one + 1, 1), Some(one as f64));
        assert_eq!(ratio(one + 3, 1), Some((one + 4) as f64));
        assert_eq!(ratio((one + 1) * 3 + 1, 3), Some((one + 2) as f64));
        assert_eq!(ratio(u64::MAX, 1), Some(2f64.powi(64)));
        assert_eq!(ratio(1, u64::MAX), Some(2f64.powi(-64)));
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
