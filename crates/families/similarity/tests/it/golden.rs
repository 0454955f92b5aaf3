//! Comparison with values that other programs computed for our texts.

use serde_json::Value;

use super::value;

#[test]
fn values_have_the_bits_of_each_program() {
    let mut wrong = Vec::new();
    let rows: Vec<Value> = include_str!("../../data/golden.jsonl")
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    assert_eq!(rows.len(), 13 * 23);
    for row in &rows {
        let references: Vec<&str> =
            row["references"].as_array().unwrap().iter().map(|text| text.as_str().unwrap()).collect();
        let found = value(row["program"].as_str().unwrap(), row["hypothesis"].as_str().unwrap(), &references);
        if found.as_ref().ok().copied() != row["value"].as_f64() {
            wrong.push(format!("{found:?} for {row}"));
        }
    }
    assert!(wrong.is_empty(), "{} differ:\n{}", wrong.len(), wrong.join("\n"));
}
