//! Fused multiply-add, `a·b + c` with a single rounding: by the processor's instruction, or emulated with
//! bit-identical results.

/// An implementation of the fused multiply-add: the processor's instruction or an emulation.
pub(crate) trait Fused {
    /// Returns `a·b + c`, rounded once.
    fn fused(a: f64, b: f64, c: f64) -> f64;
}

/// The fused multiply-add by the processor's instruction. Use it only in code compiled for a processor that
/// has the instruction. Otherwise `mul_add` calls the platform's C library, which is slow and on some
/// platforms rounds twice.
#[cfg(all(
    feature = "std",
    any(test, target_arch = "aarch64", target_arch = "x86_64", target_feature = "fma")
))]
pub(crate) struct Instruction;

#[cfg(all(
    feature = "std",
    any(test, target_arch = "aarch64", target_arch = "x86_64", target_feature = "fma")
))]
impl Fused for Instruction {
    #[inline(always)]
    fn fused(a: f64, b: f64, c: f64) -> f64 {
        a.mul_add(b, c)
    }
}

/// The fused multiply-add emulated by plain additions and multiplications, for any processor with IEEE 754
/// arithmetic.
///
/// It is exact for finite values with `|a|, |b| < 2^995`, `a b = 0` or `|a b| > 2^-900`, and a result that is
/// not subnormal. All callers keep to these limits. Product and sum are each split into a rounded part and
/// its error (Dekker 1971, Knuth 1969). The two errors are added by rounding to odd, so that the last
/// addition does not round a second time (Boldo and Melquiond 2008).
pub(crate) struct Emulated;

impl Fused for Emulated {
    #[inline(always)]
    fn fused(a: f64, b: f64, c: f64) -> f64 {
        let (product, product_error) = two_product(a, b);
        let (sum, sum_error) = two_sum(product, c);
        let (rest, rest_error) = two_sum(sum_error, product_error);
        sum + to_odd(rest, rest_error)
    }
}

/// Returns the rounded sum of `a` and `b`, and its rounding error.
#[inline(always)]
fn two_sum(a: f64, b: f64) -> (f64, f64) {
    let sum = a + b;
    let of_b = sum - a;
    (sum, (a - (sum - of_b)) + (b - of_b))
}

/// Returns the rounded product of `a` and `b`, and its rounding error.
#[inline(always)]
fn two_product(a: f64, b: f64) -> (f64, f64) {
    let (a_high, a_low) = halves(a);
    let (b_high, b_low) = halves(b);
    let product = a * b;
    let error = ((a_high * b_high - product) + a_high * b_low + a_low * b_high) + a_low * b_low;
    (product, error)
}

/// Splits a number into two halves of 26 bits each, whose products are exact.
#[inline(always)]
fn halves(value: f64) -> (f64, f64) {
    let scaled = 134_217_729.0 * value; // 2^27 + 1
    let high = scaled - (scaled - value);
    (high, value - high)
}

/// Returns `value` if `error` is 0. Otherwise rounds `value + error` to the neighbouring float whose last bit
/// is odd.
#[inline(always)]
fn to_odd(value: f64, error: f64) -> f64 {
    let bits = value.to_bits();
    if error == 0.0 || bits & 1 == 1 {
        return value;
    }
    let outwards = (error > 0.0) == (value > 0.0);
    f64::from_bits(if outwards { bits + 1 } else { bits.wrapping_sub(1) })
}
