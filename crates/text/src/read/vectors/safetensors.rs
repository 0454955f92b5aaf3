//! Safetensors: the length of a header, a header in JSON with the place of each tensor, and the tensors.

use std::ops::Range;
use std::sync::Arc;

use bleuprint_core::{InputError, Location, Result};
use serde::Deserialize;

use super::stored::Content;
use super::table::{VectorParts, VectorTable};
use super::tensor::{Kind, Tensor};
use crate::read::fields::strict::{Object, Strict};

/// Longer headers are refused, as in the format's own library.
const MOST: u64 = 100_000_000;

const NAMES: [&str; 5] = ["vectors", "offsets", "groups", "weights", "ids"];

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Entry {
    dtype: String,
    shape: Vec<u64>,
    data_offsets: [u64; 2],
}

pub(super) fn read(content: &Content, name: Arc<str>) -> Result<VectorTable> {
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

/// All tensors, which must cover the data without holes and overlaps.
fn tensors(content: &Content) -> Result<Vec<Tensor<'_>>> {
    let wrong = |message: String| Err(InputError::malformed(message));
    let start = content.read(0..8)?;
    let Some(length) = start.first_chunk::<8>() else {
        return wrong(format!("{} bytes are no safetensors file, which begins with 8 bytes", content.len()));
    };
    let (length, follow) = (u64::from_le_bytes(*length), content.len() - 8);
    let header = usize::try_from(length).ok().filter(|known| length <= MOST && *known <= follow);
    let Some(header) = header else {
        return wrong(format!(
            "no safetensors file: a header of {length} bytes is announced, and {follow} follow"
        ));
    };
    let data = 8 + header..content.len();
    let header = content.read(8..data.start)?;
    let Object(header): Object<Strict> = serde_json::from_slice(&header).map_err(|error| {
        InputError::malformed(format!("no safetensors file: the header is no JSON object: {error}"))
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
        let entry: Entry = serde_json::from_value(value)
            .map_err(|error| InputError::malformed(format!("the entry of `{name}`: {error}")))?;
        let tensor = tensor(name, entry, (content, &data), &mut covered)?;
        tensors.push(tensor);
    }
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
    entry: Entry,
    (content, data): (&'c Content, &Range<usize>),
    covered: &mut Vec<(Range<usize>, String)>,
) -> Result<Tensor<'c>> {
    let wrong = |message: String| InputError::malformed(format!("`{name}` {message}"));
    let kind = match entry.dtype.as_str() {
        "F16" => Kind::F16,
        "BF16" => Kind::Bf16,
        "F32" => Kind::F32,
        "F64" => Kind::F64,
        "I32" => Kind::I32,
        "I64" => Kind::I64,
        other => return Err(wrong(format!("holds {other}, but F32, F16, BF16, F64, I64 and I32 are read"))),
    };
    let [start, end] = entry.data_offsets;
    let range = usize::try_from(start).ok().zip(usize::try_from(end).ok()).map(|(start, end)| start..end);
    let Some(range) = range.filter(|range| range.start <= range.end && range.end <= data.len()) else {
        let len = data.len();
        return Err(wrong(format!("lies from byte {start} to {end} of the data, which has {len}")));
    };
    let shape = entry.shape.iter().map(|&size| usize::try_from(size).ok()).collect::<Option<Vec<_>>>();
    let size = |shape: &Vec<usize>| shape.iter().try_fold(kind.size(), |all, &size| all.checked_mul(size));
    let Some(shape) = shape.filter(|shape| size(shape) == Some(range.len())) else {
        let (shape, len) = (&entry.shape, range.len());
        return Err(wrong(format!("has the shape {shape:?} of {} bytes each, but {len} bytes", kind.size())));
    };
    covered.push((range.clone(), name.clone()));
    let range = data.start + range.start..data.start + range.end;
    Ok(Tensor { name, kind, shape, content, range })
}
