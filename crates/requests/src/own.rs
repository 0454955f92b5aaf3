//! Converts records, such as lines of JSON, to the structured data types that metrics define.

use std::sync::Arc;

use bleuprint::InputError;
use bleuprint::contract::{AnyForm, Data};
use bleuprint::eval::evaluation::{OwnData, SegmentPart, SystemData, TextCorpus, read_own};
use bleuprint::text::read::{EmptyReferences, FieldReader, plain_value};
use serde::de::value::MapDeserializer;
use serde_json::{Map, Value};

use crate::failure::{Result, fail};
use crate::records::{InputRecord, SystemRecords};

/// Keys of a record that hold its hypothesis, references, source or system. They are not part of a metric's
/// structured data unless the data type has a field of this name.
const PARTS: [&str; 9] =
    ["hypothesis", "hyp", "references", "refs", "reference", "ref", "source", "src", "system"];
/// Keys of a record that hold labels of its segment. They are not part of a metric's structured data unless
/// the data type has a field of this name.
pub(super) const LABELS: [&str; 4] = ["id", "document", "domain", "speaker"];

/// Hypothesis, references and source of one segment, in a data type that a metric defines.
pub struct OwnRecord {
    hypothesis: Arc<Data>,
    references: Vec<Arc<Data>>,
    source: Option<Arc<Data>>,
    /// References and source as JSON text, to check that they are equal for all systems.
    printed: (Vec<String>, Option<String>),
}

impl OwnRecord {
    /// Returns the hypothesis in the metric's data type.
    pub fn hypothesis(&self) -> &Data {
        &*self.hypothesis
    }

    /// Returns the references and the source as JSON text.
    pub(super) fn printed(&self) -> (&[String], Option<&str>) {
        (&self.printed.0, self.printed.1.as_deref())
    }
}

/// Rules for the keys and empty cells of a record that is converted to a metric's data type.
#[derive(Clone, Copy)]
pub struct OwnKeys<'k> {
    /// Keys that do not belong to the structured data, such as columns of numbers.
    pub taken: &'k [&'k str],
    /// `true` if the record is a segment from the file of `--segments`. Then an unknown key that is similar
    /// to a known one is an error. Records of other programs may have any further keys.
    pub of_segments: bool,
    /// Rule for empty cells of references: an error, dropped or kept.
    pub empty_references: EmptyReferences,
}

/// Converts the current record to the metric's data type `form`. If the record has no field for the
/// hypothesis, the whole record is the hypothesis, except fields in [`OwnKeys::taken`], labels, references
/// and the source.
///
/// # Errors
/// Returns the errors of [`FieldReader::segment`], and an error if a part is invalid data for `form`.
pub fn record(fields: &FieldReader, form: &AnyForm, keys: OwnKeys<'_>) -> Result<OwnRecord, InputError> {
    let record = fields.tagged_record()?;
    let is_field = |key: &str| form.fields.iter().any(|(field, _)| *field == key);
    let is_part = |key: &str| PARTS.contains(&key) || LABELS.contains(&key);
    let is_other =
        |key: &str| is_field(key) || keys.taken.contains(&key) || !(keys.of_segments || is_part(key));
    let segment = fields.segment(&record, &is_other, keys.empty_references)?;
    let read = |part: SegmentPart, place: &str, value: &Value| {
        read_own(form, part, place, value).map_err(|error| error.at(fields.location()))
    };
    let hypothesis = match segment.hypothesis {
        Some(hypothesis) => read(SegmentPart::Hypothesis, "the hypothesis", hypothesis),
        None => {
            let is_own = |key: &str| is_field(key) || !(keys.taken.contains(&key) || is_meant(fields, key));
            let own = || {
                let own = record.iter().map(|(key, value)| (key.as_str(), value));
                own.filter(|(key, _)| is_own(key))
            };
            if segment.is_null && own().next().is_none() {
                let message = format!("the hypothesis is null, but must be {form}");
                return Err(InputError::malformed(message).at(fields.location()));
            }
            // A copy is needed only for the error.
            form.hypothesis(MapDeserializer::<_, serde_json::Error>::new(own())).map(Arc::from).or_else(
                |_| {
                    let own: Map<String, Value> =
                        own().map(|(key, value)| (key.to_owned(), value.clone())).collect();
                    read(SegmentPart::Hypothesis, "the record", &Value::Object(own))
                },
            )
        }
    };
    let printed = |value: &Value| plain_value(value).to_string();
    Ok(OwnRecord {
        hypothesis: hypothesis?,
        references: segment
            .references
            .iter()
            .map(|one| read(SegmentPart::Reference, "a reference", one))
            .collect::<Result<_, _>>()?,
        source: segment.source.map(|source| read(SegmentPart::Source, "the source", source)).transpose()?,
        printed: (segment.references.iter().map(|one| printed(one)).collect(), segment.source.map(printed)),
    })
}

/// Returns `true` if a key names the hypothesis, a reference, the source, the system or a label of a segment.
/// Tables may have numbered references, such as `reference_2`.
fn is_meant(fields: &FieldReader, key: &str) -> bool {
    PARTS.contains(&key) || LABELS.contains(&key) || fields.is_reference(key)
}

/// Adds the structured data that metrics need to `corpus`. Each data type in `forms` gets the hypotheses of
/// all systems, the references and the sources. They are taken from `rows`, the records of each system in the
/// order of the segments.
pub(super) fn add(
    corpus: &mut TextCorpus,
    forms: &[AnyForm],
    systems: &[SystemRecords],
    rows: &[Vec<Option<&InputRecord>>],
) -> Result<()> {
    let alone = corpus.segments.iter().all(|segment| segment.hypotheses.is_empty());
    for (place, form) in forms.iter().enumerate() {
        let mut own =
            OwnData { form: *form, systems: Vec::new(), references: Vec::new(), sources: Vec::new() };
        let mut printed: Vec<&(Vec<String>, Option<String>)> = Vec::new();
        for (system, records) in systems.iter().zip(rows) {
            let mut data = SystemData::default();
            let mut lines = Vec::new();
            for (segment, record) in records.iter().enumerate() {
                let Some(record) = record else {
                    let id = corpus.ids.get(segment).map_or("", String::as_str);
                    fail!("{}: system {} has no record `{id}`", system.file, system.name);
                };
                let one = &record.own[place];
                // The first system sets the references and the source; all others must agree with it.
                match printed.get(segment) {
                    None => {
                        printed.push(&one.printed);
                        own.references.push(one.references.clone());
                        own.sources.push(one.source.clone());
                    }
                    Some(first) if **first != one.printed => {
                        let number = segment + 1;
                        let first = &systems[0].name;
                        fail!(
                            "segment {number} of {first} and segment {number} of {} have other references or another source",
                            system.name
                        );
                    }
                    Some(_) => {}
                }
                data.hypotheses.push(one.hypothesis.clone());
                lines.push(record.line);
            }
            data.origin = Some((system.file.clone(), lines));
            own.systems.push(data);
        }
        if alone && place == 0 {
            // References and sources identify the segments in files of statistics.
            for (segment, (references, source)) in corpus.segments.iter_mut().zip(printed) {
                (segment.references, segment.source) = (references.clone(), source.clone());
            }
        }
        corpus.add_own(own)?;
    }
    Ok(())
}
