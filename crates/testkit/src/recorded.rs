//! Reads recorded results of other programs from a folder next to the checkout, which is not part of the
//! checkout.
//!
//! A test that needs this data is in a module `recorded` and is ignored by default; `cargo xtask step
//! recorded` runs it.

use std::path::{Path, PathBuf};

use serde_json::Value;

/// Returns the path of a file or folder with results that were recorded from other programs.
///
/// # Panics
/// Panics if it does not exist.
pub fn path(name: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared").join(name);
    assert!(path.exists(), "there is no {}, and this test needs it", path.display());
    path
}

/// Reads a JSON file with results that were recorded from other programs.
///
/// # Panics
/// Panics if the file is missing or malformed.
pub fn json(file: &str) -> Value {
    let path = path(&format!("spec/{file}"));
    let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    serde_json::from_str(&text).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// Reads the list named `list` from a JSON file with results that were recorded from other programs.
///
/// # Panics
/// Panics if the file or the list is missing or malformed.
pub fn rows(file: &str, list: &str) -> Vec<Value> {
    json(file)[list].as_array().unwrap_or_else(|| panic!("{file} has no list {list}")).clone()
}

/// Reads the recorded results of one metric from the file about metrics over numbers and agreement with human
/// ratings.
///
/// # Panics
/// Panics if there are no results of this metric.
pub fn rows_of(metric: &str) -> Vec<Value> {
    let mut rows = rows("numbers-and-people-golden.json", "rows");
    rows.retain(|row| row["metric"] == metric);
    assert!(!rows.is_empty(), "no rows of {metric}");
    rows
}

/// Reads a number from recorded JSON. Infinities and NaN are stored as objects; a JSON value that is not a
/// number is NaN.
pub fn number(value: &Value) -> f64 {
    match value["float"].as_str() {
        Some("inf") => f64::INFINITY,
        Some("-inf") => f64::NEG_INFINITY,
        _ => value.as_f64().unwrap_or(f64::NAN),
    }
}

/// Reads a list of numbers from recorded JSON.
///
/// # Panics
/// Panics if the JSON value is not a list.
pub fn numbers(value: &Value) -> Vec<f64> {
    value.as_array().unwrap_or_else(|| panic!("{value} is no list")).iter().map(number).collect()
}

/// Requires that `found` is close to a number in recorded JSON; `None` counts as NaN. `what` names the number
/// in the message.
///
/// # Panics
/// Panics if the numbers differ by more than `tolerance`, relative to the expected number if that is above 1.
#[track_caller]
pub fn near(found: Option<f64>, expected: &Value, tolerance: f64, what: &str) {
    let found = found.unwrap_or(f64::NAN);
    let expected = number(expected);
    let equal = found.is_nan() && expected.is_nan()
        || (found - expected).abs() <= tolerance * expected.abs().max(1.0);
    assert!(equal, "{what}: {found}, not {expected}");
}
