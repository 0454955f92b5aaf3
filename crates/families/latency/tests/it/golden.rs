//! Compares with numbers of OmniSTEval and SimulEval for hand-written segments, to the last bit
//! (`data/README.md`).

use bleuprint_latency::Latency;
use serde_json::Value;

#[test]
fn segments_have_the_latency_of_the_programs() {
    for line in include_str!("../../data/golden.jsonl").lines() {
        let row: Value = serde_json::from_str(line).unwrap();
        let metric = |measure| {
            let metric = Latency::new(measure);
            let metric = if row["long"] == true { metric.long() } else { metric };
            let metric = if row["unit"] == "char" { metric.characters() } else { metric };
            if row["aware"] == true { metric.elapsed() } else { metric }
        };
        crate::require(&row, metric, 0.0);
    }
}
