//! Tests the public interface: data that JSON does not have, and recorded numbers. `tests/rows` has all other cases.

use bleuprint_core::Choice as _;
use bleuprint_latency::{Delays, Latency, LatencyMeasure, Reference};
use serde_json::Value;

mod non_finite;
mod recorded;

fn delays(delays: &[f64], source_length: f64) -> Delays {
    Delays { delays: delays.to_vec(), source_length, ..Delays::default() }
}

/// Checks the measures of a row's `expected` for all segments of the row, and that no score is NaN.
fn require(row: &Value, metric: impl Fn(LatencyMeasure) -> Latency, tolerance: f64) {
    let segments: Vec<(Delays, Reference)> = row["segments"]
        .as_array()
        .unwrap()
        .iter()
        .map(|one| {
            let reference = serde_json::from_value(one["reference"].clone()).unwrap();
            let mut own = one.clone();
            own.as_object_mut().unwrap().remove("reference");
            (serde_json::from_value(own).unwrap(), reference)
        })
        .collect();
    for (name, expected) in row["expected"].as_object().unwrap() {
        let measure = LatencyMeasure::by_name("of", &name.to_lowercase()).unwrap();
        let mut all = bleuprint_core::Accumulator::<_, Delays, Reference>::new(metric(measure));
        for (delays, reference) in &segments {
            all.push(delays, &[reference]).unwrap();
        }
        let found = all.score().ok().map(|scored| scored.value());
        let equal = match (found, expected.as_f64()) {
            (Some(found), Some(expected)) => found == expected || (found - expected).abs() <= tolerance,
            (found, expected) => found == expected,
        };
        assert!(equal, "{name}: {found:?}, not {expected}, of {row}");
    }
}
