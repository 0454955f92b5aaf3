//! `ln`, `exp` and `pow` with bit-identical results on every machine, exact sums of floats, and exact
//! quotients of integers.
//!
//! The functions of Rust's standard library call the platform's C library, and the results differ in the last
//! digits. Of a million corpus BLEU scores, 1,053 differ between a processor with fused multiply-add and one
//! without, and 138,062 between Linux and WebAssembly. The functions here use additions, multiplications and
//! fused multiply-adds in a fixed order. On processors without the instruction, error-free transformations
//! replace it, with equal bits.
//!
//! [`ExactSum`] stores a sum of floats as integers. The sum does not depend on the order of the floats, and
//! values can be removed again.
//!
//! The results match glibc 2.29 and later on x86-64 with FMA bit for bit, which CPython's `math.log`,
//! `math.exp` and `**` return there. `cargo run --release --example against_std` compares them on Linux.
//!
//! Algorithm and constants come from Arm Limited's optimized-routines, which glibc adopted in 2.29. The code
//! was written from a description of the arithmetic. [`ln_1p`] and [`exp_m1`] apply W. Kahan's formulas to
//! the other functions.
//!
//! ```
//! let precisions = [83.4f64, 60.8, 46.7, 36.3];
//! let mean = precisions.iter().map(|&precision| bleuprint_math::ln(precision)).sum::<f64>() / 4.0;
//! assert_eq!(bleuprint_math::exp(mean).to_bits(), 0x404b_12cc_5668_f502);
//! assert_eq!(bleuprint_math::pow(0.9, 3.0).to_bits(), 0x3fe7_53f7_ced9_1688);
//! ```
#![cfg_attr(not(any(test, feature = "std")), no_std)]

#[cfg(feature = "quotients")]
extern crate alloc;

#[cfg(feature = "quotients")]
mod exact;
mod exact_sum;
mod exp;
mod fused;
mod ln;
mod pow;
mod single;
#[cfg(feature = "serde")]
mod stored;
mod tables;
#[cfg(test)]
mod tests;

#[cfg(feature = "quotients")]
pub use exact::{exact_mean, exact_sum, quotient};
pub use exact_sum::{ExactSum, SumError};
use fused::Emulated;
#[cfg(all(
    feature = "std",
    any(test, target_arch = "aarch64", target_arch = "x86_64", target_feature = "fma")
))]
use fused::Instruction;

/// Declares a public function that uses the processor's fused multiply-add instruction if the processor has
/// one. That is known at compile time or tested at run time.
macro_rules! on_every_processor {
    ($(#[$doc:meta])* $name:ident = $module:ident($($argument:ident),+) of $float:ty) => {
        $(#[$doc])*
        #[must_use]
        #[inline]
        pub fn $name($($argument: $float),+) -> $float {
            #[cfg(all(feature = "std", any(target_arch = "aarch64", target_feature = "fma")))]
            {
                $module::$name::<Instruction>($($argument),+)
            }
            #[cfg(not(all(feature = "std", any(target_arch = "aarch64", target_feature = "fma"))))]
            {
                #[cfg(all(feature = "std", target_arch = "x86_64"))]
                {
                    #[target_feature(enable = "fma")]
                    fn with_instruction($($argument: $float),+) -> $float {
                        $module::$name::<Instruction>($($argument),+)
                    }
                    if std::arch::is_x86_feature_detected!("fma") {
                        // A call takes 3 ns with the instruction and 40 ns without; the safe alternative is
                        // the emulation below.
                        #[allow(unsafe_code)]
                        // SAFETY: the line above has tested that the processor has the one feature that the
                        // function enables.
                        return unsafe { with_instruction($($argument),+) };
                    }
                }
                #[inline(never)]
                fn emulated($($argument: $float),+) -> $float {
                    $module::$name::<Emulated>($($argument),+)
                }
                emulated($($argument),+)
            }
        }
    };
}

on_every_processor! {
    /// Computes the natural logarithm of `x`.
    ///
    /// `ln(±0)` is minus infinity; the logarithm of a negative number is NaN.
    ///
    /// ```
    /// assert_eq!(bleuprint_math::ln(10.0), 2.302585092994046);
    /// assert!(bleuprint_math::ln(-1.0).is_nan());
    /// ```
    ln = ln(x) of f64
}

on_every_processor! {
    /// Computes e to the power of `x`. The result is infinite above 709.78 and 0 below -745.13.
    ///
    /// ```
    /// assert_eq!(bleuprint_math::exp(1.0), 2.718281828459045);
    /// ```
    exp = exp(x) of f64
}

on_every_processor! {
    /// Computes `x` to the power of `y`, with the singular cases of IEEE 754: `pow(x, 0)` and `pow(1, y)` are
    /// 1, even for NaN. A negative base has a power only if the exponent is an integer; otherwise the result
    /// is NaN.
    ///
    /// ```
    /// assert_eq!(bleuprint_math::pow(2.0, 10.0), 1024.0);
    /// assert!(bleuprint_math::pow(-8.0, 1.0 / 3.0).is_nan());
    /// ```
    pow = pow(x, y) of f64
}

on_every_processor! {
    /// Computes the natural logarithm in single precision. The last bits can differ from a result of [`ln`]
    /// rounded to single precision.
    ///
    /// ```
    /// assert_eq!(bleuprint_math::ln_f32(10.0), 2.3025851);
    /// ```
    ln_f32 = single(x) of f32
}

on_every_processor! {
    /// Computes e to the power of `x` in single precision. The last bits can differ from a result of [`exp`]
    /// rounded to single precision.
    ///
    /// ```
    /// assert_eq!(bleuprint_math::exp_f32(1.0), 2.7182817);
    /// ```
    exp_f32 = single(x) of f32
}

/// Computes `ln(1 + x)` without losing digits near 0, within a few units in the last place.
///
/// ```
/// assert_eq!(bleuprint_math::ln_1p(1e-20), 1e-20);
/// ```
#[must_use]
pub fn ln_1p(x: f64) -> f64 {
    let sum = 1.0 + x;
    // `sum` is rounded, but `ln(sum)` and `sum - 1` have nearly the same relative error, which cancels in the
    // quotient (Kahan).
    if sum == 1.0 || !sum.is_finite() { x } else { ln(sum) * x / (sum - 1.0) }
}

/// Computes `exp(x) - 1` without losing digits near 0, within a few units in the last place.
///
/// ```
/// assert_eq!(bleuprint_math::exp_m1(1e-20), 1e-20);
/// ```
#[must_use]
pub fn exp_m1(x: f64) -> f64 {
    let power = exp(x);
    if power == 1.0 {
        x
    // Far below 1 the subtraction loses no digits, and the quotient below would divide by a large logarithm
    // for nothing.
    } else if !power.is_finite() || power < 0.25 {
        power - 1.0
    } else {
        (power - 1.0) * x / ln(power)
    }
}
