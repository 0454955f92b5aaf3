//! Tests through the public API: hostile data, and recorded numbers of another program. `tests/rows` has all other cases.

use bleuprint_core::Accumulator;
use bleuprint_registry::Registry;
use bleuprint_subtitles::{Suber, Subtitles};
use serde_json::Value;

mod hostile;
mod recorded;

fn require(metric: Suber, row: &Value, expected: &Value) {
    let read = |key: &str| serde_json::from_value::<Subtitles>(row[key].clone()).unwrap();
    let mut all = Accumulator::<_, Subtitles>::new(metric);
    all.push(&read("hyp"), &[&read("ref")]).unwrap();
    let (found, expected) = (all.score().unwrap().value(), expected.as_f64().unwrap());
    assert!((found - expected).abs() <= 5.1e-4, "{found}, not {expected}: {row}");
}

#[test]
fn the_entries_are_ones_that_a_registry_takes() {
    assert!(Registry::from_entries(bleuprint_subtitles::ENTRIES).unwrap().build("suber-cased").is_ok());
}
