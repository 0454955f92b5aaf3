//! The contents of the files of a run: text, tables, rows of JSON, ids, and all of them damaged.

use std::io::Write;

use crate::pieces;
use bleuprint_testkit::random::Rng;
use serde_json::{Value, json};

/// Magic bytes of formats, written at the start of files that do not have this format.
const HEADS: &[&[u8]] = &[
    b"\xEF\xBB\xBF",
    b"\xFF\xFE",
    b"\xFE\xFF",
    b"\x1F\x8B",
    b"\x28\xB5\x2F\xFD",
    b"PK\x03\x04",
    b"\0",
    b"{",
    b"[",
    b"\"",
];

/// Returns a segment of text: some words, rarely many.
pub(super) fn text(rng: &mut Rng) -> String {
    let len = match rng.below(100) {
        0..=7 => 0,
        8..=95 => rng.between(1, 12),
        96..=98 => rng.between(50, 400),
        _ => rng.between(1_000, 20_000),
    };
    let word = |rng: &mut Rng| {
        if rng.chance(40) {
            *rng.pick(pieces::pieces("soak-trouble"))
        } else {
            *rng.pick(pieces::pieces("soak-words"))
        }
    };
    (0..len).map(|_| word(rng)).collect::<Vec<_>>().join(if rng.chance(950) { " " } else { "" })
}

pub(super) fn like(text: &str, rng: &mut Rng) -> String {
    let mut words: Vec<&str> = text.split(' ').collect();
    for _ in 0..rng.below(4) {
        let at = rng.below(words.len());
        words[at] = *rng.pick(pieces::pieces("soak-words"));
    }
    words.join(" ")
}

/// Returns a segment without line breaks and tabs, for files whose lines are segments.
pub(super) fn line(text: &str) -> String {
    text.replace(['\n', '\t', '\r'], " ")
}

/// Returns hypotheses and, in `streams` streams, the same number of references.
pub(super) fn corpus(rng: &mut Rng, streams: usize) -> (Vec<String>, Vec<Vec<String>>) {
    let segments = if rng.chance(30) { rng.between(100, 3_000) } else { rng.below(9) };
    let hypotheses: Vec<String> = (0..segments).map(|_| text(rng)).collect();
    let stream = |rng: &mut Rng| {
        let reference = |hypothesis: &String, rng: &mut Rng| {
            if rng.chance(800) { like(hypothesis, rng) } else { text(rng) }
        };
        hypotheses.iter().map(|hypothesis| reference(hypothesis, rng)).collect()
    };
    let references = (0..streams).map(|_| stream(rng)).collect();
    (hypotheses, references)
}

pub(super) fn lines(texts: &[String], rng: &mut Rng) -> Vec<u8> {
    let end = if rng.chance(100) { "\r\n" } else { "\n" };
    let mut file: String = texts.iter().flat_map(|text| [line(text), end.to_owned()]).collect();
    if rng.chance(200) {
        file.truncate(file.trim_end_matches(['\r', '\n']).len());
    }
    file.into_bytes()
}

pub(super) fn ids(segments: usize, rng: &mut Rng) -> Vec<u8> {
    let mut file = String::new();
    for _ in 0..segments {
        let number = |rng: &mut Rng| match rng.below(40) {
            0 => rng.pick(pieces::pieces("soak-trouble")).replace(['\n', '\t'], " "),
            1 => "-100".to_owned(),
            _ => rng.below(6).to_string(),
        };
        let numbers: Vec<String> = (0..rng.below(9)).map(|_| number(rng)).collect();
        file += &if rng.chance(300) {
            format!("[{}]\n", numbers.join(", "))
        } else {
            format!("{}\n", numbers.join(" "))
        };
    }
    file.into_bytes()
}

pub(super) fn table(delimiter: char, rng: &mut Rng) -> Vec<u8> {
    let streams = rng.between(1, 3);
    let (hypotheses, references) = corpus(rng, streams);
    let mut header = vec!["hypothesis".to_owned()];
    header.extend((0..references.len()).map(|number| format!("reference_{number}")));
    let labels: Vec<&str> =
        ["id", "system", "document", "other"].into_iter().filter(|_| rng.chance(300)).collect();
    header.extend(labels.iter().map(|label| (*label).to_owned()));
    if rng.chance(50) {
        let at = rng.below(header.len());
        header[at] = (*rng.pick(&["hyp", "", "\"", "ref", "hypothesis", "x"])).to_owned();
    }
    let mut file = header.join(&delimiter.to_string()) + "\n";
    for (number, hypothesis) in hypotheses.iter().enumerate() {
        let cell = |text: &str| match delimiter {
            ',' if text.contains(['"', ',', '\n', '\r']) => format!("\"{}\"", text.replace('"', "\"\"")),
            ',' => text.to_owned(),
            _ => line(text),
        };
        let mut cells = vec![cell(hypothesis)];
        cells.extend(references.iter().map(|stream| cell(&stream[number])));
        cells.extend(labels.iter().map(|label| match *label {
            "id" => (number / 2).to_string(),
            _ => (*rng.pick(&["A", "B", "", "C"])).to_owned(),
        }));
        file += &(cells.join(&delimiter.to_string()) + "\n");
    }
    file.into_bytes()
}

