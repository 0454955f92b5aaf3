//! TER on random corpora against sacreBLEU, and the error rates against jiwer.

use bleuprint::eval::{ChosenTokens, Panel};
use bleuprint::metrics::edit::{Operation, alignment};
use bleuprint::text::TokenBuffer;
use bleuprint::{
    Accumulator, AnyScore, Case, MetricOptions, PartValue, Scored, Segment, TokenizerOptions, registry,
    tokenizer,
};
use bleuprint_testkit::edits::TerOptions;
use bleuprint_testkit::random::Rng;
use serde::Deserialize;
use serde_json::{Value, json};

use super::Comparison;
use super::corpus::{self, Corpus};
use super::python::Oracle;

/// The driver that answers for the programs.
const DRIVER: &str = include_str!("edits.py");

/// Segments of each program, at least.
const SEGMENTS: usize = 100_000;

/// Segments of one question.
const BATCH: usize = 40;

/// Segments of 2,000 words and more, whose tables rapidfuzz cuts in halves.
const LONG_SEGMENTS: usize = 60;

const SEED: u64 = 20_060_808;

/// TER, corpora and segments, under all options.
pub(super) fn ter(comparison: &mut Comparison) -> Result<(), String> {
    let Some(mut oracle) = oracle(comparison, "sacrebleu")? else { return Ok(()) };
    let mut rng = Rng::new(SEED);
    let (mut segments, mut turn) = (0, 0_usize);
    while segments < comparison.cases(SEGMENTS) {
        turn += 1;
        // A third is text that the tokenizer stumbles over.
        let corpus = if turn % 3 == 0 { corpus::random(&mut rng) } else { shifted(&mut rng) };
        let bits = if turn % 3 == 0 { turn / 3 } else { 0 };
        let options = TerOptions {
            normalized: bits & 1 > 0,
            no_punct: bits & 2 > 0,
            asian_support: bits & 4 > 0,
            case_sensitive: bits & 8 > 0,
        };
        compare_ter(comparison, &mut oracle, &corpus, options, turn % 8 == 0)?;
        segments += corpus.hypotheses.len();
    }
    Ok(())
}

#[derive(Debug, Deserialize)]
struct TerAnswer {
    /// Of some questions only: it costs what all segments cost once more.
    corpus: Option<TerOutcome>,
    sentences: Vec<TerOutcome>,
    signature: String,
    short: String,
}

/// Floats as the integer value of their bits.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
struct TerOutcome {
    score: u64,
    num_edits: u64,
    ref_length: u64,
}

fn compare_ter(
    comparison: &mut Comparison,
    oracle: &mut Oracle,
    corpus: &Corpus,
    options: TerOptions,
    whole: bool,
) -> Result<(), String> {
    let TerOptions { normalized, no_punct, asian_support, case_sensitive } = options;
    let theirs = json!({
        "normalized": normalized, "no_punct": no_punct, "asian_support": asian_support, "case_sensitive": case_sensitive,
    });
    let question = json!({
        "question": "ter", "hypotheses": corpus.hypotheses, "references": corpus.streams, "options": theirs,
        "whole": whole,
    });
    let answer: TerAnswer = serde_json::from_value(oracle.ask(&question)?)
        .map_err(|error| format!("the oracle's answer has another shape: {error}"))?;
    let given =
        options.named().iter().fold(MetricOptions::new(), |given, (name, value)| given.with(name, value));
    let segments: Vec<(&str, Vec<&str>)> =
        corpus.hypotheses.iter().enumerate().map(|(i, h)| (h.as_str(), corpus.references(i))).collect();
    let describe = |i: usize| format!("{:?} {options:?}", segments[i]);
    for (i, theirs) in answer.sentences.iter().enumerate() {
        let ours = scores(&["ter"], &given, &segments[i..=i])?;
        let differences = ter_differences(theirs, &ours[0], true);
        comparison.report.case("TER of random segments", &differences, || describe(i));
    }
    let Some(theirs) = &answer.corpus else { return Ok(()) };
    let ours = &scores(&["ter"], &given, &segments)?[0];
    // With other numbers of references sacreBLEU's sum of their mean lengths depends on the order of the segments.
    let exact =
        segments.len() == 1 || segments.iter().all(|(_, references)| references.len().is_power_of_two());
    let mut differences = ter_differences(theirs, ours, exact);
    let (long, short) = (ours.signature.body(), ours.signature.short());
    for (theirs, ours) in [(&answer.signature, long), (&answer.short, short)] {
        if !ours.starts_with(&format!("{theirs}|v")) {
            differences.push(format!("signature: sacreBLEU {theirs}, ours {ours}"));
        }
    }
    let kind =
        if exact { "TER of random corpora" } else { "TER of random corpora with 3 references, within 1e-12" };
    comparison.report.case(kind, &differences, || format!("{segments:?} {options:?}"));
    Ok(())
}

