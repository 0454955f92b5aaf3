//! [`Batch`]: what an input of burn's metrics holds, hypotheses and references as rows of ids.

use burn_core::tensor::{Int, Tensor};
use burn_train::metric::{BleuInput, CerInput, RougeLInput, WerInput};

/// A batch of segments: tensors whose rows are sequences of ids.
pub trait Batch {
    /// One row per segment.
    fn hypotheses(&self) -> &Tensor<2, Int>;
    /// A tensor per reference stream, each with a row per segment. They need not be as wide as the hypotheses.
    fn references(&self) -> Vec<&Tensor<2, Int>>;
}

/// Segments with several references each.
pub struct MultiReferenceInput {
    /// The hypotheses, one row per segment.
    pub outputs: Tensor<2, Int>,
    /// The reference streams.
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

/// The inputs of burn's own metrics of text, which have the same fields.
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
