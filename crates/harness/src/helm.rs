//! A reader of HELM's results for single benchmark instances. Each run has a folder, whose name contains the
//! arguments of the run.

use std::path::Path;

use bleuprint_core::{Result, counted};
use serde_json::Value;

use crate::{Log, LogRecord, LogValue, document, files};

const FILE: &str = "per_instance_stats.json";

/// The splits that HELM evaluates, in order of preference. HELM's tables are about `test`; many scenarios
/// have only `valid`.
const SPLITS: [&str; 2] = ["test", "valid"];

pub(crate) fn read(path: &Path) -> Result<Log> {
    let mut log = Log::default();
    let mut runs = if path.is_dir() { files::entries(path)? } else { vec![path.to_owned()] };
    // The user may give a file, the folder of one run, or the folder above several runs.
    if path.join(FILE).is_file() {
        runs = vec![path.to_owned()];
    }
    runs.iter_mut().filter(|run| run.is_dir()).for_each(|run| run.push(FILE));
    runs.retain(|file| file.is_file());
    runs.sort();
    if runs.is_empty() {
        return Err(files::none(path, "RUN/per_instance_stats.json"));
    }
    let names: Vec<String> =
        runs.iter().map(|file| file.parent().map(files::name).unwrap_or_default()).collect();
    let mut models: Vec<String> =
        names.iter().filter_map(|run| argument(run, "model")).map(|model| format!("`{model}`")).collect();
    models.sort();
    models.dedup();
    if models.len() > 1 {
        return Err(files::several_models(path, &models));
    }
    for (run, file) in names.iter().zip(&runs) {
        let document = document::read(file)?;
        let instances = document::array(&document, "", file)?;
        let split = split_of(instances);
        let mut others = 0;
        for instance in instances {
            let record = record(instance, run, split, file)?;
            // An instance of another split is no item of the benchmark, so it must not count as missing.
            if record.values.is_empty() && has_statistics(instance) {
                others += 1
            } else {
                log.records.push(record)
            }
        }
        if others > 0 {
            let (file, others) = (file.display(), counted(others, "instance"));
            let split = split.unwrap_or_default();
            log.warnings
                .push(format!("{file}: the split {split} is read; not read: {others} of other splits"));
        }
    }
    Ok(log)
}

/// Returns the split whose statistics are read: the first of [`SPLITS`] that the file has, otherwise the
/// split that the file names first.
fn split_of(instances: &[Value]) -> Option<&str> {
    let stats = || instances.iter().filter_map(|instance| instance["stats"].as_array()).flatten();
    let named = || stats().filter_map(|one| one["name"]["split"].as_str());
    SPLITS.into_iter().find(|split| named().any(|name| name == *split)).or_else(|| named().next())
}

fn has_statistics(instance: &Value) -> bool {
    instance["stats"].as_array().is_some_and(|stats| !stats.is_empty())
}

fn record(instance: &Value, run: &str, split: Option<&str>, file: &Path) -> Result<LogRecord> {
    let location = document::file(file);
    let mut values = Vec::new();
    for one in document::array(instance, "/stats", file)? {
        let name = &one["name"];
        if let (of, Some(metric)) = (name["split"].as_str(), name["name"].as_str())
            && of == split
        {
            values.push((metric.to_owned(), value(one)));
        }
    }
    Ok(LogRecord {
        task: Some(run.to_owned()),
        id: document::required(instance, "instance_id", &location)?,
        sample: document::place(instance, "train_trial_index", &location)?,
        group: argument(run, "subject").map(str::to_owned),
        perturbation: document::label(&instance["perturbation"]["name"]),
        values,
        location,
        ..LogRecord::default()
    })
}

/// Returns the mean of a HELM statistic, or a missing value if its count is 0.
fn value(one: &Value) -> LogValue {
    let sum = one["sum"].as_f64();
    let count = one["count"].as_f64();
    match (one["mean"].as_f64(), sum, count) {
        (_, _, Some(0.0)) => LogValue::Missing("unscored"),
        (Some(mean), _, _) => LogValue::Number(mean),
        // A statistic without its mean still has the sum and the count.
        (None, Some(sum), Some(count)) => LogValue::Number(sum / count),
        _ => LogValue::Other(one.clone()),
    }
}

/// Returns the value of the argument `name` in the folder name of a HELM run: for `subject` in
/// `mmlu:subject=law,model=m` it is `law`.
pub(crate) fn argument<'r>(run: &'r str, name: &str) -> Option<&'r str> {
    let arguments = run.split_once(':').map_or(run, |(_, arguments)| arguments);
    arguments
        .split(',')
        .find_map(|one| one.split_once('=').filter(|(key, _)| *key == name))
        .map(|(_, value)| value)
}

/// Returns the name of a HELM run without its argument `model=`, so that runs of different models have the
/// same name.
pub(crate) fn without_model(run: &str) -> String {
    let (scenario, arguments) =
        run.split_once(':').map_or(("", run), |(scenario, arguments)| (scenario, arguments));
    let kept: Vec<&str> = arguments.split(',').filter(|one| !one.starts_with("model=")).collect();
    match (scenario, kept.join(",")) {
        ("", kept) => kept,
        (scenario, kept) if kept.is_empty() => scenario.to_owned(),
        (scenario, kept) => format!("{scenario}:{kept}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arguments_of_a_run() {
        assert_eq!(argument("mmlu:subject=law,model=m", "subject"), Some("law"));
        assert_eq!(argument("mmlu", "subject"), None);
        for (run, task) in
            [("mmlu:subject=law,model=m", "mmlu:subject=law"), ("gsm:model=m", "gsm"), ("gsm", "gsm")]
        {
            assert_eq!(without_model(run), task);
        }
    }
}