fn ter_differences(theirs: &TerOutcome, ours: &Scored<AnyScore>, exact: bool) -> Vec<String> {
    let mut differences = Vec::new();
    let number = |key: &str| match value(ours, key) {
        Some(PartValue::Number(number)) => number,
        Some(PartValue::Count(count)) => count as f64,
        _ => f64::NAN,
    };
    let pairs = [
        ("score", f64::from_bits(theirs.score), ours.score.value),
        ("num_edits", theirs.num_edits as f64, number("num_edits")),
        ("ref_length", f64::from_bits(theirs.ref_length), number("ref_length")),
    ];
    for (key, theirs, ours) in pairs {
        let equal =
            theirs.to_bits() == ours.to_bits() || !exact && (theirs - ours).abs() <= 1e-12 * theirs.abs();
        if !equal {
            differences.push(format!("{key}: sacreBLEU {theirs:?}, ours {ours:?}"));
        }
    }
    differences
}

/// The error rates and the alignments behind them.
pub(super) fn error_rates(comparison: &mut Comparison) -> Result<(), String> {
    let Some(mut oracle) = oracle(comparison, "jiwer")? else { return Ok(()) };
    let mut rng = Rng::new(SEED + 1);
    for turn in 0..comparison.cases(SEGMENTS).div_ceil(BATCH) {
        let pairs: Vec<(String, String)> = (0..BATCH)
            .map(|_| match turn % 4 {
                0 => (corpus::text(&mut rng), corpus::text(&mut rng)),
                _ => words(&mut rng),
            })
            .collect();
        compare_rates(comparison, &mut oracle, "random segments", &pairs, true)?;
    }
    for _ in 0..LONG_SEGMENTS {
        compare_rates(
            comparison,
            &mut oracle,
            "segments of 2,000 words and more",
            &[long_words(&mut rng)],
            false,
        )?;
    }
    Ok(())
}

#[derive(Debug, Deserialize)]
struct RatesAnswer {
    words: RatesOutcome,
    characters: Option<RatesOutcome>,
}

#[derive(Debug, Deserialize)]
struct RatesOutcome {
    measures: std::collections::BTreeMap<String, u64>,
    counts: [u64; 4],
    steps: Vec<String>,
}

