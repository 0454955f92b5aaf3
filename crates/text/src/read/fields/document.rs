//! [`RecordDocument`]: the records of a single JSON document, each with the number of its line.

use std::borrow::Cow;
use std::ops::Range;
use std::sync::Arc;

use bleuprint_core::{InputError, Location, Result};
use bleuprint_registry::ValueTag;
use serde_json::Value;
use serde_json::value::RawValue;

use super::strict::{Strict, StrictObject};
use super::tagged::tagged_value;
use crate::read::bare::{bare_words_and_numbers, replaced};
use crate::read::lines::{LineReader, require_memory_to_parse};

/// The records of a JSON document, which are parsed one by one when they are requested.
pub(super) struct RecordDocument {
    name: Arc<str>,
    text: String,
    /// The column names if the document is a table of the form `{"columns": [..], "data": [[..]]}`, otherwise
    /// `None`.
    columns: Option<Vec<String>>,
    /// The byte ranges, in the JSON text, of the records that were not returned yet.
    records: std::vec::IntoIter<Range<usize>>,
    /// The byte offset in the JSON text at which the current record starts.
    at: usize,
    /// The line number at which the current record starts, from 1.
    line: u64,
}

type Keys<'t> = StrictObject<&'t RawValue>;

impl RecordDocument {
    /// Reads a whole JSON file and locates its records. `place` is the path of the array that contains the
    /// records. Without it, the records are the elements of an array, the rows of `{"columns": [..], "data":
    /// [[..]]}`, or the top-level values, one after the other.
    pub(super) fn read(mut lines: LineReader, place: Option<&str>) -> Result<Self> {
        let mut text = String::new();
        while lines.advance()? {
            text.push_str(lines.line());
            text.push('\n');
        }
        let name = lines.name().clone();
        let located = |error: InputError| error.at(Location::file(name.clone()));
        require_memory_to_parse(text.as_bytes(), super::PER_VALUE).map_err(located)?;
        let text = standard(&text).into_owned();
        let found = records(&text, place).map_err(|error| match error {
            Wrong::Syntax(error) => {
                let line = Location::line(name.clone(), error.line().max(1) as u64);
                syntax_error(&error).at(line)
            }
            Wrong::Place(message) => located(InputError::malformed(message)),
        })?;
        let (columns, records) = found;
        Ok(RecordDocument { name, text, columns, records: records.into_iter(), at: 0, line: 1 })
    }

    pub(super) fn location(&self) -> Location {
        Location::line(self.name.clone(), self.line)
    }

    pub(super) fn next(&mut self) -> Result<Option<Value>> {
        let Some(range) = self.records.next() else { return Ok(None) };
        // Only the bytes since the last record are searched, so counting lines takes linear time in all.
        self.line += memchr::memchr_iter(b'\n', &self.text.as_bytes()[self.at..range.start]).count() as u64;
        self.at = range.start;
        let Strict(value) = serde_json::from_str(&self.text[range])
            .map_err(|error| syntax_error(&error).at(self.location()))?;
        let Some(columns) = &self.columns else { return Ok(Some(value)) };
        let cells = value.as_array().filter(|cells| cells.len() == columns.len());
        let Some(cells) = cells else {
            let message = format!("a row of `data` is not an array of {} cells", columns.len());
            return Err(InputError::malformed(message).at(self.location()));
        };
        let row = columns.iter().cloned().zip(cells.iter().cloned()).collect();
        Ok(Some(Value::Object(row)))
    }
}

/// The reason why no records were found in a JSON document: a syntax error, or a message about the path of
/// the records.
enum Wrong {
    Syntax(serde_json::Error),
    Place(String),
}

impl std::convert::From<serde_json::Error> for Wrong {
    fn from(error: serde_json::Error) -> Self {
        Wrong::Syntax(error)
    }
}

type Found = (Option<Vec<String>>, Vec<Range<usize>>);

