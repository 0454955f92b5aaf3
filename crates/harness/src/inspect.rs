//! A reader of logs of the evaluation framework inspect-ai: a JSON document, or the archive `.eval`, whose
//! members are compressed with zstd or deflate.

use std::path::Path;

use bleuprint_core::{InputError, Result};
use bleuprint_text::read::archive_members;
use serde_json::Value;

use crate::files::LogRun;
use crate::record::DATA_SET;
use crate::{Log, LogRecord, LogTexts, LogValue, document, files};

/// Maximum size in bytes of a file in an archive. It bounds the memory that a damaged or malicious archive
/// can request.
const MOST_BYTES: u64 = 1 << 30;

pub(crate) fn read(path: &Path) -> Result<Log> {
    let mut log = Log::default();
    let is_log = |name: &str| name.ends_with(".eval") || name.ends_with(".json");
    let found = files::matching(path, is_log)?;
    if found.is_empty() {
        return Err(files::none(path, "*.eval or *.json"));
    }
    let mut runs = Vec::new();
    let mut models = Vec::new();
    for file in found {
        let run = read_one(&file)?;
        let about = &run.about["eval"];
        models.push(document::label(&about["model"]).unwrap_or_default());
        let task = document::label(&about["task"]).unwrap_or_default();
        let arguments = arguments(about);
        let shown: Vec<String> = arguments.iter().map(|(name, value)| format!("{name}={value}")).collect();
        let stamp = files::name(&file);
        runs.push(LogRun { task, variant: shown.join(", "), stamp, log: (file, run, arguments) });
    }
    models.sort();
    models.dedup();
    if models.len() > 1 {
        let names: Vec<String> = models.iter().map(|model| format!("`{model}`")).collect();
        return Err(files::several_models(path, &names));
    }
    for (task, (file, run, arguments)) in files::newest(runs, path, &mut log.warnings) {
        match document::label(&run.about["status"]).as_deref() {
            Some("success") => {}
            status => {
                let status = status.unwrap_or("not written");
                log.warnings
                    .push(format!("{}: the status of the run is {status}, not success", file.display()));
            }
        }
        let before = log.records.len();
        let mut tally = SampleTally::default();
        for sample in &run.samples {
            let record = record(sample, &task, &file)?;
            tally.look_at(sample, &record);
            log.records.push(LogRecord { arguments: arguments.clone(), ..record });
        }
        log.note_empty(before, &file);
        log.warnings.extend(tally.note().map(|note| format!("{}: {note}", file.display())));
    }
    Ok(log)
}

/// Returns the arguments and the data set of a task, by name. Runs that differ in them count as different
/// tasks.
fn arguments(about: &Value) -> Vec<(String, String)> {
    let given = about["task_args"].as_object().into_iter().flatten();
    let mut all: Vec<(String, String)> = given
        .map(|(name, value)| (name.clone(), document::label(value).unwrap_or_else(|| value.to_string())))
        .collect();
    // Objects of JSON have no order, and a repetition may write its arguments in another one.
    all.sort();
    let data = &about["dataset"];
    let data = document::label(&data["name"]).or_else(|| document::label(&data["location"]));
    all.extend(data.map(|name| (DATA_SET.to_owned(), name)));
    all
}

/// Numbers of samples that failed with scores, failed without scores, or were invalidated.
#[derive(Default)]
struct SampleTally {
    failed_with_scores: usize,
    failed_without: usize,
    invalidated: usize,
}

impl SampleTally {
    fn look_at(&mut self, sample: &Value, record: &LogRecord) {
        if is_invalidated(sample) {
            self.invalidated += 1;
        } else if !sample["error"].is_null() {
            let count = if record.values.is_empty() {
                &mut self.failed_without
            } else {
                &mut self.failed_with_scores
            };
            *count += 1;
        }
    }

    fn note(&self) -> Option<String> {
        let notes: Vec<String> = [
            ("with an error and with scores, which count", self.failed_with_scores),
            ("with an error and without scores, so without a number", self.failed_without),
            ("invalidated, so without a number", self.invalidated),
        ]
        .into_iter()
        .filter(|(_, count)| *count > 0)
        .map(|(what, count)| format!("{what}: {count}"))
        .collect();
        (!notes.is_empty()).then(|| format!("samples {}", notes.join("; ")))
    }
}

fn is_invalidated(sample: &Value) -> bool {
    !sample["invalidation"].is_null()
}

/// An evaluation run in a log of inspect-ai: its header and its samples.
struct InspectRun {
    about: Value,
    samples: Vec<Value>,
}

fn read_one(file: &Path) -> Result<InspectRun> {
    if file.extension().is_some_and(|end| end == "eval") {
        return read_archive(file);
    }
    let mut about = document::read(file)?;
    document::array(&about, "/samples", file)?;
    let samples = match about["samples"].take() {
        Value::Array(samples) => samples,
        _ => Vec::new(),
    };
    Ok(InspectRun { about, samples })
}

/// Reads a run from an `.eval` archive. inspect-ai writes `header.json` last; a run that was interrupted has
/// only `_journal/start.json`.
fn read_archive(file: &Path) -> Result<InspectRun> {
    let broken = |error: &dyn std::fmt::Display| {
        InputError::malformed(format!("no log of inspect-ai: {error}")).at(document::file(file))
    };
    let members = archive_members(file, MOST_BYTES).map_err(|error| broken(&error))?;
    let document = |name: &str| {
        let bytes = members[name]().map_err(|error| broken(&format!("{name}: {error}")))?;
        document::parse(&bytes, &file.join(name))
    };
    let header = ["header.json", "_journal/start.json"].into_iter().find(|&name| members.contains_key(name));
    let about = header.map(document).transpose()?.ok_or_else(|| broken(&"it has no header.json"))?;
    let samples = members.keys().filter(|name| name.starts_with("samples/") && name.ends_with(".json"));
    let samples = samples.map(|name| document(name)).collect::<Result<Vec<_>>>()?;
    Ok(InspectRun { about, samples })
}

fn record(sample: &Value, task: &str, file: &Path) -> Result<LogRecord> {
    let location = document::file(file);
    let mut values = Vec::new();
    // The scores of an invalidated sample stay in the log, but inspect-ai runs the sample again in an eval set.
    let scores = sample["scores"].as_object().filter(|_| !is_invalidated(sample));
    for (name, score) in scores.into_iter().flatten() {
        match &score["value"] {
            // A scorer may give several numbers, which get the name of the scorer in front.
            Value::Object(parts) => {
                values.extend(
                    parts.iter().map(|(part, value)| (format!("{name}.{part}"), LogValue::of_words(value))),
                );
            }
            value => values.push((name.clone(), LogValue::of_words(value))),
        }
    }
    Ok(LogRecord {
        task: Some(task.to_owned()).filter(|task| !task.is_empty()),
        id: document::required(sample, "id", &location)?,
        sample: document::place(sample, "epoch", &location)?,
        group: document::group(&sample["metadata"]),
        values,
        texts: LogTexts::of_inspect(sample),
        location,
        ..LogRecord::default()
    })
}
