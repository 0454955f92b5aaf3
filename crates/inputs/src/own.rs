//! Converts records, such as lines of JSON, to the structured data types that metrics define.

use std::sync::Arc;

use bleuprint::InputError;
use bleuprint::contract::{AnyForm, Data};
use bleuprint::eval::evaluation::{OwnData, SegmentPart, SystemData, TextCorpus, read_own};
use bleuprint::text::read::FieldReader;
use serde::de::value::MapDeserializer;
use serde_json::{Map, Value};

use crate::failure::{Result, fail};
use crate::records::{InputRecord, SystemRecords};

/// Names of record fields that hold the hypothesis, references and source of a segment. `reference` is for a
/// single reference.
const HYPOTHESIS: [&str; 2] = ["hypothesis", "hyp"];
const REFERENCES: [&str; 2] = ["references", "refs"];
const REFERENCE: [&str; 2] = ["reference", "ref"];
const SOURCE: [&str; 2] = ["source", "src"];
/// Names of record fields that normally are labels of a segment, not part of its data. Such a field is data
/// if the metric's data type defines a field of this name.
pub(super) const LABELS: [&str; 3] = ["id", "document", "domain"];

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
}

/// Converts the current record to the metric's data type `form`. If the record has no field for the
/// hypothesis, the whole record is the hypothesis, except fields in `taken`, labels, references and the
/// source.
pub fn record(fields: &FieldReader, form: &AnyForm, taken: &[&str]) -> Result<OwnRecord, InputError> {
    let record = fields.record()?;
    let hypothesis = find(&record, HYPOTHESIS);
    let source = find(&record, SOURCE);
    let references: Vec<&Value> = match (find(&record, REFERENCES), find(&record, REFERENCE)) {
        (Some(_), Some(_)) => {
            let error = InputError::malformed("both `references` and `reference`");
            return Err(error.at(fields.location()));
        }
        // A missing reference is null, as in JSON Lines of text.
        (Some(Value::Array(all)), None) => all.iter().filter(|one| !one.is_null()).collect(),
        (one, other) => one.or(other).into_iter().collect(),
    };
    let read = |part: SegmentPart, place: &str, value: &Value| {
        read_own(form, part, place, value).map_err(|error| error.at(fields.location()))
    };
    let hypothesis = match hypothesis {
        Some(hypothesis) => read(SegmentPart::Hypothesis, "the hypothesis", hypothesis),
        None => {
            let own = || without_meaning(&record, form, taken);
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
    Ok(OwnRecord {
        hypothesis: hypothesis?,
        references: references
            .iter()
            .map(|one| read(SegmentPart::Reference, "a reference", one))
            .collect::<Result<_, _>>()?,
        source: source.map(|source| read(SegmentPart::Source, "the source", source)).transpose()?,
        printed: (references.iter().map(ToString::to_string).collect(), source.map(ToString::to_string)),
    })
}

fn find<'r>(record: &'r Map<String, Value>, names: [&str; 2]) -> Option<&'r Value> {
    names.iter().find_map(|name| record.get(*name)).filter(|value| !value.is_null())
}

/// Returns the fields of a record that has no field for the hypothesis. The record itself is then the
/// hypothesis. Fields for labels, references and the source are left out, unless the data type `form` defines
/// a field of this name.
fn without_meaning<'r>(
    record: &'r Map<String, Value>,
    form: &'r AnyForm,
    taken: &'r [&str],
) -> impl Iterator<Item = (&'r str, &'r Value)> {
    let is_own = |key: &str| {
        form.fields.iter().any(|(field, _)| *field == key)
            || !(taken.contains(&key)
                || [HYPOTHESIS, REFERENCES, REFERENCE, SOURCE].as_flattened().contains(&key)
                || LABELS.contains(&key)
                || key == "system")
    };
    record.iter().map(|(key, value)| (key.as_str(), value)).filter(move |(key, _)| is_own(key))
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
