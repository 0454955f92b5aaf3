//! Compares the statistics, trees, data flows, comments and keywords with recorded rows of codebleu 0.7.0. `tests/rows` has a few rows
//! for every language.

#![allow(clippy::print_stdout, reason = "a comparison with a run of the program shows each difference")]

use bleuprint_core::Choice as _;
use bleuprint_core::Stats as _;
use bleuprint_testkit::recorded;
use serde_json::Value;

use crate::comments::{is_space, strip};
use crate::flow::named_items;
use crate::tree::SyntaxTree;
use crate::{CodeBleu, CodeBleuScore, CodeBleuStats, FlowZero, Language, NameColumns};

/// Returns the recorded rows of a metric, except for languages whose feature is off.
fn rows(metric: &str) -> Vec<(Language, Value)> {
    let rows = recorded::rows("code-and-vectors-golden.json", "rows");
    let rows = rows.into_iter().filter(|row| row["metric"] == metric);
    let with_language = |row: Value| {
        let language = Language::by_name("lang", row["options"]["lang"].as_str()?).ok()?;
        Some((language, row))
    };
    rows.filter_map(with_language).collect()
}

fn texts(value: &Value) -> Vec<&str> {
    match value {
        Value::Array(texts) => texts.iter().map(|text| text.as_str().unwrap()).collect(),
        text => vec![text.as_str().unwrap()],
    }
}

fn observed(language: Language, columns: NameColumns, row: &Value) -> CodeBleuStats {
    let metric = CodeBleu::builder(language).columns(columns).build().unwrap();
    let mut codebleu = bleuprint_core::Accumulator::<_, str>::new(metric);
    codebleu.push(row["hypotheses"].as_str().unwrap(), &texts(&row["references"])).unwrap();
    *codebleu.total().stats()
}

fn integers(stats: &CodeBleuStats, segments: u64) -> Value {
    serde_json::json!({
        "segments": segments, "hyp_len": stats.hyp_len, "ref_len": stats.ref_len, "num": stats.clipped,
        "den": stats.total, "wnum": stats.weighted_clipped, "wden": stats.weighted_total,
        "syn": [stats.syntax_matched, stats.syntax_total], "flow": [stats.flow_matched, stats.flow_total],
    })
}

fn check(id: &Value, stats: &CodeBleuStats, segments: u64, outputs: &Value) {
    assert_eq!(integers(stats, segments), outputs["stats"], "{id}");
    let score = CodeBleuScore::from_counts([0.25; 4], FlowZero::One, stats, segments).unwrap();
    let expected = |name: &str| outputs[name].as_f64().unwrap();
    let equal = [
        (score.ngram, "ngram_match_score"),
        (score.syntax, "syntax_match_score"),
        (score.data_flow, "dataflow_match_score"),
    ];
    for (ours, name) in equal {
        assert_eq!(ours, expected(name), "{id} {name}");
    }
    for (ours, name) in [(score.weighted_ngram, "weighted_ngram_match_score"), (score.codebleu, "codebleu")] {
        assert!((ours - expected(name)).abs() < 1e-12, "{id} {name}: {ours}, {}", expected(name));
    }
}

#[test]
#[ignore = "needs the data beside the checkout"]
fn recorded_segments_and_corpora_have_the_programs_counts_and_scores() {
    let segments = rows("codebleu");
    let mut seen = std::collections::BTreeMap::new();
    let mut shifted = Vec::new();
    for (language, row) in &segments {
        let stats = observed(*language, NameColumns::Characters, row);
        check(&row["id"], &stats, 1, &row["outputs"]);
        seen.insert(row["id"].as_u64().unwrap(), stats);
        if observed(*language, NameColumns::Bytes, row) != stats {
            shifted.push(row["options"]["kind"].as_str().unwrap());
        }
    }
    // Columns in bytes and in characters differ only in texts with characters outside of ASCII.
    assert!(shifted.iter().all(|kind| *kind == "non-ascii"), "{shifted:?}");
    for (_, row) in rows("codebleu-corpus") {
        let members = row["members"].as_array().unwrap();
        let mut corpus = CodeBleuStats::default();
        for member in members {
            corpus.merge(&seen[&member.as_u64().unwrap()]).unwrap();
        }
        check(&row["id"], &corpus, members.len() as u64, &row["outputs"]);
    }
}

