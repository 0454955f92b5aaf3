//! Search for the result logs of one model in a folder. If a task has several logs, the newest is used.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use bleuprint_core::{InputError, Result};

use crate::document;

/// Returns the files in a folder for whose names `is_log` returns `true`, sorted by name. If `path` is a
/// file, returns that file.
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
/// Returns an error with the names if several subfolders have log files, and an error if no subfolder has
/// any.
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

/// Returns the newest log of each task, by the time stamps in the file names. Adds a warning for each task
/// with several logs.
pub(crate) fn newest<T>(
    logs: Vec<(String, String, T)>,
    path: &Path,
    warnings: &mut Vec<String>,
) -> Vec<(String, T)> {
    let mut by_task: BTreeMap<String, Vec<(String, T)>> = BTreeMap::new();
    for (task, stamp, log) in logs {
        by_task.entry(task).or_default().push((stamp, log));
    }
    let mut newest = Vec::new();
    for (task, mut logs) in by_task {
        // Stamps begin with the year, so the order of texts is the order of time.
        logs.sort_by(|one, other| one.0.cmp(&other.0));
        let Some((stamp, log)) = logs.pop() else { continue };
        if !logs.is_empty() {
            let older: Vec<&str> = logs.iter().map(|(stamp, _)| &**stamp).collect();
            warnings.push(format!(
                "{}: {task} was run more than once; the log {stamp} is read, not {}",
                path.display(),
                older.join(", ")
            ));
        }
        newest.push((task, log));
    }
    newest
}

/// Returns the task and the time stamp in a file name such as `samples_TASK_STAMP.jsonl` or
/// `details_TASK_STAMP.parquet`. Both are empty for a file that was renamed.
pub(crate) fn task_and_stamp(name: &str) -> (String, String) {
    let plain =
        ["samples_", "details_"].iter().find_map(|start| name.strip_prefix(start)).unwrap_or_default();
    let plain = plain.trim_end_matches(".jsonl").trim_end_matches(".parquet");
    // A task may contain `_`, but a stamp does not, so the last one separates them.
    let (task, stamp) = plain.rsplit_once('_').unwrap_or((plain, ""));
    (task.to_owned(), stamp.to_owned())
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
    fn a_task_is_cut_at_the_last_underscore() {
        for (name, task) in
            [("samples_mmlu_law_2026-11-23T16-59-12.225685.jsonl", "mmlu_law"), ("mine.jsonl", "")]
        {
            assert_eq!(task_and_stamp(name).0, task);
        }
        let cut = task_and_stamp("details_leaderboard|arc:challenge|25_2026-11-23T16-59-12.225685.parquet");
        assert_eq!(cut, ("leaderboard|arc:challenge|25".to_owned(), "2026-11-23T16-59-12.225685".to_owned()));
    }
}
