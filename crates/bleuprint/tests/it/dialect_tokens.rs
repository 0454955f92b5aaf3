//! Dialects from raw text on: every dialect names a tokenizer and a case that there are, and those of Perl's scripts are
//! not those of sacreBLEU.

use std::collections::BTreeSet;

use bleuprint::{Accumulator, Bleu, Case, Tokenized, TokenizerOptions, metrics::Dialect, tokenizer};

fn score(dialect: &str, hypothesis: &str, reference: &str) -> f64 {
    let dialect = Dialect::by_name(dialect).unwrap();
    let case = dialect.case.parse::<Case>().unwrap();
    let options = TokenizerOptions { case, ..TokenizerOptions::default() };
    let tokens = tokenizer(dialect.tokenizer, &options).unwrap();
    let bleu = Tokenized::new(Bleu::default(), tokens, case).unwrap();
    let mut corpus = Accumulator::<_, str>::new(&bleu);
    corpus.push(hypothesis, &[reference]).unwrap();
    Bleu::default().finalize_with(dialect, corpus.total()).unwrap().score.value
}

#[test]
fn every_dialect_has_tokens_and_a_case() {
    let mut tokenizers = BTreeSet::new();
    for dialect in Dialect::all() {
        let case = dialect.case.parse::<Case>().unwrap_or_else(|_| panic!("{}", dialect.name));
        let options = TokenizerOptions { case, ..TokenizerOptions::default() };
        let tokens = tokenizer(dialect.tokenizer, &options).unwrap();
        Tokenized::new(Bleu::default(), tokens, case).unwrap();
        tokenizers.insert(dialect.tokenizer);
    }
    assert_eq!(tokenizers, BTreeSet::from(["13a", "ascii-space", "intl", "mteval", "none"]));
}

#[test]
fn multi_bleu_splits_at_ascii_spaces_and_keeps_case() {
    let reference = "one two\u{a0}three four five Six.";
    assert_eq!(score("multi-bleu", reference, reference), 100.0);
    assert_eq!(score("multi-bleu", "one two three four five Six.", reference), 0.0, "no 4-gram is left");
    assert_eq!(score("multi-bleu-detok", "one two three four five Six .", reference), 100.0);
}

#[test]
fn mteval_folds_ascii_after_its_entities() {
    let reference = "THE \u{c9}T\u{c9} &amp; the rest.";
    assert_eq!(score("mteval:v13a", "the \u{c9}t\u{c9} & the rest .", reference), 1.0);
    assert!(score("mteval:v13a", "the \u{e9}t\u{e9} & the rest .", reference) < 1.0);
}
