//! SQuAD's measures of random answers against the evaluation script of version 1.1, and every character's place in the
//! normalization.

use bleuprint::metrics::{SquadEm, SquadF1};
use bleuprint::{Score, Tokenizer};
use bleuprint_testkit::random::Rng;
use serde_json::json;
use xtask::Result;

use super::oracle::Oracle;
use super::outcome::{FloatBits, difference};
use super::{ParityRun, corpus, ours};
use crate::pieces;

/// Answers, and number in one question to the oracle.
const ANSWERS: usize = 120_000;
const BATCH: usize = 2_000;

/// Characters in one answer, if the comparison covers every Unicode character.
const CHARACTERS: usize = 8;

const SEED: u64 = 20_160_616;

type Texts = (String, Vec<String>);

/// Compares random answers, then every character next to and between articles.
pub(super) fn all(comparison: &mut ParityRun<'_>) -> Result {
    let mut oracle = comparison.oracle(include_str!("squad.py"))?;
    println!("  SQuAD's script v1.1 of allennlp {}", oracle.about["allennlp"]);
    let squad = ours::tokenizer("squad")?;
    let mut rng = comparison.rng(SEED);
    for _ in 0..comparison.cases(ANSWERS).div_ceil(BATCH) {
        let batch: Vec<Texts> = (0..BATCH).map(|_| texts(&mut rng)).collect();
        compare(comparison, &mut oracle, &*squad, "random answers", &batch)?;
    }
    if !comparison.given.promised {
        println!(
            "  skipped: every character in an answer, which follows the Unicode tables of the interpreter"
        );
        return Ok(());
    }
    let characters: Vec<char> = ('\0'..=char::MAX).collect();
    for batch in comparison.turn(characters.chunks(CHARACTERS * BATCH).collect()) {
        let about = |c: &char| format!("{c} a{c} {c}the{c} an{c}a x{c}y");
        let several = |some: &[char]| (some.iter().map(about).collect(), vec![String::from_iter(some)]);
        let batch: Vec<Texts> = batch.chunks(CHARACTERS).map(several).collect();
        compare(comparison, &mut oracle, &*squad, "every character", &batch)?;
    }
    Ok(())
}

fn compare(
    comparison: &mut ParityRun<'_>,
    oracle: &mut Oracle,
    squad: &dyn Tokenizer,
    what: &str,
    batch: &[Texts],
) -> Result {
    let theirs: Vec<(FloatBits, bool, String)> = oracle.ask(&json!(batch))?;
    for (texts, (f1, em, normalized)) in batch.iter().zip(&theirs) {
        let answer = ours::tokens(squad, &texts.0)?;
        let references = texts.1.iter().map(|text| ours::tokens(squad, text)).collect::<Result<Vec<_>>>()?;
        let segment = [(ours::strs(&answer), references.iter().map(|words| ours::strs(words)).collect())];
        let our_f1 = ours::observed(SquadF1, &segment)?.score()?.score.value();
        let our_em = ours::observed(SquadEm, &segment)?.score()?.score.value();
        let differences = [
            // The script's F1 of one answer, on the scale of its score of a corpus.
            difference(
                "F1",
                &FloatBits::from_value(100.0 * f1.value() / 1.0),
                &FloatBits::from_value(our_f1),
            ),
            difference("exact match", em, &(our_em == 100.0)),
            difference("normalized", normalized, &answer.join(" ")),
        ];
        let kind = format!("SQuAD, {what}");
        comparison.report.case(&kind, differences.into_iter().flatten(), || format!("{texts:?}"));
    }
    Ok(())
}

fn texts(rng: &mut Rng) -> Texts {
    let text = |rng: &mut Rng| -> Vec<&str> {
        (0..rng.below(14)).map(|_| *rng.pick(pieces::pieces("squad"))).collect()
    };
    let answer = text(rng);
    let references = corpus::references(&answer, pieces::pieces("squad"), text, rng);
    (answer.concat(), references.iter().map(|words| words.concat()).collect())
}
