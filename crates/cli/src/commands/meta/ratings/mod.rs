//! Judgements of texts by people and by metrics: files of scores, of ratings, of marked errors, and of documents.
//!
//! * [`ScoreFile`]: `system score` a line, as the WMT metrics tasks publish them;
//! * [`read_ratings`]: ratings, `system item score` and optionally `rater`, `domain` and `document`;
//! * [`read_errors`]: marked errors (MQM);
//! * [`read_docs`]: the domain and the document of every segment.
//!
//! Averages, weights and standardizing are left to the caller. A score that is neither a number nor
//! `None` is an error with its file and line; there is no NaN.

mod docs;
mod errors;
mod score_file;
mod table;

use bleuprint::text::read::{Field, Fields};
use bleuprint::{InputError, Location, Result};

pub(super) use docs::{DocLine, read_docs};
pub(super) use errors::{MarkedError, read_errors};
pub(super) use score_file::{ScoreFile, ScoreLevel, ScoredSystem};
pub(super) use table::{Rating, read_ratings};

/// A finite decimal number, or no score for `None`.
fn score(text: &str) -> Result<Option<f64>> {
    if text == "None" {
        return Ok(None);
    }
    match text.parse::<f64>() {
        Ok(value) if value.is_finite() => Ok(Some(value)),
        _ => Err(InputError::malformed(format!("`{text}` is neither a finite number nor None"))),
    }
}

/// A field that every record has.
fn required(record: &Fields, name: &str) -> Result<String> {
    let empty = || InputError::malformed(format!("the cell `{name}` is empty")).at(record.location());
    record.field(name)?.label()?.ok_or_else(empty)
}

/// True if the file has marked errors, false if it has ratings, by the names of its columns.
///
/// # Errors
/// Both or neither of `score` and `severity`; a file that cannot be read.
pub(super) fn has_marked_errors(path: &str) -> Result<bool> {
    let mut records = Fields::open(path, None)?;
    records.advance()?;
    let has = |name: &str| -> Result<bool> {
        Ok(records.may_have(name) && !matches!(records.field(name)?, Field::Absent))
    };
    match (has("severity")?, has("score")?) {
        (true, false) => Ok(true),
        (false, true) => Ok(false),
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
