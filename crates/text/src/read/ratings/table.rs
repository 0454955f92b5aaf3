//! [`read_ratings`]: a table of ratings.

use std::path::Path;
use std::sync::Arc;

use bleuprint_core::{InputError, Location, Result};

use super::named::Named;
use super::score;

/// One rating.
#[derive(Debug, Clone, Default, PartialEq)]
#[expect(clippy::exhaustive_structs, reason = "built with `..Default::default()`")]
pub struct Rating {
    /// The system.
    pub system: String,
    /// The rated item: the number of the segment, from 1, or a name.
    pub item: String,
    /// The score; `None` for `None` in the table.
    pub score: Option<f64>,
    /// The rater.
    pub rater: Option<String>,
    /// The domain of the item.
    pub domain: Option<String>,
    /// The document of the item.
    pub document: Option<String>,
    /// The line of the file.
    pub line: u64,
}

/// Reads a tab-separated table with a header that has the columns `system`, `item` and `score`, and perhaps `rater`,
/// `domain` and `document`. Several rows of one cell are several ratings.
///
/// # Errors
/// A missing column; an empty cell of the first three; a score that is neither a finite number nor `None`; a table without
/// rows; those of opening.
pub fn read_ratings(path: impl AsRef<Path>) -> Result<Vec<Rating>> {
    let name = path.as_ref().display().to_string();
    let mut table = Named::open(path, &["system", "item", "score"], &["rater", "domain", "document"])?;
    let mut ratings = Vec::new();
    while let Some(cells) = table.next()? {
        let line = table.line();
        let rating = rating(cells, line).map_err(|error| error.at(table.location()))?;
        ratings.push(rating);
    }
    match ratings.is_empty() {
        true => Err(InputError::malformed("no ratings").at(Location::file(Arc::from(name)))),
        false => Ok(ratings),
    }
}

fn rating(cells: Vec<Option<String>>, line: u64) -> Result<Rating> {
    let mut cells = cells.into_iter().map(|cell| cell.filter(|cell| !cell.is_empty()));
    let mut next = || cells.next().flatten();
    let required = |name: &str, cell: Option<String>| {
        cell.ok_or_else(|| InputError::malformed(format!("the cell `{name}` is empty")))
    };
    let system = required("system", next())?;
    let item = required("item", next())?;
    let text = required("score", next())?;
    let (rater, domain, document) = (next(), next(), next());
    Ok(Rating { system, item, score: score(&text)?, rater, domain, document, line })
}
