//! Tests of distinct-n: the laws, and a naive implementation of the definition.

use std::collections::BTreeSet;

use bleuprint_core::Accumulator;
use bleuprint_math::pow;
use bleuprint_registry::{AnyMetric, laws};

use super::*;

#[test]
fn obeys_the_laws() {
    laws::check_any(&AnyMetric::for_tokens(Distinct::default()));
    laws::check_any(&AnyMetric::for_tokens(Distinct::new(3).unwrap().per(DistinctDivisor::Tokens)));
    laws::check_any(&AnyMetric::for_tokens(Distinct::default().expectation_adjusted(3).unwrap()));
    let few = |bytes: &[u8]| bytes.iter().map(|byte| byte % 3).collect::<Vec<u8>>();
    laws::check_sequences::<[u8]>(&Distinct::default(), few);
    laws::check(&DistinctMean::default());
    laws::check(&DistinctMean(Distinct::new(1).unwrap().per(DistinctDivisor::Tokens)));
}

fn corpus<M: Metric<Score = PlainScore> + Observe<[&'static str]>>(
    metric: M,
    texts: &[Vec<&'static str>],
) -> f64 {
    let mut corpus = Accumulator::<_, [&str]>::new(metric);
    texts.iter().for_each(|text| drop(corpus.push(text, &[]).unwrap()));
    corpus.score().unwrap().score.score
}

fn naive(order: usize, texts: &[Vec<&'static str>]) -> (f64, f64) {
    let ngrams = || texts.iter().flat_map(|text| text.windows(order));
    (ngrams().collect::<BTreeSet<_>>().len() as f64, ngrams().count() as f64)
}

quickcheck::quickcheck! {
    fn it_is_the_definition(given: Vec<Vec<u8>>, order: u8) -> bool {
        let order = usize::from(order % 4) + 1;
        let word = |token: &u8| ["a", "b", "c", "the cat"][usize::from(token % 4)];
        let texts: Vec<Vec<&str>> = given.iter().map(|text| text.iter().map(word).collect()).collect();
        let (unique, total) = naive(order, &texts);
        let ratio = |unique: f64, total: f64| if total == 0.0 { 0.0 } else { unique / total };
        let tokens = naive(1, &texts).1;
        let of_segments = texts.iter().map(|text| naive(order, std::slice::from_ref(text)));
        let mean = of_segments.map(|(unique, total)| ratio(unique, total)).sum::<f64>() / texts.len() as f64;
        let expected = 5.0 * (1.0 - pow(0.8f64, total));
        let distinct = Distinct::new(order).unwrap();
        texts.is_empty()
            || corpus(distinct, &texts) == ratio(unique, total)
                && corpus(distinct.per(DistinctDivisor::Tokens), &texts) == if total == 0.0 { 0.0 } else { unique / tokens }
                && (corpus(distinct.expectation_adjusted(5).unwrap(), &texts) - ratio(unique, expected)).abs() < 1e-12
                && (corpus(DistinctMean(distinct), &texts) - mean).abs() < 1e-12
    }
}

#[test]
fn one_state_serves_all_lower_orders() {
    let mut observed = Accumulator::<_, [&str]>::new(Distinct::new(3).unwrap());
    observed.push(&["a", "b", "a", "b"], &[]).unwrap();
    let score = |metric: Distinct| observed.total().score(&metric).map(|scored| scored.score.score);
    assert_eq!(score(Distinct::new(1).unwrap()), Ok(0.5));
    assert_eq!(score(Distinct::new(2).unwrap()), Ok(2.0 / 3.0));
    assert_eq!(score(Distinct::new(1).unwrap().per(DistinctDivisor::Tokens)), Ok(0.5));
    assert!(score(Distinct::new(4).unwrap()).is_err());
}

#[test]
fn settings_out_of_range_are_refused() {
    assert!(Distinct::new(0).is_err() && Distinct::new(101).is_err());
    assert!(Distinct::default().expectation_adjusted(0).is_err());
    assert!(Distinct::default().per(DistinctDivisor::Tokens).expectation_adjusted(9).is_err());
}

#[test]
fn hostile_states_are_refused() {
    let refused = |ngrams: &str, totals: &str| {
        let text = format!(r#"{{"ngrams":{ngrams},"totals":{totals}}}"#);
        let stats = serde_json::from_str::<DistinctStats>(&text);
        let segments = bleuprint_core::SegmentCounts { segments: 1, ..Default::default() };
        stats.is_err() || Distinct::default().check(&stats.unwrap(), &segments).is_err()
    };
    assert!(!refused(r#"{"tokens":["a","b"],"ngrams":[[[0,1]]]}"#, "[2,1]"));
    for (ngrams, totals) in [
        (r#"{"tokens":["a","b"],"ngrams":[[[0,1]]]}"#, "[2,3]"),
        (r#"{"tokens":["a","b"],"ngrams":[[[0,1]]]}"#, "[3,1]"),
        (r#"{"tokens":["a","b"],"ngrams":[[[0,1]]]}"#, "[1,0]"),
        (r#"{"tokens":["a","b"],"ngrams":[[]]}"#, "[2,1]"),
        (r#"{"tokens":["a","b"],"ngrams":[[[0,1]]]}"#, "[2]"),
        (r#"{"tokens":["a","b"],"ngrams":[]}"#, "[2]"),
        (r#"{"tokens":["a","b"],"ngrams":[[[0,2]]]}"#, "[2,1]"),
    ] {
        assert!(refused(ngrams, totals), "{ngrams} {totals}");
    }
}
