//! METEOR of random sentences against NLTK: without synonyms, with our own small WordNet database, and with the real
//! one where it is installed.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use bleuprint::metrics::meteor::{Meteor, Synonyms, WordNet};
use bleuprint_testkit::random::Rng;
use serde_json::json;
use xtask::Result;

use super::oracle::Oracle;
use super::outcome::FloatBits;
use super::{ParityRun, corpus, ours};
use crate::pieces;

const SMALL: &str = "crates/testkit/data/meteor/wordnet";

/// The folder of version 3.0 in Debian's package `wordnet-base`.
const REAL: &str = "/usr/share/wordnet";

/// Segments for every source of synonyms, and number in one question to the oracle.
const SEGMENTS: usize = 60_000;
const BATCH: usize = 500;

const SEED: u64 = 20_050_629;

pub(super) fn random(comparison: &mut ParityRun<'_>) -> Result {
    let mut oracle = comparison.oracle(include_str!("meteor.py"))?;
    println!("  METEOR of NLTK {}", oracle.about["nltk"]);
    let small = comparison.given.root.join(SMALL);
    let real = Some(PathBuf::from(REAL)).filter(|folder| folder.is_dir());
    if real.is_none() {
        println!("  skipped: METEOR with WordNet 3.0, because {REAL} is not there");
    }
    let mut rng = comparison.rng(SEED);
    compare(comparison, &mut oracle, "METEOR without synonyms", None, pieces::pieces("meteor"), &mut rng)?;
    compare(
        comparison,
        &mut oracle,
        "METEOR with our own synonyms",
        Some(&small),
        pieces::pieces("meteor"),
        &mut rng,
    )?;
    if let Some(real) = &real {
        let words = words_of(real, comparison.rng(SEED))?;
        let few: Vec<&str> = (0..3_000).map(|_| rng.pick(&words).as_str()).collect();
        compare(comparison, &mut oracle, "METEOR with WordNet 3.0", Some(real), &few, &mut rng)?;
        compare_synonyms(comparison, &mut oracle, real, &words)?;
    }
    Ok(())
}

fn compare(
    comparison: &mut ParityRun<'_>,
    oracle: &mut Oracle,
    kind: &str,
    wordnet: Option<&Path>,
    words: &[&str],
    rng: &mut Rng,
) -> Result {
    let synonyms = wordnet.map(load).transpose()?;
    for _ in 0..comparison.cases(SEGMENTS).div_ceil(BATCH) {
        let weights = *rng.pick(&[(0.9, 3.0, 0.5), (0.9, 3.0, 0.5), (0.85, 2.0, 0.25), (0.5, 0.7, 1.0)]);
        let (alpha, beta, gamma) = weights;
        let mut meteor = Meteor::new(alpha, beta, gamma)?;
        if let Some(synonyms) = &synonyms {
            meteor = meteor.with_synonyms(Arc::clone(synonyms) as Arc<dyn Synonyms>);
        }
        let cases: Vec<ours::Words<'_>> = (0..BATCH).map(|_| texts(rng, words)).collect();
        let question = json!({ "cases": cases, "weights": weights, "wordnet": wordnet });
        let theirs: Vec<FloatBits> = oracle.ask(&question)?;
        for (case, theirs) in cases.iter().zip(&theirs) {
            let ours = ours::observed(&meteor, std::slice::from_ref(case))?.score()?.score.score;
            comparison
                .report
                .same(kind, theirs, &FloatBits::from_value(ours), || format!("{case:?}, {weights:?}"));
        }
    }
    Ok(())
}

/// Compares the synonyms of words in the database and of their inflected forms.
fn compare_synonyms(
    comparison: &mut ParityRun<'_>,
    oracle: &mut Oracle,
    folder: &Path,
    words: &[String],
) -> Result {
    let wordnet = load(folder)?;
    for batch in words.chunks(BATCH) {
        let theirs: Vec<Vec<String>> = oracle.ask(&json!({ "synonyms": batch, "wordnet": folder }))?;
        for (word, theirs) in batch.iter().zip(&theirs) {
            let mut ours = Vec::new();
            wordnet.synonyms(word, &mut |synonym| ours.push(synonym.to_owned()));
            ours.sort_unstable();
            ours.dedup();
            comparison.report.same("synonyms of WordNet 3.0", theirs, &ours, || format!("{word:?}"));
        }
    }
    Ok(())
}

fn load(folder: &Path) -> Result<Arc<WordNet>> {
    let mut unread = None;
    let wordnet = WordNet::parse(|name| {
        std::fs::read_to_string(folder.join(name)).or_else(|error| {
            unread = Some(format!("cannot read {name}: {error}"));
            Ok(String::new())
        })
    });
    match unread {
        Some(error) => Err(error.into()),
        None => Ok(Arc::new(wordnet?)),
    }
}

/// Returns words of the index, every third of them in another form.
fn words_of(folder: &Path, mut rng: Rng) -> Result<Vec<String>> {
    let mut words = Vec::new();
    for part in ["noun", "verb", "adj", "adv"] {
        let text = std::fs::read_to_string(folder.join(format!("index.{part}")));
        let text = text.map_err(|error| format!("cannot read the index of {part}: {error}"))?;
        let lemmas = text.lines().filter(|line| !line.starts_with(' '));
        let lemmas = lemmas.filter_map(|line| line.split(' ').next()).filter(|word| !word.contains('_'));
        words.extend(lemmas.map(str::to_owned));
    }
    rng.shuffle(&mut words);
    words.truncate(30_000);
    let endings = ["s", "es", "ies", "ed", "ing", "er", "est", "men", "ves"];
    let mut stem = String::new();
    for word in words.iter_mut().step_by(3) {
        *word = match rng.below(3) {
            0 => format!("{word}{}", rng.pick(&endings)),
            1 => format!("{}{}", &word[..word.len() - 1], rng.pick(&endings)),
            _ => {
                bleuprint::stem::porter(word, &mut stem);
                stem.clone()
            }
        };
    }
    Ok(words)
}

/// Returns a hypothesis and one to three references, most of them made from it, all with few words.
fn texts<'a>(rng: &mut Rng, words: &[&'a str]) -> ours::Words<'a> {
    let text = |rng: &mut Rng| -> Vec<&str> {
        let few: Vec<&str> = (0..8).map(|_| *rng.pick(words)).collect();
        (0..rng.below(16)).map(|_| *rng.pick(&few)).collect()
    };
    let hypothesis = text(rng);
    let references = corpus::references(&hypothesis, words, text, rng);
    (hypothesis, references)
}
