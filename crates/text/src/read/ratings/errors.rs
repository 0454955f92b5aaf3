//! [`read_errors`]: a table of errors that people marked (MQM).

use std::path::Path;
use std::sync::Arc;

use bleuprint_core::{InputError, Location, Result};

use super::named::Named;

/// One marked error, or a rater's statement that there is none.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct MarkedError {
    /// The system.
    pub system: String,
    /// The document.
    pub document: String,
    /// The number of the segment within the document, from 1.
    pub within: u64,
    /// The number of the segment within the test set, from 1.
    pub segment: u64,
    /// The rater.
    pub rater: String,
    /// The category, with subcategories after slashes.
    pub category: String,
    /// The severity.
    pub severity: String,
    /// The line of the file.
    pub line: u64,
}

/// Reads a tab-separated table with the columns `system`, `doc`, `doc_id`, `seg_id`, `rater`, `category` and `severity`.
///
/// # Errors
/// A missing column, an empty cell, a number that is not one, a table without rows; those of opening.
pub fn read_errors(path: impl AsRef<Path>) -> Result<Vec<MarkedError>> {
    const COLUMNS: [&str; 7] = ["system", "doc", "doc_id", "seg_id", "rater", "category", "severity"];
    let name = path.as_ref().display().to_string();
    let mut table = Named::open(path, &COLUMNS, &[])?;
    let mut errors = Vec::new();
    while let Some(cells) = table.next()? {
        let cells: Vec<String> = cells.into_iter().flatten().collect();
        let line = table.line();
        let marked = marked(cells, &COLUMNS, line).map_err(|error| error.at(table.location()))?;
        errors.push(marked);
    }
    match errors.is_empty() {
        true => Err(InputError::malformed("no marked errors").at(Location::file(Arc::from(name)))),
        false => Ok(errors),
    }
}

fn marked(cells: Vec<String>, names: &[&str; 7], line: u64) -> Result<MarkedError> {
    if let Some(empty) = cells.iter().position(String::is_empty) {
        return Err(InputError::malformed(format!("the cell `{}` is empty", names[empty])));
    }
    let Ok([system, document, within, segment, rater, category, severity]) = <[String; 7]>::try_from(cells)
    else {
        return Err(InputError::malformed("a row without all of its cells"));
    };
    let number = |name: &str, text: &str| match text.parse::<u64>() {
        Ok(number) if number > 0 => Ok(number),
        _ => Err(InputError::malformed(format!("{name} is `{text}`, but must be a number from 1"))),
    };
    let (within, segment) = (number("doc_id", &within)?, number("seg_id", &segment)?);
    Ok(MarkedError { system, document, within, segment, rater, category, severity, line })
}
