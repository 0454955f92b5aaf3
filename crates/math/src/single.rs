//! The exponential and the logarithm in single precision: computed in double precision and rounded once.

use crate::fused::Fused;
use crate::tables::{
    EXP_F32_C, EXP_F32_INV_LN2_N, EXP_F32_T, LN_F32_A, LN_F32_INV_C, LN_F32_LN2, LN_F32_LOG_C, SHIFT,
};

#[inline(always)]
pub(crate) fn exp_f32<F: Fused>(x: f32) -> f32 {
    if let Some(value) = exp_beyond(x) {
        return value;
    }
    let x = f64::from(x);
    let shifted = F::fused(EXP_F32_INV_LN2_N, x, SHIFT);
    // Adding `SHIFT` rounds to an integer `k`, which is then in the low bits. `x = (k + r) ln 2 / 32` with
    // `|r| ≤ 1/2`.
    let k = shifted.to_bits();
    let r = F::fused(EXP_F32_INV_LN2_N, x, -(shifted - SHIFT));
    // The table holds `2^(i/32)`; the other bits of `k` are added to the exponent.
    let scale = f64::from_bits(EXP_F32_T[(k % 32) as usize].wrapping_add(k << 47));
    let high = F::fused(EXP_F32_C[0], r, EXP_F32_C[1]);
    let low = F::fused(EXP_F32_C[2], r, 1.0);
    (F::fused(high, r * r, low) * scale) as f32
}

/// Returns `exp(x)` if it is infinite, 0 or NaN, otherwise `None`.
#[inline(always)]
fn exp_beyond(x: f32) -> Option<f32> {
    // One comparison of the exponent passes all arguments up to 88 in magnitude; only the others are
    // examined.
    if (x.to_bits() >> 20) & 0x7ff < 1067 {
        None
    } else if !x.is_finite() {
        Some(if x == f32::NEG_INFINITY { 0.0 } else { x + x })
    } else if x > f32::from_bits(0x42b1_7217) {
        Some(f32::INFINITY)
    } else if x < f32::from_bits(0xc2cf_f1b4) {
        Some(0.0)
    } else {
        None
    }
}

#[inline(always)]
pub(crate) fn ln_f32<F: Fused>(x: f32) -> f32 {
    if x == 1.0 {
        return 0.0;
    }
    if let Some(value) = crate::ln::special(f64::from(x)) {
        return value as f32;
    }
    let mut bits = x.to_bits();
    if bits < 1 << 23 {
        // Subnormal: multiplying by 2^23 makes it normal, which the exponent compensates.
        bits = (x * 8_388_608.0).to_bits().wrapping_sub(23 << 23);
    }
    let distance = bits.wrapping_sub(0x3f33_0000);
    let at = ((distance >> 19) % 16) as usize;
    let k = f64::from(distance.cast_signed() >> 23);
    let z = f64::from(f32::from_bits(bits.wrapping_sub(distance & 0xff80_0000)));
    let r = F::fused(z, f64::from_bits(LN_F32_INV_C[at]), -1.0);
    let first = F::fused(k, LN_F32_LN2, f64::from_bits(LN_F32_LOG_C[at]));
    let y = F::fused(LN_F32_A[1], r, LN_F32_A[2]);
    let y = F::fused(LN_F32_A[0], r * r, y);
    F::fused(y, r * r, first + r) as f32
}
