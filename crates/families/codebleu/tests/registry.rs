//! CodeBLEU as a plug-in of a program: recipes, evaluations, groups, rows for resampling, files of
//! statistics.

use bleuprint::eval::ChosenTokens;
use bleuprint::eval::evaluation::{Evaluation, TextCorpus};
use bleuprint::recipe::Recipe;
use bleuprint::{AnyMetric, Metric as _, Panel, Registry, SegmentCounts, Stats as _, contract::Choice as _};
use bleuprint_codebleu::{ENTRY, Language};

fn registry() -> Registry {
    let mut registry = bleuprint::metrics::registry();
    registry.add(ENTRY).unwrap();
    registry
}

fn signature(metric: AnyMetric) -> String {
    let panel = Panel::new([metric], &ChosenTokens::standard().unwrap()).unwrap();
    let metric = panel.metrics().next().unwrap();
    metric.identity().signature(&SegmentCounts::of_segment(2)).to_string()
}

#[test]
fn every_language_is_built_again_from_its_signature() {
    let registry = registry();
    for lang in Language::NAMES {
        for more in ["", ",columns=characters", ",flow-zero=drop", ",weights=0.1/0.1/0.4/0.4"] {
            let printed = signature(registry.build(&format!("codebleu:lang={lang}{more}")).unwrap());
            let settings = printed.parse::<Recipe>().unwrap().settings(&registry).unwrap();
            assert_eq!(signature(registry.build(&settings.spec()).unwrap()), printed);
        }
    }
}

#[test]
fn a_signature_of_another_grammar_is_refused() {
    let registry = registry();
    let lang = Language::ALL[0];
    let printed = signature(registry.build(&format!("codebleu:lang={}", lang.name())).unwrap());
    let other = printed.replace(&format!("grammar:{}", lang.grammar_version()), "grammar:0.1.0");
    assert_ne!(other, printed);
    let error = other.parse::<Recipe>().unwrap().settings(&registry).err().unwrap();
    assert!(error.to_string().contains("`grammar:0.1.0`"), "{error}");
}

#[test]
fn an_evaluation_has_scores_groups_and_rows() {
    let metric = format!("codebleu:lang={}", Language::NAMES[0]);
    let references = ["x = y + 1; z = x;", "if (a) { b = a; }", "f(1, 2);"];
    let (good, bad) = (references, ["x = 1;", "while (b) { a = b", ""]);
    let mut corpus = TextCorpus::new([("good", good), ("bad", bad)], [references]).unwrap();
    corpus.add_label("kind", ["plain", "branch", "plain"]).unwrap();
    let evaluation =
        Evaluation::from_parts(&registry(), [metric.as_str(), "bleu"], &ChosenTokens::standard().unwrap());
    let run = evaluation.unwrap().run(corpus).unwrap();
    let scores = run.scores().unwrap();
    let (good, bad) = (scores[0][0].value(), scores[1][0].value());
    // Two tokens have no n-gram of order 3; it counts as one that does not match.
    assert!((0.95..1.0).contains(&good), "{good}");
    assert!((0.0..0.7).contains(&bad), "{bad}");
    assert_eq!(run.by("kind").unwrap().len(), 2);
    let rows = run.all_rows(0).unwrap();
    assert_eq!(rows.len(), 2);
    assert!(run.metrics()[0].zero().is_row());
}
