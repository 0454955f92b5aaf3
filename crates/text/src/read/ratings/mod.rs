//! Judgements of texts by people and by metrics: files of scores, of ratings, of marked errors, and of documents.
//!
//! * [`ScoreFile`]: `system score` a line, as the WMT metrics tasks publish them;
//! * [`read_ratings`]: a table of ratings, `system item score` and optionally `rater`, `domain` and `document`;
//! * [`read_errors`]: a table of marked errors (MQM);
//! * [`read_docs`]: the domain and the document of every segment.
//!
//! Averages, weights and standardizing are left to the caller. A score that is neither a number nor
//! `None` is an error with its file and line; there is no NaN.

mod docs;
mod errors;
mod named;
mod score_file;
mod table;

pub use docs::{DocLine, read_docs};
pub use errors::{MarkedError, read_errors};
pub use named::{TableKind, table_kind};
pub use score_file::{ScoreFile, ScoreLevel, ScoredSystem};
pub use table::{Rating, read_ratings};

use bleuprint_core::{InputError, Result};

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
