//! ROUGE of random texts against rouge_score: all eleven kinds, with and without stems, one reference and several.

use bleuprint::metrics::{FScore, Rouge, RougeLsum};
use bleuprint::text::{TokenBuffer, Tokenizer, TokenizerOptions, tokenizer};
use bleuprint::{Accumulator, Metric, Observe};
use bleuprint_testkit::random::Rng;
use serde_json::{Value, json};

use super::Comparison;
use super::python::Oracle;

/// The driver that answers for rouge_score.
const DRIVER: &str = include_str!("rouge.py");

/// Segments, each under all kinds, and how many are asked for at a time.
const SEGMENTS: usize = 100_000;
const BATCH: usize = 250;

const SEED: u64 = 20_040_725;

/// The bits of F, precision and recall.
type Numbers = [u64; 3];

/// A hypothesis and its references.
type Texts = (String, Vec<String>);

/// Random texts.
pub(super) fn random(comparison: &mut Comparison) -> Result<(), String> {
    let mut oracle = Oracle::start(&comparison.python, DRIVER)?;
    println!("  ROUGE of rouge_score {}", oracle.about["rouge_score"]);
    let kinds: Vec<String> = shaped(oracle.about["kinds"].take())?;
    let mut rng = Rng::new(SEED);
    for number in 0..comparison.cases(SEGMENTS).div_ceil(BATCH) {
        let stem = number % 2 == 1;
        let ours = Ours::new(stem)?;
        let cases: Vec<Texts> = (0..BATCH).map(|_| texts(&mut rng)).collect();
        let theirs: Vec<Vec<Numbers>> = shaped(oracle.ask(&json!({ "stem": stem, "cases": cases }))?)?;
        for (case, theirs) in cases.iter().zip(&theirs) {
            for (kind, theirs) in kinds.iter().zip(theirs) {
                let mut name = format!("ROUGE, {kind}{}", if stem { ", stemmed" } else { "" });
                let ours = ours.score(kind, case)?;
                let mut differences = difference(*theirs, ours);
                // Of references with equal F it takes the first listed, ours the one with the best recall.
                if ours[0] == theirs[0] && ours != *theirs && case.1.len() > 1 {
                    name = "ROUGE of references that tie, in the order of their recall".to_owned();
                    differences = in_some_order(&mut oracle, stem, &kinds, kind, case, ours)?;
                }
                comparison.report.case(&name, &differences, || format!("{case:?}"));
            }
        }
        compare_tokens(comparison, &mut oracle, stem, &ours, &cases)?;
    }
    Ok(())
}

/// Whether some order of the references makes theirs ours.
fn in_some_order(
    oracle: &mut Oracle,
    stem: bool,
    kinds: &[String],
    kind: &str,
    (hypothesis, references): &Texts,
    ours: Numbers,
) -> Result<Vec<String>, String> {
    let rotations = (0..references.len()).map(|by| {
        let mut rotated = references.clone();
        rotated.rotate_left(by);
        (hypothesis.clone(), rotated)
    });
    let cases: Vec<Texts> = rotations.collect();
    let theirs: Vec<Vec<Numbers>> = shaped(oracle.ask(&json!({ "stem": stem, "cases": cases }))?)?;
    let at = kinds.iter().position(|known| known == kind).unwrap_or(0);
    let found = theirs.iter().any(|one| one.get(at) == Some(&ours));
    Ok(if found { Vec::new() } else { vec![format!("{kind}: no order of the references gives {ours:x?}")] })
}

fn compare_tokens(
    comparison: &mut Comparison,
    oracle: &mut Oracle,
    stem: bool,
    ours: &Ours,
    cases: &[Texts],
) -> Result<(), String> {
    let texts: Vec<&str> = cases.iter().map(|(hypothesis, _)| hypothesis.as_str()).collect();
    let theirs: Vec<String> = shaped(oracle.ask(&json!({ "stem": stem, "texts": texts }))?)?;
    for (text, theirs) in texts.iter().zip(&theirs) {
        let ours = ours.tokens(&*ours.tokenizer, text)?.join(" ");
        let differences = match ours == *theirs {
            true => Vec::new(),
            false => vec![format!("rouge_score {theirs:?}, ours {ours:?}")],
        };
        let kind = if stem { "tokens of rouge-stem" } else { "tokens of rouge" };
        comparison.report.case(kind, &differences, || format!("{text:?}"));
    }
    Ok(())
}

fn shaped<T: serde::de::DeserializeOwned>(answer: Value) -> Result<T, String> {
    serde_json::from_value(answer).map_err(|error| format!("the oracle's answer has another shape: {error}"))
}

fn difference(theirs: Numbers, ours: Numbers) -> Vec<String> {
    let show = |numbers: Numbers| numbers.map(|bits| format!("{:?} ({bits:#018x})", f64::from_bits(bits)));
    match theirs == ours {
        true => Vec::new(),
        false => vec![format!("rouge_score {}, ours {}", show(theirs).join(" "), show(ours).join(" "))],
    }
}

