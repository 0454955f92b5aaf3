//! chrF against what sacreBLEU prints: statistics, scores and signatures of our golden cases, to the last bit.
#![allow(clippy::print_stderr, reason = "how many values were compared is worth knowing")]

use std::fs;
use std::path::Path;

use bleuprint_core::{Accumulator, AnySegment, Case, Linear, MetricOptions, Segment, TokenSpace};
use bleuprint_metrics::{Chrf, registry};
use serde::Deserialize;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Golden {
    #[allow(dead_code, reason = "for readers")]
    source: String,
    case: Vec<GoldenCase>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct GoldenCase {
    name: String,
    #[serde(default)]
    hypotheses: Vec<String>,
    /// Streams.
    #[serde(default)]
    references: Vec<Vec<Option<String>>>,
    files: Option<Files>,
    options: Options,
    expected: Expected,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Files {
    hypotheses: String,
    references: Vec<String>,
}

/// sacreBLEU's names and defaults.
#[derive(Deserialize)]
#[serde(deny_unknown_fields, default)]
struct Options {
    char_order: usize,
    word_order: usize,
    beta: f64,
    lowercase: bool,
    whitespace: bool,
    eps_smoothing: bool,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Expected {
    name: String,
    score: f64,
    statistics: Vec<u64>,
    signature: String,
    short: String,
    #[serde(default)]
    sentences: Vec<f64>,
}

impl Default for Options {
    fn default() -> Self {
        Options {
            char_order: 6,
            word_order: 0,
            beta: 2.0,
            lowercase: false,
            whitespace: false,
            eps_smoothing: false,
        }
    }
}

impl Options {
    fn metric(&self) -> Chrf {
        let builder = Chrf::builder()
            .char_order(self.char_order)
            .word_order(self.word_order)
            .beta(self.beta)
            .whitespace(self.whitespace)
            .eps_smoothing(self.eps_smoothing);
        builder.build().unwrap()
    }

    /// As on a command line.
    fn given(&self) -> MetricOptions {
        let yes_or_no = |flag| if flag { "yes" } else { "no" };
        MetricOptions::new()
            .with("chrf-char-order", &self.char_order.to_string())
            .with("chrf-word-order", &self.word_order.to_string())
            .with("chrf-beta", &self.beta.to_string())
            .with("chrf-whitespace", yes_or_no(self.whitespace))
            .with("chrf-eps-smoothing", yes_or_no(self.eps_smoothing))
    }
}

impl GoldenCase {
    /// The texts of each segment, lower-cased if need be: what the owner of the case does.
    fn segments(&self) -> Vec<(String, Vec<String>)> {
        let cased = |text: &String| if self.options.lowercase { text.to_lowercase() } else { text.clone() };
        let examples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/data");
        let lines = |name: &String| {
            let text = fs::read_to_string(examples.join(name)).unwrap();
            text.lines().map(str::to_owned).collect::<Vec<String>>()
        };
        let (hypotheses, references) = match &self.files {
            None => (self.hypotheses.clone(), self.references.clone()),
            Some(files) => {
                let stream = |name| lines(name).into_iter().map(Some).collect();
                (lines(&files.hypotheses), files.references.iter().map(stream).collect())
            }
        };
        let segment = |(i, hypothesis): (usize, &String)| {
            let references = references.iter().filter_map(|stream: &Vec<Option<String>>| stream[i].as_ref());
            (cased(hypothesis), references.map(cased).collect())
        };
        hypotheses.iter().enumerate().map(segment).collect()
    }

    fn compare(&self) {
        let (name, expected) = (&self.name, &self.expected);
        let metric = self.options.metric();
        let case = if self.options.lowercase { Case::Lower } else { Case::Mixed };
        let mut corpus = Accumulator::<_, str>::new(metric);
        let any = registry().get("chrf").unwrap().build(&self.options.given()).unwrap();
        let any = any.over(TokenSpace::text(case));
        let (mut scratch, mut state) = (any.scratch(), any.zero());
        for (i, (hypothesis, references)) in self.segments().iter().enumerate() {
            let references: Vec<&str> = references.iter().map(String::as_str).collect();
            let segment = corpus.push(hypothesis, &references).unwrap();
            if let Some(sentence) = expected.sentences.get(i) {
                let score = segment.score(&metric).unwrap().score.score;
                assert_eq!(score.to_bits(), sentence.to_bits(), "{name}, segment {i}: {score} {sentence}");
            }
            let segment = AnySegment::Text(Segment::new(hypothesis, &references));
            any.observe(&mut scratch, &mut state, segment).unwrap();
        }
        assert_eq!(corpus.total().stats().row(), expected.statistics, "{name}");
        let score = corpus.score().unwrap().score.score;
        assert_eq!(score.to_bits(), expected.score.to_bits(), "{name}: {score} {}", expected.score);
        let scored = any.score(&state).unwrap();
        assert_eq!(scored.score.value.to_bits(), expected.score.to_bits(), "{name}, at run time");
        assert_eq!(scored.score.name, expected.name, "{name}");
        // The version is each program's own.
        let ours = scored.signature.to_string();
        let theirs = expected.signature.strip_suffix("version:2.6.0").unwrap();
        assert!(ours.starts_with(&format!("{}|{theirs}version:", expected.name)), "{name}: {ours} {theirs}");
        let (ours, theirs) = (scored.signature.short(), expected.short.strip_suffix("v:2.6.0").unwrap());
        assert!(ours.starts_with(&format!("{theirs}v:")), "{name}: {ours} {theirs}");
    }
}

#[test]
fn golden_cases_have_the_bits() {
    let golden = concat!(env!("CARGO_MANIFEST_DIR"), "/../testkit/data/chrf/golden.json");
    let golden: Golden = serde_json::from_str(&fs::read_to_string(golden).unwrap()).unwrap();
    golden.case.iter().for_each(GoldenCase::compare);
    eprintln!("{} cases compared", golden.case.len());
    assert!(golden.case.len() > 200);
}
