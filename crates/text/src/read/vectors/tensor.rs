//! One tensor of a file: its type, its shape, the place of its bytes.

use std::ops::Range;

use bleuprint_core::{InputError, Result};

use super::stored::{Content, Stored};
use super::table::{Floats, Numbers};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    F16,
    /// Of safetensors; `.npy` has no name for it.
    #[cfg(feature = "jsonl")]
    Bf16,
    F32,
    F64,
    I32,
    I64,
}

impl Kind {
    pub(super) fn size(self) -> usize {
        match self {
            Kind::F16 => 2,
            #[cfg(feature = "jsonl")]
            Kind::Bf16 => 2,
            Kind::F32 | Kind::I32 => 4,
            Kind::F64 | Kind::I64 => 8,
        }
    }
}

/// A tensor in little-endian bytes, whose number its shape gives.
#[derive(Debug)]
pub(super) struct Tensor<'c> {
    pub(super) name: String,
    pub(super) kind: Kind,
    pub(super) shape: Vec<usize>,
    pub(super) content: &'c Content,
    pub(super) range: Range<usize>,
}

impl Tensor<'_> {
    pub(super) fn matrix(&self) -> Result<(Numbers, usize)> {
        let [_, width] = self.shape[..] else {
            return Err(self.wrong_shape("two dimensions, rows and width"));
        };
        let numbers = match (self.kind, self.content) {
            (Kind::F32, Content::File(file)) => Numbers::Stored(Stored::new(file, &self.range)),
            (Kind::F64, _) => Floats::F64(self.items(f64::from_le_bytes)?).into(),
            _ => Floats::of(self.singles()?).into(),
        };
        Ok((numbers, width))
    }

    pub(super) fn numbers(&self) -> Result<Vec<f64>> {
        self.require_list()?;
        match self.kind {
            Kind::F64 => self.items(f64::from_le_bytes),
            _ => Ok(self.singles()?.into_iter().map(f64::from).collect()),
        }
    }

    pub(super) fn integers(&self) -> Result<Vec<i64>> {
        self.require_list()?;
        match self.kind {
            Kind::I64 => self.items(i64::from_le_bytes),
            Kind::I32 => self.items(|bytes| i64::from(i32::from_le_bytes(bytes))),
            other => Err(self.wrong(format!("holds {other:?}, but must hold I64 or I32"))),
        }
    }

    fn singles(&self) -> Result<Vec<f32>> {
        match self.kind {
            Kind::F32 => self.items(f32::from_le_bytes),
            Kind::F16 => self.items(|bytes| of_half(u16::from_le_bytes(bytes))),
            #[cfg(feature = "jsonl")]
            Kind::Bf16 => self.items(|bytes| f32::from_bits(u32::from(u16::from_le_bytes(bytes)) << 16)),
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

/// The value of a number in half precision, exactly.
fn of_half(bits: u16) -> f32 {
    let (exponent, fraction) = (i32::from(bits >> 10) & 31, f32::from(bits & 1023));
    let magnitude = match exponent {
        0 => fraction * 2.0_f32.powi(-24),
        31 if fraction == 0.0 => f32::INFINITY,
        31 => f32::NAN,
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
