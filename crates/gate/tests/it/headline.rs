//! Tests of rules on a headline number or a part in place of the score.

use bleuprint_eval::ChosenTokens;
use bleuprint_eval::evaluation::{Evaluation, Run, TextCorpus};
use bleuprint_gate::{Outcome, Policy, RuleVerdict, judge, write};
use bleuprint_report::Colour;

const SEGMENTS: usize = 40;

/// Returns a run of ROUGE-1 in which each output is the reference with `added` words after it.
fn run(added: &str) -> Run {
    let references: Vec<String> = (0..SEGMENTS).map(|at| format!("w{at} one two three")).collect();
    let outputs = references.iter().map(|reference| format!("{reference}{added}"));
    let corpus = TextCorpus::new([("new", outputs.collect::<Vec<_>>())], [references.clone()]).unwrap();
    let tokens = ChosenTokens::standard().unwrap();
    let registry = bleuprint_metrics::registry();
    Evaluation::from_parts(&registry, ["rouge1"], &tokens).unwrap().run(corpus).unwrap()
}

/// Returns the verdict on longer outputs, with the same recall, under a rule with `headline`.
fn judged(test: &str, headline: &str, allowed: f64) -> (RuleVerdict, serde_json::Value, String) {
    let folder = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join(test);
    std::fs::create_dir_all(&folder).unwrap();
    run("").write(folder.join("main.stats").display().to_string()).unwrap();
    let text = format!(
        "format = \"bleuprint-gate/1\"\nbaseline = \"main.stats\"\n[[rule]]\nmetric = \"rouge1\"\n{headline}\nmax-drop = {allowed}\n"
    );
    let file = folder.join("gate.toml").display().to_string();
    let policy = Policy::parse(&file, &text, &bleuprint_metrics::registry()).unwrap();
    let verdict = judge(&policy, &run(" four five six seven")).unwrap();
    let (json, shown) = (write::json(&verdict), write::text(&verdict, Colour::Off));
    (verdict.rules.into_iter().next().unwrap(), json, shown)
}

#[test]
fn a_rule_tests_the_drop_of_its_headline_number() {
    // Precision falls from 1 to 1/2, F from 1 to 2/3; recall stays 1. All segments change alike, so the bounds
    // are the drops.
    for (headline, allowed, outcome) in [
        ("", 0.34, Outcome::Pass),
        ("", 0.33, Outcome::Fail),
        ("headline = \"precision\"", 0.51, Outcome::Pass),
        ("headline = \"precision\"", 0.34, Outcome::Fail),
        ("headline = \"recall\"", 0.0, Outcome::Pass),
        ("headline = \"f1\"", 0.33, Outcome::Fail),
    ] {
        let (rule, ..) = judged("headline", headline, allowed);
        assert_eq!(rule.outcome, outcome, "{headline} {allowed}: {rule:?}");
    }
}

#[test]
fn the_verdict_names_the_headline() {
    let (_, json, shown) = judged("headline_named", "headline = \"precision\"", 0.1);
    assert_eq!(json["rules"][0]["headline"], "precision");
    assert!(shown.contains("precision"), "{shown}");
    let (_, json, _) = judged("headline_named", "", 0.1);
    assert!(json["rules"][0]["headline"].is_null());
}

#[test]
fn an_unknown_headline_is_an_error_with_the_known_ones() {
    let (rule, ..) = judged("headline_unknown", "headline = \"presicion\"", 0.1);
    assert_eq!(rule.outcome, Outcome::Error);
    let message = rule.message.unwrap();
    for part in ["presicion", "f1", "precision", "recall"] {
        assert!(message.contains(part), "{message}");
    }
}
