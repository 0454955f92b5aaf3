//! The example of every metric of the registry, as files that the program reads. Tests that take these examples name no metric,
//! so they meet the metrics of a new family without a change.

use std::collections::BTreeMap;

use bleuprint::contract::{Metric as _, MetricEntry, ViewKind};
use bleuprint::{AnyMetric, registry};
use serde_json::{Value, json};

use crate::common::{Folder, parsed};

/// The example of a metric: its data, and what the metric says about them.
pub(crate) struct Example {
    /// The metric with the options that it needs, as `-m` takes it.
    pub(crate) metric: String,
    pub(crate) built: AnyMetric,
    pub(crate) record: Value,
}

/// Returns the example of each metric.
pub(crate) fn examples() -> Vec<Example> {
    registry().entries().iter().map(Example::from_entry).collect()
}

/// Returns one example of each kind of data: the view, the references and the source that a metric needs, and the form of its
/// statistics.
pub(crate) fn examples_of_kinds() -> Vec<Example> {
    let mut seen = std::collections::BTreeSet::new();
    examples().into_iter().filter(|example| seen.insert(example.kind())).collect()
}

impl Example {
    fn from_entry(entry: &MetricEntry) -> Self {
        let metric = entry.example_options().named(&entry.name);
        let built = entry.build(&entry.example_options()).unwrap();
        let record = serde_json::from_str(entry.example);
        let record = record.unwrap_or_else(|error| panic!("the example of {metric}: {error}"));
        Example { metric, built, record }
    }

    fn kind(&self) -> String {
        let view = &self.built.view;
        let identity = self.built.identity();
        let needs = identity.needs();
        let form = view.form.map(|form| form.name);
        let parts = (view.parted, needs.references, needs.one_reference, needs.source);
        format!("{:?} {form:?} {parts:?} {} {}", view.kind, self.is_row(), self.learns())
    }

    /// Returns `true` if the statistics are a row of counts.
    pub(crate) fn is_row(&self) -> bool {
        self.built.require_rows("be a row").is_ok()
    }

    /// Returns `true` if the metric learns from all references first.
    pub(crate) fn learns(&self) -> bool {
        self.built.first_pass().is_some()
    }

    /// Returns the first reference.
    fn reference(&self) -> Option<&Value> {
        self.record.get("reference").or_else(|| self.record.get("references")?.get(0))
    }

    /// Returns another segment of the same kind: the hypothesis is the reference where both are of one type, or has one word more.
    /// It is the same segment where neither is possible.
    pub(crate) fn other_record(&self) -> Value {
        let mut other = self.record.clone();
        let hypothesis = &self.record["hypothesis"];
        match (self.reference(), hypothesis.as_str()) {
            (Some(reference), _) if self.has_type_of_hypothesis(reference) => {
                other["hypothesis"] = reference.clone();
            }
            (None, Some(text)) => other["hypothesis"] = json!(format!("{text} cat")),
            _ => {}
        }
        other
    }

    fn has_type_of_hypothesis(&self, reference: &Value) -> bool {
        std::mem::discriminant(&self.record["hypothesis"]) == std::mem::discriminant(reference)
    }

    /// Writes the records into files, and returns the arguments that read them: of segments, or by the view of numbers or vectors.
    pub(crate) fn input(&self, folder: &Folder, records: &[Value]) -> Vec<String> {
        let lines = || records.iter().map(|record| format!("{record}\n")).collect::<String>();
        match self.built.view.kind {
            ViewKind::Vectors => {
                let hypotheses = records.iter().map(|record| &record["hypothesis"]);
                let references = records.iter().map(|record| &record["references"][0]);
                let hypotheses = write_vectors(folder, "h", &hypotheses.collect::<Vec<_>>());
                let references = write_vectors(folder, "r", &references.collect::<Vec<_>>());
                vec!["--vectors".to_owned(), hypotheses, "--reference-vectors".to_owned(), references]
            }
            ViewKind::Numbers => vec!["--numbers".to_owned(), folder.file("numbers.jsonl", lines())],
            _ => vec!["--segments".to_owned(), folder.file("segments.jsonl", lines())],
        }
    }