fn compare_rates(
    comparison: &mut Comparison,
    oracle: &mut Oracle,
    what: &str,
    pairs: &[(String, String)],
    characters: bool,
) -> Result<(), String> {
    let side = |of: fn(&(String, String)) -> &String| pairs.iter().map(of).collect::<Vec<_>>();
    let (hypotheses, references) = (side(|pair| &pair.0), side(|pair| &pair.1));
    let question = json!({
        "question": "jiwer", "hypotheses": hypotheses, "references": references, "characters": characters,
    });
    let answer: RatesAnswer = serde_json::from_value(oracle.ask(&question)?)
        .map_err(|error| format!("the oracle's answer has another shape: {error}"))?;
    let segments: Vec<(&str, Vec<&str>)> =
        pairs.iter().map(|(h, r)| (h.as_str(), vec![r.as_str()])).collect();
    let outcomes =
        [("jiwer", "words", Some(&answer.words)), ("jiwer-char", "characters", answer.characters.as_ref())];
    for (tokens, name, outcome) in outcomes {
        let Some(outcome) = outcome else { continue };
        let measures: Vec<&str> = outcome.measures.keys().map(String::as_str).collect();
        let ours = scores(&measures, &MetricOptions::new(), &segments)?;
        let mut differences = Vec::new();
        for ((measure, theirs), ours) in outcome.measures.iter().zip(&ours) {
            if ours.score.value.to_bits() != *theirs {
                let theirs = f64::from_bits(*theirs);
                differences.push(format!("{measure}: jiwer {theirs:?}, ours {:?}", ours.score.value));
            }
            let counts = ["hits", "substitutions", "deletions", "insertions"].map(|key| value(ours, key));
            if counts != outcome.counts.map(|count| Some(PartValue::Count(count))) {
                differences.push(format!("{measure}: jiwer counts {:?}, ours {counts:?}", outcome.counts));
            }
        }
        let kind = format!("error rates of {name}, corpora of {what}");
        comparison.report.case(&kind, &differences, || format!("{segments:?}"));
        for ((hypothesis, reference), theirs) in pairs.iter().zip(&outcome.steps) {
            let ours = steps(tokens, reference, hypothesis)?;
            let differences = (ours != *theirs).then(|| format!("steps: jiwer {theirs}, ours {ours}"));
            let kind = format!("alignments of {name}, {what}");
            comparison.report.case(&kind, differences.as_slice(), || format!("{hypothesis:?} {reference:?}"));
        }
    }
    Ok(())
}

/// A letter for each step, as the driver writes them.
fn steps(tokens: &str, reference: &str, hypothesis: &str) -> Result<String, String> {
    let tokenizer = tokenizer(tokens, &TokenizerOptions::default()).map_err(|error| error.to_string())?;
    let cut = |text: &str| -> Result<Vec<String>, String> {
        let mut buffer = TokenBuffer::default();
        let tokens = tokenizer.tokenize(text, &mut buffer).map_err(|error| error.to_string())?;
        Ok(tokens.iter().map(str::to_owned).collect())
    };
    let aligned = alignment(&cut(reference)?, &cut(hypothesis)?).map_err(|error| error.to_string())?;
    let letters = aligned.chunks.iter().map(|chunk| {
        let letter = match chunk.operation {
            Operation::Hit => "=",
            Operation::Substitution => "S",
            Operation::Deletion => "D",
            Operation::Insertion => "I",
        };
        letter.repeat(chunk.reference.len().max(chunk.hypothesis.len()))
    });
    Ok(letters.collect())
}

/// Our scores of a corpus of text.
fn scores(
    names: &[&str],
    options: &MetricOptions,
    segments: &[(&str, Vec<&str>)],
) -> Result<Vec<Scored<AnyScore>>, String> {
    let run = || -> Result<_, Box<dyn std::error::Error>> {
        let registry = registry();
        let metrics =
            names.iter().map(|name| registry.get(name)?.build(options)).collect::<Result<Vec<_>, _>>()?;
        let none = tokenizer("none", &TokenizerOptions::default())?;
        let panel =
            Panel::new(metrics, &ChosenTokens::new(none, Case::Mixed).default_tokenizer().default_case())?;
        let mut corpus = Accumulator::<&Panel, str>::new(&panel);
        for (hypothesis, references) in segments {
            corpus.add(Segment::new(*hypothesis, references))?;
        }
        Ok(panel.scores(corpus.total())?)
    };
    run().map_err(|error| format!("ours refused: {error}"))
}

fn value(scored: &Scored<AnyScore>, key: &str) -> Option<PartValue> {
    scored.score.parts.iter().find(|part| part.key == key).map(|part| part.value.clone())
}

