//! Compares chrF on random corpora and on real system outputs: corpus and sentence level, every option.

use std::rc::Rc;

use bleuprint::{Accumulator, Case, Chrf, Metric, TokenSpace, contract::Linear};
use bleuprint_testkit::random::Rng;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use xtask::Result;

use super::corpus::{self, ParityCorpus};
use super::outcome::{FloatBits, ParityReport, differences};
use super::sacrebleu::real_data;
use super::topic::{ParityTopic, PartSize, SinglePart, TopicNeeds, given_part};
use super::{DRIVER, ours};

#[derive(Debug, Clone, Copy, Serialize)]
struct ChrfOptions {
    char_order: usize,
    word_order: usize,
    beta: f64,
    lowercase: bool,
    whitespace: bool,
    eps_smoothing: bool,
}

#[derive(Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
struct ChrfOutcome {
    statistics: Vec<u64>,
    score: FloatBits,
    sentences: Vec<FloatBits>,
    /// Signature with the metric's name and without the version.
    signature: String,
}

const CHRF: ChrfOptions = ChrfOptions {
    char_order: 6,
    word_order: 0,
    beta: 2.0,
    lowercase: false,
    whitespace: false,
    eps_smoothing: false,
};

pub(super) const RANDOM: ParityTopic = ParityTopic {
    script: DRIVER,
    needs: TopicNeeds::Nothing,
    seed: 20_150_917,
    parts: |_, _| {
        let mut number = 0_usize;
        let draw = move |rng: &mut Rng| {
            number += 1;
            // Half of the corpora have words, half characters.
            let corpus = if number.is_multiple_of(2) { corpus::random(rng) } else { characters(rng) };
            let any_beta = rng.below(1 << 20) as f64 / 1e4;
            let options = ChrfOptions {
                char_order: *rng.pick(&[6, 6, 6, 1, 2, 3, 4, 8, 9]),
                word_order: *rng.pick(&[0, 0, 2, 2, 1, 3]),
                beta: *rng.pick(&[2.0, 2.0, 1.0, 3.0, 0.5, 0.0, any_beta]),
                lowercase: rng.chance(200),
                whitespace: rng.chance(300),
                eps_smoothing: rng.chance(300),
            };
            let corpus = Rc::new(corpus);
            ChrfCase { kind: "random corpora", name: String::new(), corpus, options, sentences: true }
        };
        Ok(vec![Box::new(SinglePart {
            size: PartSize::exact(24_000, 50),
            draw: Box::new(draw),
            question: Box::new(questions),
            compare: Box::new(compare),
        })])
    },
};

pub(super) const REAL: ParityTopic = ParityTopic {
    script: DRIVER,
    needs: TopicNeeds::Nothing,
    seed: 0,
    parts: |comparison, _| {
        let mut cases = Vec::new();
        for (name, corpus) in real_data(comparison)? {
            let corpus = Rc::new(corpus);
            for (options, sentences) in [
                (CHRF, false),
                (ChrfOptions { word_order: 2, ..CHRF }, true),
                (ChrfOptions { eps_smoothing: true, ..CHRF }, false),
                (ChrfOptions { whitespace: true, lowercase: true, ..CHRF }, false),
            ] {
                let name = name.clone();
                let corpus = Rc::clone(&corpus);
                cases.push(ChrfCase { kind: "real data", name, corpus, options, sentences });
            }
        }
        Ok(vec![given_part(cases, 1, questions, compare)])
    },
};

/// A corpus with options, and whether its sentences are scored too; real data has a name.
struct ChrfCase {
    kind: &'static str,
    name: String,
    corpus: Rc<ParityCorpus>,
    options: ChrfOptions,
    sentences: bool,
}

fn questions(cases: &[ChrfCase]) -> Value {
    let question = |case: &ChrfCase| {
        json!({
            "question": "chrf",
            "sentences": case.sentences,
            "hypotheses": case.corpus.hypotheses,
            "references": case.corpus.streams,
            "options": case.options,
        })
    };
    cases.iter().map(question).collect()
}

