//! Reads SegLST, a format of meeting transcripts: a JSON list with an object for each utterance.

use bleuprint_core::{InputError, Location, Result, counted};
use serde_json::{Map, Value};

use crate::Spoken;

/// Utterance of a SegLST list, with the name of its session and its location in the input.
pub(crate) struct SeglstItem {
    pub(crate) session: Option<String>,
    pub(crate) spoken: Spoken,
    pub(crate) at: Location,
}

impl SeglstItem {
    /// Reads one utterance from a JSON object. Errors name the location `at` of the object.
    pub(crate) fn from_fields(fields: &Map<String, Value>, at: Location) -> Result<Self> {
        SeglstItem::read(fields, &at).map_err(|error| error.at(at))
    }

    fn read(fields: &Map<String, Value>, at: &Location) -> Result<Self> {
        // A JSON `null` counts as a missing key.
        let get = |key: &str| fields.get(key).filter(|value| !value.is_null());
        let missing = |key: &str| InputError::malformed(format!("it has no `{key}`"));
        let time = |key| get(key).map(seconds).transpose();
        let times = match (time("start_time")?, time("end_time")?) {
            (None, None) => None,
            (Some(start), Some(end)) => Some([start, end]),
            (start, _) => return Err(missing(if start.is_none() { "start_time" } else { "end_time" })),
        };
        let session = get("session_id").map(name).transpose()?;
        let speaker = name(get("speaker").ok_or_else(|| missing("speaker"))?)?;
        let words = match get("words").ok_or_else(|| missing("words"))? {
            Value::String(words) => words.clone(),
            other => {
                return Err(InputError::malformed(format!("`words` is {other}, but it must be a text")));
            }
        };
        let spoken = Spoken { speaker, times, words };
        spoken.check()?;
        Ok(SeglstItem { session, spoken, at: at.clone() })
    }
}

/// Returns an error if some utterances of a list have times and others do not.
pub(crate) fn require_times_of_all(items: &[SeglstItem]) -> Result<()> {
    let timed = items.iter().filter(|item| item.spoken.times.is_some()).count();
    match items.iter().find(|item| item.spoken.times.is_none()) {
        Some(item) if timed > 0 => Err(InputError::malformed(format!(
            "the utterance has no times, but {}; all must have them, or none",
            counted(timed, "other has")
        ))
        .at(item.at.clone())),
        _ => Ok(()),
    }
}

/// Returns the name of a session or a speaker: a JSON string, or an integer as text.
fn name(value: &Value) -> Result<String> {
    match value {
        Value::String(name) => Ok(name.clone()),
        Value::Number(number) if number.is_u64() => Ok(number.to_string()),
        _ => Err(InputError::malformed(format!("{value} is not a name: a name is a text or a whole number"))),
    }
}

/// Returns a time in seconds from a JSON number, or from a string that contains a number.
fn seconds(value: &Value) -> Result<f64> {
    let number = match value {
        Value::String(text) => text.trim().parse().ok(),
        value => value.as_f64(),
    };
    let number = number.filter(|number: &f64| number.is_finite());
    number.ok_or_else(|| InputError::malformed(format!("{value} is not a time in seconds")))
}
