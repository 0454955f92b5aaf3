//! Searches a folder for the result logs of one model. If a task has several logs, the newest is used.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use bleuprint_core::{InputError, Result};

use crate::document;

/// Returns the files in a folder whose names `is_log` accepts, sorted by name. If `path` is a file, returns
/// that file.
pub(crate) fn matching(path: &Path, is_log: impl Fn(&str) -> bool) -> Result<Vec<PathBuf>> {
    if !path.is_dir() {
        return Ok(vec![path.to_owned()]);
    }
    let mut files: Vec<PathBuf> =
        entries(path)?.into_iter().filter(|one| one.is_file() && is_log(&name(one))).collect();
    files.sort();
    Ok(files)
}

/// Returns the log files in a folder, or in its only subfolder that has log files.
///
/// # Errors
/// Returns an error if no subfolder has log files, or if several have; the message then names them.
pub(crate) fn of_one_model(path: &Path, is_log: impl Fn(&str) -> bool, logs: &str) -> Result<Vec<PathBuf>> {
    // The user may give the folder of a model or the folder above it, which also has one folder for each
    // further model.
    let own = matching(path, &is_log)?;
    if !own.is_empty() {
        return Ok(own);
    }
    let mut folders = Vec::new();
    for folder in entries(path)?.into_iter().filter(|one| one.is_dir()) {
        let files = matching(&folder, &is_log)?;
        if !files.is_empty() {
            folders.push((name(&folder), files));
        }
    }
    folders.sort();
    match folders.len() {
        0 => Err(none(path, logs)),
        1 => Ok(folders.swap_remove(0).1),
        _ => {
            let names: Vec<String> = folders.iter().map(|(name, _)| format!("`{name}`")).collect();
            Err(several_models(path, &names))
        }
    }
}

/// Returns the only log file in a folder, for harnesses whose file names do not contain a task.
pub(crate) fn only(path: &Path, is_log: impl Fn(&str) -> bool, logs: &str) -> Result<PathBuf> {
    let mut files = matching(path, is_log)?;
    match files.len() {
        0 => Err(none(path, logs)),
        1 => Ok(files.swap_remove(0)),
        _ => {
            let names: Vec<String> = files.iter().map(|file| format!("`{}`", name(file))).collect();
            let message = format!(
                "the folder has several logs, but only one can be read; give the path of one of {}",
                names.join(", ")
            );
            Err(InputError::malformed(message).at(document::file(path)))
        }
    }
}

/// Log of one run. The task and the variant identify the run: of several logs that share them, the newest is
/// used.
pub(crate) struct LogRun<T> {
    /// The name of the task.
    pub(crate) task: String,
    /// Other properties that identify the run, such as its arguments.
    pub(crate) variant: String,
    /// The time stamp in the file's name; empty if the name has none.
    pub(crate) stamp: String,
    /// The log: the path of its file, or its parsed content.
    pub(crate) log: T,
}

/// Returns the newest log of each run, by the time stamps in the file names. Adds a warning for each run with
/// several logs.
pub(crate) fn newest<T>(
    logs: impl IntoIterator<Item = LogRun<T>>,
    path: &Path,
    warnings: &mut Vec<String>,
) -> Vec<(String, T)> {
    let mut by_run: BTreeMap<(String, String), Vec<(String, T)>> = BTreeMap::new();
    for LogRun { task, variant, stamp, log } in logs {
        by_run.entry((task, variant)).or_default().push((stamp, log));
    }
    let mut newest = Vec::new();
    for ((task, variant), mut logs) in by_run {
        // Stamps begin with the year, so the order of texts is the order of time.
        logs.sort_by(|one, other| one.0.cmp(&other.0));
        let Some((stamp, log)) = logs.pop() else { continue };
        if !logs.is_empty() {
            let older: Vec<&str> = logs.iter().map(|(stamp, _)| shown(stamp)).collect();
            let of = if variant.is_empty() { String::new() } else { format!(" ({variant})") };
            warnings.push(format!(
                "{}: {task}{of} was run more than once; the log {} is read, not {}",
                path.display(),
                shown(&stamp),
                older.join(", ")
            ));
        }
        newest.push((task, log));
    }
    newest
}