    /// Writes two segments, and returns the arguments that read them.
    pub(crate) fn two_segments(&self, folder: &Folder) -> Vec<String> {
        self.input(folder, &[self.record.clone(), self.other_record()])
    }
}

/// Writes the vectors of texts into a file of NumPy and their offsets into a second one, and returns the path of the vectors.
fn write_vectors(folder: &Folder, name: &str, texts: &[&Value]) -> String {
    let texts: Vec<Vec<[f64; 2]>> =
        texts.iter().map(|text| serde_json::from_value((*text).clone()).unwrap()).collect();
    let mut offsets = vec![0];
    for text in &texts {
        offsets.push(offsets[offsets.len() - 1] + text.len() as i64);
    }
    let offsets_shape = format!("({},)", offsets.len());
    let offsets: Vec<[u8; 8]> = offsets.iter().map(|offset| offset.to_le_bytes()).collect();
    folder.file(&format!("{name}.offsets.npy"), numpy("<i8", &offsets_shape, &offsets));
    let numbers: Vec<f64> = texts.iter().flatten().flatten().copied().collect();
    let shape = format!("({}, 2)", numbers.len() / 2);
    let numbers: Vec<[u8; 8]> = numbers.iter().map(|number| number.to_le_bytes()).collect();
    folder.file(&format!("{name}.npy"), numpy("<f8", &shape, &numbers))
}

/// Returns a file of NumPy with these numbers.
fn numpy(kind: &str, shape: &str, numbers: &[[u8; 8]]) -> Vec<u8> {
    let header = format!("{{'descr': '{kind}', 'fortran_order': False, 'shape': {shape}, }}");
    // The data begin at a multiple of 64 bytes: 10 of the magic number, 117 of padded text and a line feed.
    let mut file = b"\x93NUMPY\x01\x00\x76\x00".to_vec();
    file.extend(format!("{header:<117}\n").into_bytes());
    file.extend(numbers.as_flattened());
    file
}

/// Returns the recorded score of each example. `BLEUPRINT_WRITE_DOCS=1` records them again.
fn recorded(found: &BTreeMap<String, f64>) -> BTreeMap<String, f64> {
    let path = format!("{}/../testkit/data/examples.json", env!("CARGO_MANIFEST_DIR"));
    if std::env::var_os("BLEUPRINT_WRITE_DOCS").is_some() {
        std::fs::write(&path, format!("{}\n", serde_json::to_string_pretty(found).unwrap())).unwrap();
    }
    serde_json::from_str(&std::fs::read_to_string(&path).unwrap()).unwrap()
}

#[test]
fn every_metric_has_an_example_with_its_recorded_score() {
    let mut found = BTreeMap::new();
    for example in examples() {
        let folder = Folder::new();
        let mut arguments = vec!["score".to_owned(), "-q".to_owned(), "-f".to_owned(), "json".to_owned()];
        arguments.extend(example.input(&folder, std::slice::from_ref(&example.record)));
        arguments.extend(["-m".to_owned(), example.metric.clone()]);
        let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
        found.insert(example.metric, parsed(&arguments)["score"].as_f64().unwrap());
    }
    let recorded = recorded(&found);
    for (metric, score) in &found {
        let wanted = recorded.get(metric).unwrap_or_else(|| panic!("no recorded score of {metric}"));
        assert_eq!(score.to_bits(), wanted.to_bits(), "{metric}: {score}, recorded {wanted}");
    }
    // A build without a family has fewer metrics.
    let registry = registry();
    let superfluous = recorded.keys().filter(|metric| registry.parse(metric).is_ok());
    assert_eq!(superfluous.count(), found.len(), "a recorded metric is not in the registry");
}
