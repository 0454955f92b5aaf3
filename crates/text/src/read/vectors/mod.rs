//! Files of vectors that a model of the user computed: safetensors, and `.npy` with further files next to it.
//!
//! | tensor | type | shape | meaning |
//! |---|---|---|---|
//! | `vectors` | f32, f16, bf16, f64 | rows, width | the vectors of all texts, row after row |
//! | `offsets` | i64, i32 | texts + 1 | rows of a text: from its offset to the next; absent: a row is a text |
//! | `groups` | i64, i32 | segments + 1 | texts of a segment, as several references; absent: a text is a segment |
//! | `weights` | f32, f16, bf16, f64 | rows | the weight of each row, 0 for special pieces; absent: 1 |
//! | `ids` | i64, i32 | rows | the piece of each row, for idf |
//!
//! A safetensors file has these tensors by name. Next to `x.npy` with the vectors are `x.offsets.npy`, `x.groups.npy`,
//! `x.weights.npy` and `x.ids.npy`, as far as they are needed.

mod npy;
#[cfg(feature = "jsonl")]
mod safetensors;
mod stored;
mod table;
mod tensor;

use std::path::Path;
use std::sync::Arc;

use bleuprint_core::{InputError, Location, Result};

use stored::Content;
pub use stored::VectorReader;
pub use table::{Floats, VectorParts, VectorTable};

/// Reads a file of vectors. Those in single precision of a large file stay there, and a [`VectorReader`] reads and checks them.
///
/// # Errors
/// A file that cannot be read, or is neither safetensors nor `.npy`; a tensor of another type or shape; those of
/// [`VectorTable::new`]. All name the file.
pub fn read_vectors(path: impl AsRef<Path>) -> Result<VectorTable> {
    read(path.as_ref())
}

fn read(path: &Path) -> Result<VectorTable> {
    let name: Arc<str> = path.to_string_lossy().into();
    if path.extension().is_some_and(|extension| extension == "npy") {
        return npy::read(path, name);
    }
    let located = |error: InputError| error.at(Location::file(name.clone()));
    let content = Content::open(path).map_err(located)?;
    if npy::is_npy(&content).map_err(located)? {
        let message = "its name must end in .npy, so that x.offsets.npy is found beside x.npy";
        return Err(located(InputError::malformed(message)));
    }
    of_safetensors(&content, name)
}

#[cfg(feature = "jsonl")]
use safetensors::read as of_safetensors;

#[cfg(not(feature = "jsonl"))]
fn of_safetensors(_: &Content, name: Arc<str>) -> Result<VectorTable> {
    Err(InputError::malformed("safetensors are read with the feature `jsonl`").at(Location::file(name)))
}
