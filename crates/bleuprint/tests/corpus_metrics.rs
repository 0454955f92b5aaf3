//! Distinct-n, NIST, CIDEr and SARI through the library's doors: golden data and recorded rows of the programs, from text
//! by way of the registry and a panel, in one or two passes.
#![allow(clippy::print_stderr, reason = "how much was compared, and what was skipped, is worth knowing")]

use bleuprint::eval::{ChosenTokens, Panel, PanelState};
use bleuprint::{Accumulator, Case, Segment, TokenizerOptions, registry, tokenizer};
use serde::Deserialize;
use serde_json::Value;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Golden {
    #[allow(dead_code, reason = "for readers of the data")]
    source: String,
    /// Relative where the score is above 1.
    tolerance: f64,
    cases: Vec<Corpus>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Corpus {
    name: String,
    metric: String,
    #[serde(default)]
    sources: Vec<String>,
    hypotheses: Vec<String>,
    references: Vec<Vec<String>>,
    score: Option<f64>,
}

impl Corpus {
    /// Hands every segment to `look`.
    fn each(&self, mut look: impl FnMut(Segment<'_, str>)) {
        for (index, (hypothesis, references)) in self.hypotheses.iter().zip(&self.references).enumerate() {
            let references: Vec<&str> = references.iter().map(String::as_str).collect();
            let source = self.sources.get(index).map(String::as_str);
            let segment = Segment::new(hypothesis.as_str(), &references);
            look(source.map_or(segment, |source| segment.with_source(source)));
        }
    }

    /// The score at the run-time door, over tokens split at spaces where the metric has none of its own, and the state.
    fn observed(&self) -> (Panel, PanelState) {
        let metric = registry().build(&self.metric).unwrap();
        let tokens = tokenizer("none", &TokenizerOptions::default()).unwrap();
        let mut panel = Panel::new([metric], &ChosenTokens::new(tokens, Case::Mixed)).unwrap();
        let observed = |panel: &Panel| {
            let mut corpus = Accumulator::<&Panel, str>::new(panel);
            self.each(|segment| corpus.add(segment).unwrap());
            corpus.into_total()
        };
        if let Some(first) = panel.first_pass() {
            panel = panel.second_pass(&observed(&first)).unwrap();
        }
        let state = observed(&panel);
        (panel, state)
    }

    fn score(&self) -> Option<f64> {
        let (panel, state) = self.observed();
        panel.scores(&state).ok().map(|scores| scores[0].score.value)
    }
}

fn near(ours: Option<f64>, theirs: Option<f64>, tolerance: f64) -> bool {
    match (ours, theirs) {
        (Some(ours), Some(theirs)) => (ours - theirs).abs() <= tolerance * theirs.abs().max(1.0),
        (ours, theirs) => ours.is_none() && theirs.is_none(),
    }
}

fn golden(text: &str) {
    let golden: Golden = serde_json::from_str(text).unwrap();
    for case in &golden.cases {
        let ours = case.score();
        assert!(near(ours, case.score, golden.tolerance), "{}: {ours:?}, not {:?}", case.name, case.score);
    }
}

#[test]
fn distinct_golden() {
    golden(include_str!("../../testkit/data/distinct/golden.json"));
}

#[test]
fn nist_golden() {
    golden(include_str!("../../testkit/data/nist/golden.json"));
}

#[test]
fn cider_golden() {
    golden(include_str!("../../testkit/data/cider/golden.json"));
}

#[test]
fn sari_golden() {
    golden(include_str!("../../testkit/data/sari/golden.json"));
}

/// The states of two halves, merged in either order, are that of the corpus: stored alike, and scored alike.
#[test]
fn halves_merge_to_the_whole() {
    for text in [
        include_str!("../../testkit/data/distinct/golden.json"),
        include_str!("../../testkit/data/nist/golden.json"),
        include_str!("../../testkit/data/cider/golden.json"),
        include_str!("../../testkit/data/sari/golden.json"),
    ] {
        let golden: Golden = serde_json::from_str(text).unwrap();
        for case in golden.cases.iter().filter(|case| case.hypotheses.len() > 1) {
            let (panel, whole) = case.observed();
            let mut halves = [(); 2].map(|()| Accumulator::<&Panel, str>::new(&panel));
            let mut count = 0;
            case.each(|segment| {
                let half = usize::from(2 * count >= case.hypotheses.len());
                halves[half].add(segment).unwrap();
                count += 1;
            });
            let stored = |state: &PanelState| serde_json::to_string(state).unwrap();
            for (left, right) in [(0, 1), (1, 0)] {
                let mut merged = halves[left].total().clone();
                merged.merge(halves[right].total()).unwrap();
                assert_eq!(stored(&merged), stored(&whole), "{}", case.name);
                assert_eq!(panel.scores(&merged), panel.scores(&whole), "{}", case.name);
            }
        }
    }
}

/// Rows of other programs' outputs, beside the checkout; none where they are not there.
fn recorded() -> Vec<Value> {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared/spec/other-metrics-golden.json");
    let Ok(text) = std::fs::read_to_string(path) else {
        eprintln!("skipped: the recorded rows, because they are not there");
        return Vec::new();
    };
    let file: Value = serde_json::from_str(&text).unwrap();
    file["rows"].as_array().cloned().unwrap_or_default()
}

fn corpus(row: &Value, metric: &str) -> Corpus {
    let texts = |value: &Value| serde_json::from_value(value.clone()).unwrap_or_default();
    Corpus {
        name: row.to_string(),
        metric: metric.to_owned(),
        sources: texts(&row["sources"]),
        hypotheses: texts(&row["hypotheses"]),
        references: serde_json::from_value(row["references"].clone()).unwrap_or_default(),
        score: None,
    }
}

#[test]
fn recorded_rows_of_mteval() {
    let mut compared = 0;
    for row in recorded() {
        if row["metric"] != "nist" || !row["program"].as_str().unwrap_or_default().starts_with("mteval") {
            continue;
        }
        for order in [1, 2, 5, 9] {
            let corpus = corpus(&row, &format!("nist:order={order},dialect=mteval"));
            let theirs = row["outputs"]["cumulative_1_9"][order - 1].as_f64();
            let ours = corpus.score();
            assert!(near(ours, theirs, 1e-12), "order {order}: {ours:?}, not {theirs:?}: {row}");
            compared += 1;
        }
    }
    eprintln!("{compared} scores of mteval compared");
}

#[test]
fn recorded_rows_of_sari() {
    let mut compared = 0;
    for row in recorded() {
        let variants: &[(&str, &str)] = match row["metric"].as_str() {
            Some("sari") => &[("sari", "sari")],
            Some("sari-easse") => &[
                ("macro_f1del", "sari:dialect=easse"),
                ("macro_pdel", "sari:dialect=easse,deletion-precision"),
                ("paper_f1del", "sari:dialect=easse,average-first"),
                ("paper_pdel", "sari:dialect=easse,average-first,deletion-precision"),
            ],
            _ => continue,
        };
        for (output, metric) in variants {
            let (Some(theirs), corpus) = (row["outputs"][output].as_f64(), corpus(&row, metric)) else {
                continue;
            };
            if corpus.references.iter().any(Vec::is_empty) {
                eprintln!("left out: without references HF evaluate gives nonsense, and we refuse");
                continue;
            }
            let ours = corpus.score();
            assert!(near(ours, Some(theirs), 1e-14), "{metric}: {ours:?}, not {theirs:?}: {row}");
            compared += 1;
        }
    }
    eprintln!("{compared} scores of HF evaluate and EASSE compared");
}

#[test]
fn recorded_rows_of_nltk_and_pycocoevalcap() {
    let mut compared = 0;
    for row in recorded() {
        let (metric, output, tolerance) = match (row["metric"].as_str(), row["options"]["n"].as_u64()) {
            (Some("nist"), Some(order)) => (format!("nist:order={order},dialect=nltk"), "nist", 1e-12),
            (Some("cider-d"), Some(4)) => {
                (format!("cider_d:sigma={}", row["options"]["sigma"]), "corpus", 1e-9)
            }
            (Some("cider"), _) => ("cider".to_owned(), "corpus", 1e-9),
            _ => continue,
        };
        let (ours, theirs) = (corpus(&row, &metric).score(), row["outputs"][output].as_f64());
        assert!(near(ours, theirs, tolerance), "{metric}: {ours:?}, not {theirs:?}: {row}");
        compared += 1;
    }
    eprintln!("{compared} scores of NLTK and pycocoevalcap compared");
}

#[test]
fn recorded_rows_of_distinct() {
    let mut compared = 0;
    for row in recorded().iter().filter(|row| row["metric"] == "distinct") {
        for order in 1..=3 {
            let outputs = &row["outputs"][format!("distinct{order}")];
            for (output, option) in [
                ("corpus", ""),
                ("mean", ",mean"),
                ("ead_V10", ",vocabulary=10"),
                ("ead_V50", ",vocabulary=50"),
            ] {
                let mut corpus = corpus(row, &format!("distinct:order={order}{option}"));
                corpus.references = vec![Vec::new(); corpus.hypotheses.len()];
                let (ours, theirs) = (corpus.score(), outputs[output].as_f64());
                assert!(near(ours, theirs, 1e-14), "{output}: {ours:?}, not {theirs:?}: {row}");
                compared += 1;
            }
        }
    }
    eprintln!("{compared} values of distinct-n compared");
}
