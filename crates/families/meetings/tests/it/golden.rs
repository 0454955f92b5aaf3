//! Comparison with errors and assignments that MeetEval computed for our sessions (`data/README.md`).

use serde_json::Value;

use crate::check;

#[test]
fn sessions_have_the_errors_and_assignments_of_meeteval() {
    let rows = include_str!("../../data/golden.jsonl").lines();
    let rows: Vec<Value> = rows.map(|line| serde_json::from_str(line).unwrap()).collect();
    for row in &rows {
        check(row, row["metric"].as_str().unwrap(), [&row["ref"], &row["hyp"]], &row["expected"]);
    }
    assert_eq!(rows.len(), 48);
}
