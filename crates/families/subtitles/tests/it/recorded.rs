//! Comparison with the numbers of subtitle-edit-rate for every recorded row of the specification.

use bleuprint_subtitles::Suber;
use bleuprint_testkit::recorded;
use serde_json::Value;

use crate::require;

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
