//! Real system outputs with sacreBLEU's exact results, where they are present beside the checkout.

#![allow(clippy::print_stderr, reason = "a skipped test says so")]

use std::path::{Path, PathBuf};

use bleuprint::inference::Plan;
use bleuprint::inference::{Precision, Significance, rows_of};
use bleuprint::text::Text;
use bleuprint::{
    Accumulator, AnyMetric, Bleu, Case, Chrf, ChrfBuilder, Metric, Segment, State, TokenSpace, Tokenized,
    TokenizerOptions, tokenizer,
};
use serde_json::Value;

/// The folder of the data; none where it is absent, as in a clone of the project alone.
fn data() -> Option<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data/wmt23");
    if folder.is_dir() {
        return Some(folder);
    }
    eprintln!("skipped: there is no {}", folder.display());
    None
}

struct System {
    expected: Value,
    hypotheses: Text,
    references: Vec<Text>,
}

impl System {
    fn segment(&self, index: usize) -> (&str, Vec<&str>) {
        (self.hypotheses.line(index), self.references.iter().map(|stream| stream.line(index)).collect())
    }
}

fn systems(folder: &Path) -> Vec<System> {
    let rows = std::fs::read_to_string(folder.join("expected.jsonl")).unwrap();
    rows.lines()
        .map(|row| {
            let expected: Value = serde_json::from_str(row).unwrap();
            let open = |name: &Value| Text::open(folder.join(name.as_str().unwrap())).unwrap();
            let references: Vec<Text> = expected["refs"].as_array().unwrap().iter().map(open).collect();
            let hypotheses = open(&expected["file"]);
            assert!(references.iter().all(|stream| stream.len() == hypotheses.len()));
            System { hypotheses, references, expected }
        })
        .collect()
}

fn metric(name: &str, case: Case, bleu: Bleu) -> Tokenized<Bleu, Box<dyn bleuprint::Tokenizer>> {
    Tokenized::new(bleu, tokenizer(name, &TokenizerOptions::default()).unwrap(), case).unwrap()
}

fn corpus_equals(system: &System, key: &str, name: &str, case: Case) {
    let mut accumulator = Accumulator::<_, str>::new(metric(name, case, Bleu::default()));
    for index in 0..system.hypotheses.len() {
        let (hypothesis, references) = system.segment(index);
        accumulator.push(hypothesis, &references).unwrap();
    }
    let scored = accumulator.score().unwrap();
    let (score, expected) = (scored.score, &system.expected[key]);
    let label = format!("{} {key}", system.expected["file"]);
    assert_eq!(serde_json::json!(score.clipped.to_vec()), expected["counts"], "{label}");
    assert_eq!(serde_json::json!(score.total.to_vec()), expected["totals"], "{label}");
    assert_eq!(score.hyp_len, expected["sys_len"].as_u64().unwrap(), "{label}");
    assert_eq!(score.ref_len, expected["ref_len"].as_f64().unwrap(), "{label}");
    assert_eq!(score.brevity_penalty.to_bits(), expected["bp"].as_f64().unwrap().to_bits(), "{label}");
    assert_eq!(score.score.to_bits(), expected["score"].as_f64().unwrap().to_bits(), "{label}");
    let theirs = expected["sig"].as_str().unwrap().replace("2.6.0", bleuprint::VERSION);
    assert_eq!(scored.signature.body(), theirs, "{label}");
}

#[test]
fn corpus_scores_are_sacrebleus_to_the_last_bit() {
    let Some(folder) = data() else { return };
    for system in systems(&folder) {
        for (key, name, case) in [
            ("bleu.none", "none", Case::Mixed),
            ("bleu.13a", "13a", Case::Mixed),
            ("bleu.13a.lc", "13a", Case::Lower),
            ("bleu.char", "char", Case::Mixed),
            ("bleu.intl", "intl", Case::Mixed),
            ("bleu.zh", "zh", Case::Mixed),
        ] {
            corpus_equals(&system, key, name, case);
        }
    }
}

