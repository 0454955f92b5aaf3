//! Results of the metrics of a case, and their differences from the expected results.

use std::collections::BTreeMap;
use std::sync::Arc;

use bleuprint_core::{
    Accumulator, Answer, Ask, InputError, Observe, Pairing, Score as _, Segment, Stats as _, Wanted,
};
use bleuprint_eval::evaluation::{SegmentPart, read_own};
use bleuprint_eval::{Metrics, Panel, PanelScratch, Request, TokenRequest};
use bleuprint_registry::{AnyScore, AnyScratch, Data};
use bleuprint_text::read::{EmptyReferences, ReadSegment};
use bleuprint_text::{Families, ReadSegments, ReaderFiles};
use serde_json::{Value, json};

use super::near;
use super::row::{FamilyRow, RowFile, RowReader, RowSegment};
use crate::Folder;

/// The score of all segments, their counts by name, and the score and the pairs of names of each.
struct FoundScores {
    all: Result<AnyScore, String>,
    counts: serde_json::Map<String, Value>,
    each: Vec<Value>,
    pairs: Vec<Value>,
}

/// Temporary folder with the files of a row. Messages and options name the files without the folder.
pub(super) struct RowFiles(Folder);

impl RowFiles {
    pub(super) fn new(files: &BTreeMap<String, RowFile>) -> Self {
        let folder = Folder::new();
        for (name, file) in files {
            if let Some((parent, _)) = name.rsplit_once('/') {
                std::fs::create_dir_all(folder.path(parent)).expect("a writable temporary folder");
            }
            match file {
                RowFile::Text(text) => folder.file(name, text),
                RowFile::Bytes(bytes) => folder.file(name, bytes),
            };
        }
        RowFiles(folder)
    }

    fn path(&self, name: &str) -> String {
        self.0.path(name).display().to_string()
    }

    /// Replaces each `{name}` by the path of the file with this name.
    pub(super) fn with_paths(&self, text: &str) -> String {
        let folder = format!("{}/", self.path("").trim_end_matches('/'));
        text.replace('{', &folder).replace('}', "")
    }

    fn without_paths(&self, error: &dyn std::fmt::Display) -> String {
        error.to_string().replace(&format!("{}/", self.path("").trim_end_matches('/')), "")
    }
}

/// Returns one line for each result of the case that differs from the expected result.
pub(super) fn differences(families: &Families, family: &str, row: &FamilyRow) -> Vec<String> {
    let program = row.program.as_ref().map_or_else(String::new, |program| format!(" of {program}"));
    let mut differences = Vec::new();
    for metric in row.metrics() {
        let found = scores(families, family, row, metric);
        let mut require = |what: &str, found: Value, expected: Option<Value>| {
            if let Some(expected) = expected.filter(|expected| !near(&found, expected, row.tolerance)) {
                differences.push(format!("{metric}, {what}: {found}, not {expected}{program}"));
            }
        };
        let lists = found.as_ref().ok();
        let each = row.each.get(metric).map(|each| json!(each));
        require("each segment", json!(lists.map(|found| &found.each)), each);
        let pairs = row.pairs.get(metric).map(|pairs| json!(pairs));
        require("pairs of names", json!(lists.map(|found| &found.pairs)), pairs);
        for (name, count) in row.counts.get(metric).into_iter().flatten() {
            require(name, json!(lists.and_then(|found| found.counts.get(name))), Some(count.clone()));
        }
        let Some(expected) = row.expected.get(metric) else { continue };
        let all = found.as_ref().map_err(Clone::clone).and_then(|found| found.all.clone());
        let (shown, equal) = match (all, expected) {
            (Err(message), Value::String(text)) => (json!(message), message == *text),
            // Null is an error of the segments or of the score, and none of the options.
            (Err(message), expected) => {
                (json!(message), expected.is_null() && is_built(families, row, metric))
            }
            (Ok(score), Value::Object(numbers)) => {
                let found: serde_json::Map<String, Value> =
                    numbers.keys().map(|name| (name.clone(), number(&score, name))).collect();
                let equal = numbers.iter().all(|(name, one)| near(&found[name], one, row.tolerance));
                (Value::Object(found), equal)
            }
            (Ok(score), expected) => {
                let found = json!(score.value());
                let equal = near(&found, expected, row.tolerance);
                (found, equal)
            }
        };
        if !equal {
            differences.push(format!("{metric}: {shown}, not {expected}{program}"));
        }
    }
    differences
}

