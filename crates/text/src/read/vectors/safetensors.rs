//! A parser of safetensors files. Such a file has the length of the header, a JSON header with the position
//! of each tensor, and the tensors.

use std::ops::Range;
use std::sync::Arc;

use bleuprint_core::{InputError, Location, Result};
use serde::Deserialize;

use super::stored::FileContent;
use super::table::{VectorParts, VectorTable};
use super::tensor::{Tensor, TensorKind};
use crate::read::fields::strict::{Strict, StrictObject};

/// Maximum length in bytes of the header of a safetensors file, as in the `safetensors` library.
const MOST: u64 = 100_000_000;

/// The names of the tensors that a file of embedding vectors may have.
const NAMES: [&str; 5] = ["vectors", "offsets", "groups", "weights", "ids"];

/// The description of a tensor in the header of a safetensors file.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct TensorEntry {
    dtype: String,
    shape: Vec<u64>,
    data_offsets: [u64; 2],
}

pub(super) fn read(content: &FileContent, name: Arc<str>) -> Result<VectorTable> {
    let located = |error: InputError| error.at(Location::file(name.clone()));
    let tensors = tensors(content).map_err(located)?;
    let of = |wanted: &str| tensors.iter().find(|tensor| tensor.name == wanted);
    let Some(vectors) = of("vectors") else {
        return Err(located(InputError::malformed("there is no tensor `vectors`")));
    };
    let parts = || {
        Ok(VectorParts {
            offsets: of("offsets").map(Tensor::integers).transpose()?,
            groups: of("groups").map(Tensor::integers).transpose()?,
            weights: of("weights").map(Tensor::numbers).transpose()?,
            ids: of("ids").map(Tensor::integers).transpose()?,
        })
    };
    let (numbers, width) = vectors.matrix().map_err(located)?;
    VectorTable::with(name.clone(), numbers, width, parts().map_err(located)?)
}

/// Parses all tensors of a safetensors file. They must cover the data without gaps and overlaps.
fn tensors(content: &FileContent) -> Result<Vec<Tensor<'_>>> {
    let wrong = |message: String| Err(InputError::malformed(message));
    let start = content.read(0..8)?;
    let Some(length) = start.first_chunk::<8>() else {
        return wrong(format!(
            "{} bytes are not a safetensors file, which begins with 8 bytes",
            content.len()
        ));
    };
    let length = u64::from_le_bytes(*length);
    let follow = content.len() - 8;
    // The length is checked before memory is allocated for the header.
    let header = usize::try_from(length).ok().filter(|known| length <= MOST && *known <= follow);
    let Some(header) = header else {
        return wrong(format!(
            "not a safetensors file: a header of {length} bytes is announced, and {follow} follow"
        ));
    };
    let data = 8 + header..content.len();
    let header = content.read(8..data.start)?;
    let StrictObject(header): StrictObject<Strict> = serde_json::from_slice(&header).map_err(|error| {
        InputError::malformed(format!("not a safetensors file: the header is not a JSON object: {error}"))
    })?;
    let mut tensors = Vec::new();
    let mut covered: Vec<(Range<usize>, String)> = Vec::new();
    for (name, Strict(value)) in header {
        if name == "__metadata__" {
            continue;
        }
        if !NAMES.contains(&name.as_str()) {
            return wrong(format!("the tensor `{name}` is none of {}", NAMES.join(", ")));
        }
        let entry: TensorEntry = serde_json::from_value(value)
            .map_err(|error| InputError::malformed(format!("the entry of `{name}`: {error}")))?;
        let tensor = tensor(name, entry, (content, &data), &mut covered)?;
        tensors.push(tensor);
    }
    // Gaps and overlaps are rejected, as in the format's library: they could hide other data in the file.
    covered.sort_by_key(|(range, _)| (range.start, range.end));
    let mut end = 0;
    for (range, name) in &covered {
        if range.start != end {
            return wrong(format!(
                "`{name}` begins at byte {} of the data, but must begin at {end}",
                range.start
            ));
        }
        end = range.end;
    }
    if end != data.len() {
        return wrong(format!("the tensors end at byte {end} of the data, which has {}", data.len()));
    }
    Ok(tensors)
}

fn tensor<'c>(
    name: String,
    entry: TensorEntry,
    (content, data): (&'c FileContent, &Range<usize>),
    covered: &mut Vec<(Range<usize>, String)>,
) -> Result<Tensor<'c>> {
    let wrong = |message: String| InputError::malformed(format!("`{name}` {message}"));
    let kind = match entry.dtype.as_str() {
        "F16" => TensorKind::F16,
        "BF16" => TensorKind::Bf16,
        "F32" => TensorKind::F32,
        "F64" => TensorKind::F64,
        "I32" => TensorKind::I32,
        "I64" => TensorKind::I64,
        other => return Err(wrong(format!("holds {other}, but F32, F16, BF16, F64, I64 and I32 are read"))),
    };
    let [start, end] = entry.data_offsets;
    let range = usize::try_from(start).ok().zip(usize::try_from(end).ok()).map(|(start, end)| start..end);
    let Some(range) = range.filter(|range| range.start <= range.end && range.end <= data.len()) else {
        let len = data.len();
        return Err(wrong(format!(
            "is stored from byte {start} to {end} of the data, which has {len} bytes"
        )));
    };
    let shape = entry.shape.iter().map(|&size| usize::try_from(size).ok()).collect::<Option<Vec<_>>>();
    let size = |shape: &Vec<usize>| shape.iter().try_fold(kind.size(), |all, &size| all.checked_mul(size));
    let Some(shape) = shape.filter(|shape| size(shape) == Some(range.len())) else {
        let shape = &entry.shape;
        let len = range.len();
        return Err(wrong(format!("has the shape {shape:?} of {} bytes each, but {len} bytes", kind.size())));
    };
    covered.push((range.clone(), name.clone()));
    let range = data.start + range.start..data.start + range.end;
    Ok(Tensor { name, kind, shape, content, range })
}
