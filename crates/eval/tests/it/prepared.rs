//! Prepared references of text give what observing gives: statistics, rewards, whole corpora.

use bleuprint_core::laws::{self, Equality};
use bleuprint_core::{Accumulator, Case, Metric};
use bleuprint_eval::{ReferenceSet, Rewards, Tokenized};
use bleuprint_metrics::{Bleu, Chrf};
use bleuprint_text::{TokenizerOptions, tokenizer};
use quickcheck::{Arbitrary, Gen, quickcheck};

fn over(name: &str, case: Case) -> Tokenized<Bleu, Box<dyn bleuprint_text::Tokenizer>> {
    let options = TokenizerOptions { case, ..TokenizerOptions::default() };
    Tokenized::new(Bleu::default().sentence(), tokenizer(name, &options).unwrap(), case).unwrap()
}

fn text(bytes: &[u8]) -> String {
    let words = ["the", "The", "cat", "sat.", "1,000", "ß", "&amp;", ""];
    bytes.iter().map(|&byte| words[usize::from(byte) % 8]).collect::<Vec<_>>().join(" ")
}

#[test]
fn texts_obey_the_laws() {
    for (name, case) in
        [("13a", Case::Mixed), ("intl", Case::Lower), ("char", Case::Mixed), ("none", Case::Lower)]
    {
        laws::check_sequences::<str, _, _>(&over(name, case), text, Equality::Exact);
    }
    // A tokenizer that has ids of its own.
    let ids = |bytes: &[u8]| bytes.iter().map(|byte| (byte % 4).to_string()).collect::<Vec<_>>().join(" ");
    laws::check_sequences::<str, _, _>(&over("ids", Case::Mixed), ids, Equality::Exact);
}

#[derive(Debug, Clone)]
struct Texts(Vec<String>);

impl Arbitrary for Texts {
    fn arbitrary(g: &mut Gen) -> Self {
        let mut bytes = || (0..u8::arbitrary(g) % 8).map(|_| u8::arbitrary(g)).collect::<Vec<u8>>();
        Texts((0..12).map(|_| text(&bytes())).collect())
    }
}

quickcheck! {
    fn rollouts_of_text_are_scored_alike(rollouts: Texts, references: Texts) -> bool {
        let (rollouts, references) = (&rollouts.0, &references.0);
        let groups: Vec<Vec<&str>> = references[..3].iter().map(|text| vec![text.as_str(), &references[4]]).collect();
        let own: Vec<&Vec<&str>> = (0..12).map(|item| &groups[item / 4]).collect();
        let mut rewards = Rewards::<_, str>::new(over("13a", Case::Mixed));
        let (mut one, mut other) = ([0.0; 12], [1.0; 12]);
        rewards.per_item::<String, _, &str>(rollouts, &own, &mut one).unwrap();
        rewards.per_group::<String, _, &str>(rollouts, 4, &groups, &mut other).unwrap();
        one == other
    }

    fn a_set_serves_every_system(system: Texts, references: Texts) -> bool {
        let segments: Vec<[&str; 2]> = references.0.iter().map(|text| [text.as_str(), "the cat"]).collect();
        let (bleu, chrf) = (over("13a", Case::Lower), Chrf::default());
        let (mut plain, mut of_characters) = (Accumulator::<_, str>::new(&bleu), Accumulator::<_, str>::new(&chrf));
        for (hypothesis, references) in system.0.iter().zip(&segments) {
            plain.push(hypothesis, references).unwrap();
            of_characters.push(hypothesis, references).unwrap();
        }
        let set = ReferenceSet::<_, str>::new(&bleu, &segments).unwrap().observe(&system.0).unwrap();
        let characters = ReferenceSet::<_, str>::new(&chrf, &segments).unwrap().observe(&system.0).unwrap();
        set == *plain.total() && characters == *of_characters.total()
    }
}

#[test]
fn a_segment_without_references_is_named() {
    let segments: [&[&str]; 2] = [&["a"], &[]];
    let error = ReferenceSet::<_, str>::new(over("13a", Case::Mixed), segments).err().unwrap();
    assert!(error.to_string().starts_with("segment 2: no references"), "{error}");
    let none: [&[&str]; 0] = [];
    let set = ReferenceSet::<_, str>::new(over("13a", Case::Mixed), none).unwrap();
    assert!(set.is_empty() && set.observe::<&str>(&[]).unwrap().counts().segments == 0);
    assert_eq!(*over("13a", Case::Mixed).state_key(), *set.observe::<&str>(&[]).unwrap().key());
}