/// Builds a metric with options. Texts of parts get the standard tokens.
pub(super) fn built(families: &Families, metric: &str) -> Result<Metrics, String> {
    let tokens = TokenRequest::default().choose(families.tokenizers()).map_err(|error| error.to_string())?;
    let request = Request::new(families.registry(), [metric], tokens);
    request.and_then(|request| request.build(families.registry())).map_err(|error| error.to_string())
}

fn is_built(families: &Families, row: &FamilyRow, metric: &str) -> bool {
    built(families, &RowFiles::new(&row.files).with_paths(metric)).is_ok()
}

fn scores(families: &Families, family: &str, row: &FamilyRow, metric: &str) -> Result<FoundScores, String> {
    let files = RowFiles::new(&row.files);
    let Metrics { panel, own, .. } =
        built(families, &files.with_paths(metric)).map_err(|error| files.without_paths(&error))?;
    let form = own.first().and_then(|(_, metric)| metric.view.form);
    let segments = match &row.reader {
        None => row.segments.clone(),
        Some(reader) => read(families, family, reader, &files, metric, form.is_none())
            .map_err(|error| files.without_paths(&error))?,
    };
    let Some(form) = form else {
        let text = |_, _: &str, value: &Value| match value {
            Value::String(text) => Ok(Arc::<str>::from(&**text)),
            Value::Array(_) => Ok(value.to_string().into()),
            other => Err(InputError::malformed(format!("{other} is no text"))),
        };
        let pairs = |segment: Segment<'_, str>| {
            let pairings = panel.pairings(&mut PanelScratch::default(), segment)?;
            Ok(pairings.into_iter().flatten().flatten().collect())
        };
        return observed(&panel, &segments, &text, &pairs).map_err(|error| files.without_paths(&error));
    };
    let panel =
        Panel::for_own(own.iter().map(|(_, metric)| metric.clone())).map_err(|error| error.to_string())?;
    let read = |part, place: &str, value: &Value| read_own(&form, part, place, value);
    let pairs = |segment: Segment<'_, Data>| {
        let hypotheses = [segment.hypothesis];
        let ask = Ask::<Data>::new(Wanted::Pairing, &hypotheses, segment.references);
        let ask = ask.with_sequences(&hypotheses, segment.references, segment.source);
        let answers = own.iter().map(|(_, metric)| metric.ask(&mut AnyScratch::default(), ask));
        let answers = answers.collect::<Result<Vec<_>, InputError>>()?;
        let pairings = answers.into_iter().flatten().filter_map(|answer| match answer {
            Answer::Pairing(pairing) => Some(pairing),
            _ => None,
        });
        Ok(pairings.flatten().collect())
    };
    observed(&panel, &segments, &read, &pairs).map_err(|error| files.without_paths(&error))
}

