//! [`FieldReader`]: a reader of records with arbitrary keys, as other programs write them; their fields are
//! accessed by name.
//!
//! | file | records |
//! |---|---|
//! | `.csv`, `.tsv`, `.tab`, or a file whose first line has tabs and no brace | the rows after the header |
//! | `.json`, a file that starts with an array, or a given place in a document | the elements of the array, or the rows of a document with `columns` and `data` |
//! | any other file, such as `.jsonl` | the JSON object on each line |
//!
//! Each file may be compressed. Some programs write `NaN` and `Infinity`, which are not valid JSON. These
//! words are accepted in fields that are never read.

mod document;
mod field;
mod segment;
pub(super) mod strict;
mod tagged;

use std::borrow::Cow;
use std::path::Path;

use bleuprint_core::{InputError, Location, Result};
use serde_json::{Map, Value};

use super::column_names::{PARTS, is_displaced};
use super::compressed::{decompressed, ends_with};
use super::lines::{LineReader, require_memory_to_parse};
use super::records::RecordReader;
use super::source::open;
use super::{LeftOut, SegmentColumns};
use bleuprint_registry::ValueTag;
use document::RecordDocument;
pub use field::{Field, number_label};
pub use segment::SegmentFields;
pub use tagged::{plain_value, tagged_value};

/// Estimated memory in bytes of one parsed JSON value. The factor 3 covers a list whose capacity has just
/// doubled.
const PER_VALUE: usize = 3 * size_of::<Value>();

/// A reader of records, which are rows of a table or JSON objects, one after the other.
pub struct FieldReader {
    source: RecordKind,
    record: Value,
    /// Boxed, because readers of texts beside it are small.
    facts: Box<RecordFacts>,
}

/// Left-out records and column names of a reader of records.
#[derive(Default)]
struct RecordFacts {
    left_out: Vec<LeftOut>,
    /// The keys of the parts of a segment, where the file names them otherwise.
    columns: SegmentColumns,
}

/// The source of records: lines of JSON, a JSON document, a table, or rows in memory.
enum RecordKind {
    Lines(Box<LineReader>),
    Document(RecordDocument),
    Table { records: Box<RecordReader>, names: Vec<String> },
    Rows { rows: std::vec::IntoIter<(Location, Map<String, Value>)>, at: Location },
}

impl FieldReader {
    /// Opens a file of records. The extension determines the format; without a known extension, the first
    /// character does. `-` is standard input. `place` is the path of the array in a JSON document, such as
    /// `results.results`.
    ///
    /// # Errors
    /// Returns an error if the file cannot be opened, is not valid JSON, or has no array at `place`. A table
    /// without a header, or with two columns of one name, is an error too.
    pub fn open(path: impl AsRef<Path>, place: Option<&str>) -> Result<Self> {
        Self::open_at(path.as_ref(), place)
    }

    fn open_at(path: &Path, place: Option<&str>) -> Result<Self> {
        let name = path.to_string_lossy();
        let plain = decompressed(&name);
        let ends = |end| ends_with(plain, end);
        let is_csv = ends(".csv");
        let is_tsv = ends(".tsv") || ends(".tab");
        let source = open(path)?;
        if is_csv || is_tsv {
            if let Some(place) = place {
                let message = format!("a table has no array `{place}`: only JSON documents have such a path");
                return Err(InputError::malformed(message).at(Location::file(source.name)));
            }
            return Self::table(if is_csv { RecordReader::csv(source) } else { RecordReader::tsv(source) });
        }
        // Standard input and unknown extensions are recognized by their first line.
        let (line, source) = super::open_segments::first_line(source)?;
        let start = line.trim_start();
        let is_json = ends(".json") || ends(".jsonl") || place.is_some() || start.starts_with(['{', '[']);
        // A line of JSON may contain tabs as well, so tabs count only if the line does not look like JSON.
        if !is_json && line.contains('\t') {
            return Self::table(RecordReader::tsv(source));
        }
        let lines = LineReader::from_source(source);
        if place.is_some() || ends(".json") || start.starts_with('[') {
            return Ok(Self::new(RecordKind::Document(RecordDocument::read(lines, place)?)));
        }
        Ok(Self::new(RecordKind::Lines(Box::new(lines))))
    }

    /// Creates a reader of records that are already in memory, each with its location for error messages.
    pub fn of_rows(rows: Vec<(Location, Map<String, Value>)>) -> Self {
        Self::new(RecordKind::Rows { rows: rows.into_iter(), at: Location::default() })
    }

