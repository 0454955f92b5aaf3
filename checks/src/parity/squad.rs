//! SQuAD's measures of random answers against the evaluation script of version 1.1, and every character's place in the
//! normalization.

use bleuprint::metrics::{SquadEm, SquadF1};
use bleuprint::{Score, Tokenizer};
use bleuprint_testkit::random::Rng;
use serde_json::json;
use xtask::Result;

use super::outcome::{FloatBits, ParityReport, difference};
use super::topic::{AnyPart, ParityTopic, PartSize, SinglePart, TopicNeeds, given_part};
use super::{corpus, ours};
use crate::pieces;

/// Number of answers in one question to the oracle.
const BATCH: usize = 2_000;

/// Characters in one answer, if the comparison covers every Unicode character.
const CHARACTERS: usize = 8;

type Texts = (String, Vec<String>);

pub(super) const TOPIC: ParityTopic = ParityTopic {
    script: include_str!("squad.py"),
    needs: TopicNeeds::Versions("SQuAD's script v1.1 of allennlp ", "allennlp"),
    seed: 20_160_616,
    // Random answers, then every character next to and between articles.
    parts: |comparison, _| {
        let squad = ours::tokenizer("squad")?;
        let mut parts: Vec<Box<dyn AnyPart>> = vec![Box::new(SinglePart {
            size: PartSize::whole(120_000, BATCH),
            draw: Box::new(texts),
            question: Box::new(|batch| json!(batch)),
            compare: Box::new(move |report, texts, theirs| {
                compare(report, &*squad, "SQuAD, random answers", texts, theirs)
            }),
        })];
        if !comparison.given.promised {
            println!(
                "  skipped: every character in an answer, which follows the Unicode tables of the interpreter"
            );
            return Ok(parts);
        }
        let squad = ours::tokenizer("squad")?;
        let characters: Vec<char> = ('\0'..=char::MAX).collect();
        let about = |c: &char| format!("{c} a{c} {c}the{c} an{c}a x{c}y");
        let several = |some: &[char]| (some.iter().map(about).collect(), vec![String::from_iter(some)]);
        let batches = comparison.turn(characters.chunks(CHARACTERS * BATCH).collect());
        let answers: Vec<Texts> =
            batches.flat_map(|batch| batch.chunks(CHARACTERS).map(several).collect::<Vec<_>>()).collect();
        parts.push(given_part(
            answers,
            BATCH,
            |batch| json!(batch),
            move |report, texts, theirs| compare(report, &*squad, "SQuAD, every character", texts, theirs),
        ));
        Ok(parts)
    },
};

fn compare(
    report: &mut ParityReport,
    squad: &dyn Tokenizer,
    kind: &str,
    texts: &Texts,
    (f1, em, normalized): (FloatBits, bool, String),
) -> Result {
    let answer = ours::tokens(squad, &texts.0)?;
    let references = texts.1.iter().map(|text| ours::tokens(squad, text)).collect::<Result<Vec<_>>>()?;
    let segment = [(ours::strs(&answer), references.iter().map(|words| ours::strs(words)).collect())];
    let our_f1 = ours::observed(SquadF1, &segment)?.score()?.score.value();
    let our_em = ours::observed(SquadEm, &segment)?.score()?.score.value();
    let differences = [
        // The script's F1 of one answer, on the scale of its score of a corpus.
        difference("F1", &FloatBits::from_value(100.0 * f1.value() / 1.0), &FloatBits::from_value(our_f1)),
        difference("exact match", &em, &(our_em == 100.0)),
        difference("normalized", &normalized, &answer.join(" ")),
    ];
    report.case(kind, differences.into_iter().flatten(), || format!("{texts:?}"));
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
