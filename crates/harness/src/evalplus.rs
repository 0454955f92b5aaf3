//! A reader of result files of evalplus (a code-generation benchmark): the samples of each task with the
//! verdicts of both test suites.

use std::path::Path;

use bleuprint_core::{InputError, Result};
use serde_json::Value;

use crate::{Log, LogRecord, LogValue, document, files};

pub(crate) fn read(path: &Path) -> Result<Log> {
    let file = files::only(path, |name| name.ends_with("eval_results.json"), "*eval_results.json")?;
    let document = document::read(&file)?;
    let location = document::file(&file);
    let Some(tasks) = document["eval"].as_object() else {
        return Err(InputError::malformed("no object `eval`").at(location));
    };
    let mut log = Log::default();
    for (task, samples) in tasks {
        let Some(samples) = samples.as_array() else {
            return Err(InputError::malformed(format!("`eval.{task}` is no list of samples")).at(location));
        };
        // A task without samples has no record, so it would vanish without a word from the mean over tasks.
        if samples.is_empty() {
            let message = format!(
                "the task `{task}` has no samples, so pass@k is not defined: generate them, or remove it"
            );
            return Err(InputError::malformed(message).at(location));
        }
        for (sample, one) in (0..).zip(samples) {
            let status = |name| status(&one[name]).map_err(|error| error.at(location.clone()));
            let Some(base) = status("base_status")? else {
                let message = format!("sample {sample} of `{task}` has no `base_status`");
                return Err(InputError::malformed(message).at(location));
            };
            let mut values = vec![("base".to_owned(), LogValue::verdict(base))];
            // Without a `plus_status`, only the base tests ran.
            if let Some(plus) = status("plus_status")? {
                // A sample passes the extended suite only if it passes the base suite too, as evalplus
                // counts.
                values.push(("plus".to_owned(), LogValue::verdict(base && plus)));
            }
            let id = task.clone();
            let location = location.clone();
            log.records.push(LogRecord { id, sample, values, location, ..LogRecord::default() });
        }
    }
    Ok(log)
}

/// Converts the status of a test run: `true` if all tests passed, `false` if one failed or timed out, and
/// `None` if the status is missing.
fn status(value: &Value) -> Result<Option<bool>> {
    match value.as_str() {
        Some("pass") => Ok(Some(true)),
        Some("fail" | "timeout") => Ok(Some(false)),
        None if value.is_null() => Ok(None),
        _ => Err(InputError::malformed(format!("the status {value} is not one of pass, fail, timeout"))),
    }
}
