//! Rows of recorded outputs of other programs, beside the checkout: read by tests where they are present.
#![allow(clippy::print_stderr, reason = "how much was compared, and what was skipped, is worth knowing")]

use serde_json::Value;

/// The rows of a metric; none where the file is not there.
pub(crate) fn rows(metric: &str) -> Vec<Value> {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared/spec/other-metrics-golden.json");
    let Ok(text) = std::fs::read_to_string(path) else { return Vec::new() };
    let file: Value = serde_json::from_str(&text).unwrap_or_default();
    let rows = file["rows"].as_array().cloned().unwrap_or_default();
    rows.into_iter().filter(|row| row["metric"] == metric).collect()
}

/// The segments of a row, split at white space: hypothesis and references.
pub(crate) fn segments(row: &Value) -> Vec<(Vec<&str>, Vec<Vec<&str>>)> {
    let hypotheses = list(&row["hypotheses"]).iter().map(split);
    let references =
        list(&row["references"]).iter().map(|references| list(references).iter().map(split).collect());
    hypotheses.zip(references).collect()
}

fn split(text: &Value) -> Vec<&str> {
    text.as_str().unwrap_or_default().split_whitespace().collect()
}

/// The entries of a list; none where it is no list.
pub(crate) fn list(value: &Value) -> &[Value] {
    value.as_array().map_or(&[], Vec::as_slice)
}

/// Says how many rows were compared.
pub(crate) fn say(what: &str, compared: usize) {
    match compared {
        0 => eprintln!("skipped: {what}, because the recorded rows are not there"),
        _ => eprintln!("{compared} recorded rows of {what} compared"),
    }
}
