//! The laws of the contract as checks that any metric can be put to (feature `laws`).
//!
//! A metric over tokens proves itself in a few lines:
//!
//! ```
//! # use bleuprint_core::*;
//! # #[derive(Debug)] struct MyMetric;
//! # #[derive(Debug, Clone, Default, PartialEq, serde::Serialize, serde::Deserialize)] struct MyStats { tokens: u64 }
//! # impl Stats for MyStats { fn merge(&mut self, o: &Self) { self.tokens += o.tokens; } }
//! # impl Linear for MyStats {
//! #     fn columns(&self) -> Vec<String> { vec!["tokens".into()] }
//! #     fn write_row(&self, row: &mut Vec<u64>) { row.push(self.tokens) }
//! #     fn read_row(&mut self, row: &[u64]) -> Result<(), InputError> {
//! #         let &[tokens] = row else { return Err(row_length(1, row.len())) };
//! #         self.tokens = tokens; Ok(())
//! #     }
//! # }
//! # #[derive(Debug, PartialEq)] struct MyScore(f64);
//! # impl Score for MyScore {
//! #     fn value(&self) -> f64 { self.0 }
//! #     fn scale(&self) -> Scale { Scale::PERCENT }
//! #     fn parts(&self) -> Vec<Part> { vec![] }
//! # }
//! # impl Metric for MyMetric {
//! #     type Stats = MyStats; type Score = MyScore;
//! #     fn zero(&self) -> MyStats { MyStats::default() }
//! #     fn finalize(&self, s: &MyStats) -> MyScore { MyScore(s.tokens as f64) }
//! #     fn state_key(&self) -> StateKey { StateKey::new("mine", 1) }
//! #     fn signature(&self) -> Signature { Signature::new("Mine") }
//! # }
//! # impl<T> Observe<[T]> for MyMetric {
//! #     type Scratch = ();
//! #     fn observe(&self, _: &mut (), s: &mut MyStats, h: &[T], _: &[&[T]]) -> Result<(), InputError> {
//! #         s.tokens += h.len() as u64; Ok(())
//! #     }
//! # }
//! bleuprint_core::laws::check(&MyMetric);
//! ```
//!
//! Each check panics with the law that is broken and the segments that break it: they are made for tests. The
//! segments are random, over a tiny alphabet, so that things match; they include empty hypotheses, empty
//! references and varying numbers of references.

use alloc::string::String;
use alloc::vec::Vec;
use core::fmt::Debug;
use std::format;
use std::string::ToString;

use quickcheck::{Arbitrary, Gen};
use serde::{Serialize, de::DeserializeOwned};

use crate::{
    ErasedMetric, InputErrorKind, Linear, Metric, Observe, Observed, References, Score, Stats, Tagged,
    score_observed,
};

/// How many random corpora each law sees.
pub const CASES: usize = 200;

/// A segment of small tokens: hypothesis and references.
pub type Segment = (Vec<u8>, Vec<Vec<u8>>);

/// Random corpora over the alphabet `0..3`.
pub fn corpora() -> impl Iterator<Item = Vec<Segment>> {
    (0..CASES).map(|case| {
        let mut generator = Gen::from_size_and_seed(2 + case % 12, case as u64);
        let count = usize::arbitrary(&mut generator) % 6;
        (0..count).map(|_| random_segment(&mut generator)).collect()
    })
}

fn random_segment(generator: &mut Gen) -> Segment {
    let references = 1 + usize::arbitrary(generator) % 3;
    let mut tokens = || Vec::<u8>::arbitrary(generator).into_iter().map(|token| token % 3).collect();
    (tokens(), (0..references).map(|_| tokens()).collect())
}

/// Every law for a metric over tokens: [`check_merging`], [`check_tokens`], [`check_linear`], [`check_tagged`],
/// [`check_erased`] and [`check_identities`].
pub fn check<M>(metric: &M)
where
    M: Observe<[u8]> + Observe<[u32]> + Observe<[String]> + 'static,
    M: Observe<[u32]>,
    M::Stats: Linear + PartialEq + Debug + Serialize + DeserializeOwned,
    M::Score: Score + PartialEq + Debug,
    <M as Observe<[u32]>>::Scratch: 'static,
{
    check_merging(metric);
    check_tokens(metric);
    check_linear(metric);
    check_tagged(metric);
    check_erased(metric);
    check_identities(metric);
}

