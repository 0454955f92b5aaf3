//! Tests of BLEU dialects besides the comparison with recorded scores: names, rejections, required
//! properties, and no panic.

use std::collections::BTreeSet;

use bleuprint_core::{Accumulator, Metric, SegmentCounts, Signature, State, Stats};
use bleuprint_math::{exp, ln};
use bleuprint_registry::{AnyMetric, laws};
use quickcheck::quickcheck;

use super::super::Smoothing;
use super::*;

fn observe(segments: &[(&[u8], &[&[u8]])]) -> State<BleuStats> {
    let mut corpus = Accumulator::<_, [u8]>::new(Bleu::default());
    for (hypothesis, references) in segments {
        corpus.push(hypothesis, references).unwrap();
    }
    corpus.total().clone()
}

fn finalize(name: &str, observed: &State<BleuStats>) -> Result<f64, DialectError> {
    let dialect = Dialect::by_name(name).unwrap();
    Bleu::default().finalize_with(dialect, observed).map(|scored| scored.score.value)
}

#[test]
fn names_are_unique_and_entries_are_whole() {
    let mut seen = BTreeSet::new();
    for dialect in Dialect::all() {
        for name in core::iter::once(&dialect.name).chain(dialect.aliases) {
            assert!(seen.insert(*name), "{name} is taken");
        }
        for text in [dialect.name, dialect.program, dialect.version, dialect.summary] {
            assert!(!text.is_empty(), "{}", dialect.name);
        }
    }
}

#[test]
fn signatures_name_the_dialect_and_parse_back() {
    let observed = observe(&[(b"abcde", &[b"abcdf", b"abc"])]);
    for dialect in Dialect::all() {
        let Ok(scored) = Bleu::default().finalize_with(dialect, &observed) else { continue };
        let printed = scored.signature.to_string();
        assert!(printed.starts_with("BLEU|nrefs:2|case:mixed|tok:unspecified|dialect:"), "{printed}");
        assert_eq!(printed.parse::<Signature>(), Ok(scored.signature));
    }
}

#[test]
fn programs_refuse_what_they_do_not_take() {
    let two_references = observe(&[(b"abcde", &[b"abcdf", b"abc"])]);
    assert_eq!(
        finalize("fairseq", &two_references),
        Err(DialectError::SeveralReferences { dialect: "fairseq" })
    );
    let two_segments = observe(&[(b"abc", &[b"abc"]), (b"abd", &[b"abc"])]);
    let error = finalize("nltk:method5", &two_segments).unwrap_err();
    assert!(error.to_string().contains("single segments, but there were 2"), "{error}");
    let empty = observe(&[(b"", &[b"abc"])]);
    let error = finalize("hf", &empty).unwrap_err();
    assert!(error.to_string().contains("ZeroDivisionError"), "{error}");
    let nothing = observe(&[]);
    assert!(Dialect::all().iter().all(|dialect| finalize(dialect.name, &nothing).is_err()));
}

#[test]
fn a_state_without_order_five_serves_method5_where_it_can() {
    let perfect = observe(&[(b"abcde", &[b"abcde"])]);
    let needed = DialectError::OrderNotObserved { dialect: "nltk:method5", needed: 5, observed: 4 };
    assert_eq!(finalize("nltk:method5", &perfect), Err(needed));
    let no_fourgram = observe(&[(b"abcxde", &[b"abcyde"])]);
    assert!(finalize("nltk:method5", &no_fourgram).is_ok());

    let dialect = Dialect::by_name("nltk:method5").unwrap();
    let wider = Bleu::builder().max_order(dialect.order_to_observe(4)).build().unwrap();
    let observed = Accumulator::<_, [u8]>::new(wider).push(b"abcde", &[b"abcde"]).unwrap();
    let score = Bleu::default().finalize_with(dialect, &observed).unwrap().score.value;
    assert_eq!(score, 1.1167470964180197);
}

#[test]
fn fractions_that_grow_too_long_are_an_error() {
    let bleu = Bleu::builder().max_order(20).build().unwrap();
    let hypothesis: Vec<u16> = (0..3000).map(|token| if token % 37 == 0 { 9999 } else { token }).collect();
    let reference: Vec<u16> = (0..3000).collect();
    let observed = Accumulator::<_, [u16]>::new(&bleu).push(&hypothesis, &[&reference]).unwrap();
    let method6 = Dialect::by_name("nltk:method6").unwrap();
    let expected = DialectError::NotExact { dialect: "nltk:method6" };
    assert_eq!(bleu.finalize_with(method6, &observed).unwrap_err(), expected);
}

#[test]
fn weights_are_for_programs_that_have_them() {
    let observed = observe(&[(b"abcxe", &[b"abcde"])]);
    let weighted = Bleu::builder().weights([0.5, 0.5, 0.0, 0.0]).build().unwrap();
    let score = |name| weighted.finalize_with(Dialect::by_name(name).unwrap(), &observed);
    let expected = exp(0.5 * ln(0.8f64) + 0.5 * ln(0.5f64));
    assert!((score("nltk:method0").unwrap().score.value - expected).abs() < 1e-15);
    assert_eq!(score("hf").unwrap_err(), DialectError::NoWeights { dialect: "hf" });
}

