//! Tests of singular cases, and of the values on the documentation page.

use bleuprint_core::{Accumulator, Mean, Score as _};
use bleuprint_sources::*;

use super::score;

#[test]
fn the_mean_of_summaries_is_not_the_quotient_of_the_corpus() {
    let pairs = [("a b", "a b c d"), ("x y z w", "a x")];
    let corpus = score(Extractive::default(), &pairs).unwrap();
    assert_eq!((corpus.coverage, corpus.density, corpus.compression), (3.0 / 6.0, 5.0 / 6.0, 1.0));
    let mean = score(Mean::new(Extractive::default()), &pairs).unwrap();
    assert_eq!(mean.headlines(), [0.625, 1.125, 1.25]);
}

#[test]
fn a_missing_source_is_an_error_and_an_empty_one_is_not() {
    let error = Accumulator::<_, [u8]>::new(Extractive::default()).push(b"ab", &[]).unwrap_err().to_string();
    assert!(error.contains("no source"), "{error}");
    let error = Accumulator::<_, [u8]>::new(Novel::new(1).unwrap()).push(b"ab", &[]).unwrap_err().to_string();
    assert!(error.contains("no source"), "{error}");
    assert_eq!(score(Extractive::default(), &[("", ""), ("a", "")]).unwrap().headlines(), [0.0, 0.0, 0.0]);
    assert_eq!(score(Novel::new(1).unwrap(), &[("a", "")]).unwrap().value(), 1.0);
}

#[test]
fn a_short_summary_has_no_number() {
    let novel = || Novel::new(3).unwrap();
    let error = score(novel(), &[("a b", "a b c")]).unwrap_err().to_string();
    assert!(error.contains("no summary has 3 tokens"), "{error}");
    assert_eq!(score(novel(), &[("a b", "a b c"), ("a b d", "a b c")]).unwrap().value(), 1.0);
    assert!(Novel::new(0).is_err() && Novel::new(65).is_err());
}

#[test]
fn nothing_has_no_fertility() {
    let mut fertility = Accumulator::<_, str>::new(Fertility::new("char", FertilityUnit::Word).unwrap());
    fertility.push(" ", &[]).unwrap();
    let error = fertility.score().unwrap_err().to_string();
    assert!(error.contains("no word"), "{error}");
    assert!(Fertility::new("no-such-tokenizer", FertilityUnit::Word).is_err());
}

#[test]
fn long_sources_take_little_time() {
    let (summary, source) = ("a b ".repeat(2_000), "b a c ".repeat(2_000));
    let extractive = score(Extractive::default(), &[(&summary, &source)]).unwrap();
    assert_eq!(extractive.coverage, 1.0);
}
