//! [`read_errors`]: reads errors that people marked in translations (MQM) from a table.

use bleuprint::text::read::FieldReader;
use bleuprint::{InputError, Result};

use super::required;

/// Error that a person marked in an output (MQM), or the statement that the output has none.
pub(crate) struct MarkedError {
    pub(crate) system: String,
    pub(crate) document: String,
    /// Number of the segment within its document, counted from 1.
    pub(crate) within: u64,
    /// Number of the segment within the test set, counted from 1.
    pub(crate) segment: u64,
    pub(crate) rater: String,
    /// Category of the error, with subcategories after slashes, as in `Fluency/Grammar`.
    pub(crate) category: String,
    pub(crate) severity: String,
    pub(crate) line: u64,
}

/// Reads marked errors from a table with the columns `system`, `doc`, `doc_id`, `seg_id`, `rater`, `category`
/// and `severity`.
///
/// # Errors
/// Returns an error for a missing column, an empty cell, or a number that is not an integer from 1, and the
/// errors of opening the file.
pub(crate) fn read_errors(path: &str) -> Result<Vec<MarkedError>> {
    let mut records = FieldReader::open(path, None)?;
    let mut errors = Vec::new();
    while records.advance()? {
        let text = |name| required(&records, name);
        let number = |name| match text(name)?.parse::<u64>() {
            Ok(number) if number > 0 => Ok(number),
            _ => {
                let message = format!("{name} is `{}`, but must be a number from 1", text(name)?);
                Err(InputError::malformed(message).at(records.location()))
            }
        };
        errors.push(MarkedError {
            system: text("system")?,
            document: text("doc")?,
            within: number("doc_id")?,
            segment: number("seg_id")?,
            rater: text("rater")?,
            category: text("category")?,
            severity: text("severity")?,
            line: records.location().line.unwrap_or_default(),
        });
    }
    Ok(errors)
}