/// Reads the files of a row with a reader of the family.
fn read(
    families: &Families,
    family: &str,
    reader: &RowReader,
    files: &RowFiles,
    metric: &str,
    texts: bool,
) -> Result<Vec<RowSegment>, InputError> {
    let family = families.get(family).unwrap_or_else(|| panic!("no family `{family}`"));
    let entry = family.readers.iter().find(|entry| entry.name == reader.name);
    let entry = entry.unwrap_or_else(|| panic!("no reader `{}` in the family", reader.name));
    let option = |(name, value): (&String, &String)| {
        let known = entry.options.iter().find(|option| option.name == name);
        (known.unwrap_or_else(|| panic!("no option `{name}` of the reader")).name, files.with_paths(value))
    };
    let options: Vec<(&'static str, String)> = reader.options.iter().map(option).collect();
    let systems: Vec<String> = reader.systems.iter().map(|name| files.path(name)).collect();
    let opened = (entry.open)(&ReaderFiles {
        reference: &files.path(&reader.reference),
        systems: &systems,
        options: &options,
        metrics: &[metric.to_owned()],
        texts,
    })?;
    match opened {
        ReadSegments::Texts(mut reader) => {
            let mut segments = Vec::new();
            let mut read = ReadSegment::default();
            while reader.next(&mut read)? {
                segments.push(RowSegment {
                    hypothesis: json!(read.hypothesis),
                    reference: None,
                    references: read.present_references().map(Value::from).collect(),
                    source: read.source.clone().map(Value::from),
                });
            }
            Ok(segments)
        }
        ReadSegments::Records(mut reader) => {
            let mut segments = Vec::new();
            while reader.advance()? {
                let record = reader.tagged_record()?;
                let is_label = |name: &str| matches!(name, "system" | "id");
                let fields = reader.segment(&record, &is_label, EmptyReferences::Refuse)?;
                segments.push(RowSegment {
                    hypothesis: fields.hypothesis.cloned().unwrap_or_default(),
                    reference: None,
                    references: fields.references.iter().map(|value| (*value).clone()).collect(),
                    source: fields.source.cloned(),
                });
            }
            Ok(segments)
        }
    }
}

/// Reads a part of a segment, named for messages, from its JSON.
type ReadPart<'r, S> = dyn Fn(SegmentPart, &str, &Value) -> Result<Arc<S>, InputError> + 'r;

/// Observes segments, and requires that a rejected segment leaves the statistics as they were.
fn observed<S: ?Sized>(
    panel: &Panel,
    segments: &[RowSegment],
    read: &ReadPart<'_, S>,
    pairs_of: &dyn Fn(Segment<'_, S>) -> Result<Pairing, InputError>,
) -> Result<FoundScores, InputError>
where
    Panel: Observe<S>,
{
    let mut all = Accumulator::<&Panel, S>::new(panel);
    let mut each = Vec::new();
    let mut pairs = Vec::new();
    for (number, segment) in (1..).zip(segments) {
        let place = format!("segment {number}");
        let hypothesis = read(SegmentPart::Hypothesis, &place, &segment.hypothesis)?;
        let references = segment.all_references().map(|one| read(SegmentPart::Reference, &place, one));
        let references: Vec<Arc<S>> = references.collect::<Result<_, _>>()?;
        let references: Vec<&S> = references.iter().map(|one| &**one).collect();
        let source = segment.source.as_ref().map(|one| read(SegmentPart::Source, &place, one)).transpose()?;
        let before = all.total().clone();
        let segment = Segment::with_source(&*hypothesis, &references, source.as_deref());
        match all.push_segment(segment) {
            Ok(state) => {
                each.push(panel.scores(&state).map_or(Value::Null, |scores| json!(scores[0].score.value())))
            }
            Err(error) => {
                assert_eq!(*all.total(), before, "a rejected segment changed the statistics: {error}");
                return Err(error);
            }
        }
        pairs.extend(pairs_of(segment)?.into_iter().map(|pair| json!(pair)));
    }
    let mut counts = Vec::new();
    // Statistics such as sums of floats are no row of counts, and a case cannot expect counts of them.
    let names = all.total().stats().write_row(&mut counts).map(|()| all.total().stats().column_names());
    let scores = panel.scores(all.total());
    Ok(FoundScores {
        counts: names.unwrap_or_default().into_iter().zip(counts.into_iter().map(Value::from)).collect(),
        pairs,
        all: scores.map(|mut scores| scores.remove(0).score).map_err(|error| error.to_string()),
        each,
    })
}

fn number(score: &AnyScore, name: &str) -> Value {
    let part = score.parts.iter().find(|part| part.key == name);
    let headline = score.headlines.iter().find(|(known, _)| known == name);
    match (name, part, headline) {
        ("score", ..) => json!(score.value()),
        (_, Some(part), _) => json!(part.value),
        (_, None, Some((_, number))) => json!(number),
        (_, None, None) => json!(format!("no number `{name}`")),
    }
}
