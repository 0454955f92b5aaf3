//! [`Fields`]: records with any keys, as other programs write them, and their fields by name.
//!
//! | file | records |
//! |---|---|
//! | `.csv`, `.tsv`, `.tab`, or any other whose first line has tabs and no brace | the rows below the header |
//! | `.json`, or an array, or with a place in the document | the elements of the array; the rows of a document with `columns` and `data` |
//! | any other, as `.jsonl` | a JSON object on each line |
//!
//! Each may be compressed. The bare words `NaN` and `Infinity`, which some programs write, are read where JSON has none.

mod document;
mod field;
pub(super) mod strict;

use std::borrow::Cow;
use std::path::Path;

use bleuprint_core::{InputError, Location, Result};
use serde_json::{Map, Value};

use super::compressed::{decompressed, ends_with};
use super::lines::{Lines, require_memory_to_parse};
use super::records::Records;
use super::source::open;
use document::Document;
pub use field::Field;

/// The memory of a value, in a list that may just have doubled.
const PER_VALUE: usize = 3 * size_of::<Value>();

/// Reads records one after the other.
pub struct Fields {
    source: Kind,
    record: Value,
}

enum Kind {
    Lines(Box<Lines>),
    Document(Document),
    Table { records: Box<Records>, names: Vec<String> },
    Rows { rows: std::vec::IntoIter<(Location, Map<String, Value>)>, at: Location },
}

impl Fields {
    /// Opens a file by its name, else by its first character; `-` is standard input. `place` is that of the array in a
    /// document of JSON, as in `results.results`.
    ///
    /// # Errors
    /// A file that cannot be opened; a document that is not JSON, or has no array there; a table without a header, or with
    /// two columns of one name.
    pub fn open(path: impl AsRef<Path>, place: Option<&str>) -> Result<Self> {
        Self::open_at(path.as_ref(), place)
    }

    fn open_at(path: &Path, place: Option<&str>) -> Result<Self> {
        let name = path.to_string_lossy();
        let plain = decompressed(&name);
        let ends = |end| ends_with(plain, end);
        let (is_csv, is_tsv) = (ends(".csv"), ends(".tsv") || ends(".tab"));
        let source = open(path)?;
        if is_csv || is_tsv {
            if let Some(place) = place {
                let message =
                    format!("a table has no array `{place}`: that is a place in a document of JSON");
                return Err(InputError::malformed(message).at(Location::file(source.name)));
            }
            return Self::table(if is_csv { Records::csv(source) } else { Records::tsv(source) });
        }
        let (line, source) = super::open_segments::first_line(source)?;
        let start = line.trim_start();
        let is_json = ends(".json") || ends(".jsonl") || place.is_some() || start.starts_with(['{', '[']);
        if !is_json && line.contains('\t') {
            return Self::table(Records::tsv(source));
        }
        let lines = Lines::from_source(source);
        if place.is_some() || ends(".json") || start.starts_with('[') {
            return Ok(Self::new(Kind::Document(Document::read(lines, place)?)));
        }
        Ok(Self::new(Kind::Lines(Box::new(lines))))
    }

    /// Records that another reader has made, with their places.
    pub fn of_rows(rows: Vec<(Location, Map<String, Value>)>) -> Self {
        Self::new(Kind::Rows { rows: rows.into_iter(), at: Location::default() })
    }

    fn new(source: Kind) -> Self {
        Fields { source, record: Value::Null }
    }

    fn table(mut records: Records) -> Result<Self> {
        let names = records.header()?;
        if let Some(twice) = (1..names.len()).find(|&at| names[..at].contains(&names[at])) {
            let message = format!("more than one column `{}`", names[twice]);
            return Err(InputError::malformed(message).at(records.location()));
        }
        Ok(Self::new(Kind::Table { records: Box::new(records), names }))
    }

    /// Reads the next record; `false` at the end.
    ///
    /// # Errors
    /// Text that is not JSON, a record that is no object, a row with another number of cells than the header.
    pub fn advance(&mut self) -> Result<bool> {
        let record = match &mut self.source {
            Kind::Table { records, names } => {
                if !records.next()? {
                    return Ok(false);
                }
                return records.require_width(names.len()).map(|()| true);
            }
            Kind::Document(document) => document.next()?,
            Kind::Lines(lines) => next_line(lines)?,
            Kind::Rows { rows, at } => rows.next().map(|(location, row)| {
                *at = location;
                Value::Object(row)
            }),
        };
        let Some(record) = record else { return Ok(false) };
        if !record.is_object() {
            let hint = match record.is_number() {
                true => ": numbers alone, one a line, are given by their name (--given NAME=FILE)",
                false => "",
            };
            let message = format!("a record is an object, but this is none{hint}");
            return Err(InputError::malformed(message).at(self.location()));
        }
        self.record = record;
        Ok(true)
    }

