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

/// The rows of one metric in the file of numbers and of agreement with people.
///
/// # Panics
/// If there are none.
pub fn rows_of(metric: &str) -> Vec<Value> {
    let mut rows = rows("numbers-and-people-golden.json", "rows");
    rows.retain(|row| row["metric"] == metric);
    assert!(!rows.is_empty(), "no rows of {metric}");
    rows
}

/// A number: NaN and infinities are objects there, and what has no number is NaN.
pub fn number(value: &Value) -> f64 {
    match value["float"].as_str() {
        Some("inf") => f64::INFINITY,
        Some("-inf") => f64::NEG_INFINITY,
        _ => value.as_f64().unwrap_or(f64::NAN),
    }
}

/// A list of numbers.
///
/// # Panics
/// If it is no list.
pub fn numbers(value: &Value) -> Vec<f64> {
    value.as_array().unwrap_or_else(|| panic!("{value} is no list")).iter().map(number).collect()
}

/// Requires a recorded number; no value is NaN.
///
/// # Panics
/// If the two differ by more than the tolerance, relative to numbers above 1.
#[track_caller]
pub fn near(found: Option<f64>, expected: &Value, tolerance: f64, what: &str) {
    let (found, expected) = (found.unwrap_or(f64::NAN), number(expected));
    let equal = found.is_nan() && expected.is_nan()
        || (found - expected).abs() <= tolerance * expected.abs().max(1.0);
    assert!(equal, "{what}: {found}, not {expected}");
}
