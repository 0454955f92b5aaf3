//! Powers, computed as `x^y = exp(y ln x)`. The logarithm and the product are each stored as a pair: a float
//! and its rounding error.

use crate::exp::{exp_of_pair, exponent};
use crate::fused::Fused;
use crate::ln::parts;
use crate::tables::{LN2_HI, LN2_LO, POW_A, POW_INV_C, POW_LOG_C, POW_LOG_C_TAIL};

#[inline(always)]
pub(crate) fn pow<F: Fused>(x: f64, y: f64) -> f64 {
    if let Some(value) = special(x, y) {
        return value;
    }
    let negative = x < 0.0 && is_odd(y);
    let x = if x < 0.0 { -x } else { x };
    // Beyond these exponents of `y` the product with the logarithm is not exact; the result is then 1 ± y,
    // infinite or 0.
    match exponent(y) {
        0..958 => return if x > 1.0 { 1.0 + y } else { 1.0 - y },
        958..1086 => {}
        _ if x == 1.0 => return 1.0,
        _ => return if (x > 1.0) == (y > 0.0) { f64::INFINITY } else { 0.0 },
    }
    let (high, low) = ln_pair::<F>(x);
    let product = y * high;
    let error = F::fused(y, low, F::fused(y, high, -product));
    exp_of_pair::<F>(product, error, negative)
}

/// Returns `x^y` if `x` or `y` is 0, 1, infinite or NaN, or if the power of a negative number is not real
/// (IEEE 754-2019, section 9.2.1). Otherwise returns `None`.
#[inline(always)]
fn special(x: f64, y: f64) -> Option<f64> {
    if y == 0.0 || x == 1.0 {
        return Some(1.0);
    }
    if x.is_nan() || y.is_nan() {
        return Some(f64::NAN);
    }
    let zero_or_infinite = |infinite: bool| if infinite { f64::INFINITY } else { 0.0 };
    if y.is_infinite() {
        let above = !(-1.0..=1.0).contains(&x);
        let one = x == -1.0;
        return Some(if one { 1.0 } else { zero_or_infinite(above == (y > 0.0)) });
    }
    if x == 0.0 || x.is_infinite() {
        let size = zero_or_infinite(x.is_infinite() == (y > 0.0));
        return Some(if x.is_sign_negative() && is_odd(y) { -size } else { size });
    }
    (x < 0.0 && !is_integer(y)).then_some(f64::NAN)
}

/// Returns `true` if `y` is an integer. Every float from 2^52 on is an integer.
fn is_integer(y: f64) -> bool {
    exponent(y) >= 1023 + 52 || y as i64 as f64 == y
}

/// Returns `true` if `y` is an odd integer. Every float from 2^53 on is even.
fn is_odd(y: f64) -> bool {
    exponent(y) < 1023 + 53 && is_integer(y) && y as i64 % 2 != 0
}

/// Computes `ln x` as a pair: the rounded logarithm and its rounding error.
#[inline(always)]
fn ln_pair<F: Fused>(x: f64) -> (f64, f64) {
    let (at, k, z) = parts(x, 0x3fe6_9555_0000_0000);
    let r = F::fused(z, f64::from_bits(POW_INV_C[at]), -1.0);
    let t1 = k * LN2_HI + f64::from_bits(POW_LOG_C[at]);
    let t2 = t1 + r;
    let l1 = F::fused(k, LN2_LO, f64::from_bits(POW_LOG_C_TAIL[at]));
    let l2 = (t1 - t2) + r;
    let ar = POW_A[0] * r;
    let ar2 = r * ar;
    let ar3 = r * ar2;
    let high = t2 + ar2;
    let l3 = F::fused(ar, r, -ar2);
    let l4 = (t2 - high) + ar2;
    let of = |at: usize| F::fused(r, POW_A[at + 1], POW_A[at]);
    let p = F::fused(ar2, F::fused(ar2, of(5), of(3)), of(1));
    let low = F::fused(ar3, p, ((l1 + l2) + l3) + l4);
    let sum = high + low;
    (sum, (high - sum) + low)
}
