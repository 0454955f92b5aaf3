//! Means and order statistics of resampled scores, as sacreBLEU's two ways of computing them give them.

use core::ops::Add;

/// NumPy's `sum` over contiguous floats: eight accumulators in blocks of 128, halves above.
pub(crate) fn pairwise_sum<T: Copy + Default + Add<Output = T>>(values: &[T]) -> T {
    const BLOCK: usize = 128;
    match values.len() {
        0..8 => values.iter().fold(T::default(), |sum, &value| sum + value),
        8..=BLOCK => {
            let (eights, rest) = values.as_chunks::<8>();
            let mut sums = eights.first().copied().unwrap_or_default();
            for eight in &eights[1..] {
                for (sum, &value) in sums.iter_mut().zip(eight) {
                    *sum = *sum + value;
                }
            }
            let [a, b, c, d, e, f, g, h] = sums;
            rest.iter().fold(((a + b) + (c + d)) + ((e + f) + (g + h)), |sum, &value| sum + value)
        }
        many => {
            let half = many / 2;
            let (left, right) = values.split_at(half - half % 8);
            pairwise_sum(left) + pairwise_sum(right)
        }
    }
}

/// The mean of finite numbers, rounded once: the exact rational mean to the nearest `f64`, ties to even. NaN if one
/// is not finite or there are none.
///
/// ```
/// use bleuprint_inference::exact_mean;
/// assert_eq!(exact_mean(&[1e16, 1.0, -1e16]), 1.0 / 3.0);
/// ```
pub fn exact_mean(values: &[f64]) -> f64 {
    if values.is_empty() || values.iter().any(|value| !value.is_finite()) {
        return f64::NAN;
    }
    let (mut above, mut below) = (FixedPoint::default(), FixedPoint::default());
    for &value in values {
        if value < 0.0 { below.add(value) } else { above.add(value) }
    }
    let count = values.len() as u64;
    match above.subtract(&below) {
        Some(sum) => sum.divided(count),
        None => -below.subtract(&above).unwrap_or_default().divided(count),
    }
}

/// A non-negative number in units of 2⁻¹⁰⁷⁴, the smallest difference between two floats; the lowest limb first.
#[derive(Debug, Clone, PartialEq)]
struct FixedPoint {
    limbs: [u64; LIMBS],
}

impl Default for FixedPoint {
    fn default() -> Self {
        FixedPoint { limbs: [0; LIMBS] }
    }
}

/// 2¹⁰²⁴ / 2⁻¹⁰⁷⁴, and 64 bits for the number of terms.
const LIMBS: usize = (1024 + 1074 + 64) / 64 + 1;

/// A finite float without its sign, as `mantissa · 2^shift` units.
fn mantissa_and_shift(value: f64) -> (u64, usize) {
    let bits = value.to_bits();
    let (exponent, fraction) = ((bits >> 52) & 0x7ff, bits & ((1 << 52) - 1));
    match exponent {
        0 => (fraction, 0),
        _ => (fraction | (1 << 52), exponent as usize - 1),
    }
}

impl FixedPoint {
    /// Adds the absolute value of a finite float.
    fn add(&mut self, value: f64) {
        let (mantissa, shift) = mantissa_and_shift(value);
        let wide = u128::from(mantissa) << (shift % 64);
        let mut carry = 0_u128;
        let parts = [wide as u64, (wide >> 64) as u64].into_iter().chain(core::iter::repeat(0));
        for (limb, part) in self.limbs.iter_mut().skip(shift / 64).zip(parts) {
            let sum = u128::from(*limb) + u128::from(part) + carry;
            *limb = sum as u64;
            carry = sum >> 64;
        }
    }

    /// `self - other`, if that is not negative.
    fn subtract(&self, other: &Self) -> Option<Self> {
        let mut difference = FixedPoint::default();
        let mut borrow = false;
        for ((limb, &left), &right) in difference.limbs.iter_mut().zip(&self.limbs).zip(&other.limbs) {
            let (first, one) = left.overflowing_sub(right);
            let (second, two) = first.overflowing_sub(u64::from(borrow));
            (*limb, borrow) = (second, one || two);
        }
        (!borrow).then_some(difference)
    }