fn compare(report: &mut ParityReport, case: &ChrfCase, theirs: ChrfOutcome) -> Result {
    let ChrfCase { kind, name, corpus, options, sentences } = case;
    let (ours, segments) = outcome(corpus, options)?;
    let differences = differences!(&theirs, &ours, [statistics, score, signature]);
    report.case(&format!("chrF of {kind}"), differences, || corpus.describe(name, options));
    if *sentences {
        let kind = format!("chrF of {kind}, sentences");
        report.same(&kind, &theirs.sentences.len(), &segments.len(), || name.to_owned());
        for (i, (theirs, ours)) in theirs.sentences.iter().zip(&segments).enumerate() {
            report.same(&kind, theirs, ours, || corpus.describe_segment(i, name, options));
        }
    }
    Ok(())
}

/// Returns texts of few characters, in which n-grams repeat; some are too long for the fast kernel.
fn characters(rng: &mut Rng) -> ParityCorpus {
    let alphabets =
        ["a", "ab", "ab .", "abcde \u{a0}é", "aábcčdďeéěfghiíjk  .,(", "的一是不了人我在有 他这。"];
    let alphabet: Vec<char> = rng.pick(&alphabets).chars().collect();
    let longest = *rng.pick(&[3usize, 12, 12, 12, 60, 60, 200, 200, 700]);
    let text = |rng: &mut Rng, most: usize| -> Vec<char> {
        (0..rng.below(most + 1)).map(|_| *rng.pick(&alphabet)).collect()
    };
    let mut hypotheses = Vec::new();
    let mut streams = vec![Vec::new(); rng.between(1, 3)];
    for _ in 0..rng.between(1, 8) {
        let source = text(rng, longest);
        let edited = |rng: &mut Rng| {
            let mut characters = source.clone();
            for _ in 0..rng.below(8) {
                let at = rng.below(characters.len() + 1);
                let until = (at + rng.below(4)).min(characters.len());
                characters.splice(at..until, text(rng, 3));
            }
            characters.into_iter().collect::<String>()
        };
        hypotheses.push(edited(rng));
        streams.iter_mut().for_each(|stream| stream.push(Some(edited(rng))));
    }
    ParityCorpus { hypotheses, streams }
}

fn outcome(corpus: &ParityCorpus, options: &ChrfOptions) -> Result<(ChrfOutcome, Vec<FloatBits>)> {
    let builder = Chrf::builder()
        .char_order(options.char_order)
        .word_order(options.word_order)
        .beta(options.beta)
        .whitespace(options.whitespace)
        .eps_smoothing(options.eps_smoothing);
    let case = if options.lowercase { Case::Lower } else { Case::Mixed };
    let chrf = builder.build()?.over(TokenSpace::text(case));
    let cased = |line: &str| if options.lowercase { ours::lower(line) } else { line.to_owned() };
    let mut total = Accumulator::<_, str>::new(&chrf);
    let mut segments = Vec::new();
    for (i, hypothesis) in corpus.hypotheses.iter().enumerate() {
        let references: Vec<String> = corpus.references(i).into_iter().map(cased).collect();
        let references: Vec<&str> = references.iter().map(String::as_str).collect();
        let segment = total.push(&cased(hypothesis), &references)?;
        segments.push(FloatBits::from_value(segment.score(&chrf)?.score.score));
    }
    let scored = total.score()?;
    let signature = scored.signature.to_string();
    let outcome = ChrfOutcome {
        statistics: total.total().stats().row(),
        score: FloatBits::from_value(scored.score.score),
        sentences: Vec::new(),
        signature: signature.rsplit_once("|version:").map_or("", |(shared, _)| shared).to_owned(),
    };
    Ok((outcome, segments))
}
