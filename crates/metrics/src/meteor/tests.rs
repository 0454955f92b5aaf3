//! Tests METEOR against a naive implementation, and against recorded rows of NLTK if present.

use std::collections::BTreeSet;

use bleuprint_registry::laws;

use super::*;
use quickcheck::{Arbitrary, Gen, QuickCheck};

const WORDS: &[&str] =
    &["cat", "Cats", "dog", "running", "run", "runs", "race", "hound", "dogs", "the", "ΑΣ", "ας"];

fn table() -> SynonymTable {
    SynonymTable::new([
        ("run", vec!["race", "go"]),
        ("dog", vec!["hound", "cat"]),
        ("race", vec!["run"]),
        ("the", vec![]),
    ])
}

#[derive(Debug, Clone)]
struct Text(Vec<&'static str>);

impl Arbitrary for Text {
    fn arbitrary(g: &mut Gen) -> Self {
        let len = usize::arbitrary(g) % 14;
        Text((0..len).map(|_| WORDS[usize::arbitrary(g) % WORDS.len()]).collect())
    }

    fn shrink(&self) -> Box<dyn Iterator<Item = Self>> {
        let shorter = (0..self.0.len()).map(|gone| {
            let mut words = self.0.clone();
            words.remove(gone);
            Text(words)
        });
        Box::new(shorter.collect::<Vec<_>>().into_iter())
    }
}

fn naive(hypothesis: &[&str], reference: &[&str], synonyms: Option<&dyn Synonyms>) -> Vec<(usize, usize)> {
    let lower = |words: &[&str]| words.iter().map(|word| word.to_lowercase()).collect::<Vec<_>>();
    let stem = |words: Vec<String>| {
        let stems = words.iter().map(|word| {
            let mut stem = String::new();
            bleuprint_stem::porter(word, &mut stem);
            stem
        });
        stems.collect::<Vec<_>>()
    };
    let mut pairs: Vec<(usize, usize)> = Vec::new();
    let mut stage = |one: &[String], other: &[String], matched: &dyn Fn(&str, &str) -> bool| {
        for i in (0..one.len()).rev() {
            let free = |pairs: &[(usize, usize)], j: usize| !pairs.iter().any(|&(_, taken)| taken == j);
            if pairs.iter().any(|&(taken, _)| taken == i) {
                continue;
            }
            if let Some(j) = (0..other.len()).rev().find(|&j| free(&pairs, j) && matched(&one[i], &other[j]))
            {
                pairs.push((i, j));
            }
        }
    };
    let one = lower(hypothesis);
    let other = lower(reference);
    stage(&one, &other, &|a, b| a == b);
    let one = stem(one);
    let other = stem(other);
    stage(&one, &other, &|a, b| a == b);
    if let Some(source) = synonyms {
        stage(&one, &other, &|a, b| {
            let mut all = BTreeSet::from([a.to_owned()]);
            source.synonyms(a, &mut |synonym| _ = all.insert(synonym.to_owned()));
            all.contains(b)
        });
    }
    pairs.sort_unstable();
    pairs
}

fn chunks(pairs: &[(usize, usize)]) -> usize {
    let breaks = pairs.windows(2).filter(|two| two[1] != (two[0].0 + 1, two[0].1 + 1)).count();
    breaks + usize::from(!pairs.is_empty())
}

#[test]
fn agrees_with_the_naive_twin() {
    fn agrees(Text(hypothesis): Text, references: Vec<Text>, with: bool) -> bool {
        let table = table();
        let source = with.then_some(&table as &dyn Synonyms);
        let mut aligner = MeteorAligner::default();
        aligner.begin(&hypothesis);
        references.iter().all(|Text(reference)| {
            let alignment = aligner.align(reference, source);
            let pairs = naive(&hypothesis, reference, source);
            let counted = MeteorAlignment { matches: pairs.len(), chunks: chunks(&pairs) };
            aligner.pairs() == pairs && alignment == counted
        })
    }
    QuickCheck::new().tests(20_000).quickcheck(agrees as fn(Text, Vec<Text>, bool) -> bool);
}

#[test]
fn one_aligner_serves_many_segments() {
    let mut aligner = MeteorAligner::default();
    let mut g = Gen::new(20);
    for _ in 0..5_000 {
        let Text(hypothesis) = Text::arbitrary(&mut g);
        let Text(reference) = Text::arbitrary(&mut g);
        aligner.begin(&hypothesis);
        aligner.align(&reference, Some(&table()));
        assert_eq!(
            aligner.pairs(),
            naive(&hypothesis, &reference, Some(&table())),
            "{hypothesis:?} {reference:?}"
        );
    }
}

#[test]
fn weights_out_of_range_are_refused() {
    for (alpha, beta, gamma) in [(-0.1, 3.0, 0.5), (0.9, f64::NAN, 0.5), (0.9, -1.0, 0.5), (0.9, 3.0, 1.5)] {
        assert!(Meteor::new(alpha, beta, gamma).is_err());
    }
}

#[test]
fn obeys_the_laws() {
    let word = |byte: &u8| WORDS[usize::from(*byte) % WORDS.len()].to_owned();
    let words = |bytes: &[u8]| bytes.iter().map(word).collect::<Vec<String>>();
    let with = Meteor::default().with_synonyms(Arc::new(table()));
    laws::check_sequences::<[String]>(&with, words);
}

#[test]
fn the_source_of_synonyms_and_the_weights_are_part_of_the_identity() {
    let identity = |meteor: &Meteor| meteor.identity().key().to_string();
    let plain = Meteor::default();
    let with = Meteor::default().with_synonyms(Arc::new(table()));
    let weighted = Meteor::new(0.85, 3.0, 0.5).unwrap();
    assert_eq!(
        identity(&plain),
        "meteor/2|synonyms:none|alpha:0.9|beta:3|gamma:0.5|case:mixed|tok:unspecified"
    );
    assert!(identity(&with).starts_with("meteor/2|synonyms:table#"));
    assert_ne!(identity(&weighted), identity(&plain));
}
