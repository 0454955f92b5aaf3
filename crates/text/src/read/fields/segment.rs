//! [`SegmentFields`]: the hypothesis, the references and the source of a record, as JSON values of any type.
//! Keys and column names are the same as in files of texts.

use bleuprint_core::{InputError, Result};
use serde_json::{Map, Value};

use super::{Field, FieldReader, RecordKind};
use crate::read::column_names::{is_displaced, is_numbered_reference};
use crate::read::json::{KEYS, check_key, known, twice};
use crate::read::segment::{EmptyReferences, label};
use crate::read::table::{ColumnRole, roles};

/// The hypothesis, the references and the source of a record, as JSON values. They are texts in files of
/// texts, and other data for metrics that define their own data type.
#[derive(Debug, Default)]
#[non_exhaustive]
pub struct SegmentFields<'r> {
    /// The hypothesis of the segment, or `None` if it is absent or null.
    pub hypothesis: Option<&'r Value>,
    /// The references that are not missing.
    pub references: Vec<&'r Value>,
    /// The source of the segment, or `None` if it is absent or null.
    pub source: Option<&'r Value>,
    /// `true` if the record has the key of the hypothesis with the value null.
    pub is_null: bool,
}

impl FieldReader {
    /// Returns the hypothesis, the references and the source of the current record. `record` is the current
    /// record as [`FieldReader::tagged_record`] returns it. `is_other` returns `true` for further keys that
    /// the caller reads itself.
    ///
    /// ```
    /// use bleuprint_core::Location;
    /// use bleuprint_text::read::{EmptyReferences, FieldReader};
    /// let row = serde_json::json!({"hyp": [1], "refs": [[1], null, [2]], "ref": null});
    /// let mut reader = FieldReader::of_rows(vec![(Location::default(), row.as_object().unwrap().clone())]);
    /// assert!(reader.advance()?);
    /// let record = reader.tagged_record()?;
    /// let segment = reader.segment(&record, &|_| false, EmptyReferences::Refuse)?;
    /// assert_eq!((segment.references.len(), segment.source), (2, None));
    /// # Ok::<(), bleuprint_core::InputError>(())
    /// ```
    ///
    /// # Errors
    /// Returns an error if the record has two names of one key, or both `references` and `reference`. Returns
    /// an error if a key is likely a typing error, or if a reference cell is empty and `empty` does not allow
    /// it.
    pub fn segment<'r>(
        &self,
        record: &'r Map<String, Value>,
        is_other: &dyn Fn(&str) -> bool,
        empty: EmptyReferences,
    ) -> Result<SegmentFields<'r>> {
        let is_other = |name: &str| is_displaced(name) || is_other(name);
        let read = match &self.source {
            RecordKind::Table { names, .. } => of_table(record, names, &is_other, empty),
            _ => of_object(record, &is_other),
        };
        read.map_err(|error| error.at(self.location()))
    }

    /// Returns `true` if `name` is a column of further references, such as `reference_2`. Only tables have
    /// such columns.
    pub fn is_reference(&self, name: &str) -> bool {
        matches!(&self.source, RecordKind::Table { .. }) && is_numbered_reference(name)
    }

    /// Returns a label of the current record, such as its id or system, or `None` if it is absent or null.
    /// Unlike [`Field::label`], this function returns an empty label as it is, so that the caller can reject
    /// it.
    ///
    /// # Errors
    /// Returns an error if the label is an array or an object, or has whitespace at an end.
    pub fn segment_label(&self, name: &str) -> Result<Option<String>> {
        let read = |field: Field<'_>| match field {
            Field::Text(text) => label(name, text).map(|text| Some(text.to_owned())),
            Field::Json(Value::String(text)) => label(name, text).map(|text| Some(text.to_owned())),
            field => field.label().map_err(|error| InputError::malformed(format!("{name}: {error}"))),
        };
        if !self.may_have(name) {
            return Ok(None);
        }
        read(self.field(name)?).map_err(|error| error.at(self.location()))
    }
}

/// Finds the hypothesis, the references and the source in a JSON object. The keys are the same as in JSON
/// Lines.
fn of_object<'r>(
    record: &'r Map<String, Value>,
    is_other: &dyn Fn(&str) -> bool,
) -> Result<SegmentFields<'r>> {
    let mut values: [Option<&Value>; KEYS.len()] = [None; KEYS.len()];
    for (key, value) in record.iter().filter(|(key, _)| !is_other(key)) {
        match known(key) {
            None => check_key(key)?,
            Some(place) if values[place].is_some() => return Err(InputError::malformed(twice(place))),
            Some(place) => values[place] = Some(value),
        }
    }
    let value = |key: &str| known(key).and_then(|place| values[place]);
    let there = |key: &str| value(key).filter(|value| !value.is_null());
    let references = match (there("references"), there("reference")) {
        (Some(_), Some(_)) => return Err(InputError::malformed("both `references` and `reference`")),
        // A missing reference is null, as in JSON Lines of texts.
        (Some(Value::Array(all)), None) => all.iter().filter(|one| !one.is_null()).collect(),
        (one, other) => one.or(other).into_iter().collect(),
    };
    Ok(SegmentFields {
        hypothesis: there("hypothesis"),
        references,
        source: there("source"),
        is_null: value("hypothesis").is_some_and(Value::is_null),
    })
}

/// Finds the hypothesis, the references and the source in a row of a table, by the names of its columns.
fn of_table<'r>(
    record: &'r Map<String, Value>,
    names: &[String],
    is_other: &dyn Fn(&str) -> bool,
    empty: EmptyReferences,
) -> Result<SegmentFields<'r>> {
    let mut segment = SegmentFields::default();
    for (place, (name, role)) in names.iter().zip(roles(names, is_other)?).enumerate() {
        // An empty cell is no value of the record.
        let value = record.get(name);
        match role {
            ColumnRole::Hypothesis => segment.hypothesis = value,
            ColumnRole::Source => segment.source = value,
            ColumnRole::Reference => match value {
                Some(value) => segment.references.push(value),
                None if empty.keeps(&format!("cell {}, of the column `{name}`,", place + 1))? => {
                    segment.references.push(&EMPTY);
                }
                None => {}
            },
            _ => {}
        }
    }
    Ok(segment)
}

/// The value of an empty cell that is kept as a reference.
static EMPTY: Value = Value::String(String::new());
