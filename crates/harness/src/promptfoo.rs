//! A reader of results of the evaluation tool promptfoo: each combination of provider and prompt is a system,
//! and each test is an item.

use std::collections::HashMap;
use std::path::Path;

use bleuprint_core::{Location, Result};
use bleuprint_text::read::FieldReader;
use serde_json::Value;

use crate::{Log, LogRecord, LogValue, document, files};

/// The value of promptfoo's field `failureReason` for a run that failed without an answer.
const FAILED_RUN: u64 = 2;

/// The names of the numbers that promptfoo writes for every sample.
const OWN: [&str; 2] = ["success", "score"];

pub(crate) fn read(path: &Path) -> Result<Log> {
    let is_log = |name: &str| name.ends_with(".json") || name.ends_with(".jsonl");
    let file = files::only(path, is_log, "*.json or *.jsonl, which --output writes")?;
    let mut log = Log::default();
    let mut repeats = HashMap::new();
    if file.extension().is_some_and(|end| end == "jsonl") {
        let mut fields = FieldReader::open(&file, None)?;
        while fields.advance()? {
            let line = Value::Object(fields.record()?.into_owned());
            log.records.push(record(&line, fields.location(), &mut repeats)?);
        }
        return Ok(log);
    }
    let document = document::read(&file)?;
    // Version 3 of the format has the list one level deeper.
    let place = if document["results"].is_array() { "/results" } else { "/results/results" };
    for one in document::array(&document, place, &file)? {
        log.records.push(record(one, document::file(&file), &mut repeats)?);
    }
    Ok(log)
}

fn record(
    one: &Value,
    location: Location,
    repeats: &mut HashMap<(String, String), u64>,
) -> Result<LogRecord> {
    let provider = &one["provider"];
    // A provider is a text, or an object with a label or only an id.
    let provider = document::label(provider)
        .or_else(|| document::label(&provider["label"]))
        .or_else(|| document::label(&provider["id"]))
        .unwrap_or_default();
    let system = format!("{provider}|{}", document::required(one, "promptIdx", &location)?);
    let id = document::required(one, "testIdx", &location)?;
    let sample = repeats.entry((system.clone(), id.clone())).or_default();
    let group = document::group(&one["vars"]).or_else(|| document::group(&one["metadata"]));
    let record = LogRecord {
        system: Some(system),
        id,
        sample: *sample,
        group,
        values: values(one),
        location,
        ..LogRecord::default()
    };
    *sample += 1;
    Ok(record)
}

fn values(one: &Value) -> Vec<(String, LogValue)> {
    // Without a `failureReason`, an `error` shows that the run failed.
    let failed = one["failureReason"].as_u64() == Some(FAILED_RUN)
        || one["failureReason"].is_null() && !one["error"].is_null();
    let own = OWN.map(|name| {
        let value = if failed { LogValue::Missing("error") } else { LogValue::from_json(&one[name]) };
        (name.to_owned(), value)
    });
    let named = one["namedScores"].as_object().into_iter().flatten();
    let named = named.filter(|_| !failed).map(|(name, value)| {
        // A named score must not replace the number of the same name.
        let name = if OWN.contains(&&**name) { format!("namedScores.{name}") } else { name.clone() };
        (name, LogValue::from_json(value))
    });
    own.into_iter().chain(named).collect()
}
