//! Comparison with numbers of subtitle-edit-rate: for our subtitles (`data/README.md`), and for every recorded
//! row of the specification.

use bleuprint_subtitles::Suber;
use bleuprint_testkit::recorded;
use bleuprint_text::TokenizerOptions;
use serde_json::Value;

use crate::require;

#[test]
fn subtitles_have_the_numbers_of_the_program() {
    for line in include_str!("../../data/golden.jsonl").lines() {
        let row: Value = serde_json::from_str(line).unwrap();
        let language = row["language"].as_str().unwrap_or("none");
        let metric = Suber::default().language(language, &TokenizerOptions::default()).unwrap();
        require(metric.clone(), &row, &row["suber"]);
        require(metric.cased(), &row, &row["suber-cased"]);
    }
}

#[test]
#[ignore = "needs the data beside the checkout"]
fn recorded_rows_of_subtitles_have_their_values() {
    let text = std::fs::read_to_string(recorded::path("spec/speech-two-golden.jsonl")).unwrap();
    let rows = text.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    let rows: Vec<Value> = rows.filter(|row| row["metric"] == "suber").collect();
    for row in &rows {
        require(Suber::default(), &row["input"], &row["expected"]["SubER"]);
        require(Suber::default().cased(), &row["input"], &row["expected"]["SubER-cased"]);
    }
    assert_eq!(rows.len(), 18);
}