/// The state key and the signature are parsed back from what they print.
pub fn check_identities(metric: &impl Metric) {
    let (key, signature) = (metric.state_key(), metric.signature());
    assert_eq!(key.to_string().parse(), Ok(key.clone()), "the state key `{key}` is parsed back");
    assert_eq!(
        signature.to_string().parse(),
        Ok(signature.clone()),
        "the signature `{signature}` is parsed back"
    );
}

/// The statistics of a corpus, observed in one pass with one scratch.
pub fn observe_all<T, M: Observe<[T]>>(metric: &M, corpus: &[(Vec<T>, Vec<Vec<T>>)]) -> Observed<M::Stats> {
    let mut scratch = M::Scratch::default();
    let mut observed = Observed { references: References::default(), stats: metric.zero() };
    for (hypothesis, references) in corpus {
        let references: Vec<&[T]> = references.iter().map(Vec::as_slice).collect();
        if let Err(error) = metric.observe(&mut scratch, &mut observed.stats, hypothesis, &references) {
            panic!("observing a segment with references failed: {error}");
        }
        observed.references.merge(&References::of_segment(references.len()));
    }
    observed
}

/// Homomorphism, identity, associativity, commutativity, purity, and that a segment without references is an
/// error that changes nothing or is counted as such.
pub fn check_merging<M>(metric: &M)
where
    M: Observe<[u8]>,
    M::Stats: PartialEq + Debug,
    M::Score: PartialEq + Debug,
{
    let zero = metric.zero();
    for corpus in corpora() {
        let whole = observe_all(metric, &corpus).stats;
        for cut in 0..=corpus.len() {
            let (left, right) = corpus.split_at(cut);
            let (a, b) = (observe_all(metric, left).stats, observe_all(metric, right).stats);
            let ab = merged(&a, &b);
            assert_eq!(
                ab, whole,
                "homomorphism: stats(a) ⊕ stats(b) = stats(a ++ b), cut {cut} of {corpus:?}"
            );
            assert_eq!(merged(&b, &a), ab, "commutativity: cut {cut} of {corpus:?}");
            assert_eq!(merged(&zero, &a), a, "identity: 0 ⊕ a = a for {left:?}");
            assert_eq!(merged(&a, &zero), a, "identity: a ⊕ 0 = a for {left:?}");
            assert_eq!(
                merged(&merged(&a, &b), &whole),
                merged(&a, &merged(&b, &whole)),
                "associativity: cut {cut} of {corpus:?}"
            );
        }
        let before = whole.clone();
        let first = metric.finalize(&whole);
        assert_eq!(metric.finalize(&whole), first, "purity: finalize twice, {corpus:?}");
        assert_eq!(whole, before, "purity: finalize only reads, {corpus:?}");
        check_missing_references(metric, &whole);
    }
}

fn check_missing_references<M>(metric: &M, stats: &M::Stats)
where
    M: Observe<[u8]>,
    M::Stats: PartialEq + Debug,
{
    let mut after = stats.clone();
    if let Err(error) = metric.observe(&mut M::Scratch::default(), &mut after, &[1, 2], &[]) {
        assert_eq!(error.kind(), &InputErrorKind::NoReferences, "a segment without references");
        assert_eq!(&after, stats, "after an error the statistics are unchanged");
    }
}

fn merged<S: Stats>(a: &S, b: &S) -> S {
    let mut merged = a.clone();
    merged.merge(b);
    merged
}

