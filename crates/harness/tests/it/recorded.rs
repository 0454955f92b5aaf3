//! Every recorded log of the specifications' data gives the recorded records, in any order.

use std::collections::BTreeSet;
use std::path::Path;

use bleuprint_harness::{Harness, LogRecord, LogValue};
use bleuprint_testkit::recorded;
use serde_json::{Map, Value, json};

/// The recorded rows call a system of promptfoo by its label and its prompt, even if it has a single prompt.
const WITH_PROMPT: &str = "A|0";

/// A record for each number, with the fields that the row expects.
fn flat(record: &LogRecord, wanted: &BTreeSet<&String>) -> Vec<Value> {
    let one = |metric: Option<&str>, value: Option<&LogValue>| {
        let mut all = json!({
            "system": record.system.as_deref().map(|name| if name == "A" { WITH_PROMPT } else { name }), "task": record.task, "id": record.id, "sample": record.sample, "filter": record.filter,
            "group": record.group, "perturbation": record.perturbation, "metric": metric,
        });
        match value {
            Some(LogValue::Number(number)) => all["value"] = json!(number),
            Some(LogValue::Quotient { numerator, denominator }) => {
                (all["numerator"], all["denominator"]) = (json!(numerator), json!(denominator));
            }
            Some(LogValue::Missing(reason)) => (all["value"], all["missing"]) = (Value::Null, json!(reason)),
            Some(LogValue::Other(other)) => all["value"] = other.clone(),
            None => (all["value"], all["missing"]) = (Value::Null, json!("error")),
        }
        Value::Object(wanted.iter().map(|key| ((*key).clone(), all[*key].clone())).collect::<Map<_, _>>())
    };
    match &record.values[..] {
        [] => vec![one(None, None)],
        values => values.iter().map(|(name, value)| one(Some(name), Some(value))).collect(),
    }
}

/// In one order, with numbers of one kind.
fn sorted(rows: &[Value]) -> Vec<String> {
    let plain = |row: &Value| {
        let fields = row.as_object().unwrap().iter();
        let of = |(key, value): (&String, &Value)| match value.as_f64() {
            Some(number) => format!("{key}={number:?}"),
            None => format!("{key}={value}"),
        };
        let mut fields: Vec<String> = fields.map(of).collect();
        fields.sort();
        fields.join(" ")
    };
    let mut rows: Vec<String> = rows.iter().map(plain).collect();
    rows.sort();
    rows
}

fn write(files: &Map<String, Value>, folder: &Path) {
    for (name, content) in files {
        let path = folder.join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        let bytes = match content {
            Value::String(text) => text.clone().into_bytes(),
            encoded => base64(encoded["base64"].as_str().unwrap()),
        };
        std::fs::write(path, bytes).unwrap();
    }
}

fn base64(text: &str) -> Vec<u8> {
    const LETTERS: &[u8] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let (mut bytes, mut bits, mut held) = (Vec::new(), 0_u32, 0);
    for letter in text.bytes().filter(|letter| *letter != b'=') {
        bits = bits << 6 | LETTERS.iter().position(|known| *known == letter).unwrap() as u32;
        held += 6;
        if held >= 8 {
            held -= 8;
            bytes.push((bits >> held) as u8);
        }
    }
    bytes
}

#[test]
#[ignore = "needs the data beside the checkout"]
fn recorded_logs() {
    let text = std::fs::read_to_string(recorded::path("spec/families-golden.jsonl")).unwrap();
    let rows = text.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    let mut tried = 0;
    for row in rows.filter(|row| row["metric"] == "log_records") {
        let folder = bleuprint_testkit::Folder::new();
        write(row["input"]["files"].as_object().unwrap(), &folder.path(""));
        let harness: Harness = row["options"]["from"].as_str().unwrap().parse().unwrap();
        let log = harness.read(folder.path("")).unwrap_or_else(|error| panic!("{}: {error}", row["id"]));
        let expected = row["expected"].as_array().unwrap();
        let wanted = expected.iter().flat_map(|one| one.as_object().unwrap().keys()).collect();
        let flat: Vec<Value> = log.records.iter().flat_map(|record| flat(record, &wanted)).collect();
        // A row names what its records have: `missing` stands beside null alone.
        let plain = |rows: &[Value]| -> Vec<Value> {
            let drop = |row: &Value| {
                let mut row = row.as_object().unwrap().clone();
                row.retain(|key, value| {
                    !(value.is_null() && ["missing", "numerator", "denominator"].contains(&&**key))
                });
                Value::Object(row)
            };
            rows.iter().map(drop).collect()
        };
        assert_eq!(sorted(&plain(&flat)), sorted(&plain(expected)), "{}", row["id"]);
        tried += 1;
    }
    assert_eq!(tried, 11);
}

#[test]
#[ignore = "needs the data beside the checkout"]
fn recorded_values_of_inspect() {
    let text = std::fs::read_to_string(recorded::path("spec/families-golden.jsonl")).unwrap();
    let rows = text.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    let folder = bleuprint_testkit::Folder::new();
    let mut tried = 0;
    for row in rows.filter(|row| row["metric"] == "inspect_value") {
        let expected = row.get("ours").unwrap_or(&row["expected"]).as_array().unwrap();
        for (value, number) in row["input"]["values"].as_array().unwrap().iter().zip(expected) {
            let sample = json!({"id": 1, "epoch": 1, "scores": {"match": {"value": value}}});
            let log = json!({"version": 2, "status": "success", "samples": [sample]});
            folder.file("a.json", log.to_string());
            let read = Harness::Inspect.read(folder.path("a.json")).unwrap();
            let kept = LogValue::Other(value.clone());
            let wanted = number.as_f64().map_or(kept, LogValue::Number);
            assert_eq!(read.records[0].values, [("match".to_owned(), wanted)]);
            tried += 1;
        }
    }
    assert_eq!(tried, 17);
}
