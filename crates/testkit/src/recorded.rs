//! Data recorded from other programs, in a folder beside the checkout and no part of it. A test that needs them is ignored
//! by name, in a module `recorded`; `cargo xtask step recorded` runs it.

use std::path::{Path, PathBuf};

use serde_json::Value;

/// A file or folder of the data.
///
/// # Panics
/// If it is absent.
pub fn path(name: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared").join(name);
    assert!(path.exists(), "there is no {}, and this test needs it", path.display());
    path
}

/// A document of JSON of the specifications.
///
/// # Panics
/// If it is absent or malformed.
pub fn json(file: &str) -> Value {
    let path = path(&format!("spec/{file}"));
    let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    serde_json::from_str(&text).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// A list of rows in such a document.
///
/// # Panics
/// If it is absent or malformed.
pub fn rows(file: &str, list: &str) -> Vec<Value> {
    json(file)[list].as_array().unwrap_or_else(|| panic!("{file} has no list {list}")).clone()
}
