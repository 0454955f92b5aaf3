//! [`Float`]: the floating-point types that BLEU can be computed in.

/// Floating-point type of [`Bleu::finalize_as`](super::Bleu::finalize_as): `f64` or `f32`. Its `ln` and `exp`
/// are bit-identical on every platform.
pub trait Float: num_traits::Float {
    /// Returns the natural logarithm, bit-identical on every platform.
    fn portable_ln(self) -> Self;
    /// Returns `e` raised to this power, bit-identical on every platform.
    fn portable_exp(self) -> Self;
}

macro_rules! float {
    ($float:ident, $ln:path, $exp:path) => {
        impl Float for $float {
            fn portable_ln(self) -> Self {
                $ln(self)
            }

            fn portable_exp(self) -> Self {
                $exp(self)
            }
        }
    };
}

float!(f64, bleuprint_math::ln, bleuprint_math::exp);
float!(f32, bleuprint_math::ln_f32, bleuprint_math::exp_f32);
