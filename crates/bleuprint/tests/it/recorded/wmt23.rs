//! Real system outputs with sacreBLEU's exact results.

use bleuprint::inference::{Precision, ResamplePlan, Significance};
use bleuprint::text::FileText;
use bleuprint::{AnyMetric, Bleu, Case, Segment, State, Tokenized, TokenizerOptions, tokenizer};
use bleuprint_testkit::golden::GoldenRow;
use bleuprint_testkit::recorded;
use serde_json::Value;

use super::compare;

/// Scores of a system by sacreBLEU: rows over its first segments, or all.
struct System {
    expected: Value,
    hypotheses: FileText,
    references: Vec<FileText>,
}

impl System {
    fn segment(&self, index: usize) -> (&str, Vec<&str>) {
        (self.hypotheses.line(index), self.references.iter().map(|stream| stream.line(index)).collect())
    }

    fn row(&self, key: &str, spec: &str, segments: usize) -> GoldenRow {
        let texts = (0..segments).map(|index| self.segment(index)).map(|(hypothesis, references)| {
            (hypothesis.to_owned(), references.into_iter().map(str::to_owned).collect())
        });
        let (hypotheses, references) = texts.unzip();
        GoldenRow::new(&format!("{} {key}", self.expected["file"]), spec, hypotheses, references)
    }

    /// The results of a key, with its parts under our names.
    fn check(&self, key: &str, spec: &str, segments: usize, name: &str, parts: &[(&str, &str)]) {
        let mut row = self.row(key, spec, segments);
        let theirs = &self.expected[key];
        row.expected.score = theirs["score"].as_f64();
        row.expected.signature = Some(format!("{name}|{}", theirs["sig"].as_str().unwrap()));
        for (ours, part) in parts {
            row.expected.parts.insert((*ours).to_owned(), theirs[part].clone());
        }
        assert!(row.expected.score.is_some(), "{}", row.name);
        compare(&row);
    }
}

fn systems() -> Vec<System> {
    let folder = recorded::path("data/wmt23");
    let rows = std::fs::read_to_string(folder.join("expected.jsonl")).unwrap();
    rows.lines()
        .map(|row| {
            let expected: Value = serde_json::from_str(row).unwrap();
            let open = |name: &Value| {
                FileText::open(folder.join(name.as_str().unwrap()), Default::default()).unwrap()
            };
            let references: Vec<FileText> = expected["refs"].as_array().unwrap().iter().map(open).collect();
            let hypotheses = open(&expected["file"]);
            assert!(references.iter().all(|stream| stream.len() == hypotheses.len()));
            System { hypotheses, references, expected }
        })
        .collect()
}

#[test]
#[ignore = "needs the data beside the checkout"]
fn corpus_scores_are_sacrebleus_to_the_last_bit() {
    let parts = ["counts", "totals", "sys_len", "ref_len", "bp"].map(|part| (part, part));
    for system in systems() {
        for (key, options) in [
            ("bleu.none", "tokenize=none"),
            ("bleu.13a", "tokenize=13a"),
            ("bleu.13a.lc", "tokenize=13a,lowercase"),
            ("bleu.char", "tokenize=char"),
            ("bleu.intl", "tokenize=intl"),
            ("bleu.zh", "tokenize=zh"),
        ] {
            system.check(key, &format!("bleu:{options}"), system.hypotheses.len(), "BLEU", &parts);
        }
    }
}

#[test]
#[ignore = "needs the data beside the checkout"]
fn sentence_scores_are_sacrebleus_to_the_last_bit() {
    let mut compared = 0;
    for system in systems() {
        let theirs = system.expected["sbleu.13a.first50"].as_array().unwrap();
        let mut row = system.row("sbleu.13a.first50", "bleu:tokenize=13a,effective-order", theirs.len());
        row.expected.sentences = theirs.iter().map(|score| vec![score.as_f64().unwrap()]).collect();
        compare(&row);
        compared += theirs.len();
    }
    assert_eq!(compared, 600);
}

#[test]
#[ignore = "needs the data beside the checkout"]
fn chrf_scores_are_sacrebleus_to_the_last_bit() {
    for system in systems() {
        for (key, spec, name) in [
            ("chrf", "chrf", "chrF2"),
            ("chrfpp", "chrf:word-order=2", "chrF2++"),
            ("chrf.eps", "chrf:eps-smoothing", "chrF2"),
            ("chrf.ws.lc", "chrf:whitespace,chrf-lowercase", "chrF2"),
        ] {
            system.check(key, spec, system.hypotheses.len(), name, &[]);
        }
    }
}

#[test]
#[ignore = "needs the data beside the checkout"]
fn ter_is_sacrebleus_to_the_last_bit() {
    let variants = [
        ("ter", "ter"),
        ("ter.norm", "ter:normalized"),
        ("ter.norm.asian.nopunct", "ter:normalized,asian-support,no-punct"),
    ];
    let mut compared = 0;
    for system in systems() {
        for ((variant, spec), first) in variants.iter().flat_map(|variant| [(variant, 30), (variant, 100)]) {
            let key = format!("{variant}.first{first}");
            if !system.expected[&key].is_null() {
                let parts = [("num_edits", "edits"), ("ref_length", "ref_length")];
                system.check(&key, spec, first, "TER", &parts);
                compared += 1;
            }
        }
    }
    assert_eq!(compared, 36);
}

/// The interval of 200 resamples, as `--confidence-n 200` prints it.
#[test]
#[ignore = "needs the data beside the checkout"]
fn intervals_are_sacrebleus_to_the_last_bit() {
    let tokens = || tokenizer("13a", &TokenizerOptions::default()).unwrap();
    let mut compared = 0;
    for system in systems() {
        let bleu = Tokenized::new(Bleu::default(), tokens(), Case::Mixed).unwrap();
        let bleu = AnyMetric::for_text(bleu);
        let observe = |index: usize| {
            let (hypothesis, references) = system.segment(index);
            State::of_segment(&bleu, &mut Default::default(), Segment::new(hypothesis, &references)).unwrap()
        };
        let states: Vec<_> = (0..system.hypotheses.len()).map(observe).collect();
        let tests = Significance::new(&bleu, [&states], Precision::Sacrebleu).unwrap();
        let interval = tests.confidence(ResamplePlan::new(200)).unwrap()[0].interval.unwrap();
        let expected = &system.expected["bleu.13a.ci200"];
        let theirs = [&expected[0], &expected[1]].map(|number| number.as_f64().unwrap().to_bits());
        let label = &system.expected["file"];
        assert_eq!([interval.mean, interval.half_width].map(f64::to_bits), theirs, "{label}");
        compared += 1;
    }
    assert_eq!(compared, 12);
}
