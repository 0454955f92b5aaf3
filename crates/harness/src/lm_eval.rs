//! A reader of sample logs of lm-evaluation-harness, which have one line for each document and answer filter.

use std::path::Path;

use bleuprint_core::{InputError, Result};
use bleuprint_text::read::FieldReader;
use serde_json::Value;

use crate::{Log, LogRecord, LogTexts, LogValue, document, files};

pub(crate) fn read(path: &Path) -> Result<Log> {
    let mut log = Log::default();
    let is_log = |name: &str| name.starts_with("samples_") && name.ends_with(".jsonl");
    let found = files::of_one_model(path, is_log, "samples_TASK_STAMP.jsonl, which --log_samples writes")?;
    for (task, file) in files::newest(found.into_iter().map(files::run_of), path, &mut log.warnings) {
        let mut fields = FieldReader::open(&file, None)?;
        let before = log.records.len();
        while fields.advance()? {
            let line = Value::Object(fields.record()?.into_owned());
            log.records.push(record(&line, &task, fields.location())?);
        }
        log.note_empty(before, &file);
    }
    Ok(log)
}

fn record(line: &Value, task: &str, location: bleuprint_core::Location) -> Result<LogRecord> {
    let Some(metrics) = line["metrics"].as_array() else {
        let message = "no list `metrics`, which lm-eval writes since 2025; numbers of older logs and of lmms-eval are read as records (the option `--numbers`, or `given` in Python)";
        return Err(InputError::malformed(message).at(location));
    };
    // The list names the keys of the line that are metrics; all other keys describe the document.
    let names = metrics.iter().filter_map(Value::as_str);
    Ok(LogRecord {
        task: Some(task.to_owned()).filter(|task| !task.is_empty()),
        id: document::required(line, "doc_id", &location)?,
        filter: document::label(&line["filter"]),
        group: document::group(&line["doc"]),
        values: names.map(|name| (name.to_owned(), LogValue::from_json(&line[name]))).collect(),
        data: document::label(&line["doc_hash"]),
        prompt: document::label(&line["prompt_hash"]),
        texts: LogTexts::of_lm_eval(line),
        location,
        ..LogRecord::default()
    })
}
