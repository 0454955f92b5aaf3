//! Checks the rows of `data/golden.jsonl`, which `data/write_golden.py` generates from its own random texts.

use bleuprint_core::{Accumulator, Result, Score as _};
use bleuprint_registry::{AnyMetric, AnyScore, Data, Registry};
use serde_json::Value;

/// Returns a number among the parts of a score.
fn part(score: &AnyScore, key: &str) -> f64 {
    let found = score.parts.iter().find(|part| part.key == key).unwrap_or_else(|| panic!("no part {key}"));
    serde_json::to_value(&found.value).unwrap().as_f64().unwrap()
}

/// Returns the score of hypotheses and references, which are texts or records of the metric's form.
fn scored(metric: &AnyMetric, hypotheses: &[Value], references: &[Value]) -> Result<AnyScore> {
    let references = references.iter().map(|all| all.as_array().unwrap());
    let Some(form) = metric.view.form else {
        let mut all = Accumulator::<_, str>::new(metric);
        for (hypothesis, references) in hypotheses.iter().zip(references) {
            let references: Vec<&str> = references.iter().map(|text| text.as_str().unwrap()).collect();
            all.push(hypothesis.as_str().unwrap(), &references)?;
        }
        return Ok(all.score()?.score);
    };
    let mut all = Accumulator::<_, Data>::new(metric);
    for (hypothesis, references) in hypotheses.iter().zip(references) {
        let references: Vec<_> = references.iter().map(|one| form.reference(one).unwrap()).collect();
        let references: Vec<&Data> = references.iter().map(|one| &**one).collect();
        all.push(&*form.hypothesis(hypothesis).unwrap(), &references)?;
    }
    Ok(all.score()?.score)
}

#[test]
fn rows_have_the_numbers_of_their_programs() {
    let text = include_str!("../data/golden.jsonl");
    let rows: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert!(rows.len() > 100);
    for row in rows {
        let name = row["metric"].as_str().unwrap();
        let lists = ["hypotheses", "references"].map(|side| row[side].as_array().unwrap().as_slice());
        let metric = Registry::from_entries(crate::ENTRIES).unwrap().build(name).unwrap();
        let score = scored(&metric, lists[0], lists[1]);
        if row["expected"]["score"].is_null() && row["expected"].get("score").is_some() {
            assert!(score.unwrap_err().to_string().contains("no score"), "{row}");
            continue;
        }
        let score = score.unwrap_or_else(|error| panic!("{row}: {error}"));
        for (key, expected) in row["expected"].as_object().unwrap() {
            let found = if key == "score" { score.value() } else { part(&score, key) };
            let near = (found - expected.as_f64().unwrap()).abs() <= row["tolerance"].as_f64().unwrap();
            assert!(near, "{key}: {found}, not {expected}, of {row}");
        }
    }
}