#[test]
fn with_one_reference_moses_sentence_bleu_is_smoothed_tf_nmt() {
    for (hypothesis, reference) in [(&b"abcxef"[..], &b"abcdefgh"[..]), (b"pqr", b"abcd"), (b"ab", b"a")] {
        let observed = observe(&[(hypothesis, &[reference])]);
        let moses = finalize("moses:sentence-bleu", &observed);
        let hf = finalize("hf:smooth", &observed);
        assert!((moses.unwrap() - hf.unwrap()).abs() < 1e-15);
    }
}

#[test]
fn no_setting_is_printed_that_was_not_used() {
    let bleu = || Bleu::builder().max_order(3).effective_order(true).smoothing(Smoothing::AddK(2.0));
    let plain = bleu().build().unwrap();
    let compensated = bleu().summation(Summation::Compensated);
    let compensated = compensated.build().unwrap();
    let plainest = Bleu::builder().max_order(3).build().unwrap();
    for dialect in Dialect::all() {
        let mut differs = false;
        let mut printed = false;
        for seed in 0..400u32 {
            // Segments with many matches, so that all logarithms are finite.
            let reference: Vec<u32> = (0..9 + seed % 50).collect();
            let edit = |token: &u32| if token % (5 + seed % 7) == 3 { 1000 } else { *token };
            let hypothesis: Vec<u32> = reference.iter().map(edit).collect();
            let wider = Bleu::builder().max_order(dialect.order_to_observe(3)).build().unwrap();
            let state = Accumulator::<_, [u32]>::new(wider).push(&hypothesis, &[&reference]).unwrap();
            let finish = |bleu: &Bleu| bleu.finalize_with(dialect, &state);
            let (Ok(one), Ok(other)) = (finish(&plain), finish(&compensated)) else { continue };
            differs |= one.score.value.to_bits() != other.score.value.to_bits();
            printed |= other.signature.get("sum").is_some();
            let bare = finish(&plainest).unwrap();
            assert_eq!((&bare.score, &bare.signature), (&one.score, &one.signature), "{}", dialect.name);
            for replaced in ["eff", "smooth", "sv", "len"] {
                assert_eq!(one.signature.get(replaced), None, "{}", dialect.name);
            }
        }
        assert_eq!(printed, dialect.python_sum, "{}: `sum` is printed where it can matter", dialect.name);
        // tensor2tensor rounds to `f32`, in which the last bit of the sum hardly ever shows.
        assert!(differs == printed || dialect.name == "t2t", "{}: `sum` matters", dialect.name);
    }
    let weighted = Bleu::builder().weights([0.5, 0.3, 0.2]).build().unwrap();
    for dialect in Dialect::all() {
        let printed =
            weighted.in_dialect(dialect).ok().map(|metric| metric.signature().get("weights").is_some());
        assert_eq!(printed, dialect.weighted.then_some(true), "{}", dialect.name);
    }
}

/// Checks the required properties of one dialect at a time. Dialects count like BLEU, whose tokens
/// `obeys_the_laws_at_every_order` checks.
#[test]
fn every_dialect_obeys_the_laws() {
    for dialect in Dialect::all() {
        laws::check_any(&AnyMetric::for_ids(Bleu::default().in_dialect(dialect).unwrap()).unwrap());
    }
}

type Observed = (Vec<u8>, Vec<u8>, Option<Vec<u8>>);

quickcheck! {
    fn any_cut_of_a_corpus_gives_the_same_number_or_the_same_error(
        corpus: Vec<Observed>
    ) -> bool {
        let bleu = Bleu::builder().max_order(5).build().unwrap();
        let few = |bytes: &[u8]| bytes.iter().map(|byte| byte % 3).collect::<Vec<u8>>();
        let observed = |corpus: &[Observed]| {
            let mut observed = Accumulator::<_, [u8]>::new(&bleu);
            for (hypothesis, reference, other) in corpus {
                let references: Vec<Vec<u8>> = std::iter::once(reference).chain(other).map(|own| few(own)).collect();
                let references: Vec<&[u8]> = references.iter().map(Vec::as_slice).collect();
                observed.push(&few(hypothesis), &references).unwrap();
            }
            State::from(observed)
        };
        let (left, right) = corpus.split_at(corpus.len() / 2);
        let whole = observed(&corpus);
        let mut merged = observed(right);
        merged.merge(&observed(left)).unwrap();
        Dialect::all().iter().all(|dialect| {
            let bits = |observed| {
                let scored = Bleu::default().finalize_with(dialect, observed);
                scored.map(|scored| (scored.score.value.to_bits(), scored.signature))
            };
            bits(&merged) == bits(&whole)
        })
    }

    fn no_state_however_wrong_panics(row: Vec<u64>, segments: u8) -> bool {
        let mut stats = BleuStats::zero(5);
        let columns = stats.column_names().len();
        let row: Vec<u64> = row.into_iter().chain([u64::MAX, 0, 7]).cycle().take(columns).collect();
        stats.read_row(&row).unwrap();
        let segments = u64::from(segments % 3);
        let counts = SegmentCounts { segments, references: segments, references_squared: segments };
        for dialect in Dialect::all() {
            for order in [1, 4, 5, 6] {
                let bleu = Bleu::builder().max_order(order).build().unwrap();
                let _ = bleu.in_dialect(dialect).unwrap().finalize(&stats, &counts);
            }
        }
        true
    }
}
