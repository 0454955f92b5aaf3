//! Rows of OmniSTEval, SimulEval and subtitle-edit-rate.

use serde_json::{Map, Value, json};

use super::{entries, items};

pub(super) fn latency(row: &Value) -> Vec<Value> {
    let is_long = row["options"]["form"] == "long";
    let segment = |one: &Value| {
        let mut delays = entries(one).clone();
        let reference = delays.remove("reference");
        if is_long {
            delays.insert("recording_end".to_owned(), row["options"]["recording_end"].clone());
        }
        json!({ "hypothesis": delays, "reference": reference })
    };
    let segments: Vec<Value> = items(&row["input"]["segments"]).iter().map(segment).collect();
    let form = if is_long { ":form=long" } else { "" };
    let numbers = entries(&row["expected"]).iter();
    let expected: Map<String, Value> =
        // A measure without a number is the text "nan" in some rows, and null in others.
        numbers.map(|(name, number)| (name.to_lowercase() + form, json!(number.as_f64()))).collect();
    vec![json!({ "segments": segments, "expected": expected, "tolerance": row["tolerance"] })]
}

pub(super) fn subtitles(row: &Value) -> Vec<Value> {
    let segment = json!({ "hypothesis": row["input"]["hyp"], "reference": row["input"]["ref"] });
    let expected =
        json!({ "suber": row["expected"]["SubER"], "suber-cased": row["expected"]["SubER-cased"] });
    // The program prints three decimals.
    vec![json!({ "segments": [segment], "expected": expected, "tolerance": 5.1e-4 })]
}
