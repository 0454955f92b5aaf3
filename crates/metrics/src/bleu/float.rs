//! [`Float`]: the floats that a score can be computed in.

/// `f64` or `f32`, the floats of [`Bleu::finalize_as`](super::Bleu::finalize_as): `ln` and `exp` have the same bits on every
/// machine.
pub trait Float: num_traits::Float {
    /// The natural logarithm.
    fn portable_ln(self) -> Self;
    /// `e` to this power.
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
