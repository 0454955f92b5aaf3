//! Quotients of big integers, and exact sums and means of floats. Each result is rounded once, to the nearest
//! float.

use alloc::collections::BTreeMap;

use num_bigint::{BigInt, BigUint, Sign};

/// The `n` in `2^-n`, the smallest positive `f64`. Floats are summed as integer multiples of `2^-n`.
const UNITS: u64 = 1074;

/// Returns the float nearest to a quotient of big integers; ties are rounded to even.
///
/// The result is 0 if the dividend or the divisor is 0, and infinite if the quotient exceeds the largest
/// float.
///
/// ```
/// use bleuprint_math::quotient;
/// assert_eq!(quotient(&1_u8.into(), &3_u8.into()), 1.0 / 3.0);
/// assert_eq!(quotient(&7_u8.into(), &0_u8.into()), 0.0);
/// ```
#[must_use]
pub fn quotient(dividend: &BigUint, divisor: &BigUint) -> f64 {
    if *dividend == BigUint::ZERO || *divisor == BigUint::ZERO {
        return 0.0;
    }
    // The integer part of the quotient times `2^shift` has 64 or 65 bits. Below 2^-1022 it has two bits more
    // than the result, enough to round.
    let shift = (64 + divisor.bits() as i64 - dividend.bits() as i64).min(UNITS as i64 + 2);
    let raised = dividend << shift.max(0);
    let divisor = divisor << (-shift).max(0);
    let whole = &raised / &divisor;
    let inexact = &whole * divisor != raised;
    let whole = whole.iter_u64_digits().rev().fold(0_u128, |whole, digit| whole << 64 | u128::from(digit));
    let bits = i64::from(u128::BITS - whole.leading_zeros());
    let dropped = (bits - i64::from(f64::MANTISSA_DIGITS)).max(shift - UNITS as i64).max(0);
    let mantissa = whole >> dropped;
    let rest = whole & ((1 << dropped) - 1);
    let unit = 1_u128 << dropped;
    let up = 2 * rest > unit || 2 * rest == unit && (inexact || mantissa & 1 == 1);
    // All further steps are exact: the mantissa is at most 2^53.
    let mut float = (mantissa + u128::from(up)) as f64;
    let mut exponent = dropped - shift;
    // Steps of at most 2^1000, because a power of two beyond 2^1023 or below 2^-1022 is not a normal float.
    while exponent != 0 {
        let step = exponent.clamp(-1000, 1000);
        float *= f64::from_bits(((1023 + step) as u64) << 52);
        exponent -= step;
    }
    float
}

/// Returns the exact sum of floats, rounded once to the nearest float, ties to even. Returns NaN if a term is
/// not finite.
///
/// ```
/// assert_eq!(bleuprint_math::exact_sum([0.1; 10]), 1.0);
/// ```
#[must_use]
pub fn exact_sum(terms: impl IntoIterator<Item = f64>) -> f64 {
    sum_over(terms, 1)
}

/// Returns the exact mean of floats, rounded once to the nearest float, ties to even. Returns NaN for an
/// empty slice, or if a value is not finite.
///
/// ```
/// use bleuprint_math::exact_mean;
/// assert_eq!(exact_mean(&[1e16, 1.0, -1e16]), 1.0 / 3.0);
/// assert!(exact_mean(&[]).is_nan());
/// ```
#[must_use]
pub fn exact_mean(values: &[f64]) -> f64 {
    if values.is_empty() { f64::NAN } else { sum_over(values.iter().copied(), values.len() as u64) }
}

fn sum_over(terms: impl IntoIterator<Item = f64>, divisor: u64) -> f64 {
    // Mantissas are summed per exponent: an `i128` holds 2^74 of them, and each exponent needs only one big
    // number at the end.
    let mut sums = BTreeMap::<u64, i128>::new();
    for term in terms {
        if !term.is_finite() {
            return f64::NAN;
        }
        let bits = term.to_bits();
        let exponent = bits >> 52 & 0x7FF;
        let fraction = i128::from(bits & ((1 << 52) - 1));
        let mantissa = if exponent == 0 { fraction } else { fraction | 1 << 52 };
        *sums.entry(exponent.saturating_sub(1)).or_default() += if term < 0.0 { -mantissa } else { mantissa };
    }
    let lowest = sums.keys().next().copied().unwrap_or(UNITS);
    let sum: BigInt = sums.into_iter().map(|(shift, sum)| BigInt::from(sum) << (shift - lowest)).sum();
    let size = quotient(
        &(sum.magnitude() << lowest.saturating_sub(UNITS)),
        &(BigUint::from(divisor) << UNITS.saturating_sub(lowest)),
    );
    if sum.sign() == Sign::Minus { -size } else { size }
}

