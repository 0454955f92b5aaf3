//! Documents of JSON in one piece, and errors with their place.

use std::path::Path;

use bleuprint_core::{InputError, Location, Result};
use bleuprint_text::read::parse_value;
use serde_json::Value;

/// A file as a whole.
pub(crate) fn file(path: &Path) -> Location {
    Location::file(path.to_string_lossy())
}

pub(crate) fn read(path: &Path) -> Result<Value> {
    let cannot =
        |error: std::io::Error| InputError::malformed(format!("cannot be read: {error}")).at(file(path));
    parse(&std::fs::read(path).map_err(cannot)?, path)
}

/// `path` is for errors.
pub(crate) fn parse(bytes: &[u8], path: &Path) -> Result<Value> {
    let invalid = |error| InputError::malformed(format!("no text in UTF-8: {error}"));
    let text = std::str::from_utf8(bytes).map_err(invalid);
    text.and_then(parse_value).map_err(|error| error.at(file(path)))
}

/// The elements of an array at a place.
pub(crate) fn array<'v>(value: &'v Value, place: &str, path: &Path) -> Result<&'v [Value]> {
    let found = value.pointer(place).and_then(Value::as_array);
    let shown = place.trim_start_matches('/').replace('/', ".");
    let missing = || match shown.is_empty() {
        true => InputError::malformed("expected an array"),
        false => InputError::malformed(format!("no array `{shown}`")),
    };
    found.map(Vec::as_slice).ok_or_else(|| missing().at(file(path)))
}

/// A text, or a whole number or another value as text; none if it is absent or null.
pub(crate) fn label(value: &Value) -> Option<String> {
    match value {
        Value::Null | Value::Array(_) | Value::Object(_) => None,
        Value::String(text) => Some(text.clone()),
        other => Some(other.to_string()),
    }
}

/// A field that identifies: it must be there.
pub(crate) fn required(value: &Value, name: &str, at: &Location) -> Result<String> {
    label(&value[name])
        .ok_or_else(|| InputError::malformed(format!("a record has no `{name}`")).at(at.clone()))
}

/// The place of a sample, 0 if the log has none.
pub(crate) fn place(value: &Value, name: &str, at: &Location) -> Result<u64> {
    let place = if value[name].is_null() { Some(0) } else { value[name].as_u64() };
    let message = || format!("`{name}` is {}, but must be a whole number from 0", value[name]);
    place.ok_or_else(|| InputError::malformed(message()).at(at.clone()))
}

/// The group of an item: `subject`, else `category`.
pub(crate) fn group(about: &Value) -> Option<String> {
    label(&about["subject"]).or_else(|| label(&about["category"]))
}
