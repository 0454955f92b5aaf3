//! NIST, CIDEr-D and SARI on random corpora, against NLTK, pycocoevalcap, and the functions of HF evaluate's SARI.
//!
//! HF evaluate downloads its script when it is used; gem-metrics-fork has the same functions on PyPI, and is used where it
//! is installed: `pip install --no-deps gem-metrics-fork==0.1.dev0` and `pip install sacremoses` in the environment of
//! this chore. EASSE is not on PyPI. mteval is a Perl script that is not there either.

use bleuprint::metrics::cider::ReferenceDocuments;
use bleuprint::metrics::nist::{Information, ReferenceNgrams, Rules};
use bleuprint::{Accumulator, Cider, InputError, Nist, Observe, Sari, Score, Segment};
use bleuprint_testkit::random::Rng;
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::Comparison;
use super::python::Oracle;

/// The driver that answers for the programs.
const DRIVER: &str = concat!(include_str!("programs.py"), include_str!("corpus_metrics.py"));

/// How many scores are compared for each program.
const SCORES: usize = 100_000;

/// Corpora per question.
const BATCH: usize = 500;

const SEED: u64 = 20_020_324;

/// A program, and what we compare with it.
struct Program {
    name: &'static str,
    /// Relative where the score is above 1; 0 for equal bits.
    tolerance: f64,
    ours: fn(&Corpus) -> Result<Vec<f64>, InputError>,
}

const PROGRAMS: &[Program] = &[
    Program { name: "nist", tolerance: 1e-12, ours: nist },
    Program { name: "cider_d", tolerance: 1e-9, ours: cider },
    Program { name: "sari", tolerance: 0.0, ours: sari },
];

/// Segments of texts whose words are split at spaces.
#[derive(Debug, Serialize)]
struct Corpus {
    sources: Vec<String>,
    hypotheses: Vec<String>,
    references: Vec<Vec<String>>,
    order: usize,
}

/// What a program gives: the bits of its scores, or what it raises.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Output {
    Bits(Vec<u64>),
    Error(String),
}

/// Random corpora of a tiny alphabet, with ragged references, short and empty segments.
pub(super) fn random(comparison: &mut Comparison) -> Result<(), String> {
    let mut oracle = Oracle::start(&comparison.python, DRIVER)?;
    for program in PROGRAMS {
        let Some(version) = oracle.about["programs"][program.name].as_str().map(str::to_owned) else {
            println!("  skipped: {}, because its program is not installed", program.name);
            continue;
        };
        compare(comparison, &mut oracle, program, &version)?;
    }
    Ok(())
}

fn compare(
    comparison: &mut Comparison,
    oracle: &mut Oracle,
    program: &Program,
    version: &str,
) -> Result<(), String> {
    let kind = format!("{} of {version}", program.name);
    let (mut rng, mut compared) = (Rng::new(SEED), 0);
    while compared < comparison.cases(SCORES) {
        let corpora: Vec<Corpus> = (0..BATCH).map(|_| corpus(&mut rng)).collect();
        let answer = oracle.ask(&json!({"program": program.name, "corpora": corpora}))?;
        let outputs: Vec<Output> = serde_json::from_value(answer)
            .map_err(|error| format!("the oracle's answer has another shape: {error}"))?;
        for (corpus, theirs) in corpora.iter().zip(&outputs) {
            let ours = (program.ours)(corpus);
            for differences in differences(theirs, &ours, program.tolerance) {
                comparison.report.case(&kind, &differences, || json!(corpus).to_string());
                compared += 1;
            }
        }
    }
    Ok(())
}

/// One list of differences for each score; two errors agree.
fn differences(theirs: &Output, ours: &Result<Vec<f64>, InputError>, tolerance: f64) -> Vec<Vec<String>> {
    match (theirs, ours) {
        (Output::Error(_), Err(_)) => vec![vec![]],
        (Output::Error(theirs), Ok(ours)) => vec![vec![format!("theirs {theirs}, ours {ours:?}")]],
        (Output::Bits(theirs), Ok(ours)) if theirs.len() == ours.len() => {
            let one = |(&theirs, &ours): (&u64, &f64)| {
                let value = f64::from_bits(theirs);
                let near = (value - ours).abs() <= tolerance * value.abs().max(1.0);
                if theirs == ours.to_bits() || tolerance > 0.0 && near || value == 0.0 && ours == 0.0 {
                    vec![]
                } else {
                    vec![format!("theirs {value:?}, ours {ours:?}")]
                }
            };
            theirs.iter().zip(ours).map(one).collect()
        }
        _ => vec![vec![format!("theirs {theirs:?}, ours {ours:?}")]],
    }
}

