//! Tests of CIDEr against a naive implementation of its definition.

use std::collections::BTreeMap;

use bleuprint_core::Accumulator;
use bleuprint_math::{exp, ln};

use super::frequencies::CiderWeights;
use super::segment::{CiderSimilarity, score};
use super::{Cider, CiderScratch, DocumentFrequencies, ReferenceDocuments};

type Segments<'a> = [(Vec<&'a str>, Vec<Vec<&'a str>>)];

fn frequencies(max_order: usize, segments: &Segments<'_>) -> DocumentFrequencies {
    let mut frequencies = DocumentFrequencies::new(max_order);
    for (_, references) in segments {
        let references: Vec<&[&str]> = references.iter().map(Vec::as_slice).collect();
        frequencies.add(&references).unwrap();
    }
    frequencies
}

fn scores(similarity: CiderSimilarity, table: &DocumentFrequencies, segments: &Segments<'_>) -> Vec<f64> {
    let weights = CiderWeights::new(table);
    let mut scratch = CiderScratch::default();
    let mut of_segment = |(hypothesis, references): &(Vec<&str>, Vec<Vec<&str>>)| {
        let references: Vec<&[&str]> = references.iter().map(Vec::as_slice).collect();
        score(&weights, similarity, &mut scratch, hypothesis, &references).unwrap()
    };
    segments.iter().map(&mut of_segment).collect()
}

fn naive(
    similarity: CiderSimilarity,
    table: &DocumentFrequencies,
    segment: &(Vec<&str>, Vec<Vec<&str>>),
) -> f64 {
    let vector = |tokens: &[&'static str], order: usize| {
        let mut vector = BTreeMap::<Vec<&'static str>, f64>::new();
        for ngram in tokens.windows(order) {
            let weight = ln(table.segments() as f64) - ln(table.get(ngram).max(1) as f64);
            *vector.entry(ngram.to_vec()).or_default() += weight;
        }
        vector
    };
    let norm = |vector: &BTreeMap<_, f64>| vector.values().map(|weight| weight * weight).sum::<f64>().sqrt();
    let (hypothesis, references) = segment;
    let leak = |tokens: &[&str]| {
        tokens.iter().map(|token| &*token.to_string().leak()).collect::<Vec<&'static str>>()
    };
    let mut sum = 0.0;
    for (order, reference) in
        (1..=4).flat_map(|order| references.iter().map(move |reference| (order, reference)))
    {
        let left = vector(&leak(hypothesis), order);
        let right = vector(&leak(reference), order);
        let mut product = 0.0;
        for (ngram, &weight) in &left {
            let other = right.get(ngram).copied().unwrap_or(0.0);
            product +=
                if similarity == CiderSimilarity::Plain { weight * other } else { weight.min(other) * other };
        }
        if norm(&left) * norm(&right) > 0.0 {
            product /= norm(&left) * norm(&right);
        }
        if let CiderSimilarity::Clipped { sigma } = similarity {
            let bigrams = |tokens: &[&str]| tokens.windows(2).count() as f64;
            let difference = bigrams(hypothesis) - bigrams(reference);
            product *= exp(-difference * difference / (2.0 * sigma * sigma));
        }
        sum += product;
    }
    10.0 * sum / 4.0 / references.len() as f64
}

fn words(tokens: &[u8]) -> Vec<&'static str> {
    tokens.iter().map(|&token| ["a", "b", "c", "d", "e"][token as usize % 5]).collect()
}

quickcheck::quickcheck! {
    fn it_is_the_definition(given: Vec<(Vec<u8>, Vec<u8>, Vec<u8>)>, foreign: bool) -> bool {
        let segments: Vec<_> = given
            .iter()
            .take(6)
            .map(|(hypothesis, one, other)| {
                let few = |tokens: &[u8]| words(&tokens[..tokens.len().min(25)]);
                (few(hypothesis), vec![few(one), few(other)])
            })
            .collect();
        // A table of other segments lacks some n-grams.
        let table = frequencies(4, if foreign { &segments[..segments.len() / 2] } else { &segments });
        [CiderSimilarity::Plain, CiderSimilarity::Clipped { sigma: 6.0 }, CiderSimilarity::Clipped { sigma: 1.5 }].iter().all(|&similarity| {
            let ours = scores(similarity, &table, &segments);
            table.segments() == 0 || ours.iter().zip(&segments).all(|(ours, segment)| {
                (ours - naive(similarity, &table, segment)).abs() < 1e-12
            })
        })
    }
}

#[test]
fn the_corpus_is_the_mean_of_its_segments() {
    let segments = [
        (vec!["a", "cat", "sits"], vec![vec!["a", "cat", "sits"], vec!["the", "cat"]]),
        (vec!["two", "dogs"], vec![vec!["two", "dogs", "run"]]),
    ];
    let table = frequencies(4, &segments);
    let mut corpus = Accumulator::<_, [&str]>::new(Cider::d(&table));
    for (hypothesis, references) in &segments {
        corpus.push(hypothesis, &references.iter().map(Vec::as_slice).collect::<Vec<_>>()).unwrap();
    }
    let of_segments = scores(CiderSimilarity::Clipped { sigma: 6.0 }, &table, &segments);
    let scored = corpus.score().unwrap();
    assert!((scored.score.score - of_segments.iter().sum::<f64>() / 2.0).abs() < 1e-15);
    assert!(corpus.push(&["a"], &[]).unwrap_err().to_string().contains("no references"));
    assert!(scored.signature.to_string().starts_with("CIDEr-D|nrefs:var|"), "{}", scored.signature);
    let other = Accumulator::<_, [&str]>::new(Cider::d(&frequencies(4, &segments[..1])));
    assert!(corpus.merge(&other).unwrap_err().to_string().contains("df"), "other frequencies, other scores");
}

#[test]
fn references_without_ngrams_have_no_score() {
    let mut table = DocumentFrequencies::new(4);
    table.add::<&str>(&[&[]]).unwrap();
    let mut corpus = Accumulator::<_, [&str]>::new(Cider::d(&table));
    corpus.push(&[], &[&[]]).unwrap();
    assert!(corpus.score().unwrap_err().to_string().contains("no reference has an n-gram"));
}

#[test]
fn settings_out_of_range_are_refused() {
    let table = DocumentFrequencies::new(4);
    assert!([0.0, -1.0, f64::NAN, f64::INFINITY].iter().all(|&sigma| Cider::d(&table).sigma(sigma).is_err()));
    assert!(Cider::plain(&table).sigma(6.0).is_err());
    assert!(ReferenceDocuments::new(0).is_err());
}

#[test]
fn hostile_frequencies_are_refused() {
    let read = |text: &str| serde_json::from_str::<DocumentFrequencies>(text);
    let table = r#"{"tokens":["a"],"ngrams":[],"counts":[[2]]}"#;
    assert!(read(&format!(r#"{{"segments":2,"frequencies":{table}}}"#)).is_ok());
    let error = read(&format!(r#"{{"segments":1,"frequencies":{table}}}"#)).unwrap_err();
    assert!(error.to_string().contains("2 segments, where there are 1"), "{error}");
}
