//! Rows of scikit-learn 1.9.1, seqeval 1.2.2, evaluate and lm_eval 0.4.13, recorded beside the checkout.

use bleuprint_core::{Accumulator, Choice as _, Result, Score as _};
use bleuprint_registry::AnyScore;
use bleuprint_testkit::recorded::path;
use serde_json::{Value, json};

use super::{built, part};
use crate::*;

/// The rows of some metrics.
fn rows(metrics: &[&str]) -> Vec<Value> {
    let text = std::fs::read_to_string(path("spec/families-golden.jsonl")).unwrap();
    let rows = text.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    let rows: Vec<Value> =
        rows.filter(|row| metrics.iter().any(|metric| row["metric"] == **metric)).collect();
    assert!(metrics.iter().all(|metric| rows.iter().any(|row| row["metric"] == **metric)));
    rows
}

/// Requires the program's number within its tolerance and, where there is one of ours, that to the last bit.
#[track_caller]
fn require(row: &Value, at: impl Fn(&Value) -> Option<f64>, found: Option<f64>) {
    let ours = row.get("ours").and_then(&at);
    if row["contrast"] != json!(true) {
        let (expected, tolerance) = (at(&row["expected"]), row["tolerance"].as_f64().unwrap());
        let near = match (found, expected) {
            (Some(found), Some(expected)) => (found - expected).abs() <= tolerance,
            (found, expected) => found == expected,
        };
        assert!(near, "{}: {found:?}, not {expected:?}", row["id"]);
    }
    assert!(ours.is_none() || found == ours, "{}: {found:?}, not {ours:?}", row["id"]);
}

fn strings(value: &Value) -> Vec<String> {
    value.as_array().unwrap().iter().map(|text| text.as_str().unwrap().to_owned()).collect()
}

/// The name of a metric with options of a row: those that it has.
fn named(metric: &str, row: &Value, options: &[(&str, &str)]) -> String {
    let written = |value: &Value| match value {
        Value::Array(_) => strings(value).join("/"),
        Value::String(text) => text.clone(),
        other => other.to_string(),
    };
    let given = options.iter().filter_map(|(theirs, ours)| {
        let value = row["options"].get(*theirs)?;
        Some(format!("{ours}={}", written(value)))
    });
    format!("{metric}{}", given.collect::<Vec<_>>().join(","))
}

fn scored(name: &str, row: &Value) -> Result<AnyScore> {
    let metric = built(name);
    let text = |value: &Value| match value {
        Value::Array(_) if name.starts_with("spans") => strings(value).join(" "),
        Value::Array(_) => value.to_string(),
        text => text.as_str().unwrap().to_owned(),
    };
    let mut all = Accumulator::<_, str>::new(metric);
    let [gold, predicted] = ["gold", "pred"].map(|side| row["input"][side].as_array().unwrap());
    for (gold, predicted) in gold.iter().zip(predicted) {
        all.push(&text(predicted), &[&text(gold)]).unwrap();
    }
    Ok(all.score()?.score)
}

const LISTED: [&str; 3] = ["precision", "recall", "f"];

fn require_prf(row: &Value, score: &AnyScore) {
    for (at, key) in LISTED.iter().enumerate() {
        require(row, |value| value[at].as_f64(), Some(part(score, key)));
    }
}

#[test]
#[ignore = "needs the data beside the checkout"]
fn averages_are_scikit_learns() {
    for row in rows(&["labels", "multilabel"]) {
        let metric = if row["metric"] == "multilabel" { "labels:multilabel=json," } else { "labels:" };
        let each = row["options"]["average"] == "none";
        let samples = row["options"]["average"] == "samples";
        let mut options = vec![("zero", "zero")];
        options.extend((!each).then_some(("average", "average")));
        // Every label of these sets is among them, so the averages of samples are of all.
        options.extend((!samples).then_some(("labels", "only")));
        let score = scored(&named(metric, &row, &options), &row).unwrap();
        if !each {
            require_prf(&row, &score);
            continue;
        }
        let labels = row["expected"].as_object().unwrap();
        for label in labels.keys() {
            for (at, key) in LISTED.iter().chain([&"support"]).enumerate() {
                let found = part(&score, &format!("label.{label}.{key}"));
                require(&row, |value| value[label][at].as_f64(), Some(found));
            }
        }
        assert_eq!(part(&score, "labels"), labels.len() as f64, "{}", row["id"]);
    }
}