    /// The nearest float to `self / count`, ties to even.
    fn divided(&self, count: u64) -> f64 {
        let mut quotient = self.clone();
        let mut rest = 0_u128;
        for limb in quotient.limbs.iter_mut().rev() {
            let part = (rest << 64) | u128::from(*limb);
            *limb = (part / u128::from(count)) as u64;
            rest = part % u128::from(count);
        }
        quotient.rounded(2 * rest, u128::from(count))
    }

    /// The nearest float, where half a unit weighs `half` and what lies below the units weighs `twice_rest`.
    fn rounded(&self, twice_rest: u128, half: u128) -> f64 {
        let top = self.limbs.iter().rposition(|&limb| limb != 0);
        let bits = top.map_or(0, |top| 64 * top + 64 - self.limbs[top].leading_zeros() as usize);
        let dropped = bits.saturating_sub(53);
        let mut mantissa = self.bits_from(dropped);
        let up = if dropped == 0 {
            twice_rest.cmp(&half)
        } else {
            let middle = self.bit(dropped - 1);
            let below = twice_rest > 0 || (0..dropped - 1).any(|bit| self.bit(bit));
            match (middle, below) {
                (true, true) => core::cmp::Ordering::Greater,
                (true, false) => core::cmp::Ordering::Equal,
                (false, _) => core::cmp::Ordering::Less,
            }
        };
        mantissa += match up {
            core::cmp::Ordering::Greater => 1,
            core::cmp::Ordering::Equal => mantissa & 1,
            core::cmp::Ordering::Less => 0,
        };
        // Exact: a mantissa of 54 bits is a power of two, and the smallest normal power of two is 2^-1022.
        let scaled = |exponent: i32| mantissa as f64 * 2.0_f64.powi(exponent);
        let exponent = dropped as i32 - 1074;
        if exponent < -1022 { scaled(exponent + 1022) * f64::MIN_POSITIVE } else { scaled(exponent) }
    }

    /// The 53 bits from this one up, those above being 0.
    fn bits_from(&self, bit: usize) -> u64 {
        let limb = |index: usize| u128::from(self.limbs.get(index).copied().unwrap_or(0));
        ((limb(bit / 64) | (limb(bit / 64 + 1) << 64)) >> (bit % 64)) as u64
    }

    fn bit(&self, bit: usize) -> bool {
        self.limbs[bit / 64] >> (bit % 64) & 1 == 1
    }
}

#[cfg(test)]
mod tests {
    use quickcheck::quickcheck;

    use super::*;

    #[test]
    fn means_are_rounded_once() {
        assert_eq!(exact_mean(&[f64::MAX, f64::MAX]), f64::MAX);
        assert_eq!(exact_mean(&[5e-324, 5e-324, 5e-324]), 5e-324);
        assert_eq!(exact_mean(&[5e-324, 0.0]), 0.0);
        assert_eq!(exact_mean(&[1.5e-323, 0.0]), 1e-323);
        assert_eq!(exact_mean(&[-1.0, 0.25]), -0.375);
        assert!(exact_mean(&[]).is_nan() && exact_mean(&[f64::INFINITY]).is_nan());
        // 2⁵³ + 1 is half way between two floats, 2⁵³ + 1 + 1/3 is above.
        assert_eq!(exact_mean(&[9_007_199_254_740_992.0, 9_007_199_254_740_994.0]), 9_007_199_254_740_992.0);
        let above = [9_007_199_254_740_992.0, 9_007_199_254_740_994.0, 9_007_199_254_740_994.0];
        assert_eq!(exact_mean(&above), 9_007_199_254_740_994.0);
    }

    quickcheck! {
        fn the_mean_of_small_integers_is_their_quotient(values: Vec<i32>) -> bool {
            let floats: Vec<f64> = values.iter().map(|&value| f64::from(value)).collect();
            let sum: i64 = values.iter().map(|&value| i64::from(value)).sum();
            let expected = sum as f64 / values.len() as f64;
            exact_mean(&floats) == expected || values.is_empty()
        }

        fn the_mean_of_equal_floats_is_the_float(value: f64, count: u8) -> bool {
            !value.is_finite() || exact_mean(&vec![value; usize::from(count) + 1]) == value
        }

        fn pairwise_sums_of_integers_are_exact(values: Vec<i32>) -> bool {
            let values: Vec<f64> = values.iter().cycle().take(values.len() * 9).map(|&v| f64::from(v)).collect();
            pairwise_sum(&values) == values.iter().sum::<f64>()
        }
    }
}
