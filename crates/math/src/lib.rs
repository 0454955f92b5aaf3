//! `ln`, `exp` and `pow` with the same bits on every machine, exact sums that merge, and exact quotients.
//!
//! Rust's own are those of the platform's C library, which differ in the last digits: of a million corpus BLEU scores 1,053
//! differ between a processor with fused multiply-add and one without, and 138,062 between Linux and WebAssembly.
//! The functions here use additions, multiplications and fused multiply-adds in a fixed order. On processors without the
//! instruction, error-free transformations take its place, with equal bits.
//!
//! [`ExactSum`] is the sum of floats as whole numbers, independent of their order, from which values can be taken out again.
//!
//! The bits are those of glibc 2.29 and later on x86-64 with FMA, which CPython's `math.log`, `math.exp` and `**` return
//! there. `cargo run --release --example against_std` compares them on Linux.
//!
//! Algorithm and figures are of Arm Limited's optimized-routines, which glibc took over in 2.29; the code is written from a
//! description of the arithmetic. [`ln_1p`] and [`exp_m1`] are W. Kahan's formulas over the others.
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

/// A public function that takes the processor's instruction where it has one: known at compile time, or asked at run time.
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
                        // A call is 3 ns with the instruction and 40 ns without; its twin is the emulation below.
                        #[allow(unsafe_code)]
                        // SAFETY: the processor has just been asked for the one feature that the function enables.
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
    /// The natural logarithm.
    ///
    /// `ln(±0)` is minus infinity, of a negative number NaN.
    ///
    /// ```
    /// assert_eq!(bleuprint_math::ln(10.0), 2.302585092994046);
    /// assert!(bleuprint_math::ln(-1.0).is_nan());
    /// ```
    ln = ln(x) of f64
}

on_every_processor! {
    /// e to the power of `x`: above 709.78 infinite, below -745.13 zero.
    ///
    /// ```
    /// assert_eq!(bleuprint_math::exp(1.0), 2.718281828459045);
    /// ```
    exp = exp(x) of f64
}

on_every_processor! {
    /// `x` to the power of `y`, with the singular cases of IEEE 754: `pow(x, 0)` and `pow(1, y)` are 1, of NaN too; a negative
    /// base has a power if the exponent is an integer.
    ///
    /// ```
    /// assert_eq!(bleuprint_math::pow(2.0, 10.0), 1024.0);
    /// assert!(bleuprint_math::pow(-8.0, 1.0 / 3.0).is_nan());
    /// ```
    pow = pow(x, y) of f64
}

on_every_processor! {
    /// The natural logarithm in single precision; not [`ln`] rounded to single precision, which has other last bits.
    ///
    /// ```
    /// assert_eq!(bleuprint_math::ln_f32(10.0), 2.3025851);
    /// ```
    ln_f32 = single(x) of f32
}

on_every_processor! {
    /// e to the power of `x` in single precision; not [`exp`] rounded to single precision, which has other last bits.
    ///
    /// ```
    /// assert_eq!(bleuprint_math::exp_f32(1.0), 2.7182817);
    /// ```
    exp_f32 = single(x) of f32
}

/// `ln(1 + x)` without the loss of digits near 0, within a few units in the last place.
///
/// ```
/// assert_eq!(bleuprint_math::ln_1p(1e-20), 1e-20);
/// ```
#[must_use]
pub fn ln_1p(x: f64) -> f64 {
    let sum = 1.0 + x;
    // The error of `sum` is that of its logarithm's quotient by `sum - 1`, and cancels.
    if sum == 1.0 || !sum.is_finite() { x } else { ln(sum) * x / (sum - 1.0) }
}

/// `exp(x) - 1` without the loss of digits near 0, within a few units in the last place.
///
/// ```
/// assert_eq!(bleuprint_math::exp_m1(1e-20), 1e-20);
/// ```
#[must_use]
pub fn exp_m1(x: f64) -> f64 {
    let power = exp(x);
    if power == 1.0 {
        x
    } else if !power.is_finite() || power < 0.25 {
        power - 1.0
    } else {
        (power - 1.0) * x / ln(power)
    }
}
