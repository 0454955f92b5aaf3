//! Tests a family of metrics by data (feature `rows`): cases with their exact results or messages, and the laws
//! of the contract for every metric.
//!
//! A family has its cases as JSON Lines in its folder `tests/rows`, one case a line. The tests of the library call
//! [`check_rows`] and [`check_laws`] for all families; a family of a plug-in calls them in a test of its own:
//!
//! ```
//! use bleuprint_core::{Identity, PerSegment, Scale, Segment};
//! use bleuprint_registry::{AnyMetric, MetricEntry, Registry};
//! use bleuprint_testkit::{Folder, rows};
//! use bleuprint_text::{Families, Family, Tokenizers};
//!
//! static ENTRIES: &[MetricEntry] = &[MetricEntry::new("depth", "Opening brackets of a tree", |_| {
//!     let identity = Identity::new("depth", 1, Scale::UNBOUNDED).reference_free();
//!     let brackets = |segment: Segment<'_, str>| Ok(segment.hypothesis.matches('(').count() as f64);
//!     Ok(AnyMetric::for_text(PerSegment::new(identity, brackets)))
//! })
//! .example(r#"{"hypothesis": "(the (cat))"}"#)];
//!
//! let families = Families::new(Registry::from_entries(&[]).unwrap(), Tokenizers::default());
//! let families = families.with(Family::new("trees", "Trees in brackets").metrics(ENTRIES)).unwrap();
//! let folder = Folder::new();
//! let case = r#"{"why": "each bracket counts", "segments": [{"hypothesis": "((a))"}], "expected": {"depth": 2.0}}"#;
//! folder.file("scores.jsonl", case);
//! assert_eq!(rows::check_rows(&families, "trees", folder.as_ref()), 1);
//! rows::check_laws(&families, "trees", folder.as_ref());
//! ```
//!
//! # Cases
//!
//! Every file but `laws.jsonl` has cases of this form. Unknown keys are errors.
//!
//! | key | value |
//! |---|---|
//! | `why` | the reason for the case in one line, different in every case of a family |
//! | `program` | the program and the version that computed the numbers, if it is not the definition |
//! | `segments` | records with `hypothesis`, `reference` or a list `references`, and `source`, as in files of records; a list in place of a text is its JSON |
//! | `files` | texts of files by name, or lists of bytes; `{name}` in an option of a metric or a reader is the path of the file |
//! | `reader` | in place of `segments`: the `name` of a reader of the family, the file of the `reference`, the list `systems` and the `options` |
//! | `expected` | for each metric with options its score; its numbers by name; the exact message of its error; or null for any error of the segments or the score |
//! | `each` | for metrics, the list of the scores of the segments |
//! | `counts` | for metrics, counts of all segments by the names of the columns |
//! | `pairs` | for metrics, the pairs of matched names, such as speakers, of all segments |
//! | `tolerance` | the greatest difference of a number; without it all bits are equal |
//!
//! After a rejected segment the runner requires that the statistics are as before.
//!
//! # Laws
//!
//! [`check_laws`] needs no data: it varies the segments of the examples and of the cases, and keeps those that the
//! metric accepts. Rows of `laws.jsonl` add metrics with options (`metrics`) and segments to vary (`segments`).
//!
//! # Recorded rows
//!
//! The specification, beside the checkout, has rows in the forms of other programs. [`check_recorded`] loops over a table
//! with the file, the family, and the function that returns the cases of a row.

mod answer;
mod corpus;
mod laws;
mod row;
mod specification;
mod vary;

use std::path::{Path, PathBuf};

use bleuprint_text::Families;
use serde::de::DeserializeOwned;
use serde_json::Value;

pub use self::corpus::ExampleCorpus;
use self::row::{FamilyRow, LawRow};
pub use self::specification::check_recorded;
use crate::golden::json_lines;

/// Name of the file with the rows of laws; all other files have cases.
const LAWS: &str = "laws.jsonl";

/// Compares the cases of a family with their expected results, and returns the number of cases.
///
/// # Panics
/// Panics if a file is malformed, or with all differences if a result is another.
pub fn check_rows(families: &Families, family: &str, folder: &Path) -> usize {
    let rows = cases(folder);
    let differences: Vec<String> = rows
        .iter()
        .flat_map(|(place, row)| {
            let found = answer::differences(families, family, row);
            found.into_iter().map(move |text| format!("{place}: `{}`: {text}", row.why))
        })
        .collect();
    assert!(differences.is_empty(), "results that differ:\n{}", differences.join("\n"));
    rows.len()
}

/// Tests that every metric of a family obeys the laws of the contract: as its example builds it, with each word
/// that an option takes, and with the options of the rows in `laws.jsonl`. Returns the number of configurations.
///
/// # Panics
/// Panics if a file is malformed or if a metric breaks a law.
pub fn check_laws(families: &Families, family: &str, folder: &Path) -> usize {
    let rows: Vec<(String, LawRow)> = match folder.join(LAWS) {
        path if path.exists() => read(&path),
        _ => Vec::new(),
    };
    let cases: Vec<FamilyRow> = cases(folder).into_iter().map(|(_, row)| row).collect();
    laws::check(families, family, &rows, &cases)
}

/// Reads the cases of all files in a folder, each with its file and line. A family without a folder has no case.
fn cases(folder: &Path) -> Vec<(String, FamilyRow)> {
    let Ok(entries) = std::fs::read_dir(folder) else { return Vec::new() };
    let mut files: Vec<PathBuf> =
        entries.map(|entry| entry.expect("an entry of the folder").path()).collect();
    files.retain(|path| path.file_name().is_some_and(|name| name != LAWS));
    // The order of a folder depends on the file system.
    files.sort();
    let rows: Vec<(String, FamilyRow)> = files.iter().flat_map(|path| read(path)).collect();
    for (at, (place, row)) in rows.iter().enumerate() {
        let earlier = rows[..at].iter().find(|(_, earlier)| earlier.why == row.why);
        assert!(earlier.is_none(), "{place}: `{}` is the reason of an earlier case too", row.why);
        assert!(!row.metrics().is_empty(), "{place}: `{}` expects nothing", row.why);
    }
    rows
}

fn read<T: DeserializeOwned>(path: &Path) -> Vec<(String, T)> {
    let text = std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let rows: Vec<T> = json_lines(&text).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    (1..).zip(rows).map(|(line, row)| (format!("{name}: line {line}"), row)).collect()
}

/// Returns `true` if the numbers are equal, or differ by at most `tolerance`. Lists are compared item by item.
fn near(found: &Value, expected: &Value, tolerance: f64) -> bool {
    match (found, expected) {
        (Value::Array(found), Value::Array(expected)) => {
            found.len() == expected.len()
                && found.iter().zip(expected).all(|(found, expected)| near(found, expected, tolerance))
        }
        _ => match (found.as_f64(), expected.as_f64()) {
            (Some(found), Some(expected)) => {
                found.to_bits() == expected.to_bits()
                    || tolerance > 0.0 && (found - expected).abs() <= tolerance
                    // A count such as 3 and a number such as 3.0 are equal, but 0.0 and -0.0 are not.
                    || found == expected && found != 0.0
            }
            _ => found == expected,
        },
    }
}
