//! [`read_errors`]: errors that people marked (MQM).

use bleuprint::text::read::FieldReader;
use bleuprint::{InputError, Result};

use super::required;

/// One marked error, or a rater's statement that there is none.
pub(crate) struct MarkedError {
    pub(crate) system: String,
    pub(crate) document: String,
    /// The number of the segment within the document, from 1.
    pub(crate) within: u64,
    /// The number of the segment within the test set, from 1.
    pub(crate) segment: u64,
    pub(crate) rater: String,
    /// The category, with subcategories after slashes.
    pub(crate) category: String,
    pub(crate) severity: String,
    pub(crate) line: u64,
}

/// Reads a table with the columns `system`, `doc`, `doc_id`, `seg_id`, `rater`, `category` and `severity`.
///
/// # Errors
/// A missing column, an empty cell, a number that is not one; those of opening.
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