pub(super) fn json_lines(rng: &mut Rng) -> Vec<u8> {
    let (hypotheses, references) = corpus(rng, 2);
    let systems = rng.between(1, 3);
    let with_ids = rng.chance(300);
    let mut file = String::new();
    for (number, hypothesis) in hypotheses.iter().enumerate() {
        for system in 0..systems {
            let mut row = serde_json::json!({ "hypothesis": hypothesis, "references": [references[0][number], references[1][number]] });
            if systems > 1 {
                row["system"] = system.into();
                row["id"] = number.into();
            }
            if with_ids {
                row["hypothesis_ids"] = (0..rng.below(6)).collect::<Vec<_>>().into();
                row["reference_ids"] = serde_json::json!([(0..rng.below(6)).collect::<Vec<_>>()]);
            }
            if rng.chance(30) {
                let key =
                    *rng.pick(&["hypothesis", "references", "id", "system", "hypothesis_ids", "domain"]);
                row[key] = rng
                    .pick(&[
                        serde_json::json!(null),
                        serde_json::json!(7),
                        serde_json::json!(["x", null]),
                        serde_json::json!({}),
                    ])
                    .clone();
            }
            file += &(row.to_string() + "\n");
        }
    }
    file.into_bytes()
}

/// Returns rows of JSON like the example of a metric, with some values changed.
pub(super) fn example_rows(record: &Value, rng: &mut Rng) -> Vec<u8> {
    let mut file = String::new();
    for _ in 0..rng.between(1, 5) {
        let mut row = record.clone();
        change(&mut row, rng);
        file += &format!("{row}\n");
    }
    file.into_bytes()
}

/// Changes some of the values in a value of JSON, and rarely its kind.
fn change(value: &mut Value, rng: &mut Rng) {
    if rng.chance(10) {
        *value = rng.pick(&[Value::Null, json!(7), json!(["x", null]), json!({})]).clone();
    }
    match value {
        Value::Number(_) if rng.chance(300) => {
            *value = rng.pick(&[json!(0), json!(1), json!(-1), json!(0.5), json!(3), json!(1e300)]).clone();
        }
        Value::String(own) if rng.chance(300) => *own = like(own, rng),
        Value::Array(list) => {
            if !list.is_empty() && rng.chance(100) {
                let at = rng.below(list.len());
                let item = list[at].clone();
                list.insert(at, item);
            }
            if !list.is_empty() && rng.chance(100) {
                list.remove(rng.below(list.len()));
            }
            list.iter_mut().for_each(|item| change(item, rng));
        }
        Value::Object(fields) => fields.values_mut().for_each(|field| change(field, rng)),
        _ => {}
    }
}

pub(super) fn noise(rng: &mut Rng) -> Vec<u8> {
    (0..rng.below(3_000)).map(|_| rng.next_u64() as u8).collect()
}

pub(super) fn gzip(bytes: &[u8], rng: &mut Rng) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    let written = encoder.write_all(bytes).and_then(|()| encoder.finish());
    let mut file = written.unwrap_or_default();
    if rng.chance(100) {
        file.extend(vec![0; rng.below(2_000)]);
    }
    file
}

pub(super) fn damage(mut bytes: Vec<u8>, rng: &mut Rng) -> Vec<u8> {
    for _ in 0..rng.between(1, 4) {
        let at = rng.below(bytes.len() + 1);
        match rng.below(9) {
            0 if at < bytes.len() => bytes[at] = rng.next_u64() as u8,
            1 if at < bytes.len() => bytes[at] ^= 1 << rng.below(8),
            2 => bytes.truncate(at),
            3 => drop(bytes.drain(..at)),
            4 => {
                let end = at + rng.below(bytes.len() - at + 1);
                let piece = bytes[at..end].to_vec();
                bytes.splice(at..at, piece);
            }
            5 => drop(bytes.splice(0..0, rng.pick(HEADS).iter().copied())),
            6 => drop(bytes.splice(at..at, rng.pick(pieces::pieces("soak-trouble")).bytes())),
            7 => drop(bytes.splice(at..at, [*rng.pick(&b"\n\r\t\",\0[]{}\xFF"[..])])),
            _ if rng.chance(100) => {
                let len = rng.between(1 << 16, 1 << 20);
                drop(bytes.splice(at..at, (0..len).map(|n| if n % 7 == 6 { b' ' } else { b'x' })));
            }
            _ => {}
        }
    }
    bytes
}
