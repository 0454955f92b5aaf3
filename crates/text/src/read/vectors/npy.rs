//! A parser of NumPy's `.npy` files: one array after a header, which is a Python dict.

use std::path::Path;
use std::sync::Arc;

use bleuprint_core::{InputError, Location, Result};

use super::stored::FileContent;
use super::table::{VectorParts, VectorTable};
use super::tensor::{Tensor, TensorKind};

const MAGIC: &[u8] = b"\x93NUMPY";

pub(super) fn is_npy(content: &FileContent) -> Result<bool> {
    Ok(content.read(0..MAGIC.len())? == MAGIC)
}

/// Reads embedding vectors from `x.npy`, and the arrays in `x.offsets.npy`, `x.groups.npy`, `x.weights.npy`
/// and `x.ids.npy` if these files exist.
pub(super) fn read(path: &Path, name: Arc<str>) -> Result<VectorTable> {
    let (numbers, width) = within(path, "vectors", |tensor| tensor.matrix())?;
    let beside = |part: &str| path.with_extension(format!("{part}.npy"));
    let is_there = |part: &str| beside(part).exists();
    let integers = |part: &str| {
        is_there(part).then(|| within(&beside(part), part, |tensor| tensor.integers())).transpose()
    };
    let weights =
        is_there("weights").then(|| within(&beside("weights"), "weights", |tensor| tensor.numbers()));
    let parts = VectorParts {
        offsets: integers("offsets")?,
        groups: integers("groups")?,
        weights: weights.transpose()?,
        ids: integers("ids")?,
    };
    VectorTable::with(name, numbers, width, parts)
}

fn within<R>(path: &Path, part: &str, read: impl FnOnce(&Tensor<'_>) -> Result<R>) -> Result<R> {
    let name: Arc<str> = path.to_string_lossy().into();
    let read = || read(&array(&FileContent::open(path)?, part)?);
    read().map_err(|error| error.at(Location::file(name)))
}

/// Maximum number of bytes in front of the header of a `.npy` file: the magic number, the version, and a
/// length of two or four bytes.
const START: usize = 12;

fn array<'c>(content: &'c FileContent, part: &str) -> Result<Tensor<'c>> {
    let wrong = |message: String| InputError::malformed(message);
    let no_array =
        || wrong("not a .npy file: it does not begin like one, or ends within its header".to_owned());
    let start = content.read(0..START)?;
    let rest = start.strip_prefix(MAGIC).ok_or_else(no_array)?;
    // Version 1 has a length of two bytes, versions 2 and 3 of four bytes.
    let (length, rest) = match rest {
        [1, _, rest @ ..] => {
            let (length, rest) = rest.split_first_chunk::<2>().ok_or_else(no_array)?;
            (usize::from(u16::from_le_bytes(*length)), rest)
        }
        [2 | 3, _, rest @ ..] => {
            let (length, rest) = rest.split_first_chunk::<4>().ok_or_else(no_array)?;
            (u32::from_le_bytes(*length) as usize, rest)
        }
        [version, ..] => return Err(wrong(format!("version {version} of .npy is not known"))),
        [] => return Err(no_array()),
    };
    let before = start.len() - rest.len();
    let after = before.checked_add(length).filter(|after| *after <= content.len()).ok_or_else(no_array)?;
    let header = content.read(before..after)?;
    let header = std::str::from_utf8(&header).map_err(|_| no_array())?;
    let data = after..content.len();
    // The header is a Python literal with fixed keys; a search for the keys is enough to read it.
    let field = |key: &str| {
        let (_, value) = header.split_once(&format!("'{key}':"))?;
        Some(value.trim_start())
    };
    let missing = |key: &str| wrong(format!("the header of the .npy file has no `{key}`: {}", header.trim()));
    let kind = field("descr").ok_or_else(|| missing("descr"))?;
    let kind = kind.strip_prefix('\'').and_then(|kind| kind.split('\'').next()).unwrap_or_default();
    let kind = match kind {
        "<f2" => TensorKind::F16,
        "<f4" => TensorKind::F32,
        "<f8" => TensorKind::F64,
        "<i4" => TensorKind::I32,
        "<i8" => TensorKind::I64,
        other => {
            return Err(wrong(format!("an array of `{other}`, but <f4, <f2, <f8, <i8 and <i4 are read")));
        }
    };
    let shape = field("shape").ok_or_else(|| missing("shape"))?;
    let shape = shape.strip_prefix('(').and_then(|shape| shape.split(')').next());
    let shape =
        shape.ok_or_else(|| missing("shape"))?.split(',').map(str::trim).filter(|size| !size.is_empty());
    let shape = shape.map(str::parse).collect::<Result<Vec<usize>, _>>().map_err(|_| missing("shape"))?;
    let fortran = field("fortran_order").ok_or_else(|| missing("fortran_order"))?;
    // For one dimension both orders are the same.
    if fortran.starts_with("True") && shape.len() > 1 {
        let message =
            "the array is in Fortran order, column after column: save numpy.ascontiguousarray(array)";
        return Err(wrong(message.to_owned()));
    }
    // The size is computed with overflow checks, since the shape may be arbitrary.
    let size = shape.iter().try_fold(kind.size(), |all, &size| all.checked_mul(size));
    if size != Some(data.len()) {
        let len = data.len();
        return Err(wrong(format!(
            "an array of the shape {shape:?} of {} bytes each, but {len} bytes",
            kind.size()
        )));
    }
    Ok(Tensor { name: part.to_owned(), kind, shape, content, range: data })
}