/// The order of references does not matter, nor what the tokens are: `u8`, `u32` and `String` give the same.
pub fn check_tokens<M>(metric: &M)
where
    M: Observe<[u8]> + Observe<[u32]> + Observe<[String]>,
    M::Stats: PartialEq + Debug,
{
    for corpus in corpora() {
        let stats = observe_all::<u8, M>(metric, &corpus).stats;
        let reversed: Vec<Segment> =
            corpus.iter().map(|(h, r)| (h.clone(), r.iter().rev().cloned().collect())).collect();
        assert_eq!(observe_all::<u8, M>(metric, &reversed).stats, stats, "reference order: {corpus:?}");
        let ids = relabelled(&corpus, |token| 4_000_000_000 - u32::from(token) * 77_777);
        assert_eq!(observe_all::<u32, M>(metric, &ids).stats, stats, "relabelling to ids: {corpus:?}");
        let words = relabelled(&corpus, |token| format!("word-{token}"));
        assert_eq!(observe_all::<String, M>(metric, &words).stats, stats, "relabelling to words: {corpus:?}");
    }
}

fn relabelled<T>(corpus: &[Segment], label: impl Fn(u8) -> T) -> Vec<(Vec<T>, Vec<Vec<T>>)> {
    let sequence = |tokens: &Vec<u8>| tokens.iter().map(|&token| label(token)).collect::<Vec<T>>();
    corpus.iter().map(|(h, r)| (sequence(h), r.iter().map(sequence).collect())).collect()
}

/// Rows add as states merge, rows are read back, and retracting inverts merging.
pub fn check_linear<M>(metric: &M)
where
    M: Observe<[u8]>,
    M::Stats: Linear + PartialEq + Debug,
{
    let columns = metric.zero().columns();
    for corpus in corpora() {
        let (left, right) = corpus.split_at(corpus.len() / 2);
        let (a, b) = (observe_all(metric, left).stats, observe_all(metric, right).stats);
        let ab = merged(&a, &b);
        let sum: Vec<u64> = a.row().iter().zip(b.row()).map(|(x, y)| x + y).collect();
        assert_eq!(ab.row(), sum, "rows: row(a ⊕ b) = row(a) + row(b) for {corpus:?}");
        assert_eq!(ab.row().len(), columns.len(), "one count per column");
        let mut read = metric.zero();
        assert_eq!(read.read_row(&ab.row()), Ok(()));
        assert_eq!(read, ab, "a row is read back: {corpus:?}");
        let mut checked = a.clone();
        assert_eq!(checked.checked_merge(&b), Ok(()));
        assert_eq!(checked, ab, "checked merging is merging: {corpus:?}");
        assert_eq!(checked.retract(&b), Ok(()));
        assert_eq!(checked, a, "retraction: (a ⊕ b) ⊖ b = a for {corpus:?}");
        assert_eq!(metric.check(&ab), Ok(()), "what was observed passes the metric's check: {corpus:?}");
    }
    let mut full = metric.zero();
    let row: Vec<u64> = columns.iter().map(|_| u64::MAX).collect();
    assert_eq!(full.read_row(&row), Ok(()));
    if !row.is_empty() {
        assert!(full.clone().checked_merge(&full).is_err(), "a count beyond 64 bits is an error");
        let mut zero = metric.zero();
        assert!(zero.retract(&full).is_err(), "a count below zero is an error");
        assert!(zero.read_row(&row[1..]).is_err(), "a row of another length is an error");
    }
}

/// A tagged state survives serialization, opens with its metric, and every truncation of it is an error.
pub fn check_tagged<M>(metric: &M)
where
    M: Observe<[u8]>,
    M::Stats: Linear + PartialEq + Debug + Serialize + DeserializeOwned,
{
    for corpus in corpora() {
        let observed = observe_all(metric, &corpus);
        let tagged = Tagged::new(metric, observed.clone());
        let json = match serde_json::to_string(&tagged) {
            Ok(json) => json,
            Err(error) => panic!("a state must serialize: {error}"),
        };
        match serde_json::from_str::<Tagged<M::Stats>>(&json) {
            Ok(read) => assert_eq!(read.open(metric), Ok(observed), "serde round trip of {json}"),
            Err(error) => panic!("a state must be read back: {error}: {json}"),
        }
        for end in 0..json.len() {
            let cut = json.get(..end).unwrap_or_default();
            assert!(
                serde_json::from_str::<Tagged<M::Stats>>(cut).is_err(),
                "truncated state accepted: {cut}"
            );
        }
    }
}