    fn new(source: RecordKind) -> Self {
        FieldReader { source, record: Value::Null, facts: Box::default() }
    }

    /// Stores the number and kind of records that another reader left out or added, which
    /// [`FieldReader::left_out`] then returns.
    #[must_use]
    pub fn with_left_out(mut self, left_out: Vec<LeftOut>) -> Self {
        self.facts.left_out = left_out;
        self
    }

    /// Returns the reader with other names for the parts of a segment. Every other method then knows the parts by
    /// their usual names.
    ///
    /// # Errors
    /// Returns an error if a table has no column of such a name, or if JSON has several keys of references.
    pub fn with_columns(mut self, columns: &SegmentColumns) -> Result<Self> {
        match &mut self.source {
            RecordKind::Table { records, names } => {
                let given = columns.require(names.iter().map(String::as_str));
                given.map_err(|error| error.at(records.location()))?;
                names.iter_mut().for_each(|name| *name = columns.usual(name).into_owned());
            }
            _ => columns.require_one_reference().map_err(|error| error.at(self.location()))?,
        }
        self.facts.columns = columns.clone();
        Ok(self)
    }

    /// Returns `true` if the last error concerned a single record, so that [`FieldReader::advance`] can read the
    /// records after it.
    pub fn recovers(&self) -> bool {
        match &self.source {
            RecordKind::Lines(lines) => !lines.has_failed(),
            RecordKind::Table { records, .. } => !records.has_failed(),
            RecordKind::Document(_) | RecordKind::Rows { .. } => false,
        }
    }

    /// Returns the numbers of things, such as sessions, that the reader left out of the data or added to it.
    pub fn left_out(&self) -> &[LeftOut] {
        &self.facts.left_out
    }

    fn table(mut records: RecordReader) -> Result<Self> {
        let names = records.header()?;
        if let Some(twice) = (1..names.len()).find(|&at| names[..at].contains(&names[at])) {
            let message = format!("more than one column `{}`", names[twice]);
            return Err(InputError::malformed(message).at(records.location()));
        }
        Ok(Self::new(RecordKind::Table { records: Box::new(records), names }))
    }

    /// Reads the next record, which `field` and `record` then access. Returns `false` at the end.
    ///
    /// # Errors
    /// Returns an error if the text is not JSON, if a record is not an object, or if a row has another number
    /// of cells than the header.
    pub fn advance(&mut self) -> Result<bool> {
        let record = match &mut self.source {
            RecordKind::Table { records, names } => {
                if !records.next()? {
                    return Ok(false);
                }
                return records.require_width(names.len()).map(|()| true);
            }
            RecordKind::Document(document) => document.next()?,
            RecordKind::Lines(lines) => next_line(lines)?,
            RecordKind::Rows { rows, at } => rows.next().map(|(location, row)| {
                *at = location;
                Value::Object(row)
            }),
        };
        let Some(record) = record else { return Ok(false) };
        if !record.is_object() {
            let hint = if record.is_number() {
                ": numbers alone, one a line, are given by their name (--given NAME=FILE)"
            } else {
                ""
            };
            let message = format!("a record must be a JSON object, but this is not an object{hint}");
            return Err(InputError::malformed(message).at(self.location()));
        }
        self.record = if self.facts.columns.is_empty() { record } else { self.renamed(record)? };
        Ok(true)
    }

    /// Returns a record whose parts have their usual names.
    fn renamed(&self, record: Value) -> Result<Value> {
        let Value::Object(record) = record else { return Ok(record) };
        let mut renamed = Map::new();
        for (key, value) in record {
            let usual = self.facts.columns.usual(&key).into_owned();
            // A displaced key has no meaning, and no column of the user can get its name.
            if !is_displaced(&usual) {
                renamed.insert(usual, value);
            }
        }
        let others = || renamed.keys().map(String::as_str);
        for (part, _) in PARTS {
            if !renamed.contains_key(part) {
                let lacking = self.facts.columns.require_part(part, others());
                lacking.map_err(|error| error.at(self.location()))?;
            }
        }
        Ok(Value::Object(renamed))
    }

