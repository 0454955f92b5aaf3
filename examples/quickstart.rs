//! Score a corpus of text, with its parts and its signature.
#![allow(clippy::print_stdout, reason = "an example prints its result")]

use bleuprint::report::{LineStyle, line};
use bleuprint::{Accumulator, AnyScore, Bleu, Case, Scored, Tokenized, TokenizerOptions, tokenizer};

pub(crate) fn main() {
    // A metric over tokens plus a tokenizer is a metric over text.
    let tokenizer = tokenizer("13a", &TokenizerOptions::default()).unwrap();
    let bleu = Tokenized::new(Bleu::default(), tokenizer, Case::Mixed).unwrap();

    // References are per segment; their number may vary.
    let mut corpus = Accumulator::<_, str>::new(&bleu);
    corpus.push("The dog bit the man.", &["The dog bit the man.", "The dog had bit the man."]).unwrap();
    corpus.push("It wasn't surprising.", &["It was not unexpected.", "No one was surprised."]).unwrap();
    corpus
        .push("The man had just bitten him.", &["The man bit him first.", "The man had bitten the dog."])
        .unwrap();

    let Scored { score, signature } = corpus.score().unwrap();
    assert_eq!(score.score, 48.530827009929865);
    assert_eq!(score.clipped[..], [14, 7, 5, 3]);

    let scored = Scored { score: AnyScore::from_score(&bleu, &score).unwrap(), signature };
    println!("{}", line(&scored, None, LineStyle::default()));
}
