//! Recorded rows of the specification, which is beside the checkout, as cases of families.
//!
//! The rows have the forms of the programs that computed them. [`TABLE`] lists, for each family, the file, the metrics of
//! its rows, and the function that returns the cases of a row.

mod meetings;
mod recognition;
mod speech;
mod turns;

use bleuprint_text::Families;
use serde_json::{Map, Value};

use super::answer;
use super::row::FamilyRow;
use crate::recorded;

/// Returns the cases of a row as JSON in the form of `tests/rows`, without the key `why`.
type RowCases = fn(&Value) -> Vec<Value>;

/// The rows of a file that belong to a family.
struct RecordedRows {
    family: &'static str,
    file: &'static str,
    /// The list in the file, or `None` for a file with one row a line.
    list: Option<&'static str>,
    /// Metrics of the rows, as the file names them, and the function for their rows.
    metrics: &'static [(&'static [&'static str], RowCases)],
    /// Number of rows.
    count: usize,
}

const SPEECH: &str = "speech-two-golden.jsonl";

const TABLE: &[RecordedRows] = &[
    RecordedRows {
        family: "diarization",
        file: SPEECH,
        list: None,
        metrics: &[
            (&["der", "detection"], turns::errors),
            (&["purity"], turns::purity),
            (&["dscore"], turns::dscore),
        ],
        count: 409,
    },
    RecordedRows {
        family: "latency",
        file: SPEECH,
        list: None,
        metrics: &[(&["latency"], speech::latency)],
        count: 86,
    },
    RecordedRows {
        family: "meetings",
        file: "speech-golden.json",
        list: Some("speakers"),
        metrics: &[(meetings::METRICS, meetings::sessions)],
        count: 319,
    },
    RecordedRows {
        family: "meetings",
        file: SPEECH,
        list: None,
        metrics: &[(meetings::METRICS, meetings::sessions)],
        count: 240,
    },
    RecordedRows {
        family: "recognition",
        file: SPEECH,
        list: None,
        metrics: &[
            (&["biased_wer"], recognition::biased),
            (&["keywords"], recognition::keywords),
            (&["terms"], recognition::terms),
            (&["oracle_wer"], recognition::oracle),
            (&["per"], recognition::bags),
            (&["ece"], recognition::calibration),
            (&["boundaries"], recognition::boundaries),
        ],
        count: 116,
    },
    RecordedRows {
        family: "subtitles",
        file: SPEECH,
        list: None,
        metrics: &[(&["suber"], speech::subtitles)],
        count: 18,
    },
];

/// Compares the metrics of a family with the recorded rows of other programs, and returns the number of rows.
///
/// # Panics
/// Panics if a file is not beside the checkout or is malformed, or with all differences if a result is another.
pub fn check_recorded(families: &Families, family: &str) -> usize {
    let mut differences = Vec::new();
    let mut count = 0;
    for table in TABLE.iter().filter(|table| table.family == family) {
        let mut compared = 0;
        for (place, row) in (1..).zip(rows(table)) {
            let metric = row["metric"].as_str().unwrap_or_default();
            let known = table.metrics.iter().find(|(metrics, _)| metrics.contains(&metric));
            let Some((_, cases)) = known else { continue };
            compared += 1;
            for mut case in cases(&row) {
                case["why"] = format!("{}: row {place} {}", table.file, row["id"]).into();
                let case: FamilyRow = serde_json::from_value(case).expect("a case of the runner");
                let found = answer::differences(families, family, &case);
                differences.extend(found.into_iter().map(|text| format!("{}: {text}", case.why)));
            }
        }
        assert_eq!(compared, table.count, "rows of {family} in {}", table.file);
        count += compared;
    }
    assert!(differences.is_empty(), "results that differ:\n{}", differences.join("\n"));
    count
}

fn rows(table: &RecordedRows) -> Vec<Value> {
    if let Some(list) = table.list {
        return recorded::rows(table.file, list);
    }
    let path = recorded::path(&format!("spec/{}", table.file));
    let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    crate::golden::json_lines(&text).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// Returns the items of a list of a row.
fn items(value: &Value) -> &Vec<Value> {
    value.as_array().unwrap_or_else(|| panic!("{value} is no list"))
}

/// Returns the entries of an object of a row.
fn entries(value: &Value) -> &Map<String, Value> {
    value.as_object().unwrap_or_else(|| panic!("{value} is no object"))
}

/// Returns a number of a row.
fn number(value: &Value) -> f64 {
    value.as_f64().unwrap_or_else(|| panic!("{value} is no number"))
}

/// Returns a metric with options.
fn named(metric: &str, options: &[String]) -> String {
    let join = if options.is_empty() {
        ""
    } else if metric.contains(':') {
        ","
    } else {
        ":"
    };
    format!("{metric}{join}{}", options.join(","))
}