/// Our tokenizers and metrics.
struct Ours {
    tokenizer: Box<dyn Tokenizer>,
    of_lines: Box<dyn Tokenizer>,
}

impl Ours {
    fn new(stem: bool) -> Result<Self, String> {
        let name = if stem { "rouge-stem" } else { "rouge" };
        let build =
            |name: &str| tokenizer(name, &TokenizerOptions::default()).map_err(|error| error.to_string());
        Ok(Ours { tokenizer: build(name)?, of_lines: build(&format!("lines:{name}"))? })
    }

    fn score(&self, kind: &str, texts: &Texts) -> Result<Numbers, String> {
        match kind.trim_start_matches("rouge") {
            "Lsum" => self.score_of(RougeLsum::default(), &*self.of_lines, texts),
            "L" => self.score_of(Rouge::l(), &*self.tokenizer, texts),
            order => {
                let order = order.parse().map_err(|_| format!("{kind} is no kind of ROUGE"))?;
                let rouge = Rouge::n(order).map_err(|error| error.to_string())?;
                self.score_of(rouge, &*self.tokenizer, texts)
            }
        }
    }

    fn score_of<M>(
        &self,
        metric: M,
        tokenizer: &dyn Tokenizer,
        (hypothesis, references): &Texts,
    ) -> Result<Numbers, String>
    where
        M: Metric<Score = FScore> + for<'a> Observe<[&'a str]>,
    {
        let hypothesis = self.tokens(tokenizer, hypothesis)?;
        let hypothesis: Vec<&str> = hypothesis.iter().map(String::as_str).collect();
        let tokens: Result<Vec<_>, _> = references.iter().map(|text| self.tokens(tokenizer, text)).collect();
        let tokens = tokens?;
        let references: Vec<Vec<&str>> =
            tokens.iter().map(|tokens| tokens.iter().map(String::as_str).collect()).collect();
        let references: Vec<&[&str]> = references.iter().map(Vec::as_slice).collect();
        let mut rouge = Accumulator::<_, [&str]>::new(metric);
        rouge.push(&hypothesis, &references).map_err(|error| error.to_string())?;
        let FScore { f1, precision, recall, .. } = rouge.score().map_err(|error| error.to_string())?.score;
        Ok([f1, precision, recall].map(f64::to_bits))
    }

    fn tokens(&self, tokenizer: &dyn Tokenizer, text: &str) -> Result<Vec<String>, String> {
        let mut buffer = TokenBuffer::default();
        let tokens = tokenizer.tokenize(text, &mut buffer).map_err(|error| error.to_string())?;
        Ok(tokens.iter().map(str::to_owned).collect())
    }
}

/// Words that few letters make, so that subsequences are long and many.
const LETTERS: &[&str] = &["a", "b", "c", "d"];

/// Words with stems in common, and what the tokenizer stumbles over.
#[rustfmt::skip]
const WORDS: &[&str] = &[
    "the", "cat", "cats", "running", "runs", "ran", "easily", "easy", "flies", "fly", "dying", "die", "1980s", "1980",
    "connection", "connected", "happily", "happy", "sky", "skies", "naïve", "K", "İ", "ﬁ", "don't", "e-mail",
    "3.5", "_x_", "中文", "...", "...", "THE", "Cats", "é", "\u{2028}", "\t", "\r", "\u{a0}", "½",
];

/// One to three references, most of them made of the hypothesis; a few texts have sentences beyond 64 tokens.
fn texts(rng: &mut Rng) -> Texts {
    let words = if rng.chance(500) { LETTERS } else { WORDS };
    let longest = if rng.chance(10) { 300 } else { 24 };
    let line_feeds = *rng.pick(&[0, 0, 100, 300]);
    let text = |rng: &mut Rng| -> Vec<&str> { (0..rng.below(longest)).map(|_| *rng.pick(words)).collect() };
    let hypothesis = text(rng);
    let references: Vec<Vec<&str>> = (0..rng.between(1, 3))
        .map(|_| {
            let mut reference = if rng.chance(600) { hypothesis.clone() } else { text(rng) };
            for _ in 0..rng.below(6) {
                let at = rng.below(reference.len() + 1);
                if at < reference.len() && rng.chance(500) {
                    reference.remove(at);
                } else {
                    reference.insert(at, *rng.pick(words));
                }
            }
            reference
        })
        .collect();
    let mut joined = |words: &[&str]| {
        let mut text = String::new();
        for word in words {
            text.push_str(word);
            text.push(if rng.chance(line_feeds) { '\n' } else { ' ' });
        }
        text
    };
    (joined(&hypothesis), references.iter().map(|reference| joined(reference)).collect())
}
