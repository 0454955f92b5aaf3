//! A reader of logs of the evaluation framework inspect-ai: a JSON document, or the archive `.eval`, whose
//! members are compressed with zstd or deflate.

use std::path::Path;

use bleuprint_core::{InputError, Result};
use bleuprint_text::read::archive_members;
use serde_json::Value;

use crate::{Log, LogRecord, LogValue, document, files};

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
        models.push(document::label(&run.about["eval"]["model"]).unwrap_or_default());
        let task = document::label(&run.about["eval"]["task"]).unwrap_or_default();
        runs.push((task, files::name(&file), (file, run)));
    }
    models.sort();
    models.dedup();
    if models.len() > 1 {
        let names: Vec<String> = models.iter().map(|model| format!("`{model}`")).collect();
        return Err(files::several_models(path, &names));
    }
    for (task, (file, run)) in files::newest(runs, path, &mut log.warnings) {
        match document::label(&run.about["status"]).as_deref() {
            Some("success") => {}
            status => {
                let status = status.unwrap_or("not written");
                log.warnings
                    .push(format!("{}: the status of the run is {status}, not success", file.display()));
            }
        }
        for sample in &run.samples {
            log.records.push(record(sample, &task, &file)?);
        }
    }
    Ok(log)
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
    for (name, score) in sample["scores"].as_object().into_iter().flatten() {
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
        location,
        ..LogRecord::default()
    })
}
