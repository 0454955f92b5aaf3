//! The golden cases of BLEU through the door of the command line.

mod common;

use bleuprint_testkit::golden::{self, BleuCase, Reference};
use common::{Folder, bleuprint};
use serde_json::Value;

/// What the command line can say: no missing references, and no line breaks inside a segment.
fn expressible(case: &BleuCase) -> bool {
    let one_line = |text: &str| !text.contains(['\n', '\r']);
    let streams = case.references.as_deref().unwrap_or_default();
    let present = |reference: &Reference| reference.text().is_some_and(one_line);
    case.hypotheses.as_ref().is_some_and(|hypotheses| hypotheses.iter().all(|text| one_line(text)))
        && !streams.is_empty()
        && streams.iter().flatten().all(present)
}

/// The command line of a case, its files written.
fn arguments(folder: &Folder, case: &BleuCase) -> Vec<String> {
    let lines = |texts: Vec<&str>| texts.iter().map(|text| format!("{text}\n")).collect::<String>();
    let mut arguments: Vec<String> = vec!["score".into()];
    for (index, stream) in case.references.iter().flatten().enumerate() {
        let texts = stream.iter().filter_map(Reference::text).collect();
        arguments.push(folder.file(&format!("ref{index}"), lines(texts)));
    }
    let hypotheses = case.hypotheses.iter().flatten().map(String::as_str).collect();
    let options = &case.options;
    let mut metric = format!("bleu:max-order={},ref-len={}", options.max_order, options.ref_len);
    if options.effective_order {
        metric += ",effective-order";
    }
    let values = [
        ("-i", folder.file("sys", lines(hypotheses))),
        ("-tok", options.tokenize.clone()),
        ("-s", options.smooth.clone()),
        ("-m", metric),
        ("--empty-references", "keep".to_owned()),
    ];
    arguments.extend(values.into_iter().flat_map(|(name, value)| [name.to_owned(), value]));
    if let Some(value) = options.smooth_value {
        arguments.extend(["-sv".to_owned(), value.to_string()]);
    }
    arguments.extend(options.lowercase.then(|| "-lc".to_owned()));
    arguments
}

#[test]
fn golden_cases_through_the_command_line() {
    let folder = Folder::new();
    let mut compared = 0;
    for (file, cases) in golden::all_bleu() {
        for case in cases.cases.iter().filter(|case| expressible(case)) {
            let name = format!("{file}: {}", case.name);
            let arguments = arguments(&folder, case);
            let output = bleuprint(&arguments.iter().map(String::as_str).collect::<Vec<_>>(), b"");
            let expected = &case.expected;
            compared += 1;
            if expected.error.is_some() {
                assert_eq!(output.status.code(), Some(2), "{name}");
                continue;
            }
            let json: Value = serde_json::from_slice(&output.stdout).unwrap();
            let bits = |value: &Value| value.as_f64().unwrap().to_bits();
            for (key, number) in [("score", expected.score), ("bp", expected.bp)] {
                if let Some(number) = number {
                    assert_eq!(bits(&json[key]), number.to_bits(), "{name}: {key} {}", json[key]);
                }
            }
            for (key, counts) in [("counts", &expected.counts), ("totals", &expected.totals)] {
                if let Some(counts) = counts {
                    assert_eq!(json[key], serde_json::json!(counts), "{name}: {key}");
                }
            }
        }
    }
    assert!(compared > 40, "only {compared} cases");
}
