//! Results of promptfoo: every provider and prompt is a system, every test an item.

use std::collections::HashMap;
use std::path::Path;

use bleuprint_core::{Location, Result};
use bleuprint_text::read::Fields;
use serde_json::Value;

use crate::{Log, LogRecord, LogValue, document, files};

/// The reason of a failure that is one of the run, and no answer.
const FAILED_RUN: u64 = 2;

/// The numbers of every sample.
const OWN: [&str; 2] = ["success", "score"];

pub(crate) fn read(path: &Path) -> Result<Log> {
    let is_log = |name: &str| name.ends_with(".json") || name.ends_with(".jsonl");
    let file = files::only(path, is_log, "*.json or *.jsonl, which --output writes")?;
    let (mut log, mut repeats) = (Log::default(), HashMap::new());
    if file.extension().is_some_and(|end| end == "jsonl") {
        let mut fields = Fields::open(&file, None)?;
        while fields.advance()? {
            let line = Value::Object(fields.record()?.into_owned());
            log.records.push(record(&line, fields.location(), &mut repeats)?);
        }
        return Ok(log);
    }
    let document = document::read(&file)?;
    // Version 3 has the list one level deeper.
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
    let failed = one["failureReason"].as_u64() == Some(FAILED_RUN)
        || one["failureReason"].is_null() && !one["error"].is_null();
    let own = OWN.map(|name| {
        let value = if failed { LogValue::Missing("error") } else { LogValue::of(&one[name]) };
        (name.to_owned(), value)
    });
    let named = one["namedScores"].as_object().into_iter().flatten();
    let named = named.filter(|_| !failed).map(|(name, value)| {
        let name = if OWN.contains(&&**name) { format!("namedScores.{name}") } else { name.clone() };
        (name, LogValue::of(value))
    });
    own.into_iter().chain(named).collect()
}
