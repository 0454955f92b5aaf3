//! Shared part of the fuzz targets: metrics, valid files with edits, and the examples of metrics with edits.

use std::sync::LazyLock;

use bleuprint::eval::{ChosenTokens, Panel};
use bleuprint::{AnyMetric, Case, Registry, TokenizerOptions, tokenizer};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

/// Registry of all metrics.
pub static REGISTRY: LazyLock<Registry> = LazyLock::new(bleuprint::registry);

/// Returns the choice of tokens: words separated by spaces, without a change of case.
pub fn words() -> ChosenTokens {
    ChosenTokens::new(
        tokenizer("none", &TokenizerOptions::default()).expect("a tokenizer without a model"),
        Case::Mixed,
    )
}

/// Returns a panel of one metric.
pub fn panel(metric: &str) -> Option<Panel> {
    Panel::new([REGISTRY.build(metric).ok()?], &words()).ok()
}

/// Applies edits to a valid file. Every five bytes give the place, the kind of edit (replace, insert,
/// delete, or repeat a piece), and a byte.
pub fn edited(valid: &[u8], edits: &[u8]) -> Vec<u8> {
    let mut bytes = valid.to_vec();
    for edit in edits.chunks_exact(5) {
        let place = usize::from(u16::from_le_bytes([edit[0], edit[1]])) % (bytes.len() + 1);
        let end = (place + usize::from(edit[3]) % 32).min(bytes.len());
        // The place may be one past the end, where a byte can be inserted but not replaced.
        match edit[2] % 4 {
            0 if place < bytes.len() => bytes[place] = edit[4],
            1 => bytes.insert(place, edit[4]),
            2 => drop(bytes.drain(place..end)),
            _ => {
                let piece = bytes[place..end].to_vec();
                let to = usize::from(edit[4]) * bytes.len() / 256;
                drop(bytes.splice(to..to, piece));
            }
        }
    }
    bytes
}

/// Returns the file with a matching checksum, so that readers must find all other faults themselves.
pub fn sealed(mut bytes: Vec<u8>) -> Vec<u8> {
    const CHECKSUM: &[u8] = b",\"sha256\":\"";
    if let Some(end) = bytes.windows(CHECKSUM.len()).rposition(|piece| piece == CHECKSUM) {
        bytes.truncate(end);
        let sum: String = Sha256::digest(&bytes).iter().map(|byte| format!("{byte:02x}")).collect();
        bytes.extend_from_slice(CHECKSUM);
        bytes.extend_from_slice(format!("{sum}\"}}\n").as_bytes());
    }
    bytes
}

/// The example of a metric.
pub struct MetricExample {
    /// The metric with the options that it needs, as a user writes it.
    pub name: String,
    /// The metric.
    pub metric: AnyMetric,
    record: Value,
}

/// The example of every metric of the registry.
pub static EXAMPLES: LazyLock<Vec<MetricExample>> = LazyLock::new(|| {
    let example = |entry: &bleuprint::MetricEntry| {
        let options = entry.example_options();
        let name = options.named(&entry.name);
        let metric = entry.build(&options).unwrap_or_else(|error| panic!("{name}: {error}"));
        let record = serde_json::from_str(entry.example).unwrap_or_else(|error| panic!("{name}: {error}"));
        MetricExample { name, metric, record }
    };
    REGISTRY.entries().iter().map(example).collect()
});

impl MetricExample {
    /// Returns the segment of the example with edits: `hypothesis`, the list `references`, and perhaps
    /// `source`. Every three bytes give the value that is edited, the kind of edit, and a byte.
    pub fn segment(&self, edits: &[u8]) -> Value {
        let mut record = self.record.clone();
        for edit in edits.chunks_exact(3) {
            let mut place = usize::from(edit[0]) % values(&record);
            edit_value(&mut record, &mut place, edit[1], edit[2]);
        }
        let field = |name: &str| record.get(name).cloned();
        let references = field("references").or_else(|| Some(json!([field("reference")?])));
        let mut segment = json!({
            "hypothesis": field("hypothesis").or_else(|| field("number")),
            "references": references.unwrap_or_else(|| json!([])),
        });
        if let Some(source) = field("source") {
            segment["source"] = source;
        }
        segment
    }
}

/// Returns the number of values in a value, with itself.
fn values(value: &Value) -> usize {
    1 + match value {
        Value::Array(list) => list.iter().map(values).sum::<usize>(),
        Value::Object(fields) => fields.values().map(values).sum(),
        _ => 0,
    }
}

/// Edits the value with the number `place`, counted from 0 in the order of the text.
fn edit_value(value: &mut Value, place: &mut usize, kind: u8, byte: u8) -> bool {
    if *place == 0 {
        change(value, kind, byte);
        return true;
    }
    *place -= 1;
    match value {
        Value::Array(list) => list.iter_mut().any(|item| edit_value(item, place, kind, byte)),
        Value::Object(fields) => fields.values_mut().any(|field| edit_value(field, place, kind, byte)),
        _ => false,
    }
}

fn change(value: &mut Value, kind: u8, byte: u8) {
    const PIECES: [&str; 16] =
        ["a", "b", "the", " ", " ", ".", "1", "-", "é", "中", "\n", "{", "/", "}", "@", "[\"a\"]"];
    let at = |length: usize| usize::from(byte) % length.max(1);
    match value {
        Value::Number(_) => {
            let number = f64::from(byte);
            *value = match kind % 6 {
                0 | 1 => json!(byte % 16),
                2 => json!(number / 8.0),
                3 => json!(-number),
                4 => json!(number * 1e290),
                _ => json!(u64::from(byte) << 40),
            };
        }
        Value::String(text) if kind % 4 < 3 => {
            let place =
                text.char_indices().map(|(place, _)| place).nth(at(text.chars().count())).unwrap_or(0);
            match kind % 4 {
                0 => text.insert_str(place, PIECES[usize::from(byte) % 16]),
                1 => text.truncate(place),
                _ => *text = format!("{text} {text}").chars().take(200).collect(),
            }
        }
        Value::Array(list) if !list.is_empty() && kind % 4 < 3 => {
            let place = at(list.len());
            match kind % 4 {
                0 => list.insert(place, list[place].clone()),
                1 => drop(list.remove(place)),
                _ => list.rotate_left(place),
            }
        }
        Value::Object(fields) if kind % 4 == 0 => {
            let name = fields.keys().nth(at(fields.len())).cloned();
            name.and_then(|name| fields.remove(&name));
        }
        Value::Bool(truth) => *truth = !*truth,
        // Rarely another kind of value.
        _ if kind == 255 => *value = json!(null),
        _ => {}
    }
}