#[cfg(test)]
mod tests {
    use quickcheck::quickcheck;

    use super::*;

    fn of(dividend: u128, divisor: u128) -> f64 {
        quotient(&dividend.into(), &divisor.into())
    }

    quickcheck! {
        fn quotients_of_small_numbers_are_those_of_the_processor(dividend: u32, divisor: u32) -> bool {
            divisor == 0 || of(dividend.into(), divisor.into()) == f64::from(dividend) / f64::from(divisor)
        }

        fn quotients_keep_their_scale(dividend: u64, divisor: u64, raised: u16) -> bool {
            let scaled = |number: u64| BigUint::from(number) << raised;
            quotient(&scaled(dividend), &scaled(divisor)) == of(dividend.into(), divisor.into())
        }

        /// Checks that quotients are rounded correctly: at a float, midway to the next float, and slightly
        /// above and below the midpoint.
        fn floats_and_their_neighbourhoods_are_rounded_once(bits: u64) -> bool {
            let float = f64::from_bits(bits & (u64::MAX >> 1));
            let next = float.next_up();
            if !next.is_finite() {
                return true;
            }
            let units = |float: f64| {
                let exponent = float.to_bits() >> 52;
                let fraction = float.to_bits() & ((1 << 52) - 1);
                BigUint::from(if exponent == 0 { fraction } else { fraction | 1 << 52 }) << exponent.saturating_sub(1)
            };
            let of_units = |units: &BigUint| quotient(units, &(BigUint::from(1_u8) << (UNITS + 70)));
            let middle = (units(float) + units(next)) << 69;
            let even = if float.to_bits() & 1 == 0 { float } else { next };
            of_units(&(units(float) << 70)) == float
                && of_units(&middle) == even
                && of_units(&(&middle + 1_u8)) == next
                && of_units(&(middle - 1_u8)) == float
        }

        fn the_mean_of_small_integers_is_their_quotient(values: Vec<i32>) -> bool {
            let sum: i64 = values.iter().map(|&value| i64::from(value)).sum();
            let mean = sum_over(values.iter().map(|&value| f64::from(value)), values.len() as u64);
            values.is_empty() || mean == sum as f64 / values.len() as f64
        }

        fn the_mean_of_equal_floats_is_the_float(value: f64, count: u8) -> bool {
            let count = usize::from(count) + 1;
            !value.is_finite() || sum_over(vec![value; count], count as u64) == value
        }

        fn the_order_of_terms_does_not_matter(terms: Vec<i16>, scales: Vec<u8>) -> bool {
            let scaled = terms.iter().zip(&scales).map(|(t, s)| f64::from(*t) * 2f64.powi(i32::from(*s) - 128));
            sum_over(scaled.clone(), 1) == sum_over(scaled.rev(), 1)
        }
    }

    #[test]
    fn ends_of_the_range_are_quotients_too() {
        assert_eq!(of(1, u128::MAX), f64::from_bits((1023 - 128) << 52));
        assert_eq!(of(u128::MAX, 1), u128::MAX as f64);
        assert_eq!(quotient(&(BigUint::from(1_u8) << 1024_u32), &1_u8.into()), f64::INFINITY);
        assert_eq!(quotient(&1_u8.into(), &(BigUint::from(1_u8) << 1200_u32)), 0.0);
    }

    #[test]
    fn sums_are_rounded_once() {
        let half = f64::EPSILON / 2.0;
        for (terms, divisor, expected) in [
            (&[][..], 1, 0.0),
            (&[1.0, half], 1, 1.0),
            (&[1.0, half, 1e-300], 1, 1.0 + f64::EPSILON),
            (&[1.0, half, -1e-300], 1, 1.0),
            (&[f64::MAX, f64::MAX], 2, f64::MAX),
            (&[5e-324, 0.0], 2, 0.0),
            (&[1.5e-323, 0.0], 2, 1e-323),
            (&[-1.0, 0.25], 2, -0.375),
        ] {
            assert_eq!(sum_over(terms.iter().copied(), divisor), expected, "{terms:?}");
        }
        assert!(sum_over([f64::INFINITY], 1).is_nan());
    }
}
