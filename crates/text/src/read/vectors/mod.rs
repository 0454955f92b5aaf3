//! A reader of files with embedding vectors that the user computed: safetensors, or `.npy` with further files
//! next to it.
//!
//! | tensor | type | shape | meaning |
//! |---|---|---|---|
//! | `vectors` | f32, f16, bf16, f64 | rows, width | the vectors of all texts, row after row |
//! | `offsets` | i64, i32 | texts + 1 | text `i` has the rows from `offsets[i]` up to `offsets[i + 1]`; if absent, each row is a text |
//! | `groups` | i64, i32 | segments + 1 | segment `i` has the texts from `groups[i]` up to `groups[i + 1]`, such as several references; if absent, each text is a segment |
//! | `weights` | f32, f16, bf16, f64 | rows | the weight of each row, 0 for special pieces; if absent, 1 |
//! | `ids` | i64, i32 | rows | the id of the piece of each row, for inverse document frequencies |
//!
//! A safetensors file has these tensors by name. A file `x.npy` has the vectors; `x.offsets.npy`,
//! `x.groups.npy`, `x.weights.npy` and `x.ids.npy` next to it have the other arrays, if they are needed.

mod npy;
#[cfg(feature = "jsonl")]
mod safetensors;
mod stored;
mod table;
mod tensor;

use std::path::Path;
use std::sync::Arc;

use bleuprint_core::{InputError, Location, Result};

use stored::FileContent;
pub use stored::VectorReader;
pub use table::{Floats, VectorParts, VectorTable};

/// Reads a file of embedding vectors. The vectors of a large file in single precision are not loaded; a
/// [`VectorReader`] reads and checks them later.
///
/// # Errors
/// Returns an error with the file if it cannot be read, is neither safetensors nor `.npy`, or has a tensor of
/// a wrong type or shape. Also returns the errors of [`VectorTable::new`].
pub fn read_vectors(path: impl AsRef<Path>) -> Result<VectorTable> {
    read(path.as_ref())
}

fn read(path: &Path) -> Result<VectorTable> {
    let name: Arc<str> = path.to_string_lossy().into();
    if path.extension().is_some_and(|extension| extension == "npy") {
        return npy::read(path, name);
    }
    let located = |error: InputError| error.at(Location::file(name.clone()));
    let content = FileContent::open(path).map_err(located)?;
    // The other arrays of a `.npy` file are found by its name, so another extension would lose them.
    if npy::is_npy(&content).map_err(located)? {
        let message = "its name must end in .npy, so that x.offsets.npy is found beside x.npy";
        return Err(located(InputError::malformed(message)));
    }
    of_safetensors(&content, name)
}

#[cfg(feature = "jsonl")]
use safetensors::read as of_safetensors;

#[cfg(not(feature = "jsonl"))]
fn of_safetensors(_: &FileContent, name: Arc<str>) -> Result<VectorTable> {
    Err(InputError::malformed("safetensors are read with the feature `jsonl`").at(Location::file(name)))
}
