//! Tests of chrF besides the comparison with recorded scores: required properties, hostile input, and time
//! for long texts.

use bleuprint_core::{Accumulator, Observe, Segment};
use bleuprint_registry::laws;
use bleuprint_registry::{AnyMetric, MetricOptions};

use super::*;

pub(super) fn configurations() -> Vec<Chrf> {
    let build = |builder: ChrfBuilder| builder.build().unwrap();
    vec![
        Chrf::default(),
        Chrf::plus_plus(),
        build(Chrf::builder().eps_smoothing(true).word_order(1)),
        build(Chrf::builder().char_order(0).word_order(3).beta(0.5)),
        build(Chrf::builder().char_order(9).whitespace(true).beta(0.0)),
    ]
}

pub(super) fn text(bytes: &[u8]) -> String {
    let pieces = ["a", "b", "cat.", "(é", " ", "\u{a0}", "中", "."];
    bytes.iter().map(|&byte| pieces[usize::from(byte) % pieces.len()]).collect()
}

#[test]
fn obeys_the_laws() {
    for chrf in configurations() {
        laws::check_sequences::<str>(&chrf, text);
        laws::check_any(&AnyMetric::for_text(chrf));
    }
    laws::check(&Chrf::default());
}

quickcheck::quickcheck! {
    /// Checks that no call counts n-grams of earlier texts, although the tables keep the data of the last
    /// ones.
    fn tables_used_by_others_change_nothing(pool: Vec<Vec<u8>>, calls: Vec<(u8, u8, Vec<u8>)>) -> bool {
        let texts: Vec<String> = pool.iter().map(|bytes| text(bytes)).chain(["a".to_owned()]).collect();
        let pick = |number: u8| texts[usize::from(number) % texts.len().min(3)].as_str();
        let configurations = configurations();
        let mut shared = ChrfScratch::default();
        calls.iter().all(|(which, hypothesis, references)| {
            let chrf = configurations[usize::from(*which) % configurations.len()];
            let references: Vec<&str> = references.iter().take(2).map(|&number| pick(number)).collect();
            let observed = |scratch: &mut ChrfScratch| {
                let mut stats = chrf.zero();
                let done = chrf.observe(scratch, &mut stats, Segment::new(pick(*hypothesis), &references));
                (done.is_ok(), stats)
            };
            (0..2).all(|_| observed(&mut shared) == observed(&mut ChrfScratch::default()))
        })
    }
}

fn score(chrf: Chrf, hypothesis: &str, references: &[&str]) -> f64 {
    let mut corpus = Accumulator::<_, str>::new(chrf);
    corpus.push(hypothesis, references).unwrap();
    corpus.score().unwrap().score.score
}

#[test]
fn tokens_take_the_place_of_characters() {
    let hypothesis = "the cat sat.";
    let reference = "the cat sits.";
    let characters = |text: &str| text.chars().filter(|c| *c != ' ').collect::<Vec<char>>();
    let mut corpus = Accumulator::<_, [char]>::new(Chrf::default());
    corpus.push(&characters(hypothesis), &[&characters(reference)]).unwrap();
    let for_tokens = corpus.score().unwrap().score.score;
    assert_eq!(for_tokens, score(Chrf::default(), hypothesis, &[reference]));
    let mut corpus = Accumulator::<_, [char]>::new(Chrf::plus_plus());
    let error = corpus.push(&['a'], &[&['a']]).unwrap_err();
    assert!(error.to_string().contains("the order of words, over tokens that are not text, is 2"), "{error}");
}

#[test]
fn the_first_of_equal_references_counts() {
    let mut stats = Chrf::default().zero();
    let segment = Segment::new("q", &["abc", "defgh"]);
    Chrf::default().observe(&mut Default::default(), &mut stats, segment).unwrap();
    assert_eq!(stats.all().next().unwrap().reference, 3);
}

#[test]
fn configurations_out_of_range_are_refused() {
    for (builder, message) in [
        (Chrf::builder().char_order(101), "chrf-char-order is 101, but must be from 0 to 100"),
        (Chrf::builder().word_order(101), "chrf-word-order is 101, but must be from 0 to 100"),
        (Chrf::builder().char_order(0), "both 0"),
        (Chrf::builder().beta(-1.0), "chrf-beta is -1, but must be from 0 to 1000000"),
        (Chrf::builder().beta(f64::NAN), "chrf-beta is NaN"),
    ] {
        let error = builder.build().unwrap_err().to_string();
        assert!(error.contains(message), "{error}");
    }
}

#[test]
fn names_and_signatures_are_sacrebleus() {
    let build = |options: &[(&str, &str)]| {
        let mut given = MetricOptions::default();
        options.iter().for_each(|(name, value)| given.set(name, value));
        let identity = ENTRY.build(&given).unwrap().identity();
        identity.signature(&SegmentCounts::of_segment(1)).to_string()
    };
    let starts = |options: &[(&str, &str)], expected: &str| {
        let signature = build(options);
        assert!(signature.starts_with(&format!("{expected}|version:")), "{signature}");
    };
    starts(&[], "chrF2|nrefs:1|case:mixed|eff:yes|nc:6|nw:0|space:no");
    starts(&[("chrf-word-order", "2")], "chrF2++|nrefs:1|case:mixed|eff:yes|nc:6|nw:2|space:no");
    starts(
        &[("chrf-beta", "0.5"), ("chrf-eps-smoothing", "yes"), ("chrf-whitespace", "yes")],
        "chrF0.5|nrefs:1|case:mixed|eff:no|nc:6|nw:0|space:yes",
    );
}

#[test]
fn references_prepared_for_other_orders_are_refused() {
    let chrf = Chrf::default();
    let other = Chrf::plus_plus();
    let prepared = chrf.prepare(&mut Default::default(), &["a"]).unwrap();
    let refused =
        other.observe_prepared(&mut Default::default(), &mut other.zero(), Segment::new("a", &[]), &prepared);
    assert!(refused.unwrap_err().to_string().contains("prepared for"));
}

/// Checks that the fast counting gives up in time on a text of one character a million times, and of two in
/// turn.
#[test]
fn repetition_costs_linear_time() {
    let texts = ["a".repeat(1_000_000), "ab".repeat(500_000), "é".repeat(30_000)];
    for text in &texts {
        assert_eq!(score(Chrf::default(), text, &[text]), 100.0);
    }
    assert!(score(Chrf::default(), &texts[0], &[&texts[1]]) < 50.0);
}
