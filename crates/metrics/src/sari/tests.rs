//! Tests SARI against a naive implementation of its definition.

use std::collections::BTreeMap;

use bleuprint_core::{Accumulator, Metric, Result, Segment, SegmentCounts};
use bleuprint_registry::laws;

use super::easse::EasseStats;
use super::segment::{ORDERS, SariOperation, SariScratch, SegmentScores, count, score};
use super::{EasseSari, Sari};

fn scored(source: &[u8], hypothesis: &[u8], references: &[&[u8]]) -> Result<SegmentScores> {
    let segment = Segment::with_source(hypothesis, references, Some(source));
    count(&mut SariScratch::default(), segment, true).map(|orders| score(&orders))
}

#[test]
fn obeys_the_laws() {
    laws::check(&Sari);
    laws::check(&EasseSari::default());
    laws::check(&EasseSari::default().precision_of_deletions(true).average_first(true));
}

fn naive(source: &[u8], hypothesis: &[u8], references: &[Vec<u8>]) -> f64 {
    // An empty text is one token, which no other text has.
    let tokens = |tokens: &[u8]| -> Vec<u16> {
        if tokens.is_empty() { vec![999] } else { tokens.iter().copied().map(u16::from).collect() }
    };
    let counts = |tokens: &[u16], order: usize, times: i64| {
        let mut counts = BTreeMap::<Vec<u16>, i64>::new();
        tokens.windows(order).for_each(|ngram| *counts.entry(ngram.to_vec()).or_default() += times);
        counts
    };
    let ratio = |right: f64, all: f64| if all == 0.0 { 1.0 } else { right / all };
    let f = |p: f64, r: f64| if p > 0.0 || r > 0.0 { 2.0 * p * r / (p + r) } else { 0.0 };
    let mut keep = 0.0;
    let mut delete = 0.0;
    let mut add = 0.0;
    for order in 1..=4 {
        let k = references.len() as i64;
        let s = counts(&tokens(source), order, k);
        let c = counts(&tokens(hypothesis), order, k);
        let mut r = BTreeMap::new();
        for reference in references {
            counts(&tokens(reference), order, 1)
                .into_iter()
                .for_each(|(ngram, n)| *r.entry(ngram).or_default() += n);
        }
        let of = |counts: &BTreeMap<Vec<u16>, i64>, ngram: &[u16]| counts.get(ngram).copied().unwrap_or(0);
        let mut kept = 0.0;
        let mut kept_ratio = 0.0;
        let mut right = 0.0;
        let mut all = 0.0;
        let mut deleted = 0.0;
        let mut deleted_ratio = 0.0;
        for (ngram, &in_source) in &s {
            let both = in_source.min(of(&c, ngram));
            if both > 0 {
                kept += 1.0;
                kept_ratio += both.min(of(&r, ngram)) as f64 / both as f64;
                right += both.min(of(&r, ngram)) as f64;
            }
            all += in_source.min(of(&r, ngram)) as f64;
            let gone = in_source - of(&c, ngram);
            if gone > 0 {
                deleted += 1.0;
                deleted_ratio += (gone - of(&r, ngram)).max(0) as f64 / gone as f64;
            }
        }
        keep += f(ratio(kept_ratio, kept), ratio(right, all)) / 4.0;
        delete += ratio(deleted_ratio, deleted) / 4.0;
        let added: Vec<_> = c.keys().filter(|ngram| !s.contains_key(*ngram)).collect();
        let good = added.iter().filter(|ngram| r.contains_key(**ngram)).count() as f64;
        let all = r.keys().filter(|ngram| !s.contains_key(*ngram)).count() as f64;
        add += f(ratio(good, added.len() as f64), ratio(good, all)) / 4.0;
    }
    (keep + delete + add) / 3.0
}

quickcheck::quickcheck! {
    fn it_is_the_definition(source: Vec<u8>, hypothesis: Vec<u8>, references: Vec<Vec<u8>>, letters: u8) -> bool {
        let fold = |tokens: &[u8]| -> Vec<u8> { tokens.iter().map(|token| token % (letters % 9 + 1)).collect() };
        let references: Vec<Vec<u8>> = references.iter().take(4).chain([&vec![1, 2]]).map(|tokens| fold(tokens)).collect();
        let source = fold(&source);
        let hypothesis = fold(&hypothesis);
        let slices: Vec<&[u8]> = references.iter().map(Vec::as_slice).collect();
        let ours = scored(&source, &hypothesis, &slices).unwrap().sari;
        (ours - naive(&source, &hypothesis, &references)).abs() < 1e-12
    }
}

#[test]
fn nothing_in_common_is_generously_scored() {
    assert_eq!(scored(b"abc", b"def", &[b"ghi"]).unwrap().sari, 0.75);
    assert_eq!(scored(b"", b"", &[b""]).unwrap().sari, 1.0);
    assert!(scored(b"a", b"a", &[]).unwrap_err().to_string().contains("no references"));
    let mut without = Accumulator::<_, [u8]>::new(Sari);
    assert!(without.push(b"a", &[b"a"]).unwrap_err().to_string().contains("source"));
}

#[test]
fn easse_takes_zero_for_nothing() {
    let value = |metric: EasseSari, stats| metric.finalize(&stats, &SegmentCounts::default()).unwrap().score;
    assert_eq!(value(EasseSari::default(), EasseStats::default()), 0.0);
    let operations = [SariOperation { correct: 2, hypothesis: 2, references: 4 }; ORDERS];
    let stats = EasseStats { add: operations, keep: operations, delete: operations };
    let f = 100.0 * (2.0 * 0.5 / 1.5);
    assert_eq!(value(EasseSari::default().precision_of_deletions(true), stats), (f + f + 100.0) / 3.0);
    assert_eq!(value(EasseSari::default().average_first(true), stats), (f + f + f) / 3.0);
}

#[test]
fn states_that_no_segments_have_are_refused() {
    let mut stats = EasseStats::default();
    stats.keep[1].correct = 1;
    assert!(EasseSari::default().check(&stats, &SegmentCounts::default()).is_err());
}
