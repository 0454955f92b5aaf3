//! Distinct-n, NIST, CIDEr and SARI: recorded rows of the programs.

use std::collections::BTreeSet;

use bleuprint_testkit::golden::GoldenRow;
use bleuprint_testkit::recorded::rows;
use serde_json::Value;

use super::compare;

fn recorded() -> Vec<Value> {
    rows("other-metrics-golden.json", "rows")
}

/// Compares the score of a metric with theirs, or that both have none.
fn check(row: &Value, metric: &str, theirs: &Value, tolerance: f64) {
    let texts = |value: &Value| serde_json::from_value(value.clone()).unwrap_or_default();
    let references = serde_json::from_value(row["references"].clone()).unwrap_or_default();
    let mut compared = GoldenRow::new(&row.to_string(), metric, texts(&row["hypotheses"]), references);
    if metric.starts_with("distinct") {
        compared.references = vec![Vec::new(); compared.hypotheses.len()];
    }
    compared.sources = texts(&row["sources"]);
    compared.expected.score = theirs.as_f64();
    compared.expected.error = theirs.as_f64().is_none().then(|| "no-score".to_owned());
    compared.tolerance = tolerance;
    compare(&compared);
}

#[test]
#[ignore = "needs the data beside the checkout"]
fn recorded_rows_of_mteval() {
    let mut compared = 0;
    for row in recorded() {
        if row["metric"] != "nist" || !row["program"].as_str().unwrap_or_default().starts_with("mteval") {
            continue;
        }
        for order in [1, 2, 5, 9] {
            let metric = format!("nist:order={order},dialect=mteval");
            check(&row, &metric, &row["outputs"]["cumulative_1_9"][order - 1], 1e-12);
            compared += 1;
        }
    }
    assert!(compared > 0);
}

#[test]
#[ignore = "needs the data beside the checkout"]
fn recorded_rows_of_sari() {
    let mut compared = 0;
    for row in recorded() {
        let variants: &[(&str, &str)] = match row["metric"].as_str() {
            Some("sari") => &[("sari", "sari")],
            Some("sari-easse") => &[
                ("macro_f1del", "sari:dialect=easse"),
                ("macro_pdel", "sari:dialect=easse,deletion-precision"),
                ("paper_f1del", "sari:dialect=easse,average-first"),
                ("paper_pdel", "sari:dialect=easse,average-first,deletion-precision"),
            ],
            _ => continue,
        };
        // Without references HF evaluate gives nonsense, and we refuse.
        let empty = |own: &Value| own.as_array().is_some_and(Vec::is_empty);
        if row["references"].as_array().unwrap().iter().any(empty) {
            continue;
        }
        for (output, metric) in variants {
            let theirs = &row["outputs"][output];
            if theirs.is_number() {
                check(&row, metric, theirs, 1e-14);
                compared += 1;
            }
        }
    }
    assert!(compared > 0);
}

#[test]
#[ignore = "needs the data beside the checkout"]
fn recorded_rows_of_nltk_and_pycocoevalcap() {
    let mut compared = 0;
    for row in recorded() {
        let (metric, output, tolerance) = match (row["metric"].as_str(), row["options"]["n"].as_u64()) {
            (Some("nist"), Some(order)) => {
                (format!("nist:order={order},dialect=nltk,tokenize=none"), "nist", 1e-12)
            }
            (Some("cider-d"), Some(4)) => {
                (format!("cider_d:sigma={},tokenize=none", row["options"]["sigma"]), "corpus", 1e-9)
            }
            (Some("cider"), _) => ("cider:tokenize=none".to_owned(), "corpus", 1e-9),
            _ => continue,
        };
        check(&row, &metric, &row["outputs"][output], tolerance);
        compared += 1;
    }
    assert!(compared > 0);
}

#[test]
#[ignore = "needs the data beside the checkout"]
fn recorded_rows_of_distinct() {
    let mut compared = 0;
    for row in recorded().iter().filter(|row| row["metric"] == "distinct") {
        for order in 1..=3 {
            let outputs = &row["outputs"][format!("distinct{order}")];
            for (output, option) in [
                ("corpus", ""),
                ("mean", ",mean"),
                ("ead_V10", ",vocabulary=10"),
                ("ead_V50", ",vocabulary=50"),
            ] {
                // The recorded program takes vocabularies with fewer words than the texts have.
                let texts: Vec<String> = serde_json::from_value(row["hypotheses"].clone()).unwrap();
                let words: BTreeSet<&str> = texts.iter().flat_map(|text| text.split_whitespace()).collect();
                let size = option.strip_prefix(",vocabulary=").map(|size| size.parse::<usize>().unwrap());
                if size.is_some_and(|size| size < words.len()) {
                    continue;
                }
                let metric = format!("distinct:order={order}{option},tokenize=none");
                check(row, &metric, &outputs[output], 1e-14);
                compared += 1;
            }
        }
    }
    assert!(compared > 0);
}
