//! Tests of BLEU besides the comparison with recorded scores: required properties, errors, and agreements
//! between options.

use bleuprint_core::{Accumulator, InputErrorKind, Metric, Observe, Segment, State};
use bleuprint_math::{exp, ln};
use bleuprint_registry::laws;
use bleuprint_testkit::draws;
use quickcheck::quickcheck;

use super::*;

fn segment_stats(hypothesis: &[u8], references: &[&[u8]]) -> BleuStats {
    Accumulator::<_, [u8]>::new(Bleu::default()).push(hypothesis, references).unwrap().stats().clone()
}

#[test]
fn obeys_the_laws_at_every_order() {
    // Order 70 exceeds the bits in which prefixes of a hypothesis store their gains.
    for order in (1..=6).chain([70]).step_by(draws(1, 3)) {
        laws::check(&Bleu::builder().max_order(order).build().unwrap());
    }
    laws::check(&Bleu::builder().ref_len(RefLen::Average).build().unwrap());
}

#[test]
fn a_segment_without_references_is_an_error() {
    let mut stats = Bleu::default().zero();
    let error = Bleu::default()
        .observe(&mut Scratch::default(), &mut stats, Segment::new(&[1u8][..], &[]))
        .unwrap_err();
    assert_eq!(error.kind(), &InputErrorKind::NoReferences);
}

#[test]
fn seventeen_references_cannot_be_averaged_exactly() {
    let average = Bleu::builder().ref_len(RefLen::Average).build().unwrap();
    let references = [&b"a"[..]; 17];
    let mut stats = average.zero();
    let error = average
        .observe(&mut Scratch::default(), &mut stats, Segment::new(&b"a"[..], &references))
        .unwrap_err();
    assert!(error.to_string().contains("is 17, but must be at most 16"), "{error}");
    assert!(
        Bleu::default()
            .observe(&mut Scratch::default(), &mut stats, Segment::new(&b"a"[..], &references))
            .is_ok()
    );
}

#[test]
fn the_rules_of_reference_length_read_one_state() {
    let stats = segment_stats(b"aaa", &[b"a", b"aaaa", b"aaaa"]);
    let with =
        |rule| Bleu::builder().ref_len(rule).build().unwrap().finalize_as::<f64>(&stats).unwrap().ref_len;
    assert_eq!([RefLen::Closest, RefLen::Shortest, RefLen::Average].map(with), [4.0, 1.0, 3.0]);
}

#[test]
fn a_weight_of_zero_takes_its_order_out() {
    let stats = segment_stats(b"abcx", &[b"abcd"]);
    let bleu = Bleu::builder().weights([0.5, 0.5, 0.0, 0.0]).smoothing(Smoothing::None).build().unwrap();
    let expected = exp(ln(0.75f64 * 100.0) * 0.5 + ln(100.0f64 * 2.0 / 3.0) * 0.5);
    assert_eq!(bleu.finalize_as::<f64>(&stats).unwrap().score, expected);
    assert_eq!(
        Bleu::builder().smoothing(Smoothing::None).build().unwrap().finalize_as::<f64>(&stats).unwrap().score,
        0.0
    );
}

#[test]
fn weights_over_dropped_orders_are_rescaled() {
    let stats = segment_stats(b"ab", &[b"ab"]);
    let bleu = Bleu::builder().weights([0.4, 0.3, 0.2, 0.1]).effective_order(true).build().unwrap();
    assert!((bleu.finalize_as::<f64>(&stats).unwrap().score - 100.0).abs() < 1e-9);
}

#[test]
fn options_out_of_range_are_refused_with_value_and_limit() {
    let message = |builder: BleuBuilder| builder.build().unwrap_err().to_string();
    assert_eq!(message(Bleu::builder().max_order(0)), "max-order is 0, but must be from 1 to 1000");
    assert!(message(Bleu::builder().weights([0.5, 0.6])).starts_with("the sum of the weights is 1.1"));
    assert!(message(Bleu::builder().weights([1.5, -0.5])).contains("weight is -0.5"));
    assert!(message(Bleu::builder().max_order(3).weights([0.5, 0.5])).contains("2 weights"));
    assert!(message(Bleu::builder().smoothing(Smoothing::AddK(f64::NAN))).contains("NaN"));
}

