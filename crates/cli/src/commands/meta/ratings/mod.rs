//! Reads judgements of texts by people and by metrics: scores, ratings, marked errors, and documents.
//!
//! * [`ScoreFile`]: `system score` a line, as the WMT metrics tasks publish them;
//! * [`read_ratings`]: ratings, `system item score` and optionally `rater`, `domain` and `document`;
//! * [`read_errors`]: marked errors (MQM);
//! * [`read_docs`]: the domain and the document of every segment.
//!
//! A score that is neither a finite number nor `None` is an error with its file and line.

mod docs;
mod errors;
mod score_file;
mod table;

use bleuprint::text::read::{Field, FieldReader};
use bleuprint::{InputError, Location, Result};

pub(super) use docs::{DocLine, read_docs};
pub(super) use errors::{MarkedError, read_errors};
pub(super) use score_file::{ScoreFile, ScoreLevel, ScoredSystem};
pub(super) use table::{Rating, read_ratings};

/// Parses a score: a finite decimal number, or the word `None` for a missing score.
fn score(text: &str) -> Result<Option<f64>> {
    // The WMT toolkit writes Python's None for an item that nobody rated.
    if text == "None" {
        return Ok(None);
    }
    match text.parse::<f64>() {
        Ok(value) if value.is_finite() => Ok(Some(value)),
        _ => Err(InputError::malformed(format!("`{text}` is neither a finite number nor None"))),
    }
}

/// Returns the value of an optional field of a record; `None` if the record lacks it.
fn label(record: &FieldReader, name: &str) -> Result<Option<String>> {
    let wrong = |error: InputError| InputError::malformed(format!("`{name}`: {error}")).at(record.location());
    record.field(name)?.label().map_err(wrong)
}

/// Returns the value of a field that every record must have, or an error if it is missing.
fn required(record: &FieldReader, name: &str) -> Result<String> {
    label(record, name)?.ok_or_else(|| {
        let message = match record.field(name) {
            Ok(Field::Text(_)) => format!("the cell `{name}` is empty"),
            _ => format!("the record has no `{name}`"),
        };
        InputError::malformed(message).at(record.location())
    })
}

/// Returns `true` if a file has marked errors (MQM), or `false` if it has ratings. The names of its columns
/// decide.
///
/// # Errors
/// Returns an error if the first record has both `score` and `severity`, or neither. A file that has no
/// records or cannot be read is an error too.
pub(super) fn has_marked_errors(path: &str) -> Result<bool> {
    let mut records = FieldReader::open(path, None)?;
    if !records.advance()? {
        return Err(InputError::malformed("no ratings and no marked errors").at(Location::file(path)));
    }
    let has = |name: &str| -> Result<bool> {
        Ok(records.may_have(name) && !matches!(records.field(name)?, Field::Absent))
    };
    match (has("severity")?, has("score")?) {
        (true, false) => Ok(true),
        (false, true) => Ok(false),
        (true, true) => {
            let message =
                "ratings have the column `score` and marked errors `severity`, but the first record has both";
            Err(InputError::malformed(message).at(Location::file(path)))
        }
        _ => {
            let fields: Vec<String> = records.record()?.keys().cloned().collect();
            let message = format!(
                "neither ratings (columns system, item, score), nor marked errors (.. category, severity), nor a file \
                 named *.seg.score or *.sys.score; the first record has: {}",
                fields.join(", ")
            );
            Err(InputError::malformed(message).at(Location::file(path)))
        }
    }
}
