//! SegLST: a list in JSON with an object for each utterance.

use std::borrow::Cow;
use std::fmt;

use bleuprint_core::{InputError, Location, Result, counted};
use serde::de::{Deserialize, Deserializer, Error as _, IgnoredAny, MapAccess, Visitor};
use serde_json::value::RawValue;

use super::Spoken;

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
    let Fields { session_id, speaker, start_time, end_time, words } =
        serde_json::from_str(raw).map_err(|error| InputError::malformed(error.to_string()))?;
    let missing = |key: &str| InputError::malformed(format!("it has no `{key}`"));
    let times = match (start_time, end_time) {
        (None, None) => None,
        (Some(start), Some(end)) => Some([start, end]),
        (start, _) => return Err(missing(if start.is_none() { "start_time" } else { "end_time" })),
    };
    let speaker = speaker.ok_or_else(|| missing("speaker"))?;
    let spoken = Spoken { speaker, times, words: words.ok_or_else(|| missing("words"))? };
    spoken.check()?;
    Ok(Item { session: session_id, spoken, line })
}

#[derive(Default)]
struct Fields {
    session_id: Option<String>,
    speaker: Option<String>,
    start_time: Option<f64>,
    end_time: Option<f64>,
    words: Option<String>,
}

impl<'l> Deserialize<'l> for Fields {
    fn deserialize<D: Deserializer<'l>>(deserializer: D) -> Result<Self, D::Error> {
        struct Object;
        impl<'l> Visitor<'l> for Object {
            type Value = Fields;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: MapAccess<'l>>(self, mut map: A) -> Result<Fields, A::Error> {
                let mut fields = Fields::default();
                while let Some(key) = map.next_key::<Cow<'_, str>>()? {
                    let twice = match &*key {
                        "session_id" => {
                            put(&mut fields.session_id, map.next_value::<Option<Label>>()?.map(|l| l.0))
                        }
                        "speaker" => {
                            put(&mut fields.speaker, map.next_value::<Option<Label>>()?.map(|l| l.0))
                        }
                        "start_time" => {
                            put(&mut fields.start_time, seconds(map.next_value()?).map_err(A::Error::custom)?)
                        }
                        "end_time" => {
                            put(&mut fields.end_time, seconds(map.next_value()?).map_err(A::Error::custom)?)
                        }
                        "words" => put(&mut fields.words, map.next_value()?),
                        _ => {
                            map.next_value::<IgnoredAny>()?;
                            false
                        }
                    };
                    if twice {
                        return Err(A::Error::custom(format!("the key `{key}` twice")));
                    }
                }
                Ok(fields)
            }
        }
        deserializer.deserialize_map(Object)
    }
}

/// Puts a value into its place; `true` if one was there. `null` is none.
fn put<T>(place: &mut Option<T>, value: Option<T>) -> bool {
    let twice = place.is_some() && value.is_some();
    if value.is_some() {
        *place = value;
    }
    twice
}

/// The name of a session or a speaker: a string, or a whole number.
struct Label(String);

impl<'l> Deserialize<'l> for Label {
    fn deserialize<D: Deserializer<'l>>(deserializer: D) -> Result<Self, D::Error> {
        struct Name;
        impl Visitor<'_> for Name {
            type Value = Label;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a name")
            }

            fn visit_str<E: serde::de::Error>(self, name: &str) -> Result<Label, E> {
                Ok(Label(name.to_owned()))
            }

            fn visit_u64<E: serde::de::Error>(self, number: u64) -> Result<Label, E> {
                Ok(Label(number.to_string()))
            }
        }
        deserializer.deserialize_any(Name)
    }
}

/// Seconds: a number, or a string with one. Both are read as std does: a parser of JSON may round.
fn seconds(raw: Option<&RawValue>) -> Result<Option<f64>, String> {
    let Some(raw) = raw.map(RawValue::get) else { return Ok(None) };
    let text = match raw.starts_with('"') {
        true => serde_json::from_str::<Cow<'_, str>>(raw).map_err(|error| error.to_string())?,
        false => Cow::Borrowed(raw),
    };
    let number = text.trim().parse().ok().filter(|number: &f64| number.is_finite());
    number.map(Some).ok_or_else(|| format!("{raw} is no time in seconds"))
}
