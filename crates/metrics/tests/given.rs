//! Given numbers: the rows of their definition, to the last bit.
#![allow(clippy::print_stderr, reason = "a skipped test says so")]

use std::path::Path;

use bleuprint_core::{Accumulator, ExactSum, Numbers};
use bleuprint_metrics::Given;
use serde_json::Value;

fn observed(given: &Given, numbers: &[Vec<f64>]) -> Accumulator<Given, Numbers> {
    let mut accumulator = Accumulator::new(given.clone());
    for one in numbers {
        accumulator.push_numbers(one).unwrap();
    }
    accumulator
}

/// The rows of the golden file for this metric; none where it is not there.
fn golden(metric: &str) -> Vec<(Value, Value)> {
    let file = "../../../shared/spec/numbers-and-people-golden.json";
    let Ok(text) = std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(file)) else {
        eprintln!("skipped: {file} is not there");
        return Vec::new();
    };
    let document: Value = serde_json::from_str(&text).unwrap();
    let rows = document["rows"].as_array().unwrap().iter().filter(|row| row["metric"] == metric);
    let rows: Vec<_> = rows.map(|row| (row["inputs"].clone(), row["outputs"].clone())).collect();
    assert!(rows.len() > 10, "{metric}");
    rows
}

fn numbers(value: &Value) -> Vec<f64> {
    value.as_array().unwrap().iter().map(|number| number.to_string().parse().unwrap()).collect()
}

fn number(value: &Value) -> f64 {
    value.to_string().parse().unwrap()
}

#[test]
fn golden_means() {
    for (inputs, outputs) in golden("given-mean") {
        let values = numbers(&inputs["values"]);
        let given = Given::builder().name("number").build().unwrap();
        let all = observed(&given, &values.iter().map(|&value| vec![value]).collect::<Vec<_>>());
        assert_eq!(all.score().unwrap().value(), number(&outputs["mean"]), "{inputs}");
        let [sum] = all.total().stats().sums() else { panic!("one sum") };
        assert_eq!(sum.to_f64(), number(&outputs["sum"]), "{inputs}");
        let columns: Vec<u64> =
            outputs["columns"].as_array().unwrap().iter().flat_map(Value::as_u64).collect();
        assert_eq!(sum.columns()[..], columns, "{inputs}");
    }
}

#[test]
fn golden_quotients() {
    for (inputs, outputs) in golden("given-ratio") {
        let pairs = numbers(&inputs["numerator"]).into_iter().zip(numbers(&inputs["denominator"]));
        let given = Given::builder().name("number").over(true).build().unwrap();
        let all = observed(&given, &pairs.map(|(one, other)| vec![one, other]).collect::<Vec<_>>());
        let sums: Vec<f64> = all.total().stats().sums().iter().map(ExactSum::to_f64).collect();
        assert_eq!(
            sums,
            [number(&outputs["numerator_sum"]), number(&outputs["denominator_sum"])],
            "{inputs}"
        );
        assert_eq!(all.score().unwrap().value(), number(&outputs["score"]), "{inputs}");
    }
}