fn shown(stamp: &str) -> &str {
    if stamp.is_empty() { "without a stamp" } else { stamp }
}

/// Returns the run of a file with a name such as `samples_TASK_STAMP.jsonl` or `details_TASK_STAMP.parquet`.
/// The task is empty for a file that was renamed.
pub(crate) fn run_of(file: PathBuf) -> LogRun<PathBuf> {
    let (task, stamp) = task_and_stamp(&name(&file));
    LogRun { task, variant: String::new(), stamp, log: file }
}

fn task_and_stamp(name: &str) -> (String, String) {
    let plain =
        ["samples_", "details_"].iter().find_map(|start| name.strip_prefix(start)).unwrap_or_default();
    let plain = plain.trim_end_matches(".jsonl").trim_end_matches(".parquet");
    // A task may contain `_`, but a stamp does not, so only the text after the last one can be a stamp. If it
    // is no time, as in `samples_mmlu_law.jsonl`, it is part of the task: such files are no runs of `mmlu`.
    let (task, stamp) = plain.rsplit_once('_').filter(|(_, end)| is_time(end)).unwrap_or((plain, ""));
    (task.to_owned(), stamp.to_owned())
}

/// Returns `true` if the text is a time that begins with a year and a month, such as
/// `2026-11-23T16-59-12.225685`.
fn is_time(text: &str) -> bool {
    let mut parts = text.split('-');
    let mut digits = |count: usize| {
        parts
            .next()
            .is_some_and(|part| part.len() >= count && part.bytes().take(count).all(|b| b.is_ascii_digit()))
    };
    digits(4) && digits(2) && text.chars().all(|c| c.is_ascii_digit() || "-T:.+Z".contains(c))
}

pub(crate) fn none(path: &Path, logs: &str) -> InputError {
    InputError::malformed(format!("no log in this folder: expected {logs}")).at(document::file(path))
}

pub(crate) fn several_models(path: &Path, names: &[String]) -> InputError {
    let message = format!(
        "logs of several models, but a system is one model; give the path of one of {}",
        names.join(", ")
    );
    InputError::malformed(message).at(document::file(path))
}

/// Returns the last component of a path: the name of the file or folder.
pub(crate) fn name(path: &Path) -> String {
    path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default()
}

pub(crate) fn entries(path: &Path) -> Result<Vec<PathBuf>> {
    let cannot = |error: std::io::Error| {
        InputError::malformed(format!("cannot be read: {error}")).at(document::file(path))
    };
    let entries = std::fs::read_dir(path).map_err(cannot)?;
    entries.map(|entry| entry.map(|entry| entry.path()).map_err(cannot)).collect()
}

#[cfg(test)]
mod tests {
    use super::task_and_stamp;

    #[test]
    fn a_task_ends_where_a_time_begins() {
        for (name, task, stamp) in [
            ("samples_mmlu_law_2026-11-23T16-59-12.225685.jsonl", "mmlu_law", "2026-11-23T16-59-12.225685"),
            ("samples_mmlu_law.jsonl", "mmlu_law", ""),
            ("samples_aime_2025.jsonl", "aime_2025", ""),
            ("samples_mmlu_2026-01.jsonl", "mmlu", "2026-01"),
            (
                "details_leaderboard|arc:challenge|25_2026-11-23T16-59-12.225685.parquet",
                "leaderboard|arc:challenge|25",
                "2026-11-23T16-59-12.225685",
            ),
            ("mine.jsonl", "", ""),
        ] {
            assert_eq!(task_and_stamp(name), (task.to_owned(), stamp.to_owned()));
        }
    }
}