#[test]
#[ignore = "needs the data beside the checkout"]
fn recorded_trees_and_flows_are_the_programs() {
    let mut parser = tree_sitter::Parser::new();
    for (language, row) in rows("codebleu-tree") {
        let text = row["text_after_comment_removal"].as_str().unwrap();
        parser.set_language(&language.grammar()).unwrap();
        let printed = parser.parse(text, None).unwrap().root_node().to_sexp();
        assert_eq!(printed, row["outputs"]["sexp"].as_str().unwrap(), "{text}");
        let tree = SyntaxTree::parse(language, text).unwrap();
        let flow = serde_json::to_value(named_items(language, NameColumns::Characters, text, &tree)).unwrap();
        assert_eq!(flow, row["outputs"]["flow"], "{text}");
    }
}

#[test]
#[ignore = "needs the data beside the checkout"]
fn recorded_comments_go_as_in_the_program() {
    for (language, row) in rows("codebleu-strip") {
        let text = row["text"].as_str().unwrap();
        let expected = row["outputs"].as_str().unwrap_or(text);
        assert_eq!(strip(language, text), expected, "{text}");
    }
}

#[test]
#[ignore = "needs the data beside the checkout"]
fn recorded_keywords_are_those_of_the_package() {
    let lists = recorded::json("code-keywords.json");
    for language in Language::ALL {
        let listed = lists["codebleu-0.7.0"][language.name()].as_array().unwrap();
        let listed: Vec<&str> = listed.iter().map(|word| word.as_str().unwrap()).collect();
        assert_eq!(language.keywords().split(is_space).collect::<Vec<_>>(), listed);
    }
}

/// Checks rows of a fresh run of the program, in the file that `CODEBLEU_ROWS` names: `lang`, `hypothesis`,
/// `references` and `out`. Scores that depend on its hash seed may differ in the data flow; all else must be
/// equal.
#[test]
#[ignore = "needs rows of the program"]
fn live_rows_are_met() {
    let file = std::fs::read_to_string(std::env::var("CODEBLEU_ROWS").unwrap()).unwrap();
    let mut rows = 0;
    let mut flows = Vec::new();
    let mut others = Vec::new();
    for line in file.lines() {
        let row: Value = serde_json::from_str(line).unwrap();
        let language = Language::by_name("lang", row["lang"].as_str().unwrap()).unwrap();
        let row = serde_json::json!({
            "hypotheses": row["hypothesis"], "references": row["references"], "out": row["out"], "lang": row["lang"],
        });
        let stats = observed(language, NameColumns::Characters, &row);
        let score = CodeBleuScore::from_counts([0.25; 4], FlowZero::One, &stats, 1).unwrap();
        let out = |name: &str| row["out"][name].as_f64().unwrap_or(f64::NAN);
        rows += 1;
        let close = (score.weighted_ngram - out("weighted_ngram_match_score")).abs() < 1e-12;
        if score.ngram != out("ngram_match_score") || score.syntax != out("syntax_match_score") || !close {
            others.push(row.to_string());
        } else if score.data_flow != out("dataflow_match_score") {
            flows.push(format!("{} {row}", score.data_flow));
        }
    }
    println!("{rows} rows, {} with another data flow, {} otherwise different", flows.len(), others.len());
    others.iter().for_each(|row| println!("OTHER {row}"));
    flows.iter().for_each(|row| println!("FLOW {row}"));
    assert!(rows > 0 && others.is_empty());
}
