//! One tensor of a file: its type, its shape, its bytes.

use std::path::Path;
use std::sync::Arc;

use bleuprint_core::{InputError, InputErrorKind, Location, Result};

use super::table::Floats;

pub(super) fn bytes(path: &Path, name: &Arc<str>) -> Result<Vec<u8>> {
    std::fs::read(path).map_err(|error| {
        InputError::from(InputErrorKind::Io(error.to_string())).at(Location::file(name.clone()))
    })
}

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
pub(super) struct Tensor<'b> {
    pub(super) name: String,
    pub(super) kind: Kind,
    pub(super) shape: Vec<usize>,
    pub(super) bytes: &'b [u8],
}

impl Tensor<'_> {
    pub(super) fn matrix(&self) -> Result<(Floats, usize)> {
        let [_, width] = self.shape[..] else {
            return Err(self.wrong_shape("two dimensions, rows and width"));
        };
        let floats = match self.kind {
            Kind::F64 => Floats::F64(items(self.bytes, f64::from_le_bytes).collect()),
            _ => Floats::of(self.singles()?),
        };
        Ok((floats, width))
    }

    pub(super) fn numbers(&self) -> Result<Vec<f64>> {
        self.require_list()?;
        match self.kind {
            Kind::F64 => Ok(items(self.bytes, f64::from_le_bytes).collect()),
            _ => Ok(self.singles()?.into_iter().map(f64::from).collect()),
        }
    }

    pub(super) fn integers(&self) -> Result<Vec<i64>> {
        self.require_list()?;
        match self.kind {
            Kind::I64 => Ok(items(self.bytes, i64::from_le_bytes).collect()),
            Kind::I32 => Ok(items(self.bytes, i32::from_le_bytes).map(i64::from).collect()),
            other => Err(self.wrong(format!("holds {other:?}, but must hold I64 or I32"))),
        }
    }

    fn singles(&self) -> Result<Vec<f32>> {
        match self.kind {
            Kind::F32 => Ok(items(self.bytes, f32::from_le_bytes).collect()),
            Kind::F16 => Ok(items(self.bytes, |bytes| of_half(u16::from_le_bytes(bytes))).collect()),
            #[cfg(feature = "jsonl")]
            Kind::Bf16 => {
                let wide = |bytes| f32::from_bits(u32::from(u16::from_le_bytes(bytes)) << 16);
                Ok(items(self.bytes, wide).collect())
            }
            other => Err(self.wrong(format!("holds {other:?}, but must hold F32, F16, BF16 or F64"))),
        }
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

fn items<const N: usize, T>(bytes: &[u8], read: impl Fn([u8; N]) -> T) -> impl Iterator<Item = T> {
    bytes.as_chunks::<N>().0.iter().map(move |item| read(*item))
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