/// The erased twin gives the same rows and the same score as the typed metric.
pub fn check_erased<M>(metric: &M)
where
    M: Observe<[u32]>,
    M::Stats: Linear,
    M::Score: Score,
    M::Scratch: 'static,
{
    let erased: &dyn ErasedMetric = metric;
    let mut scratch = erased.erased_scratch();
    for corpus in corpora() {
        let ids = relabelled(&corpus, u32::from);
        let typed = observe_all(metric, &ids);
        let mut stats = erased.erased_zero();
        for (hypothesis, references) in &ids {
            let references: Vec<&[u32]> = references.iter().map(Vec::as_slice).collect();
            let result = erased.erased_observe(&mut scratch, &mut stats, hypothesis, &references);
            assert_eq!(result, Ok(()), "{corpus:?}");
        }
        assert_eq!(erased.erased_row(&stats), Ok(typed.row()), "erased = typed for {corpus:?}");
        let read = erased.erased_from_row(&typed.row()).and_then(|stats| erased.erased_row(&stats));
        assert_eq!(read, Ok(typed.row()), "an erased row is read back: {corpus:?}");
        match (erased.erased_score(&stats), score_observed(metric, &typed)) {
            (Ok(erased), Ok(typed)) => {
                assert_eq!(erased.signature, typed.signature);
                assert_eq!(erased.score.value.to_bits(), typed.score.value().to_bits(), "{corpus:?}");
            }
            (erased, typed) => assert_eq!(erased.err(), typed.err(), "{corpus:?}"),
        }
    }
}

/// The laws of merging for a metric known only at run time, on its rows: what a plug-in passes before a program
/// relies on it.
pub fn check_dyn(metric: &dyn ErasedMetric) {
    for corpus in corpora() {
        let whole = erased_row(metric, &corpus);
        for cut in 0..=corpus.len() {
            let (left, right) = corpus.split_at(cut);
            let (a, b) = (erased_row(metric, left), erased_row(metric, right));
            let sum: Vec<u64> = a.iter().zip(&b).map(|(x, y)| x + y).collect();
            assert_eq!(sum, whole, "homomorphism: cut {cut} of {corpus:?}");
            let merged = metric.erased_from_row(&a).and_then(|mut left| {
                let right = metric.erased_from_row(&b)?;
                metric.erased_merge(&mut left, &right)?;
                let merged = metric.erased_row(&left)?;
                metric.erased_retract(&mut left, &right)?;
                Ok((merged, metric.erased_row(&left)?))
            });
            assert_eq!(merged, Ok((whole.clone(), a)), "merge, then retract: cut {cut} of {corpus:?}");
        }
        let reversed: Vec<Segment> =
            corpus.iter().map(|(h, r)| (h.clone(), r.iter().rev().cloned().collect())).collect();
        assert_eq!(erased_row(metric, &reversed), whole, "reference order: {corpus:?}");
        assert_eq!(whole.len(), metric.erased_columns().len(), "one count per column");
    }
    assert!(metric.erased_from_row(&[]).is_err(), "a truncated row is an error");
}

fn erased_row(metric: &dyn ErasedMetric, corpus: &[Segment]) -> Vec<u64> {
    let (mut scratch, mut stats) = (metric.erased_scratch(), metric.erased_zero());
    for (hypothesis, references) in relabelled(corpus, |token| 7 + u32::from(token) * 1_000_003) {
        let references: Vec<&[u32]> = references.iter().map(Vec::as_slice).collect();
        let result = metric.erased_observe(&mut scratch, &mut stats, &hypothesis, &references);
        assert_eq!(result, Ok(()), "{corpus:?}");
    }
    match metric.erased_row(&stats) {
        Ok(row) => row,
        Err(error) => panic!("a metric must give the row of its own statistics: {error}"),
    }
}
