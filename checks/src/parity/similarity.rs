//! Similarities of random texts by edits, against the functions of which `crates/families/similarity/data` has values: rapidfuzz, difflib,
//! thefuzz, anls, cer, NLTK and torchmetrics.

use std::ops::Range;

use bleuprint::Score as _;
use bleuprint::contract::{self, Observe};
use bleuprint_similarity::{
    Anls, AnlsRule, Character, EditKind, EditSimilarity, Eed, EedLanguage, Ned, Ribes,
};
use bleuprint_testkit::random::Rng;
use serde_json::json;
use xtask::Result;

use super::corpus;
use super::outcome::FloatBits;
use super::topic::{AnyPart, ParityTopic, PartSize, SinglePart, TopicNeeds};
use crate::pieces;

/// Names of functions in the driver; functions in [`WORDS`] get texts of words that repeat.
const FUNCTIONS: &[&str] = &[
    "levenshtein",
    "indel",
    "jaro",
    "jaro_winkler",
    "difflib",
    "difflib-all",
    "percent",
    "ned",
    "anls",
    "eed",
    "eed-ja",
    "character",
    "ribes",
];
const WORDS: &[&str] = &["character", "ribes"];

/// The program needs hundreds of characters before it leaves frequent ones out.
const LONG: &[&str] = &["difflib", "difflib-all"];

type Case = (String, Vec<String>);

pub(super) const TOPIC: ParityTopic = ParityTopic {
    script: include_str!("../../../crates/families/similarity/data/programs.py"),
    needs: TopicNeeds::Versions("", "programs"),
    seed: 19_650_110,
    parts: |_, _| Ok(FUNCTIONS.iter().map(|function| part(function)).collect()),
};

/// Returns the comparison of one function.
fn part(function: &'static str) -> Box<dyn AnyPart> {
    let kind = format!("similarity, {function}");
    Box::new(SinglePart {
        size: PartSize::whole(10_000, 250),
        draw: Box::new(move |rng| case(function, rng)),
        question: Box::new(move |cases| json!({ "program": function, "cases": cases })),
        compare: Box::new(move |report, case: &Case, theirs: Option<FloatBits>| {
            let references: Vec<&str> = case.1.iter().map(String::as_str).collect();
            let ours = value(function, &case.0, &references).ok().map(FloatBits::from_value);
            report.same(&kind, &theirs, &ours, || format!("{case:?}"));
            Ok(())
        }),
    })
}

fn case(function: &str, rng: &mut Rng) -> Case {
    let lists: &[(&str, &str)] = if WORDS.contains(&function) {
        &[("letters", " "), ("rouge", " "), ("squad", " ")]
    } else {
        &[("letters", ""), ("rouge", " "), ("squad", ""), ("unicode", ""), ("trouble", " "), ("spaces", "")]
    };
    let (list, glue) = *rng.pick(lists);
    let lengths: Range<usize> = if LONG.contains(&function) && rng.chance(50) { 150..320 } else { 0..16 };
    let words = |rng: &mut Rng| -> Vec<&'static str> {
        (0..rng.between(lengths.start, lengths.end)).map(|_| *rng.pick(pieces::pieces(list))).collect()
    };
    let hypothesis = words(rng);
    let mut references = corpus::references(&hypothesis, pieces::pieces(list), words, rng);
    // The program of this one takes one reference.
    references.truncate(if function == "character" { 1 } else { 3 });
    (hypothesis.join(glue), references.iter().map(|reference| reference.join(glue)).collect())
}

fn value(function: &str, hypothesis: &str, references: &[&str]) -> Result<f64> {
    let kind = |kind| over_chars(EditSimilarity::new(kind), hypothesis, references);
    match function {
        "levenshtein" => kind(EditKind::Levenshtein),
        "indel" => kind(EditKind::Indel),
        "jaro" => kind(EditKind::Jaro),
        "jaro_winkler" => kind(EditKind::JaroWinkler),
        "difflib" => kind(EditKind::Difflib),
        "difflib-all" => {
            over_chars(EditSimilarity::new(EditKind::Difflib).without_autojunk(), hypothesis, references)
        }
        "percent" => over_chars(EditSimilarity::new(EditKind::Indel).percent(), hypothesis, references),
        "ned" => over_chars(Ned, hypothesis, references),
        "anls" => score(Anls::new(AnlsRule::Paper, 0.5)?, hypothesis, references),
        "eed" => score(Eed::new(EedLanguage::English), hypothesis, references),
        "eed-ja" => score(Eed::new(EedLanguage::Japanese), hypothesis, references),
        "character" => score(Character, hypothesis, references),
        _ => {
            let words = |text: &str| bleuprint::text::whitespace::split(text).map(str::to_owned).collect();
            cut(Ribes, hypothesis, references, words)
        }
    }
}

fn over_chars<M: Observe<[char]>>(metric: M, hypothesis: &str, references: &[&str]) -> Result<f64> {
    cut(metric, hypothesis, references, |text| text.chars().collect())
}

fn cut<T, M: Observe<[T]>>(
    metric: M,
    hypothesis: &str,
    references: &[&str],
    cut: impl Fn(&str) -> Vec<T>,
) -> Result<f64> {
    let references: Vec<Vec<T>> = references.iter().map(|text| cut(text)).collect();
    let references: Vec<&[T]> = references.iter().map(Vec::as_slice).collect();
    score(metric, &cut(hypothesis)[..], &references)
}

fn score<T: ?Sized, M: Observe<T>>(metric: M, hypothesis: &T, references: &[&T]) -> Result<f64> {
    let mut one = contract::Accumulator::<_, T>::new(metric);
    one.push(hypothesis, references)?;
    Ok(one.score()?.score.value())
}
