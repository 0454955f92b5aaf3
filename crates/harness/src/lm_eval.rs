//! Samples of lm-evaluation-harness: a line for each document and filter.

use std::path::Path;

use bleuprint_core::{InputError, Result};
use bleuprint_text::read::Fields;
use serde_json::Value;

use crate::{Log, LogRecord, LogValue, document, files};

pub(crate) fn read(path: &Path) -> Result<Log> {
    let mut log = Log::default();
    let is_log = |name: &str| name.starts_with("samples_") && name.ends_with(".jsonl");
    let found = files::of_one_model(path, is_log, "samples_TASK_STAMP.jsonl, which --log_samples writes")?;
    let named = found.into_iter().map(|file| {
        let (task, stamp) = task_and_stamp(&files::name(&file));
        (task, stamp, file)
    });
    for (task, file) in files::newest(named.collect(), path, &mut log.warnings) {
        let mut fields = Fields::open(&file, None)?;
        while fields.advance()? {
            let line = Value::Object(fields.record()?.into_owned());
            log.records.push(record(&line, &task, fields.location())?);
        }
    }
    Ok(log)
}

/// A task may have `_` in its name; a stamp has none. A file that was renamed names no task.
fn task_and_stamp(name: &str) -> (String, String) {
    let plain = name.strip_prefix("samples_").unwrap_or_default().trim_end_matches(".jsonl");
    let (task, stamp) = plain.rsplit_once('_').unwrap_or((plain, ""));
    (task.to_owned(), stamp.to_owned())
}

fn record(line: &Value, task: &str, location: bleuprint_core::Location) -> Result<LogRecord> {
    let Some(metrics) = line["metrics"].as_array() else {
        let message = "no list `metrics`: the file is none that --log_samples writes";
        return Err(InputError::malformed(message).at(location));
    };
    let names = metrics.iter().filter_map(Value::as_str);
    Ok(LogRecord {
        task: Some(task.to_owned()).filter(|task| !task.is_empty()),
        id: document::required(line, "doc_id", &location)?,
        filter: document::label(&line["filter"]),
        group: document::group(&line["doc"]),
        values: names.map(|name| (name.to_owned(), LogValue::of(&line[name]))).collect(),
        data: document::label(&line["doc_hash"]),
        prompt: document::label(&line["prompt_hash"]),
        location,
        ..LogRecord::default()
    })
}

#[cfg(test)]
mod tests {
    use super::task_and_stamp;

    #[test]
    fn a_task_is_cut_at_the_last_underscore() {
        let cut = task_and_stamp("samples_mmlu_law_2026-11-23T16-59-12.225685.jsonl");
        assert_eq!(cut, ("mmlu_law".to_owned(), "2026-11-23T16-59-12.225685".to_owned()));
        assert_eq!(task_and_stamp("mine.jsonl").0, "");
    }
}
