//! [`read_ratings`]: reads a table of human ratings.

use bleuprint::text::read::FieldReader;
use bleuprint::{InputError, Location, Result};

use super::{label, required, score};

/// Score that one person gave to the output of one system for one item.
#[derive(Debug, Clone, Default)]
pub(crate) struct Rating {
    pub(crate) system: String,
    /// Rated item: the number of a segment, counted from 1, or a name.
    pub(crate) item: String,
    /// Score that the person gave; `None` if the table has the word `None`.
    pub(crate) score: Option<f64>,
    pub(crate) rater: Option<String>,
    pub(crate) domain: Option<String>,
    pub(crate) document: Option<String>,
    pub(crate) line: u64,
}

/// Reads human ratings from a table with the columns `system`, `item` and `score`, and optionally `rater`,
/// `domain` and `document`. Several rows with the same system and item are several ratings.
///
/// # Errors
/// Returns an error for a missing column, an empty cell of the first three columns, a score that is neither a
/// finite number nor `None`, and a table without rows. Also returns the errors of opening the file.
pub(crate) fn read_ratings(path: &str) -> Result<Vec<Rating>> {
    let mut records = FieldReader::open(path, None)?;
    let mut ratings = Vec::new();
    while records.advance()? {
        let text = |name| required(&records, name);
        let optional = |name| if records.may_have(name) { label(&records, name) } else { Ok(None) };
        ratings.push(Rating {
            system: text("system")?,
            item: text("item")?,
            score: score(&text("score")?).map_err(|error| error.at(records.location()))?,
            rater: optional("rater")?,
            domain: optional("domain")?,
            document: optional("document")?,
            line: records.location().line.unwrap_or_default(),
        });
    }
    if ratings.is_empty() {
        Err(InputError::malformed("no ratings").at(Location::file(path)))
    } else {
        Ok(ratings)
    }
}