    /// Returns a field of the current record. `name` is a column of a table, a JSON key, or keys separated by
    /// dots. A key that contains dots has precedence, and a whole number selects an element of an array, from
    /// 0.
    ///
    /// # Errors
    /// Returns an error if the table has no such column, or if the cell is not UTF-8.
    pub fn field(&self, name: &str) -> Result<Field<'_>> {
        let RecordKind::Table { records, names } = &self.source else {
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

    /// Returns `true` if a record can have the field `name`. This is always so for JSON; a table must have a
    /// column of this name.
    pub fn may_have(&self, name: &str) -> bool {
        match &self.source {
            RecordKind::Table { names, .. } => names.iter().any(|known| known == name),
            RecordKind::Lines(_) | RecordKind::Document(_) | RecordKind::Rows { .. } => true,
        }
    }

    /// Returns the current record as a JSON object. NaN becomes null, and an infinity becomes a string. In a
    /// row of a table, empty cells are left out. An unquoted cell that is a JSON number, `true` or `false`
    /// becomes that value. Any other cell becomes a string.
    ///
    /// # Errors
    /// Returns an error if a cell is not UTF-8.
    pub fn record(&self) -> Result<Cow<'_, Map<String, Value>>> {
        let record = self.tagged_record()?;
        let plain = |value: &Value| matches!(plain_value(value), Cow::Borrowed(_));
        if record.values().all(plain) {
            return Ok(record);
        }
        let values = record.iter().map(|(name, value)| (name.clone(), plain_value(value).into_owned()));
        Ok(Cow::Owned(values.collect()))
    }

    /// Returns the current record for a metric that defines its own data type
    /// ([`AnyForm`](bleuprint_registry::AnyForm)). A cell such as `12` may be a number or a text. This method
    /// marks such cells ([`ValueTag`]), so that the data type decides; [`FieldReader::record`] takes them as
    /// numbers.
    ///
    /// # Errors
    /// Returns an error if a cell is not UTF-8.
    pub fn tagged_record(&self) -> Result<Cow<'_, Map<String, Value>>> {
        let RecordKind::Table { records, names } = &self.source else {
            return Ok(self.record.as_object().map_or_else(Cow::default, Cow::Borrowed));
        };
        let mut record = Map::new();
        for (place, name) in names.iter().enumerate() {
            let Field::Text(text) = self.field(name)? else { continue };
            if text.is_empty() {
                continue;
            }
            // Other JSON in a cell, such as an array, stays text: the table has no types.
            let value: Option<Value> = serde_json::from_str(text).ok();
            let is_scalar = value.is_some_and(|value| value.is_number() || value.is_boolean());
            let tag = if records.is_quoted(place) { ValueTag::QuotedCell } else { ValueTag::Cell };
            let value = if is_scalar { tagged_value(tag, text.trim()) } else { text.into() };
            record.insert(name.clone(), value);
        }
        Ok(Cow::Owned(record))
    }

    /// Returns the file and line of the current record, for error messages.
    pub fn location(&self) -> Location {
        match &self.source {
            RecordKind::Lines(lines) => lines.location(),
            RecordKind::Document(document) => document.location(),
            RecordKind::Table { records, .. } => records.location(),
            RecordKind::Rows { at, .. } => at.clone(),
        }
    }
}

/// Parses a JSON value. `NaN` becomes `null`, and an infinity becomes a text. A key that occurs twice in an
/// object is an error.
///
/// # Errors
/// Returns an error if the text is not JSON apart from these words. Returns an error if its values may need
/// more memory than is available.
pub fn parse_value(text: &str) -> Result<Value> {
    require_memory_to_parse(text.as_bytes(), PER_VALUE)?;
    let parsed = serde_json::from_str(&document::standard(text))
        .map_err(|error| InputError::malformed(format!("JSON: {error}")));
    parsed.map(|strict::Strict(value)| plain_value(&value).into_owned())
}

fn next_line(lines: &mut LineReader) -> Result<Option<Value>> {
    while lines.advance()? {
        // Blank lines between records are allowed.
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
        let mut fields = FieldReader::new(RecordKind::Lines(Box::new(LineReader::new(log, "log.jsonl"))));
        assert!(fields.advance().unwrap());
        let number = |name| fields.field(name).unwrap().number(&[]).unwrap();
        assert_eq!(["scores.a.b", "pass", "scores.judge.value"].map(number), [Some(0.5), Some(1.0), None]);
        assert_eq!(fields.field("id").unwrap().label(), Ok(Some("7".to_owned())));
    }
}
