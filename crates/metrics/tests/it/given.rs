//! Tests of metrics over given numbers: the cases of their definition, to the last bit.

use bleuprint_core::{Accumulator, ExactSum};
use bleuprint_metrics::{Given, GivenOptions};
use bleuprint_registry::Numbers;
use bleuprint_testkit::recorded::{number, numbers, rows_of};
use serde_json::Value;

fn observed(given: &Given, numbers: &[Vec<f64>]) -> Accumulator<Given, Numbers> {
    let mut accumulator = Accumulator::new(given.clone());
    for one in numbers {
        accumulator.push(one, &[]).unwrap();
    }
    accumulator
}

#[test]
#[ignore = "needs the data beside the checkout"]
fn recorded_means() {
    for row in rows_of("given-mean") {
        let (inputs, outputs) = (&row["inputs"], &row["outputs"]);
        let values = numbers(&inputs["values"]);
        let given = GivenOptions { name: "number".to_owned(), ..GivenOptions::default() }.build().unwrap();
        let all = observed(&given, &values.iter().map(|&value| vec![value]).collect::<Vec<_>>());
        assert_eq!(all.score().unwrap().value(), number(&outputs["mean"]), "{inputs}");
        let [sum] = all.total().stats().sums() else { panic!("one sum") };
        assert_eq!(sum.to_f64(), number(&outputs["sum"]), "{inputs}");
        let mut columns: Vec<u64> =
            outputs["columns"].as_array().unwrap().iter().flat_map(Value::as_u64).collect();
        // The rows were recorded with eight columns; the ninth counts 2^62 and has only its share of the bias here.
        columns.push(columns[0] << 31);
        assert_eq!(sum.columns[..], columns, "{inputs}");
    }
}

#[test]
#[ignore = "needs the data beside the checkout"]
fn recorded_quotients() {
    for row in rows_of("given-ratio") {
        let (inputs, outputs) = (&row["inputs"], &row["outputs"]);
        let pairs = numbers(&inputs["numerator"]).into_iter().zip(numbers(&inputs["denominator"]));
        let given = GivenOptions { name: "number".to_owned(), over: true, ..GivenOptions::default() };
        let given = given.build().unwrap();
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