/// Finds the records in a JSON text. Returns the column names if the document is a table, and the byte range
/// of every record.
fn records(text: &str, place: Option<&str>) -> Result<Found, Wrong> {
    let range = |value: &&RawValue| {
        let start = value.get().as_ptr() as usize - text.as_ptr() as usize;
        start..start + value.get().len()
    };
    let is_array = |value: &&RawValue| value.get().starts_with('[');
    let values = serde_json::Deserializer::from_str(text).into_iter::<&RawValue>();
    let values = values.collect::<Result<Vec<&RawValue>, _>>()?;
    let array = |value: &RawValue| -> Result<Vec<Range<usize>>, Wrong> {
        // The range of a value is computed from its address, so the array is parsed from the original text,
        // not from a copy.
        let start = range(&value).start;
        let elements: Vec<&RawValue> = serde_json::from_str(&text[start..start + value.get().len()])?;
        Ok(elements.iter().map(range).collect())
    };
    match (&values[..], place) {
        ([one], Some(place)) => match find(one, place)?.filter(is_array) {
            Some(found) => Ok((None, array(found)?)),
            None => Err(Wrong::Place(format!("the document has no array `{place}`"))),
        },
        (_, Some(place)) => {
            Err(Wrong::Place(format!("the file is not a single JSON document, so it has no array `{place}`")))
        }
        ([one], None) if is_array(one) => Ok((None, array(one)?)),
        // An object is either a table in the layout of pandas (`orient="split"`) or the only record.
        ([one], None) if one.get().starts_with('{') => {
            let StrictObject(keys): Keys<'_> = serde_json::from_str(one.get())?;
            match (keys.get("columns"), keys.get("data")) {
                (Some(columns), Some(data)) if is_array(columns) && is_array(data) => {
                    let columns: Vec<String> = serde_json::from_str(columns.get())?;
                    if let Some(twice) = (1..columns.len()).find(|&at| columns[..at].contains(&columns[at])) {
                        return Err(Wrong::Place(format!("the column `{}` is there twice", columns[twice])));
                    }
                    Ok((Some(columns), array(data)?))
                }
                _ => Ok((None, vec![range(one)])),
            }
        }
        (values, None) => Ok((None, values.iter().map(range).collect())),
    }
}

/// Returns the JSON value at the path `place`, such as `results.items`; a key that itself contains dots has
/// precedence.
fn find<'t>(value: &'t RawValue, place: &str) -> Result<Option<&'t RawValue>, Wrong> {
    if !value.get().starts_with('{') {
        return Ok(None);
    }
    let StrictObject(keys): Keys<'t> = serde_json::from_str(value.get())?;
    if let Some(found) = keys.get(place) {
        return Ok(Some(found));
    }
    // A longer key has precedence, so dots are tried from the last to the first.
    for (dot, _) in place.rmatch_indices('.') {
        if let Some(inner) = keys.get(&place[..dot])
            && let Some(found) = find(inner, &place[dot + 1..])?
        {
            return Ok(Some(found));
        }
    }
    Ok(None)
}

/// Converts the words `NaN`, `Infinity` and `-Infinity` in a JSON text to standard JSON. They become tagged
/// values, which only readers that allow them read as numbers. Whole numbers beyond 64 bits become tagged
/// texts, because as floats two different ids could become equal.
pub(super) fn standard(text: &str) -> Cow<'_, str> {
    let words = bare_words_and_numbers(text);
    if words.is_empty() {
        return Cow::Borrowed(text);
    }
    let is_number = |word: &str| word.ends_with(|last: char| last.is_ascii_digit());
    let tag = |word: &str| if is_number(word) { ValueTag::QuotedCell } else { ValueTag::NonFinite };
    Cow::Owned(replaced(text, &words, |word| tagged_value(tag(word), word).to_string()))
}

/// Converts an error of the JSON parser to an input error, without the line number, which the caller adds as
/// the location.
pub(super) fn syntax_error(error: &serde_json::Error) -> InputError {
    let whole = error.to_string();
    let message = whole.rsplit_once(" at line ").map_or(whole.as_str(), |(message, _)| message);
    let message = match message {
        "unexpected end of hex escape" | "lone leading surrogate in hex escape" => {
            "a lone surrogate, half of a character in UTF-16"
        }
        message => message,
    };
    InputError::malformed(format!("JSON: {message} (column {})", error.column()))
}
