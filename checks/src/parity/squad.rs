//! SQuAD's measures of random answers against the evaluation script of version 1.1, and every character's place in the
//! normalization.

use bleuprint::metrics::{SquadEm, SquadF1};
use bleuprint::text::{TokenBuffer, Tokenizer, TokenizerOptions, tokenizer};
use bleuprint::{Accumulator, Metric, Observe, Score};
use bleuprint_testkit::random::Rng;
use serde_json::json;

use super::Comparison;
use super::python::Oracle;

/// The driver that answers for the script.
const DRIVER: &str = concat!(include_str!("programs.py"), include_str!("squad.py"));

/// Answers, and how many are asked for at a time.
const ANSWERS: usize = 120_000;
const BATCH: usize = 2_000;

/// Characters in one answer, where every character there is is asked for.
const CHARACTERS: usize = 8;

const SEED: u64 = 20_160_616;

/// An answer and its references.
type Texts = (String, Vec<String>);

/// Random answers, then every character beside and between articles.
pub(super) fn all(comparison: &mut Comparison) -> Result<(), String> {
    let mut oracle = Oracle::start(&comparison.python, DRIVER)?;
    println!("  SQuAD's script v1.1 of allennlp {}", oracle.about["allennlp"]);
    let squad = tokenizer("squad", &TokenizerOptions::default()).map_err(|error| error.to_string())?;
    let mut rng = Rng::new(SEED);
    for _ in 0..comparison.cases(ANSWERS).div_ceil(BATCH) {
        let batch: Vec<Texts> = (0..BATCH).map(|_| texts(&mut rng)).collect();
        compare(comparison, &mut oracle, &*squad, "random answers", &batch)?;
    }
    if !comparison.promised {
        println!(
            "  skipped: every character in an answer, which follows the Unicode tables of the interpreter"
        );
        return Ok(());
    }
    let characters: Vec<char> = ('\0'..=char::MAX).collect();
    for batch in characters.chunks(CHARACTERS * BATCH) {
        let about = |c: &char| format!("{c} a{c} {c}the{c} an{c}a x{c}y");
        let several = |some: &[char]| (some.iter().map(about).collect(), vec![String::from_iter(some)]);
        let batch: Vec<Texts> = batch.chunks(CHARACTERS).map(several).collect();
        compare(comparison, &mut oracle, &*squad, "every character", &batch)?;
    }
    Ok(())
}

fn compare(
    comparison: &mut Comparison,
    oracle: &mut Oracle,
    squad: &dyn Tokenizer,
    what: &str,
    batch: &[Texts],
) -> Result<(), String> {
    let theirs: Vec<(u64, bool, String)> = serde_json::from_value(oracle.ask(&json!(batch))?)
        .map_err(|error| format!("the oracle's answer has another shape: {error}"))?;
    for (texts, (f1, em, normalized)) in batch.iter().zip(&theirs) {
        let (hypothesis, references) = texts;
        let hypothesis = tokens(squad, hypothesis)?;
        let references: Result<Vec<_>, _> = references.iter().map(|text| tokens(squad, text)).collect();
        let references = references?;
        let (our_f1, our_em) =
            (score(SquadF1, &hypothesis, &references)?, score(SquadEm, &hypothesis, &references)?);
        let mut differences = Vec::new();
        // The script's F1 of one answer, on the scale of its score of a corpus.
        let their_f1 = 100.0 * f64::from_bits(*f1) / 1.0;
        if their_f1.to_bits() != our_f1.to_bits() {
            differences.push(format!("F1: the script {their_f1:?}, ours {our_f1:?}"));
        }
        if (our_em == 100.0) != *em {
            differences.push(format!("exact match: the script {em}, ours {our_em}"));
        }
        if *normalized != hypothesis.join(" ") {
            differences.push(format!("normalized: the script {normalized:?}, ours {hypothesis:?}"));
        }
        comparison.report.case(&format!("SQuAD, {what}"), &differences, || format!("{texts:?}"));
    }
    Ok(())
}

fn tokens(squad: &dyn Tokenizer, text: &str) -> Result<Vec<String>, String> {
    let mut buffer = TokenBuffer::default();
    let tokens = squad.tokenize(text, &mut buffer).map_err(|error| error.to_string())?;
    Ok(tokens.iter().map(str::to_owned).collect())
}

fn score<M>(metric: M, hypothesis: &[String], references: &[Vec<String>]) -> Result<f64, String>
where
    M: Metric<Score: Score> + Observe<[String]>,
{
    let references: Vec<&[String]> = references.iter().map(Vec::as_slice).collect();
    let mut all = Accumulator::<_, [String]>::new(metric);
    all.push(hypothesis, &references).map_err(|error| error.to_string())?;
    Ok(all.score().map_err(|error| error.to_string())?.score.value())
}

#[rustfmt::skip]
const PIECES: &[&str] = &[
    "a", "an", "the", "The", "A", "AN", "theory", "cat", "dog", "U.S.", "1,000", "½", "e\u{301}", "the\u{301}", "“", "”",
    "’s", "—", "…", "中", "文", "é", "ΑΣ", "İ", "_", "-", ".", "!", " ", " ", " ", " ", "\u{a0}", "\u{1c}", "\t",
    "\u{3000}", "\u{200b}", "²", "Ⓐ", "ａ", "ก็", "\u{903}", "𝒜", "x",
];

/// One to three references, most of them made of the answer.
fn texts(rng: &mut Rng) -> Texts {
    let text = |rng: &mut Rng| -> Vec<&str> { (0..rng.below(14)).map(|_| *rng.pick(PIECES)).collect() };
    let answer = text(rng);
    let references = (0..rng.between(1, 3)).map(|_| {
        let mut reference = if rng.chance(700) { answer.clone() } else { text(rng) };
        for _ in 0..rng.below(4) {
            let at = rng.below(reference.len() + 1);
            if at < reference.len() && rng.chance(500) {
                reference.remove(at);
            } else {
                reference.insert(at, *rng.pick(PIECES));
            }
        }
        reference.concat()
    });
    let references = references.collect();
    (answer.concat(), references)
}
