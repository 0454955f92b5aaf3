//! Parses whole JSON documents. Errors name the file and the JSON path.

use std::path::Path;

use bleuprint_core::{InputError, Location, Result};
use bleuprint_text::read::{number_label, parse_value};
use serde_json::Value;

/// Returns an error location with the path of this file and no line.
pub(crate) fn file(path: &Path) -> Location {
    Location::file(path.to_string_lossy())
}

pub(crate) fn read(path: &Path) -> Result<Value> {
    let cannot =
        |error: std::io::Error| InputError::malformed(format!("cannot be read: {error}")).at(file(path));
    parse(&std::fs::read(path).map_err(cannot)?, path)
}

/// Parses a JSON document; `path` is the file that error messages name.
pub(crate) fn parse(bytes: &[u8], path: &Path) -> Result<Value> {
    let invalid = |error| InputError::malformed(format!("not UTF-8 text: {error}"));
    let text = std::str::from_utf8(bytes).map_err(invalid);
    text.and_then(parse_value).map_err(|error| error.at(file(path)))
}

/// Returns the elements of the array at `place`, a JSON pointer such as `/results`.
pub(crate) fn array<'v>(value: &'v Value, place: &str, path: &Path) -> Result<&'v [Value]> {
    let found = value.pointer(place).and_then(Value::as_array);
    let shown = place.trim_start_matches('/').replace('/', ".");
    let missing = || {
        if shown.is_empty() {
            InputError::malformed("expected an array")
        } else {
            InputError::malformed(format!("no array `{shown}`"))
        }
    };
    found.map(Vec::as_slice).ok_or_else(|| missing().at(file(path)))
}

/// Converts a JSON string, number or truth value to text. Returns `None` if the value is null, absent, an
/// array or an object.
pub(crate) fn label(value: &Value) -> Option<String> {
    match value {
        Value::Null | Value::Array(_) | Value::Object(_) => None,
        Value::String(text) => Some(text.clone()),
        Value::Number(number) => Some(number_label(&number.to_string())),
        other => Some(other.to_string()),
    }
}

/// Returns the field `name` of a JSON record as text, or an error if the field is missing.
pub(crate) fn required(value: &Value, name: &str, at: &Location) -> Result<String> {
    label(&value[name])
        .ok_or_else(|| InputError::malformed(format!("a record has no `{name}`")).at(at.clone()))
}

/// Returns the field `name` of a log record, an integer from 0; returns 0 if the field is missing. The field
/// is the index of a sample among several answers to one item.
pub(crate) fn place(value: &Value, name: &str, at: &Location) -> Result<u64> {
    let place = if value[name].is_null() { Some(0) } else { value[name].as_u64() };
    let message = || format!("`{name}` is {}, but must be a whole number from 0", value[name]);
    place.ok_or_else(|| InputError::malformed(message()).at(at.clone()))
}

/// Returns the group of a benchmark item: its field `subject`, or otherwise `category`.
pub(crate) fn group(about: &Value) -> Option<String> {
    label(&about["subject"]).or_else(|| label(&about["category"]))
}
