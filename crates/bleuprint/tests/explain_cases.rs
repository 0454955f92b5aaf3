//! `explain` on numbers of other programs: the true setting is in the first group, at one decimal and at two.

use std::collections::HashMap;

use bleuprint::explain::{Explainer, Explanation, TOKENIZERS, Target};
use serde::Deserialize;

#[derive(Deserialize)]
struct Cases {
    cases: Vec<Case>,
}

/// One number, and what made it; see `crates/testkit/data/explain/make.py`.
#[derive(Deserialize)]
struct Case {
    /// Hypotheses, then references, of the example data.
    files: Vec<String>,
    lines: usize,
    settings: Vec<String>,
    score: f64,
}

/// Of 40 cases, at each precision.
const FEWEST_FOUND: usize = 38;

fn explained(case: &Case) -> Vec<Explanation> {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/data/");
    let read = |name: &String| std::fs::read_to_string(format!("{folder}{name}")).unwrap();
    let files: Vec<String> = case.files.iter().map(read).collect();
    let mut lines: Vec<_> = files.iter().map(|text| text.split('\n')).collect();
    let mut explainer = Explainer::new(TOKENIZERS).unwrap();
    for _ in 0..case.lines {
        let segment: Vec<&str> = lines.iter_mut().map(|lines| lines.next().unwrap()).collect();
        explainer.push(segment[0], &segment[1..]).unwrap();
    }
    explainer.explain().unwrap()
}

#[test]
fn the_true_setting_is_in_the_first_group() {
    let text = include_str!("../../testkit/data/explain/cases.json");
    let Cases { cases } = serde_json::from_str(text).unwrap();
    assert_eq!(cases.len(), 40);
    // Counted once for all cases of the same data.
    let mut counted: HashMap<(&[String], usize), Vec<Explanation>> = HashMap::new();
    for decimals in [1, 2] {
        let mut missed = Vec::new();
        for case in &cases {
            let target = format!("{:.decimals$}", case.score);
            let all = counted.entry((&case.files, case.lines)).or_insert_with(|| explained(case));
            let (groups, _) = Target::parse(&target).unwrap().rank(all.clone());
            let first = groups.first().map_or(&[][..], Vec::as_slice);
            if !first.iter().any(|row| row.choices.changes() == case.settings) {
                missed.push(format!("{target} of {:?}: {:?}", case.files, case.settings));
            }
        }
        assert!(cases.len() - missed.len() >= FEWEST_FOUND, "{decimals} decimals: {missed:#?}");
    }
}

#[test]
fn a_fraction_is_recognised() {
    let text = include_str!("../../testkit/data/explain/cases.json");
    let Cases { cases } = serde_json::from_str(text).unwrap();
    for case in cases.iter().filter(|case| case.settings.concat().contains("nltk")).take(3) {
        let (groups, _) = Target::parse(&format!("{:.4}", case.score / 100.0)).unwrap().rank(explained(case));
        assert!(groups[0].iter().any(|row| row.choices.changes() == case.settings), "{:?}", case.settings);
    }
}

#[test]
fn nothing_fits_what_nothing_gives() {
    let mut explainer = Explainer::new(TOKENIZERS).unwrap();
    explainer.push("a b c d e", &["a b c d f"]).unwrap();
    explainer.push("g h i j k", &["g h i x k"]).unwrap();
    let (groups, others) = Target::parse("99.99").unwrap().rank(explainer.explain().unwrap());
    assert!(groups.is_empty() && others.len() > 1000);
}
