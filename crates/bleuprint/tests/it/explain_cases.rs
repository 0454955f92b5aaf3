//! `explain` on numbers of other programs: the true setting is in the first group, at one decimal and at two.

use std::collections::HashMap;
use std::sync::Arc;

use bleuprint::explain::{Explainer, NumberExplanation, RoundedTarget, TOKENIZERS};
use bleuprint::recipe::Recipe;
use bleuprint::{Accumulator, Case as TextCase, Panel, TokenizerOptions, registry, tokenizer};
use bleuprint::{
    eval::{ChosenTokens, PanelMetric},
    inference::{WorkPieces, in_threads, watched},
};
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

fn explained(case: &Case) -> Vec<NumberExplanation> {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/data/");
    let read = |name: &String| std::fs::read_to_string(format!("{folder}{name}")).unwrap();
    let files: Vec<String> = case.files.iter().map(read).collect();
    let mut lines: Vec<_> = files.iter().map(|text| text.split('\n')).collect();
    let mut segment = || {
        let mut own = lines.iter_mut().map(|lines| lines.next().unwrap());
        (own.next().unwrap(), own.collect())
    };
    let segments: Vec<(&str, Vec<&str>)> = (0..case.lines).map(|_| segment()).collect();
    let mut explainer = Explainer::new(TOKENIZERS).unwrap();
    for (hypothesis, references) in &segments {
        explainer.push(hypothesis, references).unwrap();
    }
    let (explained, mut together) = (explainer.explain().unwrap(), Explainer::new(TOKENIZERS).unwrap());
    let pieces = Arc::new(WorkPieces::default());
    watched(pieces.clone(), || in_threads(Some(2), || together.push_each(&segments))).unwrap().unwrap();
    assert_eq!(format!("{:?}", together.explain().unwrap()), format!("{explained:?}"));
    assert!(pieces.done() == pieces.total() && pieces.total() > 0);
    explained
}

#[test]
fn an_error_names_the_first_segment_whatever_the_threads() {
    let segments = [("a", vec!["a"]), ("b", vec!["b"]), ("c", vec![]), ("d", vec![])];
    let mut explainer = Explainer::new(TOKENIZERS).unwrap();
    let error = in_threads(Some(2), || explainer.push_each(&segments)).unwrap().unwrap_err();
    assert_eq!(error.location().segment, Some(3), "{error}");
}

#[test]
fn the_true_setting_is_in_the_first_group() {
    let text = include_str!("../../../testkit/data/explain/cases.json");
    let Cases { cases } = serde_json::from_str(text).unwrap();
    assert_eq!(cases.len(), 40);
    // Counted once for all cases of the same data.
    let mut counted: HashMap<(&[String], usize), Vec<NumberExplanation>> = HashMap::new();
    for decimals in [1, 2] {
        let mut missed = Vec::new();
        for case in &cases {
            let target = format!("{:.decimals$}", case.score);
            let all = counted.entry((&case.files, case.lines)).or_insert_with(|| explained(case));
            let (groups, _) = NumberExplanation::ranked(all.clone(), RoundedTarget::parse(&target).unwrap());
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
    let text = include_str!("../../../testkit/data/explain/cases.json");
    let Cases { cases } = serde_json::from_str(text).unwrap();
    for case in cases.iter().filter(|case| case.settings.concat().contains("nltk")).take(3) {
        let (groups, _) = NumberExplanation::ranked(
            explained(case),
            RoundedTarget::parse(&format!("{:.4}", case.score / 100.0)).unwrap(),
        );
        assert!(groups[0].iter().any(|row| row.choices.changes() == case.settings), "{:?}", case.settings);
    }
}

#[test]
fn nothing_fits_what_nothing_gives() {
    let mut explainer = Explainer::new(TOKENIZERS).unwrap();
    explainer.push("a b c d e", &["a b c d f"]).unwrap();
    explainer.push("g h i j k", &["g h i x k"]).unwrap();
    let (groups, others) =
        NumberExplanation::ranked(explainer.explain().unwrap(), RoundedTarget::parse("99.99").unwrap());
    assert!(groups.is_empty() && others.len() > 1000);
}

/// Every signature of settings alone is a recipe for the same number.
#[test]
fn signatures_are_recipes() {
    let segments = [
        ("the Cat was on the mat, \u{c9}TE", "the cat is on the mat, \u{e9}te"),
        ("another line was HERE now .", "another line is here now ."),
    ];
    let mut explainer = Explainer::new(TOKENIZERS).unwrap();
    segments.iter().for_each(|(hypothesis, reference)| explainer.push(hypothesis, &[reference]).unwrap());
    let registry = registry();
    let again = |text: &str| -> f64 {
        let settings = text
            .parse::<Recipe>()
            .unwrap()
            .settings(&registry)
            .unwrap_or_else(|error| panic!("{text}: {error}"));
        let name = settings.tokenizer.as_deref();
        let metric = PanelMetric::from(registry.build(&settings.spec()).unwrap());
        let metric = settings.case.into_iter().fold(metric, PanelMetric::with_case);
        let tokens = tokenizer(name.unwrap_or("13a"), &TokenizerOptions::default()).unwrap();
        let chosen = ChosenTokens::new(tokens, TextCase::Mixed).asked(name.is_some(), false);
        let panel = Panel::new([metric], &chosen).unwrap();
        let mut corpus = Accumulator::<_, str>::new(&panel);
        segments
            .iter()
            .for_each(|(hypothesis, reference)| drop(corpus.push(hypothesis, &[reference]).unwrap()));
        let scored = panel.scores(corpus.total()).unwrap().swap_remove(0);
        assert_eq!(scored.signature.to_string(), text);
        scored.score.value
    };
    let mut tried = 0;
    for row in explainer.explain().unwrap() {
        if let (Some(scored), None) = (&row.scored, row.choices.cause) {
            assert_eq!(again(&scored.signature.to_string()), scored.score.value, "{:?}", row.choices);
            tried += 1;
        }
    }
    assert!(tried > 2000, "{tried}");
}
