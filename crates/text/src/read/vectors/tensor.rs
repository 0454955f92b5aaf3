//! A tensor (an array of numbers) in a file of embedding vectors: its type, its shape and the position of its
//! bytes.

use std::ops::Range;

use bleuprint_core::{InputError, Result};

use super::stored::{FileContent, StoredVectors};
use super::table::{Floats, VectorNumbers};

/// The number type of a tensor's values.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum TensorKind {
    F16,
    /// The number type bfloat16, which safetensors has but `.npy` does not.
    #[cfg(feature = "jsonl")]
    Bf16,
    F32,
    F64,
    I32,
    I64,
}

impl TensorKind {
    pub(super) fn size(self) -> usize {
        match self {
            TensorKind::F16 => 2,
            #[cfg(feature = "jsonl")]
            TensorKind::Bf16 => 2,
            TensorKind::F32 | TensorKind::I32 => 4,
            TensorKind::F64 | TensorKind::I64 => 8,
        }
    }
}

/// A tensor in a file, as little-endian bytes. Its shape and number type determine the number of bytes.
#[derive(Debug)]
pub(super) struct Tensor<'c> {
    pub(super) name: String,
    pub(super) kind: TensorKind,
    pub(super) shape: Vec<usize>,
    pub(super) content: &'c FileContent,
    pub(super) range: Range<usize>,
}

impl Tensor<'_> {
    pub(super) fn matrix(&self) -> Result<(VectorNumbers, usize)> {
        let [_, width] = self.shape[..] else {
            return Err(self.wrong_shape("two dimensions, rows and width"));
        };
        // Only single precision can stay in the file: a reader returns `f32` without a conversion.
        let numbers = match (self.kind, self.content) {
            (TensorKind::F32, FileContent::File(file)) => {
                VectorNumbers::Stored(StoredVectors::new(file, &self.range))
            }
            (TensorKind::F64, _) => Floats::F64(self.items(f64::from_le_bytes)?).into(),
            _ => Floats::from_numbers(self.singles()?).into(),
        };
        Ok((numbers, width))
    }

    pub(super) fn numbers(&self) -> Result<Vec<f64>> {
        self.require_list()?;
        match self.kind {
            TensorKind::F64 => self.items(f64::from_le_bytes),
            _ => Ok(self.singles()?.into_iter().map(f64::from).collect()),
        }
    }

    pub(super) fn integers(&self) -> Result<Vec<i64>> {
        self.require_list()?;
        match self.kind {
            TensorKind::I64 => self.items(i64::from_le_bytes),
            TensorKind::I32 => self.items(|bytes| i64::from(i32::from_le_bytes(bytes))),
            other => Err(self.wrong(format!("holds {other:?}, but must hold I64 or I32"))),
        }
    }

    fn singles(&self) -> Result<Vec<f32>> {
        match self.kind {
            TensorKind::F32 => self.items(f32::from_le_bytes),
            TensorKind::F16 => self.items(|bytes| of_half(u16::from_le_bytes(bytes))),
            #[cfg(feature = "jsonl")]
            // bfloat16 is the upper half of an `f32`.
            TensorKind::Bf16 => {
                self.items(|bytes| f32::from_bits(u32::from(u16::from_le_bytes(bytes)) << 16))
            }
            other => Err(self.wrong(format!("holds {other:?}, but must hold F32, F16, BF16 or F64"))),
        }
    }

    fn items<const N: usize, T>(&self, read: impl Fn([u8; N]) -> T) -> Result<Vec<T>> {
        let bytes = self.content.read(self.range.clone())?;
        Ok(bytes.as_chunks::<N>().0.iter().map(|item| read(*item)).collect())
    }

    fn require_list(&self) -> Result<()> {
        if self.shape.len() == 1 { Ok(()) } else { Err(self.wrong_shape("one dimension")) }
    }

    fn wrong_shape(&self, wanted: &str) -> InputError {
        self.wrong(format!("has the shape {:?}, but must have {wanted}", self.shape))
    }

    fn wrong(&self, what: String) -> InputError {
        InputError::malformed(format!("`{}` {what}", self.name))
    }
}

/// Converts a number in half precision to single precision, exactly.
fn of_half(bits: u16) -> f32 {
    let exponent = i32::from(bits >> 10) & 31;
    let fraction = f32::from(bits & 1023);
    let magnitude = match exponent {
        // A subnormal number: the exponent is -14, and the fraction has 10 bits.
        0 => fraction * 2.0_f32.powi(-24),
        31 if fraction == 0.0 => f32::INFINITY,
        31 => f32::NAN,
        // The implicit bit is 1024, and the bias of the exponent is 15, plus 10 for the fraction.
        _ => (1024.0 + fraction) * 2.0_f32.powi(exponent - 25),
    };
    if bits >> 15 == 1 { -magnitude } else { magnitude }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn halves_have_their_values() {
        let pairs = [
            (0x3c00, 1.0),
            (0xc000, -2.0),
            (0x3555, 0.333_251_95),
            (0x0001, 5.960_464_5e-8),
            (0x7bff, 65504.0),
            (0x0400, 6.103_515_6e-5),
        ];
        pairs.into_iter().for_each(|(bits, value)| assert_eq!(of_half(bits), value, "{bits:x}"));
        assert!(
            of_half(0x7c00).is_infinite() && of_half(0x7e00).is_nan() && of_half(0x8000).is_sign_negative()
        );
    }
}