type Words<'a> = Vec<&'a str>;

fn words(text: &str) -> Words<'_> {
    text.split_whitespace().collect()
}

/// Hands each segment to `look`.
fn each<'a, R>(corpus: &'a Corpus, mut look: impl FnMut(Segment<'_, [&'a str]>) -> R) -> Vec<R> {
    let texts = corpus.sources.iter().zip(&corpus.hypotheses).zip(&corpus.references);
    let one = |((source, hypothesis), references): ((&'a String, &'a String), &'a Vec<String>)| {
        let (source, hypothesis) = (words(source), words(hypothesis));
        let references: Vec<Words<'_>> = references.iter().map(|text| words(text)).collect();
        let references: Vec<&[&str]> = references.iter().map(Vec::as_slice).collect();
        look(Segment::new(&hypothesis[..], &references).with_source(&source[..]))
    };
    texts.map(one).collect()
}

fn nist(corpus: &Corpus) -> Result<Vec<f64>, InputError> {
    let order = ReferenceNgrams::new(corpus.order).unwrap_or_default();
    let mut first = Accumulator::<_, [&str]>::new(order);
    each(corpus, |segment| first.add(segment)).into_iter().collect::<Result<Vec<_>, _>>()?;
    let mut second = Accumulator::new(Nist::new(Information::new(first.total().stats(), Rules::Nltk)));
    each(corpus, |segment| second.add(segment)).into_iter().collect::<Result<Vec<_>, _>>()?;
    Ok(vec![second.score()?.score.value()])
}

fn cider(corpus: &Corpus) -> Result<Vec<f64>, InputError> {
    let mut first = Accumulator::<_, [&str]>::new(ReferenceDocuments::default());
    each(corpus, |segment| first.add(segment)).into_iter().collect::<Result<Vec<_>, _>>()?;
    of_segments(Cider::d(first.total().stats()), corpus)
}

fn sari(corpus: &Corpus) -> Result<Vec<f64>, InputError> {
    of_segments(Sari, corpus)
}

/// The score of each segment by itself.
fn of_segments<'a, M>(metric: M, corpus: &'a Corpus) -> Result<Vec<f64>, InputError>
where
    M: Observe<[&'a str]>,
    M::Score: Score,
{
    let mut observed = Accumulator::new(&metric);
    let states = each(corpus, |segment| observed.push_segment(segment));
    states.into_iter().map(|state| Ok(state?.score(&metric)?.score.value())).collect()
}

/// Words that every tokenizer leaves alone.
const WORDS: &[&str] = &["a", "b", "c", "d", "e", "0"];

fn corpus(rng: &mut Rng) -> Corpus {
    let segments = if rng.chance(300) { 1 } else { rng.between(2, 6) };
    let sources: Vec<Vec<&str>> = (0..segments).map(|_| tokens(rng)).collect();
    let mut like =
        |source: &Vec<&'static str>| if rng.chance(750) { edited(source, rng) } else { tokens(rng) };
    let hypotheses: Vec<Vec<&str>> = sources.iter().map(&mut like).collect();
    let number = rng.between(1, 3);
    let mut like =
        |source: &Vec<&'static str>| if rng.chance(750) { edited(source, rng) } else { tokens(rng) };
    let references =
        sources.iter().map(|source| (0..number).map(|_| like(source).join(" ")).collect()).collect();
    let texts = |all: &[Vec<&str>]| all.iter().map(|words| words.join(" ")).collect();
    Corpus {
        sources: texts(&sources),
        hypotheses: texts(&hypotheses),
        references,
        order: *rng.pick(&[1, 2, 3, 4, 5, 5, 5]),
    }
}

fn tokens(rng: &mut Rng) -> Vec<&'static str> {
    let len = match rng.below(12) {
        0 => 0,
        1..=3 => rng.between(1, 4),
        _ => rng.between(4, 20),
    };
    (0..len).map(|_| *rng.pick(WORDS)).collect()
}

fn edited(text: &[&'static str], rng: &mut Rng) -> Vec<&'static str> {
    let mut edited = text.to_vec();
    for _ in 0..rng.between(0, 4) {
        let at = rng.below(edited.len() + 1);
        if rng.chance(500) || at == edited.len() {
            edited.insert(at, *rng.pick(WORDS));
        } else {
            edited.remove(at);
        }
    }
    edited
}