#[test]
fn sentence_scores_are_sacrebleus_to_the_last_bit() {
    let Some(folder) = data() else { return };
    let mut compared = 0;
    for system in systems(&folder) {
        let sentence = metric("13a", Case::Mixed, Bleu::default().sentence());
        let mut accumulator = Accumulator::<_, str>::new(&sentence);
        for (index, expected) in system.expected["sbleu.13a.first50"].as_array().unwrap().iter().enumerate() {
            let (hypothesis, references) = system.segment(index);
            let segment = accumulator.push(hypothesis, &references).unwrap();
            let score = accumulator.score_of(&segment).unwrap().score.score;
            assert_eq!(
                score.to_bits(),
                expected.as_f64().unwrap().to_bits(),
                "{} {index}",
                system.expected["file"]
            );
            compared += 1;
        }
    }
    assert_eq!(compared, 600);
}

fn chrf_equals(system: &System, key: &str, chrf: ChrfBuilder, case: Case) {
    let chrf = chrf.build().unwrap().over(TokenSpace::text(case));
    let cased = |line: &str| {
        let mut lowered = line.to_owned();
        if case == Case::Lower {
            bleuprint::text::lowercase(line, &mut lowered);
        }
        lowered
    };
    let mut accumulator = Accumulator::<_, str>::new(&chrf);
    for index in 0..system.hypotheses.len() {
        let (hypothesis, references) = system.segment(index);
        let references: Vec<String> = references.into_iter().map(cased).collect();
        let references: Vec<&str> = references.iter().map(String::as_str).collect();
        accumulator.push(&cased(hypothesis), &references).unwrap();
    }
    let scored = accumulator.score().unwrap();
    let expected = &system.expected[key];
    let label = format!("{} {key}", system.expected["file"]);
    assert_eq!(scored.score.score.to_bits(), expected["score"].as_f64().unwrap().to_bits(), "{label}");
    let theirs = expected["sig"].as_str().unwrap().replace("2.6.0", bleuprint::VERSION);
    assert_eq!(scored.signature.body(), theirs, "{label}");
}

#[test]
fn chrf_scores_are_sacrebleus_to_the_last_bit() {
    let Some(folder) = data() else { return };
    for system in systems(&folder) {
        chrf_equals(&system, "chrf", Chrf::builder(), Case::Mixed);
        chrf_equals(&system, "chrfpp", Chrf::builder().word_order(2), Case::Mixed);
        chrf_equals(&system, "chrf.eps", Chrf::builder().eps_smoothing(true), Case::Mixed);
        chrf_equals(&system, "chrf.ws.lc", Chrf::builder().whitespace(true), Case::Lower);
    }
}

/// The interval of 200 resamples, as `--confidence-n 200` prints it.
#[test]
fn intervals_are_sacrebleus_to_the_last_bit() {
    let Some(folder) = data() else { return };
    let mut compared = 0;
    for system in systems(&folder) {
        let bleu = AnyMetric::over_text(metric("13a", Case::Mixed, Bleu::default()));
        let observe = |index: usize| {
            let (hypothesis, references) = system.segment(index);
            State::of_segment(&bleu, &mut Default::default(), Segment::new(hypothesis, &references)).unwrap()
        };
        let states: Vec<_> = (0..system.hypotheses.len()).map(observe).collect();
        let rows = rows_of(&bleu, &states).unwrap();
        let tests = Significance::new(&bleu, Precision::Sacrebleu).unwrap();
        let interval = tests.confidence(&rows, Plan::of(200)).unwrap();
        let expected = &system.expected["bleu.13a.ci200"];
        let theirs = [&expected[0], &expected[1]].map(|number| number.as_f64().unwrap().to_bits());
        let label = &system.expected["file"];
        assert_eq!([interval.mean, interval.half_width].map(f64::to_bits), theirs, "{label}");
        compared += 1;
    }
    assert_eq!(compared, 12);
}
