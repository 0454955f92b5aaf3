//! The exponential function, computed as `exp(x) = 2^(k/128) exp(r)` with an integer `k` and a small `r`. The
//! power is from a table and `exp(r)` from a polynomial.

use crate::fused::Fused;
use crate::tables::{EXP_C, EXP_INV_LN2_N, EXP_NEG_LN2_HI_N, EXP_NEG_LN2_LO_N, EXP_SCALE, EXP_TAIL, SHIFT};

/// The smallest normal number, 2^-1022.
const LEAST: f64 = f64::MIN_POSITIVE;
/// The factor 2^1009. Results close to the largest float are computed without this factor and multiplied by
/// it at the end.
const LARGE: f64 = f64::from_bits((1023 + 1009) << 52);

/// Returns the exponent bits of a float: its binary exponent plus 1023.
#[inline(always)]
pub(crate) fn exponent(x: f64) -> u64 {
    (x.to_bits() >> 52) & 0x7ff
}

#[inline(always)]
pub(crate) fn exp<F: Fused>(x: f64) -> f64 {
    if let Some(value) = beyond(x) {
        return value;
    }
    let (k, r) = reduced::<F>(x);
    scaled::<F>(x, k, r, 0)
}

/// Computes `exp(high + low)`, negated if `negative` is `true`. It is the last step of computing a power.
#[inline(always)]
pub(crate) fn exp_of_pair<F: Fused>(high: f64, low: f64, negative: bool) -> f64 {
    if let Some(value) = beyond(high) {
        return if negative { -value } else { value };
    }
    let (k, r) = reduced::<F>(high);
    scaled::<F>(high, k, r + low, u64::from(negative) << 63)
}

/// Returns `exp(x)` if it needs no polynomial: if it rounds to `1 + x`, overflows or is 0. Otherwise returns
/// `None`.
#[inline(always)]
fn beyond(x: f64) -> Option<f64> {
    match exponent(x) {
        969..1033 => None,
        0..969 => Some(1.0 + x),
        _ if x == f64::NEG_INFINITY => Some(0.0),
        _ if !x.is_finite() => Some(1.0 + x),
        _ => Some(if x > 0.0 { f64::INFINITY } else { 0.0 }),
    }
}

/// Splits `x` into `k ln 2 / 128 + r` with an integer `k` and a small `r`. Returns a number with `k` in its
/// low bits, and `r`.
#[inline(always)]
fn reduced<F: Fused>(x: f64) -> (u64, f64) {
    let shifted = F::fused(EXP_INV_LN2_N, x, SHIFT);
    let k = shifted - SHIFT;
    (shifted.to_bits(), F::fused(k, EXP_NEG_LN2_LO_N, x + k * EXP_NEG_LN2_HI_N))
}

/// Computes `exp(x) = 2^(k/128) exp(r)` with the sign bit `sign`. If the magnitude of `x` is large, slower
/// code handles overflow and subnormal results.
#[inline(always)]
fn scaled<F: Fused>(x: f64, k: u64, r: f64, sign: u64) -> f64 {
    let at = (k % 128) as usize;
    let scale = EXP_SCALE[at].wrapping_add(k << 45).wrapping_add(sign);
    let square = r * r;
    let low = F::fused(r, EXP_C[1], EXP_C[0]);
    let high = F::fused(r, EXP_C[3], EXP_C[2]);
    let rest = F::fused(square, low, f64::from_bits(EXP_TAIL[at]) + r);
    let rest = F::fused(square * square, high, rest);
    // Exponents below 1032 mean `|x| < 512`, where the result is always normal. The rest is scaled by a power
    // of two around the last addition.
    if exponent(x) < 1032 {
        let scale = f64::from_bits(scale);
        F::fused(scale, rest, scale)
    } else if k & (1 << 31) == 0 {
        let scale = f64::from_bits(scale.wrapping_sub(1009 << 52));
        F::fused(scale, rest, scale) * LARGE
    } else {
        subnormal(f64::from_bits(scale.wrapping_add(1022 << 52)), rest)
    }
}

/// Computes `(scale + scale · rest) / 2^1022`, rounded only once even if the result is subnormal. A sum below
/// 1 is added to 1, which rounds it at the last bit of a subnormal number.
#[inline(always)]
fn subnormal(scale: f64, rest: f64) -> f64 {
    let product = scale * rest;
    let mut sum = scale + product;
    if sum > -1.0 && sum < 1.0 {
        let one = if sum < 0.0 { -1.0 } else { 1.0 };
        let error = (scale - sum) + product;
        let high = one + sum;
        let error = ((one - high) + sum) + error;
        sum = (high + error) - one;
        if sum == 0.0 {
            sum = f64::from_bits(scale.to_bits() & (1 << 63));
        }
    }
    sum * LEAST
}
