//! SegLST: a list in JSON with an object for each utterance.

use std::borrow::Cow;

use bleuprint_core::{InputError, Location, Result, counted};
use serde_json::Value;
use serde_json::value::RawValue;

use super::Spoken;
use crate::read::Object;

/// An utterance of a list.
pub(crate) struct Item {
    pub(crate) session: Option<String>,
    pub(crate) spoken: Spoken,
    pub(crate) line: u64,
}

/// The utterances of a list.
///
/// # Errors
/// Anything but such a list, with the line; those of each utterance.
pub(crate) fn items(text: &str) -> Result<Vec<Item>> {
    let list: Vec<&RawValue> = serde_json::from_str(text).map_err(|error| {
        let message = format!("no list of utterances in JSON: {error}");
        InputError::malformed(message).at(at_line(error.line() as u64))
    })?;
    let (mut line, mut read) = (1, 0);
    let mut items = Vec::with_capacity(list.len());
    for raw in list {
        let at = raw.get().as_ptr() as usize - text.as_ptr() as usize;
        line += memchr::memchr_iter(b'\n', &text.as_bytes()[read..at]).count() as u64;
        read = at;
        items.push(item(raw.get(), line).map_err(|error| error.at(at_line(line)))?);
    }
    let timed = items.iter().filter(|item| item.spoken.times.is_some()).count();
    match items.iter().find(|item| item.spoken.times.is_none()) {
        Some(item) if timed > 0 => Err(InputError::malformed(format!(
            "the utterance has no times, but {}; all must have them, or none",
            counted(timed, "other has")
        ))
        .at(at_line(item.line))),
        _ => Ok(items),
    }
}

fn at_line(line: u64) -> Location {
    Location { line: Some(line), ..Location::default() }
}

fn item(raw: &str, line: u64) -> Result<Item> {
    let malformed = |error: serde_json::Error| InputError::malformed(error.to_string());
    let Object(fields) = serde_json::from_str::<Object<&RawValue>>(raw).map_err(malformed)?;
    let get = |key: &str| fields.get(key).map(|raw| raw.get()).filter(|raw| *raw != "null");
    let missing = |key: &str| InputError::malformed(format!("it has no `{key}`"));
    let time = |key| get(key).map(seconds).transpose();
    let times = match (time("start_time")?, time("end_time")?) {
        (None, None) => None,
        (Some(start), Some(end)) => Some([start, end]),
        (start, _) => return Err(missing(if start.is_none() { "start_time" } else { "end_time" })),
    };
    let session = get("session_id").map(name).transpose()?;
    let speaker = name(get("speaker").ok_or_else(|| missing("speaker"))?)?;
    let words = serde_json::from_str(get("words").ok_or_else(|| missing("words"))?).map_err(malformed)?;
    let spoken = Spoken { speaker, times, words };
    spoken.check()?;
    Ok(Item { session, spoken, line })
}

/// The name of a session or a speaker: a string, or a whole number.
fn name(raw: &str) -> Result<String> {
    match serde_json::from_str(raw) {
        Ok(Value::String(name)) => Ok(name),
        Ok(Value::Number(number)) if number.is_u64() => Ok(number.to_string()),
        _ => Err(InputError::malformed(format!("{raw} is no name: a name is a text or a whole number"))),
    }
}

/// Seconds: a number, or a string with one. Both are read as std does: a parser of JSON may round.
fn seconds(raw: &str) -> Result<f64> {
    let text = match raw.starts_with('"') {
        true => serde_json::from_str(raw).map_err(|error| InputError::malformed(error.to_string()))?,
        false => Cow::Borrowed(raw),
    };
    let number = text.trim().parse().ok().filter(|number: &f64| number.is_finite());
    number.ok_or_else(|| InputError::malformed(format!("{raw} is no time in seconds")))
}
