//! The golden rows through the door of the command line: as files of lines, or of JSON Lines if lines cannot say them.

use std::collections::{BTreeMap, HashMap};

use bleuprint::Metric as _;
use bleuprint_testkit::golden::{DoorNumbers, GoldenRow, files, rows};
use serde_json::{Value, json};

use crate::common::{Folder, bleuprint};

fn name(row: &GoldenRow) -> Option<String> {
    Some(bleuprint::metric(&row.spec).ok()?.metrics().next()?.identity().name())
}

/// Lines need the same number of references for every segment and no line breaks. Reading trims the ends of lines.
fn is_of_lines(row: &GoldenRow) -> bool {
    let line = |text: &String| !text.contains(['\n', '\r']) && text.trim_end() == text;
    let all = || row.hypotheses.iter().chain(row.references.iter().flatten()).chain(&row.sources);
    let refused = row.expected.error.is_some();
    let first = row.references.first().map_or(0, Vec::len);
    all().all(line) && (refused || first > 0 && row.references.iter().all(|own| own.len() == first))
}

fn lines<'t>(texts: impl Iterator<Item = &'t String>) -> String {
    texts.flat_map(|text| [text, "\n"]).collect()
}

fn texts(folder: &Folder, row: &GoldenRow, at: &str) -> Vec<String> {
    let file = |name: &str, content: String| folder.file(&format!("{at}-{name}"), content);
    let mut arguments = vec!["score".to_owned()];
    if is_of_lines(row) {
        let streams = row.references.first().map_or(0, Vec::len);
        for stream in 0..streams {
            let texts = row.references.iter().map(|own| &own[stream]);
            arguments.push(file(&format!("ref{stream}"), lines(texts)));
        }
        arguments.extend(["-i".to_owned(), file("sys", lines(row.hypotheses.iter()))]);
        if !row.sources.is_empty() {
            arguments.extend(["--source".to_owned(), file("src", lines(row.sources.iter()))]);
        }
    } else {
        let segment = |(i, hypothesis): (usize, &String)| {
            let mut segment = json!({"hypothesis": hypothesis, "references": row.references[i]});
            if let Some(source) = row.sources.get(i) {
                segment["source"] = json!(source);
            }
            format!("{segment}\n")
        };
        let segments: String = row.hypotheses.iter().enumerate().map(segment).collect();
        arguments.extend(["--segments".to_owned(), file("segments.jsonl", segments)]);
    }
    arguments.extend(["--empty-references", "keep", "-q", "-f", "json", "-m"].map(str::to_owned));
    arguments
}

fn answer(score: &Value) -> DoorNumbers {
    let parts: BTreeMap<String, Value> =
        score.as_object().unwrap().iter().map(|(key, value)| (key.clone(), value.clone())).collect();
    let text = |key: &str| score[key].as_str().unwrap();
    DoorNumbers {
        headlines: vec![score["score"].as_f64().unwrap()],
        parts,
        signature: format!("{}|{}", text("name"), text("signature")),
    }
}

/// Runs the program once for rows of the same texts.
fn check(folder: &Folder, batch: &HashMap<String, &GoldenRow>, at: &str) {
    let Some(first) = batch.values().next() else { return };
    let mut arguments = texts(folder, first, at);
    arguments.extend(batch.values().map(|row| row.spec.clone()));
    let output = bleuprint(&arguments.iter().map(String::as_str).collect::<Vec<_>>());
    let message = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{}: {message}", first.name);
    let scores: Value = serde_json::from_slice(&output.stdout).unwrap();
    let scores = scores.as_array().map_or(vec![scores.clone()], Clone::clone);
    assert_eq!(scores.len(), batch.len(), "{}", first.name);
    for score in &scores {
        batch[score["name"].as_str().unwrap()].check("the program", &answer(score));
    }
}

fn check_refusal(folder: &Folder, row: &GoldenRow, at: &str) {
    let mut arguments = texts(folder, row, at);
    arguments.push(row.spec.clone());
    let output = bleuprint(&arguments.iter().map(String::as_str).collect::<Vec<_>>());
    assert_eq!(output.status.code(), Some(2), "{}: {}", row.name, row.spec);
}

fn through_the_program(file: &str) {
    let folder = Folder::new();
    let all = rows(file);
    let mut batch: HashMap<String, &GoldenRow> = HashMap::new();
    // Statistics without texts are a matter of the library.
    for (at, row) in all.iter().filter(|row| row.statistics.is_none()).enumerate() {
        if row.expected.error.is_some() {
            check_refusal(&folder, row, &format!("refused-{at}"));
            continue;
        }
        let name = name(row).unwrap();
        let texts = |row: &GoldenRow| (row.hypotheses.clone(), row.references.clone(), row.sources.clone());
        let fits = batch.values().next().is_none_or(|first| texts(first) == texts(row));
        if !fits || batch.contains_key(&name) {
            check(&folder, &batch, &at.to_string());
            batch.clear();
        }
        batch.insert(name, row);
    }
    check(&folder, &batch, "last");
}

macro_rules! files {
    ($($file:ident),+ $(,)?) => {
        $(#[test]
        fn $file() {
            through_the_program(stringify!($file));
        })+

        #[test]
        fn every_file_has_its_test() {
            assert!(files().eq([$(stringify!($file)),+]));
        }
    };
}

files! {
    papineni, sacrebleu, smoothing, chrf, ter, wer, compounds, rouge, squad, meteor, distinct, nist, cider, sari,
}
