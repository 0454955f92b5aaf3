//! Checks every recorded row of latency in the specification's data.

use bleuprint_latency::Latency;
use bleuprint_testkit::recorded;
use serde_json::{Value, json};

#[test]
#[ignore = "needs the data beside the checkout"]
fn recorded_rows_of_latency_have_their_values() {
    let text = std::fs::read_to_string(recorded::path("spec/speech-two-golden.jsonl")).unwrap();
    let mut rows = 0;
    for row in text.lines().map(|line| serde_json::from_str::<Value>(line).unwrap()) {
        if row["metric"] != "latency" {
            continue;
        }
        rows += 1;
        let long = row["options"]["form"] == "long";
        let mut given = json!({ "segments": row["input"]["segments"], "expected": row["expected"] });
        for one in given["segments"].as_array_mut().unwrap().iter_mut().filter(|_| long) {
            one["recording_end"] = row["options"]["recording_end"].clone();
        }
        let metric = |measure| if long { Latency::new(measure).long() } else { Latency::new(measure) };
        crate::require(&given, metric, row["tolerance"].as_f64().unwrap());
    }
    assert_eq!(rows, 86);
}
