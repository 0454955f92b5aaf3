//! [`Float`]: the floats that a score can be computed in.

use core::ops::{Add, Div, Mul, Sub};

/// `f64` or `f32`, the floats of [`Bleu::finalize_as`](super::Bleu::finalize_as).
pub trait Float:
    Copy
    + PartialOrd
    + Into<f64>
    + Add<Output = Self>
    + Sub<Output = Self>
    + Mul<Output = Self>
    + Div<Output = Self>
    + sealed::Sealed
{
    /// The nearest to a number.
    fn from_f64(value: f64) -> Self;
    /// The nearest to a count.
    fn from_count(count: u64) -> Self;
    /// The natural logarithm.
    fn ln(self) -> Self;
    /// `e` to this power.
    fn exp(self) -> Self;
}

mod sealed {
    pub trait Sealed {}
}

macro_rules! float {
    ($float:ident, $ln:path, $exp:path) => {
        impl sealed::Sealed for $float {}

        impl Float for $float {
            fn from_f64(value: f64) -> Self {
                value as $float
            }

            fn from_count(count: u64) -> Self {
                count as $float
            }

            fn ln(self) -> Self {
                $ln(self)
            }

            fn exp(self) -> Self {
                $exp(self)
            }
        }
    };
}

float!(f64, bleuprint_math::ln, bleuprint_math::exp);
float!(f32, bleuprint_math::ln_f32, bleuprint_math::exp_f32);
