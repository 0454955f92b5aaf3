//! The Porter stemmer against NLTK's: words of the example data, and random words of letters and suffixes.

use std::collections::BTreeSet;

use bleuprint_testkit::random::Rng;
use serde_json::json;

use super::Comparison;
use super::python::Oracle;

/// The driver that answers for NLTK.
const DRIVER: &str = include_str!("stem.py");

/// Words, and how many are asked for at a time.
const WORDS: usize = 200_000;
const BATCH: usize = 5_000;

const SEED: u64 = 19_800_714;

const LETTERS: &[&str] = &[
    "a", "e", "i", "o", "u", "y", "b", "c", "d", "g", "h", "l", "n", "r", "s", "t", "v", "w", "x", "z", "1",
    "é", "中", "*", "'",
];

#[rustfmt::skip]
const SUFFIXES: &[&str] = &[
    "", "", "", "s", "es", "ies", "sses", "ss", "ied", "ed", "eed", "ing", "y", "ly", "at", "ational", "tional",
    "enci", "anci", "izer", "bli", "alli", "entli", "eli", "ousli", "ization", "ation", "ator", "alism", "iveness",
    "fulness", "ousness", "aliti", "iviti", "biliti", "fulli", "logi", "icate", "ative", "alize", "iciti", "ical",
    "ful", "ness", "al", "ance", "ence", "er", "ic", "able", "ible", "ant", "ement", "ment", "ent", "ion", "ou",
    "ism", "ate", "iti", "ous", "ive", "ize", "e", "l", "ll", "*d",
];

/// Every word once.
pub(super) fn all(comparison: &mut Comparison) -> Result<(), String> {
    let mut oracle = Oracle::start(&comparison.python, DRIVER)?;
    println!("  stems of NLTK {}", oracle.about["nltk"]);
    let words: Vec<String> = words().into_iter().collect();
    let mut stem = String::new();
    for batch in words.chunks(BATCH) {
        let theirs: Vec<String> = serde_json::from_value(oracle.ask(&json!(batch))?)
            .map_err(|error| format!("the oracle's answer has another shape: {error}"))?;
        for (word, theirs) in batch.iter().zip(&theirs) {
            bleuprint::stem::porter(word, &mut stem);
            let differences = match stem == *theirs {
                true => Vec::new(),
                false => vec![format!("NLTK {theirs:?}, ours {stem:?}")],
            };
            comparison.report.case("Porter stems", &differences, || format!("{word:?}"));
        }
    }
    Ok(())
}

/// Those of the golden data, and random ones up to the number that is wanted.
fn words() -> BTreeSet<String> {
    let golden = bleuprint_testkit::golden::stems();
    let mut words: BTreeSet<String> = golden.iter().map(|(word, _)| (*word).to_owned()).collect();
    let mut rng = Rng::new(SEED);
    while words.len() < WORDS {
        let start = match rng.below(4) {
            0 => String::new(),
            _ => {
                let (word, _) = rng.pick(&golden);
                word.chars().take(rng.between(1, 7)).collect()
            }
        };
        let letters: String = (0..rng.below(5)).map(|_| *rng.pick(LETTERS)).collect();
        words.insert([&start, &letters, *rng.pick(SUFFIXES), *rng.pick(SUFFIXES)].concat());
    }
    words
}
