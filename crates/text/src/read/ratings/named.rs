//! Tables with a header whose columns are found by name, and the kind of a table.

use std::path::Path;
use std::sync::Arc;

use bleuprint_core::{InputError, Location, Result};

use crate::read::records::Records;
use crate::read::source::open;

/// A tab-separated table whose columns are known by name.
pub(super) struct Named {
    records: Records,
    /// The place of each column that was asked for.
    places: Vec<Option<usize>>,
    columns: usize,
}

impl Named {
    /// Opens a table that has all of the `required` columns and perhaps some of the `optional` ones.
    pub(super) fn open(path: impl AsRef<Path>, required: &[&str], optional: &[&str]) -> Result<Self> {
        Self::new(Records::tsv(open(path)?), required, optional)
    }

    pub(super) fn new(mut records: Records, required: &[&str], optional: &[&str]) -> Result<Self> {
        let header = records.header()?;
        let at = |error: InputError| error.at(Location::line(Arc::clone(records.name()), 1));
        let find = |name: &&str| {
            let mut places = header.iter().enumerate().filter(|(_, column)| column == name);
            match (places.next(), places.next()) {
                (Some(_), Some(_)) => {
                    Err(at(InputError::malformed(format!("the column `{name}` comes twice"))))
                }
                (first, _) => Ok(first.map(|(place, _)| place)),
            }
        };
        let places = required.iter().chain(optional).map(find).collect::<Result<Vec<_>>>()?;
        if let Some(missing) = places.iter().take(required.len()).position(Option::is_none) {
            let message =
                format!("no column `{}`; the columns are: {}", required[missing], header.join(", "));
            return Err(at(InputError::malformed(message)));
        }
        Ok(Named { records, places, columns: header.len() })
    }

    /// The cells of the next row in the order in which the columns were asked for; `None` at the end.
    pub(super) fn next(&mut self) -> Result<Option<Vec<Option<String>>>> {
        if !self.records.next()? {
            return Ok(None);
        }
        let cells = self.records.cells().map(|cell| std::str::from_utf8(cell).map(str::trim));
        let cells = cells
            .collect::<Result<Vec<&str>, _>>()
            .map_err(|_| InputError::malformed("invalid UTF-8").at(self.location()))?;
        self.records.require_width(self.columns)?;
        let cell = |place: &Option<usize>| place.map(|place| cells[place].to_owned());
        Ok(Some(self.places.iter().map(cell).collect()))
    }

    pub(super) fn location(&self) -> Location {
        self.records.location()
    }

    pub(super) fn line(&self) -> u64 {
        self.location().line.unwrap_or_default()
    }
}

/// The kind of a table of people's judgements.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(clippy::exhaustive_enums, reason = "closed: a table has the one or the other")]
pub enum TableKind {
    /// A score a row: [`read_ratings`](super::read_ratings).
    Ratings,
    /// A marked error a row: [`read_errors`](super::read_errors).
    Errors,
}

/// The kind of a table, from the names of its columns.
///
/// # Errors
/// A header with neither the column `score` nor the column `severity`; a file that cannot be read.
pub fn table_kind(path: impl AsRef<Path>) -> Result<TableKind> {
    let mut records = Records::tsv(open(path)?);
    let header = records.header()?;
    let has = |name: &str| header.iter().any(|column| column == name);
    match (has("severity"), has("score")) {
        (true, false) => Ok(TableKind::Errors),
        (false, true) => Ok(TableKind::Ratings),
        _ => {
            let message = format!(
                "neither ratings (columns system, item, score), nor marked errors (.. category, severity), nor a file \
                 named *.seg.score or *.sys.score; the columns are: {}",
                header.join(", ")
            );
            Err(InputError::malformed(message).at(Location::line(Arc::clone(records.name()), 1)))
        }
    }
}
