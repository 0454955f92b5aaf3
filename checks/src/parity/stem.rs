//! The Porter stemmer against NLTK's: words of the example data, and random words of letters and suffixes.

use std::collections::BTreeSet;

use serde_json::json;

use super::ParityRun;
use super::topic::{ParityTopic, TopicNeeds, given_part};
use crate::pieces;

/// Random words, and number in one question to the oracle.
const WORDS: usize = 180_000;
const BATCH: usize = 5_000;

const SEED: u64 = 19_800_714;

pub(super) const TOPIC: ParityTopic = ParityTopic {
    script: include_str!("stem.py"),
    needs: TopicNeeds::Versions("stems of NLTK ", "nltk"),
    seed: SEED,
    parts: |comparison, _| {
        let mut stem = String::new();
        let words: Vec<String> = words(comparison).into_iter().collect();
        Ok(vec![given_part(
            words,
            BATCH,
            |words| json!(words),
            move |report, word, theirs: String| {
                bleuprint::stem::porter(word, &mut stem);
                report.same("Porter stems", &theirs, &stem, || format!("{word:?}"));
                Ok(())
            },
        )])
    },
};

/// Returns the words of the golden data, and random words up to the requested number.
fn words(comparison: &ParityRun<'_>) -> BTreeSet<String> {
    let golden = bleuprint_testkit::tables::stems();
    let mut words: BTreeSet<String> = golden.iter().map(|(word, _)| (*word).to_owned()).collect();
    let mut rng = comparison.rng(SEED);
    let most = words.len() + comparison.cases(WORDS);
    while words.len() < most {
        let start: String = match rng.below(4) {
            0 => String::new(),
            _ => rng.pick(&golden).0.chars().take(rng.between(1, 7)).collect(),
        };
        let letters: String = (0..rng.below(5)).map(|_| *rng.pick(pieces::pieces("stem-letters"))).collect();
        words.insert(
            [
                &start,
                &letters,
                *rng.pick(pieces::pieces("stem-suffixes")),
                *rng.pick(pieces::pieces("stem-suffixes")),
            ]
            .concat(),
        );
    }
    words
}