    /// A field of the current record: a column, or a key, or keys with dots between. A key that holds dots itself comes
    /// first; a whole number among the keys is a place in an array, from 0.
    ///
    /// # Errors
    /// A table without such a column, text that is not UTF-8.
    pub fn field(&self, name: &str) -> Result<Field<'_>> {
        let Kind::Table { records, names } = &self.source else {
            return Ok(field::find(&self.record, name).map_or(Field::Absent, Field::Json));
        };
        let Some(place) = names.iter().position(|known| known == name) else {
            return Err(records.no_column(name, names).at(Location::file(records.name().clone())));
        };
        let cell = records.cells().nth(place).unwrap_or_default();
        let text = std::str::from_utf8(cell)
            .map_err(|error| super::records::invalid_cell(place, error).at(records.location()))?;
        Ok(Field::Text(text))
    }

    /// Whether records may have this field: a table names all of its columns.
    pub fn may_have(&self, name: &str) -> bool {
        match &self.source {
            Kind::Table { names, .. } => names.iter().any(|known| known == name),
            Kind::Lines(_) | Kind::Document(_) | Kind::Rows { .. } => true,
        }
    }

    /// The current record: an object of JSON, or the cells of a row by their columns, of which empty ones are absent. A cell is
    /// a number, `true` or `false` if JSON reads one, else a text.
    ///
    /// # Errors
    /// Text that is not UTF-8.
    pub fn record(&self) -> Result<Cow<'_, Map<String, Value>>> {
        let Kind::Table { names, .. } = &self.source else {
            return Ok(self.record.as_object().map_or_else(Cow::default, Cow::Borrowed));
        };
        let mut record = Map::new();
        for name in names {
            let Field::Text(text) = self.field(name)? else { continue };
            let value = serde_json::from_str(text)
                .ok()
                .filter(|value: &Value| value.is_number() || value.is_boolean());
            if !text.is_empty() {
                record.insert(name.clone(), value.unwrap_or_else(|| text.into()));
            }
        }
        Ok(Cow::Owned(record))
    }

    /// The place of the current record.
    pub fn location(&self) -> Location {
        match &self.source {
            Kind::Lines(lines) => lines.location(),
            Kind::Document(document) => document.location(),
            Kind::Table { records, .. } => records.location(),
            Kind::Rows { at, .. } => at.clone(),
        }
    }
}

/// The value of a text of JSON in which no object has a key twice; `NaN` is null.
///
/// # Errors
/// Any other text; one whose values may take more memory than there is.
pub fn parse_value(text: &str) -> Result<Value> {
    require_memory_to_parse(text.as_bytes(), PER_VALUE)?;
    let parsed = serde_json::from_str(&document::standard(text))
        .map_err(|error| InputError::malformed(format!("JSON: {error}")));
    parsed.map(|strict::Strict(value)| value)
}

fn next_line(lines: &mut Lines) -> Result<Option<Value>> {
    while lines.advance()? {
        if lines.line().trim().is_empty() {
            continue;
        }
        let read = require_memory_to_parse(lines.line().as_bytes(), PER_VALUE).and_then(|()| {
            let text = document::standard(lines.line());
            serde_json::from_str(&text).map_err(|error| document::syntax_error(&error))
        });
        return read.map(|strict::Strict(value)| Some(value)).map_err(|error| error.at(lines.location()));
    }
    Ok(None)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn records_of_lines_have_numbers_and_labels() {
        let log =
            &b"{\"id\": 7, \"scores\": {\"judge\": {\"value\": NaN}, \"a.b\": 0.5}, \"pass\": true}\n"[..];
        let mut fields = Fields::new(Kind::Lines(Box::new(Lines::new(log, "log.jsonl"))));
        assert!(fields.advance().unwrap());
        let number = |name| fields.field(name).unwrap().number(&[]).unwrap();
        assert_eq!(["scores.a.b", "pass", "scores.judge.value"].map(number), [Some(0.5), Some(1.0), None]);
        assert_eq!(fields.field("id").unwrap().label(), Ok(Some("7".to_owned())));
    }
}
