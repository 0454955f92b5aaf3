//! [`Batch`]: the contents of an input of burn's metrics, hypotheses and references as rows of ids.

use burn_core::tensor::{Int, Tensor};
use burn_train::metric::{BleuInput, CerInput, RougeLInput, WerInput};

/// Batch of segments: tensors whose rows are sequences of ids.
pub trait Batch {
    /// Returns the hypotheses, one row per segment.
    fn hypotheses(&self) -> &Tensor<2, Int>;
    /// Returns a tensor per reference stream, each with a row per segment. References may be narrower or
    /// wider than the hypotheses.
    fn references(&self) -> Vec<&Tensor<2, Int>>;
}

/// Segments with several references each.
pub struct MultiReferenceInput {
    /// Hypotheses, one row per segment.
    pub outputs: Tensor<2, Int>,
    /// Reference streams, each with one row per segment.
    pub targets: Vec<Tensor<2, Int>>,
}

impl Batch for MultiReferenceInput {
    fn hypotheses(&self) -> &Tensor<2, Int> {
        &self.outputs
    }

    fn references(&self) -> Vec<&Tensor<2, Int>> {
        self.targets.iter().collect()
    }
}

/// Implements the batch for inputs of burn's own text metrics, which all have the same fields.
macro_rules! batch {
    ($($input:ty),*) => {$(
        impl Batch for $input {
            fn hypotheses(&self) -> &Tensor<2, Int> {
                &self.outputs
            }

            fn references(&self) -> Vec<&Tensor<2, Int>> {
                vec![&self.targets]
            }
        }
    )*};
}
batch!(BleuInput, CerInput, RougeLInput, WerInput);
