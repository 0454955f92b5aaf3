//! The natural logarithm, computed as `ln(2^k z) = k ln 2 + ln c + ln(z / c)` with `c` close to `z`. `ln c`
//! is from a table; `ln(z / c) = ln(1 + r)` is from a polynomial in the small `r`.

use crate::fused::Fused;
use crate::tables::{LN_A, LN_B, LN_INV_C, LN_LOG_C, LN2_HI, LN2_LO};

/// The interval around 1, as the bits of its ends, for which a separate polynomial computes the logarithm.
/// The table is less accurate there, because its two terms would cancel.
const NEAR_ONE: core::ops::Range<u64> = 0x3fee_0000_0000_0000..0x3ff1_0900_0000_0000;

#[inline(always)]
pub(crate) fn ln<F: Fused>(x: f64) -> f64 {
    if x == 1.0 {
        return 0.0;
    }
    if NEAR_ONE.contains(&x.to_bits()) {
        return near_one::<F>(x - 1.0);
    }
    if let Some(value) = special(x) {
        return value;
    }
    let (at, k, z) = parts(x, 0x3fe6_0000_0000_0000);
    let r = F::fused(z, f64::from_bits(LN_INV_C[at]), -1.0);
    // `k ln 2` is exact in its high part: `LN2_HI` has 11 zero bits at its end, which the exponent `k` fills.
    let w = k * LN2_HI + f64::from_bits(LN_LOG_C[at]);
    let high = w + r;
    let low = F::fused(k, LN2_LO, (w - high) + r);
    let square = r * r;
    let p = F::fused(square, F::fused(r, LN_A[4], LN_A[3]), F::fused(r, LN_A[2], LN_A[1]));
    F::fused(r * square, p, F::fused(square, LN_A[0], low)) + high
}

/// Computes `ln(1 + r)` for a small `r` by a polynomial. The first two terms are summed together with their
/// rounding error.
#[inline(always)]
fn near_one<F: Fused>(r: f64) -> f64 {
    let square = r * r;
    let cube = r * square;
    let of = |at: usize| F::fused(square, LN_B[at + 2], F::fused(r, LN_B[at + 1], LN_B[at]));
    let q = F::fused(cube, LN_B[10], of(7));
    let q = F::fused(cube, q, of(4));
    let q = F::fused(cube, q, of(1));
    // Splitting `r` at 2^27 leaves a high part whose square is exact.
    let w = r * 134_217_728.0; // 2^27
    let r_high = (r + w) - w;
    let r_low = r - r_high;
    let w = (r_high * r_high) * LN_B[0];
    let high = r + w;
    let error = F::fused(LN_B[0] * r_low, r_high + r, (r - high) + w);
    F::fused(cube, q, error) + high
}

/// Returns `ln(x)` if `x` is 0, infinite, negative or NaN. Returns `None` for positive finite numbers.
#[inline(always)]
pub(crate) fn special(x: f64) -> Option<f64> {
    if x > 0.0 && x < f64::INFINITY {
        return None;
    }
    Some(if x == 0.0 {
        f64::NEG_INFINITY
    } else if x > 0.0 {
        x
    } else {
        f64::NAN
    })
}

/// Splits a positive number into `x = 2^k · z` and returns `(i, k, z)`. `least` holds the bits of a float
/// `a`; `z` is from `a` to below `2a`. The tables of logarithms divide this range into 128 intervals, and `i`
/// is the index of the interval that contains `z`.
#[inline(always)]
pub(crate) fn parts(x: f64, least: u64) -> (usize, f64, f64) {
    let mut bits = x.to_bits();
    if bits < 1 << 52 {
        // Subnormal: multiplying by 2^52 makes it normal, which the exponent compensates.
        bits = (x * 4_503_599_627_370_496.0).to_bits().wrapping_sub(52 << 52);
    }
    let distance = bits.wrapping_sub(least);
    let z = f64::from_bits(bits.wrapping_sub(distance & 0xfff0_0000_0000_0000));
    (((distance >> 45) % 128) as usize, (distance.cast_signed() >> 52) as f64, z)
}
