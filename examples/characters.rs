//! A language without spaces between words: the same BLEU over characters.
#![allow(clippy::print_stdout, reason = "an example prints its result")]

use bleuprint::{Accumulator, Bleu, Case, Tokenized, TokenizerOptions, tokenizer};

pub(crate) fn main() {
    let (hypothesis, reference) = ("猫坐在垫子上。", "猫正坐在垫子上。");

    // Characters are tokens like any others.
    let chars = |text: &str| text.chars().collect::<Vec<char>>();
    let mut by_chars = Accumulator::<_, [char]>::new(Bleu::default());
    by_chars.push(&chars(hypothesis), &[&chars(reference)]).unwrap();

    // The tokenizer `char` gives the same score, with its name in the signature.
    let by_name = |name: &str| {
        let tokenizer = tokenizer(name, &TokenizerOptions::default()).unwrap();
        let bleu = Tokenized::new(Bleu::default(), tokenizer, Case::Mixed).unwrap();
        let mut accumulator = Accumulator::<_, str>::new(bleu);
        accumulator.push(hypothesis, &[reference]).unwrap();
        accumulator.score().unwrap()
    };
    let characters = by_name("char");
    assert_eq!(by_chars.score().unwrap().score, characters.score);
    assert!(characters.score.score > 70.0);

    // A tokenizer for languages with spaces sees one long word, and no match.
    let spaced = by_name("13a");
    assert_eq!(spaced.score.score, 0.0);
    println!("char {:.1}, 13a {:.1}", characters.score.score, spaced.score.score);
}