#[test]
fn the_signature_carries_what_is_not_at_its_default() {
    let bleu = Bleu::builder()
        .max_order(2)
        .ref_len(RefLen::Shortest)
        .smoothing(Smoothing::Floor(0.333))
        .summation(Summation::Compensated)
        .build()
        .unwrap();
    let signature = bleu.signature();
    let body = signature.body();
    let expected =
        "case:mixed|eff:no|tok:unspecified|smooth:floor[0.33]|sv:0.333|order:2|len:shortest|sum:compensated";
    assert!(body.starts_with(&format!("{expected}|version:bleuprint-")), "{body}");
    let plain = Bleu::default().signature().body();
    assert!(plain.starts_with("case:mixed|eff:no|tok:unspecified|smooth:exp|version:"), "{plain}");
}

#[test]
fn a_state_of_fewer_orders_cannot_be_finished() {
    let low = Accumulator::<_, [u8]>::new(Bleu::default()).push(b"abcdef", &[b"abcdxf"]).unwrap();
    let high = Bleu::builder().max_order(6).build().unwrap();
    let error = low.score(&high).unwrap_err().to_string();
    assert!(error.contains("they differ in order"), "{error}");
    let error = high.finalize_as::<f64>(low.stats()).unwrap_err().to_string();
    assert!(error.contains("up to order 4, but 6"), "{error}");
    // In the other direction every lower order is present.
    let lower = Bleu::builder().max_order(2).build().unwrap();
    let own = Accumulator::<_, [u8]>::new(&lower).push(b"abcdef", &[b"abcdxf"]).unwrap();
    assert_eq!(low.score(&lower).unwrap().score, own.score(&lower).unwrap().score);
}

#[test]
fn a_state_without_an_exact_mean_length_cannot_be_finished_by_it() {
    let state = Accumulator::<_, [u8]>::new(Bleu::default()).push(b"abcd", &[&b"abcd"[..]; 17]).unwrap();
    let average = Bleu::builder().ref_len(RefLen::Average).build().unwrap();
    let error = state.score(&average).unwrap_err().to_string();
    assert!(error.contains("1 of its segments"), "{error}");
    assert!(state.score(&Bleu::default()).is_ok());
}

#[test]
fn uniform_weights_are_the_default() {
    assert_eq!(Bleu::builder().weights([0.25; 4]).build().unwrap(), Bleu::default());
}

quickcheck! {
    fn f32_scores_are_f64_scores_rounded(hypothesis: Vec<u8>, reference: Vec<u8>) -> bool {
        let tokens = |bytes: Vec<u8>| bytes.into_iter().map(|byte| byte % 3).collect::<Vec<_>>();
        let stats = segment_stats(&tokens(hypothesis), &[&tokens(reference)]);
        let wide = Bleu::default().finalize_as::<f64>(&stats).unwrap();
        let narrow = Bleu::default().finalize_as::<f32>(&stats).unwrap();
        (wide.score - f64::from(narrow.score)).abs() <= 1e-4 * wide.score.max(1.0)
    }
}

#[test]
fn a_copy_with_other_settings_has_its_own_key_and_signature() {
    let mut scratch = Scratch::default();
    let bleu = Bleu::builder().max_order(2).build().unwrap();
    let state = State::of_segment(&bleu, &mut scratch, Segment::new(&b"ab"[..], &[b"ab"])).unwrap();
    let scored = state.score(&bleu).unwrap();
    assert!(Arc::ptr_eq(&bleu.state_key(), &bleu.state_key()));
    assert_eq!(scored.signature, bleu.identity().signature(state.counts()));
    let sentence = bleu.sentence();
    let expected = sentence.identity().signature(state.counts());
    assert_eq!(state.score(&sentence).unwrap().signature, expected);
    assert_ne!(scored.signature, expected);
    assert_eq!(*sentence.state_key(), *bleu.state_key());
    assert_ne!(*Bleu::default().state_key(), *bleu.state_key());
}