#[test]
#[ignore = "needs the data beside the checkout"]
fn accuracy_and_agreement_are_scikit_learns() {
    for row in rows(&["accuracy", "balanced_accuracy", "mcc", "subset_accuracy", "kappa"]) {
        let name = match row["metric"].as_str().unwrap() {
            "subset_accuracy" => "labels:multilabel=json,score=accuracy",
            "balanced_accuracy" => "labels:score=balanced",
            "kappa" => "labels:score=kappa,",
            "mcc" => "labels:score=mcc",
            _ => "labels:score=accuracy",
        };
        let score = scored(&named(name, &row, &[("weights", "weights"), ("labels", "labels")]), &row);
        require(&row, Value::as_f64, score.ok().map(|score| score.value()));
    }
}

#[test]
#[ignore = "needs the data beside the checkout"]
fn confusion_matrices_are_scikit_learns() {
    for row in rows(&["confusion"]) {
        let labels = Some(strings(&row["options"]["labels"]));
        let options = LabelOptions { confusion: true, labels, ..LabelOptions::default() };
        let metric = Labels::new(options).unwrap();
        let mut all = Accumulator::<_, str>::new(&metric);
        for (gold, predicted) in strings(&row["input"]["gold"]).iter().zip(strings(&row["input"]["pred"])) {
            all.push(&predicted, &[gold.as_str()]).unwrap();
        }
        let (_, matrix) = metric.confusion(all.total().stats()).unwrap();
        assert_eq!(json!(matrix), row["expected"], "{}", row["id"]);
    }
}

#[test]
#[ignore = "needs the data beside the checkout"]
fn spans_are_seqevals() {
    for row in rows(&["span_list"]) {
        let scheme = row["options"]["scheme"].as_str().unwrap_or("default");
        let tags = strings(&row["input"]["tags"]);
        let tags: Vec<&str> = tags.iter().map(String::as_str).collect();
        match Scheme::by_name("scheme", scheme).unwrap().spans(&tags) {
            Ok(spans) => assert_eq!(json!(spans), row["expected"], "{}", row["id"]),
            Err(_) => assert!(row["expected"]["error"].is_string(), "{}", row["id"]),
        }
    }
    for row in rows(&["spans"]) {
        let name = named("spans:", &row, &[("average", "average"), ("zero", "zero"), ("scheme", "scheme")]);
        match scored(&name, &row) {
            Ok(score) => require_prf(&row, &score),
            Err(_) => assert_eq!(row["expected"], Value::Null, "{}", row["id"]),
        }
    }
}

#[test]
#[ignore = "needs the data beside the checkout"]
fn answers_are_those_of_the_script_of_squad_2() {
    for row in rows(&["squad_v2"]) {
        let metric = Squad2Best::new(Squad2Score::F1, row["options"]["threshold"].as_f64().unwrap()).unwrap();
        let mut all = Accumulator::<_, Answer, Answers, Answers>::new(&metric);
        for item in row["input"]["items"].as_array().unwrap() {
            let prediction_text = item[2].as_str().unwrap().to_owned();
            let answer = Answer { prediction_text, no_answer_probability: item[3].as_f64().unwrap() };
            all.push(&answer, &[&Answers(strings(&item[1]))]).unwrap();
        }
        let score = AnyScore::of(&metric, &all.score().unwrap().score).unwrap();
        let expected = if row["contrast"] == json!(true) { &row["ours"] } else { &row["expected"] };
        for key in expected.as_object().unwrap().keys() {
            require(&row, |value| value[key].as_f64(), Some(part(&score, key)));
        }
    }
}

#[test]
#[ignore = "needs the data beside the checkout"]
fn answers_of_several_spans_are_lm_evals() {
    for row in rows(&["drop"]) {
        let list = |value: &Value| TextList(strings(value));
        let mut all = Accumulator::<_, TextList>::new(Drop::new(DropScore::F1, false).unwrap());
        let golds: Vec<TextList> = row["input"]["gold"].as_array().unwrap().iter().map(list).collect();
        all.push(&list(&row["input"]["pred"]), &golds.iter().collect::<Vec<_>>()).unwrap();
        let parts = all.score().unwrap().score.parts();
        for (at, key) in ["exact", "f1"].iter().enumerate() {
            let found = parts.iter().find(|part| part.key == *key).map(|part| part.value.clone());
            let Some(bleuprint_core::PartValue::Number(found)) = found else { panic!("{key}") };
            require(&row, |value| value[at].as_f64(), Some(found));
        }
    }
}
