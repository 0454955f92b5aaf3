//! `a b + c` rounded once: the processor's instruction, and error-free transformations with the same bits.

/// A fused multiply-add.
pub(crate) trait Fused {
    /// `a b + c`, rounded once.
    fn fused(a: f64, b: f64, c: f64) -> f64;
}

/// The processor's instruction. Only for code compiled for a processor that has it: elsewhere `mul_add` calls the platform's
/// C library, which is slow and in places rounds twice.
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

/// Plain operations on any processor with IEEE 754 arithmetic.
///
/// Exact for finite values with `|a|, |b| < 2^995`, `a b = 0` or `|a b| > 2^-900`, and a result that is not subnormal, which
/// all callers keep to: the product and the sum are split into a rounded part and its error (Dekker 1971, Knuth 1969), and
/// the two errors are added by rounding to odd, so that the last addition does not round for a second time (Boldo and
/// Melquiond 2008).
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

/// `a + b` as its rounded value and the error.
#[inline(always)]
fn two_sum(a: f64, b: f64) -> (f64, f64) {
    let sum = a + b;
    let of_b = sum - a;
    (sum, (a - (sum - of_b)) + (b - of_b))
}

/// `a b` as its rounded value and the error.
#[inline(always)]
fn two_product(a: f64, b: f64) -> (f64, f64) {
    let ((a_high, a_low), (b_high, b_low)) = (halves(a), halves(b));
    let product = a * b;
    let error = ((a_high * b_high - product) + a_high * b_low + a_low * b_high) + a_low * b_low;
    (product, error)
}

/// Two halves of 26 bits each: their products are exact.
#[inline(always)]
fn halves(value: f64) -> (f64, f64) {
    let scaled = 134_217_729.0 * value; // 2^27 + 1
    let high = scaled - (scaled - value);
    (high, value - high)
}

/// `value + error`, rounded to the neighbour with an odd last bit unless it is exact.
#[inline(always)]
fn to_odd(value: f64, error: f64) -> f64 {
    let bits = value.to_bits();
    if error == 0.0 || bits & 1 == 1 {
        return value;
    }
    let outwards = (error > 0.0) == (value > 0.0);
    f64::from_bits(if outwards { bits + 1 } else { bits.wrapping_sub(1) })
}
