//! Rules about what code does: only some files read and write, only reports round, and tests share no files.

use super::tree::{Finding, SourceTree};

const IO: &[&str] = &["fs", "io", "net", "process", "env"];

/// Files that may use input and output, with the reason.
const DOORS: &[(&str, &str)] = &[
    ("crates/text/src/read/", "turns files into segments"),
    ("crates/text/src/tokenize/mecab/", "finds and reads dictionaries"),
    ("crates/text/src/tokenize/spm/", "reads models"),
    ("crates/text/src/tokenize/hf.rs", "reads vocabularies"),
    ("crates/text/src/normalize/files.rs", "reads replacements"),
    ("crates/text/src/tokenize/zh_jieba.rs", "reads a dictionary"),
    ("crates/text/src/tokenize/python.rs", "finds the resources that Python packages have installed"),
    ("crates/eval/src/", "reads and writes files of statistics"),
    ("crates/requests/src/", "reads the files of the program"),
    ("crates/cli/src/", "is the program"),
];

/// Crates whose other files may not use input and output.
const CLOSED: &[&str] = &[
    "crates/core/src/",
    "crates/registry/src/",
    "crates/ngram/src/",
    "crates/math/src/",
    "crates/stem/src/",
    "crates/metrics/src/",
    "crates/text/src/",
    "crates/inference/src/",
    "crates/report/src/",
    "crates/gate/src/",
    "crates/bleuprint/src/",
];

/// Finds input and output outside of the allowed files.
pub(crate) fn doors(tree: &SourceTree) -> Vec<Finding> {
    let mut findings = Vec::new();
    for file in tree.rust() {
        let closed = CLOSED.iter().any(|folder| file.path.starts_with(folder));
        // Tests may read and write files; the rule protects only the code that is published.
        if !closed || is_test(&file.path) || DOORS.iter().any(|(door, _)| file.path.starts_with(door)) {
            continue;
        }
        for (number, line) in file.code() {
            if let Some(module) = IO.iter().find(|module| uses(line, module)) {
                let doors = DOORS.iter().map(|(door, reason)| format!("{door} ({reason})"));
                let doors = doors.collect::<Vec<_>>().join(", ");
                findings.push(file.finding(number, format!("uses std::{module}; only these may: {doors}")));
            }
        }
    }
    findings
}

fn is_test(path: &str) -> bool {
    path.ends_with("/tests.rs") || path.contains("/tests/")
}

/// Returns `true` if the line names `std::module`, alone or in a group of imports.
fn uses(line: &str, module: &str) -> bool {
    let word = |text: &str, at: usize| {
        let part = |c: char| c.is_alphanumeric() || c == '_';
        !text[..at].ends_with(part) && !text[at + module.len()..].starts_with(part)
    };
    line.match_indices("std::").any(|(at, _)| {
        let rest = &line[at + 5..];
        let direct = rest.starts_with(module) && word(rest, 0);
        // `use std::{fmt, fs};` names the module inside braces, at any position.
        let grouped = rest.starts_with('{') && rest.match_indices(module).any(|(at, _)| word(rest, at));
        direct || grouped
    })
}

/// Finds tests that write outside of a separate folder. Tests of one process run side by side, so a file name
/// that two of them use makes one fail once in a hundred runs.
pub(crate) fn shared_files(tree: &SourceTree) -> Vec<Finding> {
    let mut findings = Vec::new();
    for file in tree.rust().filter(|file| file.path.starts_with("crates/")) {
        for (number, _) in file.lines().filter(|(_, line)| line.contains("env::temp_dir")) {
            findings.push(file.finding(number, "a shared temporary folder; use `bleuprint_testkit::Folder`"));
        }
    }
    findings
}

/// Files in which scores become text, and one function below them that writes a fixed number of digits, with
/// the reason.
const ROUNDING: &[(&str, &str)] = &[
    ("crates/report/src/", "writes reports"),
    ("crates/cli/src/", "writes messages"),
    ("crates/requests/src/warn.rs", "writes messages"),
    ("crates/requests/src/significance.rs", "writes notes on resamples"),
    ("crates/inference/src/compare/caution.rs", "writes warnings about intervals"),
    ("crates/gate/src/judge.rs", "writes warnings about bounds"),
    ("crates/metrics/src/bleu/smoothing.rs", "sacreBLEU's signature has the smoothing value with two digits"),
];

/// Finds numbers that are written with a fixed number of digits outside of reports.
pub(crate) fn rounding(tree: &SourceTree) -> Vec<Finding> {
    let mut findings = Vec::new();
    for file in tree.rust() {
        let published = file.path.starts_with("crates/") && file.path.contains("/src/");
        let tests = is_test(&file.path) || file.path.starts_with("crates/testkit/");
        if !published || tests || ROUNDING.iter().any(|(place, _)| file.path.starts_with(place)) {
            continue;
        }
        for (number, line) in file.code().filter(|(_, line)| rounds(line)) {
            let places = ROUNDING.iter().map(|(place, reason)| format!("{place} ({reason})"));
            let places = places.collect::<Vec<_>>().join(", ");
            findings
                .push(file.finding(number, format!("rounds in `{}`; only these may: {places}", line.trim())));
        }
    }
    findings
}

/// Returns `true` if a format string in the line sets a number of digits, as in `{:.2}` and `{score:>8.1}`.
fn rounds(line: &str) -> bool {
    line.match_indices('{').any(|(open, _)| {
        let Some(close) = line[open..].find('}') else { return false };
        let Some((name, spec)) = line[open + 1..open + close].split_once(':') else { return false };
        // Fields of a struct have a space after the brace; names of arguments have none.
        if !name.chars().all(|c| c.is_alphanumeric() || c == '_') {
            return false;
        }
        let Some((before, digits)) = spec.split_once('.') else { return false };
        let plain = |c: char| c.is_ascii_alphanumeric() || "<>^+#$ _-".contains(c);
        // A dot after other characters belongs to text or to a path, not to a precision.
        before.chars().all(plain) && digits.starts_with(|c: char| c.is_ascii_alphanumeric() || c == '*')
    })
}
