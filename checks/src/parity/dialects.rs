//! Dialects of BLEU on random corpora, against NLTK, bleuscore, pycocoevalcap and sacreBLEU from PyPI.
//!
//! HF evaluate is not among them: its BLEU is a script that it downloads when it is used.

use std::collections::BTreeMap;

use bleuprint::metrics::bleu::dialect::Agreement;
use bleuprint::metrics::gleu::GleuTies;
use bleuprint::metrics::{BleuStats, Dialect, Gleu};
use bleuprint::{Accumulator, Bleu, State};
use bleuprint_testkit::random::Rng;
use serde::Deserialize;
use serde_json::{Value, json};

use super::Comparison;
use super::python::Oracle;

/// The driver that answers for the programs.
const DRIVER: &str = include_str!("dialects.py");

/// Random corpora, each scored in every dialect at one order.
const CORPORA: usize = 2_000;

const SEED: u64 = 20_140_603;

/// Segments of tokens, each with its own references.
#[derive(Debug)]
struct Corpus {
    hypotheses: Vec<Vec<&'static str>>,
    references: Vec<Vec<Vec<&'static str>>>,
    order: usize,
}

/// What a program gives: the bits of its number, or what it raises.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Output {
    Bits(u64),
    Error(String),
}

/// Random corpora of a tiny alphabet, with ragged references, short and empty segments.
pub(super) fn random(comparison: &mut Comparison) -> Result<(), String> {
    let mut oracle = Oracle::start(&comparison.python, DRIVER)?;
    for (package, version) in oracle.about["programs"].as_object().into_iter().flatten() {
        match version {
            Value::Null => println!("  skipped: {package}, because it is not installed"),
            version => println!("  dialects against {package} {version}"),
        }
    }
    let mut rng = Rng::new(SEED);
    for _ in 0..comparison.cases(CORPORA) {
        let corpus = corpus(&mut rng);
        let question =
            json!({"hypotheses": corpus.hypotheses, "references": corpus.references, "order": corpus.order});
        let answer = oracle.ask(&question)?;
        let outputs: BTreeMap<String, Output> = serde_json::from_value(answer)
            .map_err(|error| format!("the oracle's answer has another shape: {error}"))?;
        for (name, theirs) in &outputs {
            let ours = ours(comparison, &corpus, name);
            let differences = difference(name, theirs, &ours).into_iter().collect::<Vec<_>>();
            comparison.report.case(&format!("dialect {name}"), &differences, || format!("{corpus:?}"));
        }
    }
    Ok(())
}

/// One corpus in three is a single sentence, so that dialects of sentences have their share.
fn corpus(rng: &mut Rng) -> Corpus {
    let segments = if rng.chance(333) { 1 } else { rng.between(2, 8) };
    let hypotheses: Vec<Vec<&str>> = (0..segments).map(|_| tokens(rng)).collect();
    let references = hypotheses.iter().map(|hypothesis| {
        let number = rng.between(1, 4);
        (0..number).map(|_| if rng.chance(600) { edited(hypothesis, rng) } else { tokens(rng) }).collect()
    });
    Corpus { references: references.collect(), hypotheses, order: *rng.pick(&[1, 2, 3, 4, 4, 4, 4, 5, 6, 7]) }
}

/// Words that every tokenizer leaves alone.
const WORDS: &[&str] = &["a", "b", "c", "d"];

fn tokens(rng: &mut Rng) -> Vec<&'static str> {
    let len = match rng.below(10) {
        0 => 0,
        1..=3 => rng.between(1, 4),
        _ => rng.between(4, 24),
    };
    (0..len).map(|_| *rng.pick(WORDS)).collect()
}

fn edited(hypothesis: &[&'static str], rng: &mut Rng) -> Vec<&'static str> {
    let mut reference = hypothesis.to_vec();
    for _ in 0..rng.between(0, 3) {
        let at = rng.below(reference.len() + 1);
        if rng.chance(500) || at == reference.len() {
            reference.insert(at, *rng.pick(WORDS));
        } else {
            reference.remove(at);
        }
    }
    reference
}

fn ours(comparison: &Comparison, corpus: &Corpus, name: &str) -> Result<f64, String> {
    if name == "gleu" {
        return gleu(corpus);
    }
    let dialect = Dialect::by_name(name).map_err(|error| error.to_string())?;
    let bleu = Bleu::builder().max_order(corpus.order).summation(comparison.ours.summation);
    let bleu = bleu.build().map_err(|error| error.to_string())?;
    let wider = Bleu::builder().max_order(dialect.order_to_observe(corpus.order)).build();
    let observed = observe(wider.map_err(|error| error.to_string())?, corpus)?;
    bleu.finalize_with(dialect, &observed).map(|scored| scored.score.value).map_err(|error| error.to_string())
}

fn observe(bleu: Bleu, corpus: &Corpus) -> Result<State<BleuStats>, String> {
    let mut observed = Accumulator::<_, [&str]>::new(bleu);
    for (hypothesis, references) in corpus.hypotheses.iter().zip(&corpus.references) {
        let references: Vec<&[&str]> = references.iter().map(Vec::as_slice).collect();
        observed.push(hypothesis, &references).map_err(|error| error.to_string())?;
    }
    Ok(observed.total().clone())
}

fn gleu(corpus: &Corpus) -> Result<f64, String> {
    // Of references that tie NLTK takes the first listed.
    let gleu = Gleu::new(1, corpus.order).map_err(|error| error.to_string())?.ties(GleuTies::First);
    let mut observed = Accumulator::<_, [&str]>::new(gleu);
    for (hypothesis, references) in corpus.hypotheses.iter().zip(&corpus.references) {
        let references: Vec<&[&str]> = references.iter().map(Vec::as_slice).collect();
        observed.push(hypothesis, &references).map_err(|error| error.to_string())?;
    }
    observed.score().map(|scored| scored.score.score).map_err(|error| error.to_string())
}

/// What is different, by the agreement that the dialect promises; two errors agree.
fn difference(name: &str, theirs: &Output, ours: &Result<f64, String>) -> Option<String> {
    let equal = match (theirs, ours) {
        (Output::Error(_), Err(_)) => true,
        (Output::Bits(theirs), Ok(ours)) => match Dialect::by_name(name).map(|dialect| dialect.agreement) {
            Ok(Agreement::Relative(tolerance)) => {
                let theirs = f64::from_bits(*theirs);
                (theirs - ours).abs() <= tolerance * theirs.abs().max(ours.abs())
            }
            _ => *theirs == ours.to_bits(),
        },
        _ => false,
    };
    let shown = match theirs {
        Output::Bits(bits) => format!("{:?} ({bits:#018x})", f64::from_bits(*bits)),
        Output::Error(error) => error.clone(),
    };
    (!equal).then(|| format!("{name}: theirs {shown}, ours {ours:?}"))
}