/// The driver; none where the program is not installed.
fn oracle(comparison: &Comparison, program: &str) -> Result<Option<Oracle>, String> {
    let oracle = Oracle::start(&comparison.python, DRIVER)?;
    match &oracle.about["programs"][program] {
        Value::Null => {
            println!("  skipped: {program}, because it is not installed");
            Ok(None)
        }
        version => {
            println!("  edits against {program} {version}");
            Ok(Some(oracle))
        }
    }
}

/// A corpus whose hypotheses are their references with blocks moved, words dropped and put in.
fn shifted(rng: &mut Rng) -> Corpus {
    let alphabet = *rng.pick(&[1, 2, 3, 5, 12, 40]);
    let longest = if rng.chance(6) { rng.between(50, 110) } else { *rng.pick(&[3, 6, 9, 14]) };
    let mut corpus = Corpus { hypotheses: Vec::new(), streams: vec![Vec::new(); rng.between(1, 3)] };
    for _ in 0..rng.between(1, 8) {
        let reference = tokens(rng, alphabet, longest);
        for stream in &mut corpus.streams {
            let other = if rng.chance(800) {
                moved(&reference, rng, alphabet)
            } else {
                tokens(rng, alphabet, longest)
            };
            stream.push(Some(text(&other)));
        }
        corpus.hypotheses.push(text(&moved(&reference, rng, alphabet)));
    }
    corpus
}

fn tokens(rng: &mut Rng, alphabet: usize, longest: usize) -> Vec<usize> {
    (0..rng.between(0, longest)).map(|_| rng.below(alphabet)).collect()
}

fn moved(words: &[usize], rng: &mut Rng, alphabet: usize) -> Vec<usize> {
    let mut words = words.to_vec();
    for _ in 0..rng.below(5) {
        let (a, b) = (rng.below(words.len() + 1), rng.below(words.len() + 1));
        let (a, b) = (a.min(b), a.max(b));
        match rng.below(4) {
            0 | 1 => words[a..b].rotate_left((b - a) / rng.between(2, 5)),
            2 => drop(words.drain(a..b.min(a + 3))),
            _ => drop(words.splice(a..a, tokens(rng, alphabet, 3))),
        }
    }
    words
}

fn text(words: &[usize]) -> String {
    words.iter().map(|word| format!("w{word}")).collect::<Vec<_>>().join(" ")
}

/// A hypothesis and its reference, of words of a small alphabet.
fn words(rng: &mut Rng) -> (String, String) {
    let alphabet = *rng.pick(&[1, 2, 3, 5, 12]);
    let longest = *rng.pick(&[2, 5, 9, 14, 25, 40, 70, 140]);
    let reference = tokens(rng, alphabet, longest);
    let hypothesis =
        if rng.chance(400) { tokens(rng, alphabet, longest) } else { edited(&reference, rng, alphabet, 10) };
    (text(&hypothesis), text(&reference))
}

fn long_words(rng: &mut Rng) -> (String, String) {
    let alphabet = *rng.pick(&[2, 5, 30, 1000]);
    let len = rng.between(2_000, 5_000);
    let sequence = |rng: &mut Rng, len: usize| (0..len).map(|_| rng.below(alphabet)).collect::<Vec<_>>();
    let reference = sequence(rng, len);
    let hypothesis = match rng.below(3) {
        0 => {
            let len = rng.between(1_500, 6_000);
            sequence(rng, len)
        }
        1 => edited(&reference, rng, alphabet, 40),
        _ => edited(&reference, rng, alphabet, len),
    };
    (text(&hypothesis), text(&reference))
}

fn edited(words: &[usize], rng: &mut Rng, alphabet: usize, most: usize) -> Vec<usize> {
    let mut words = words.to_vec();
    for _ in 0..rng.below(most) {
        let at = rng.below(words.len() + 1);
        let to = (at + rng.below(3)).min(words.len());
        words.splice(at..to, tokens(rng, alphabet, 2));
    }
    words
}
