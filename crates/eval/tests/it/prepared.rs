//! Tests that prepared references of text give the same statistics and rewards as observing.

use bleuprint_core::Case;
use bleuprint_eval::{Rewards, Tokenized};
use bleuprint_metrics::Bleu;
use bleuprint_registry::laws;
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
        laws::check_sequences::<str>(&over(name, case), text);
    }
    // A tokenizer with its own ids.
    let ids = |bytes: &[u8]| bytes.iter().map(|byte| (byte % 4).to_string()).collect::<Vec<_>>().join(" ");
    laws::check_sequences::<str>(&over("ids", Case::Mixed), ids);
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
        rewards.per_group::<String, _, &str, _, _>(rollouts, 1, &own, &mut one).unwrap();
        rewards.per_group::<String, _, &str, _, _>(rollouts, 4, &groups, &mut other).unwrap();
        one == other
    }
}
