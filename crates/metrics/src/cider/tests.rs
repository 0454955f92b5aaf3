//! CIDEr against its definition written down naively, and against recorded rows where they are present.

use std::collections::BTreeMap;

use super::frequencies::Weights;
use super::segment::{Similarity, score};
use super::{CiderScratch, DocumentFrequencies};
use crate::recorded;

type Segments<'a> = [(Vec<&'a str>, Vec<Vec<&'a str>>)];

fn frequencies(max_order: usize, segments: &Segments<'_>) -> DocumentFrequencies {
    let mut frequencies = DocumentFrequencies::new(max_order);
    for (_, references) in segments {
        let references: Vec<&[&str]> = references.iter().map(Vec::as_slice).collect();
        frequencies.add(&references).unwrap();
    }
    frequencies
}

fn scores(similarity: Similarity, table: &DocumentFrequencies, segments: &Segments<'_>) -> Vec<f64> {
    let (weights, mut scratch) = (Weights::new(table), CiderScratch::default());
    let mut of_segment = |(hypothesis, references): &(Vec<&str>, Vec<Vec<&str>>)| {
        let references: Vec<&[&str]> = references.iter().map(Vec::as_slice).collect();
        score(&weights, similarity, &mut scratch, hypothesis, &references).unwrap()
    };
    segments.iter().map(&mut of_segment).collect()
}

/// The definition, n-gram by n-gram.
fn naive(similarity: Similarity, table: &DocumentFrequencies, segment: &(Vec<&str>, Vec<Vec<&str>>)) -> f64 {
    let vector = |tokens: &[&'static str], order: usize| {
        let mut vector = BTreeMap::<Vec<&'static str>, f64>::new();
        for ngram in tokens.windows(order) {
            let weight = (table.segments() as f64).ln() - (table.get(ngram).max(1) as f64).ln();
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
        let (left, right) = (vector(&leak(hypothesis), order), vector(&leak(reference), order));
        let mut product = 0.0;
        for (ngram, &weight) in &left {
            let other = right.get(ngram).copied().unwrap_or(0.0);
            product +=
                if similarity == Similarity::Plain { weight * other } else { weight.min(other) * other };
        }
        if norm(&left) * norm(&right) > 0.0 {
            product /= norm(&left) * norm(&right);
        }
        if let Similarity::Clipped { sigma } = similarity {
            let bigrams = |tokens: &[&str]| tokens.windows(2).count() as f64;
            let difference = bigrams(hypothesis) - bigrams(reference);
            product *= (-difference * difference / (2.0 * sigma * sigma)).exp();
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
        // A table of other segments does not know every n-gram.
        let table = frequencies(4, if foreign { &segments[..segments.len() / 2] } else { &segments });
        [Similarity::Plain, Similarity::Clipped { sigma: 6.0 }, Similarity::Clipped { sigma: 1.5 }].iter().all(|&similarity| {
            let ours = scores(similarity, &table, &segments);
            table.segments() == 0 || ours.iter().zip(&segments).all(|(ours, segment)| {
                (ours - naive(similarity, &table, segment)).abs() < 1e-12
            })
        })
    }
}

#[test]
fn recorded_rows() {
    let mut compared = 0;
    for (metric, plain) in [("cider-d", false), ("cider", true)] {
        for row in recorded::rows(metric) {
            let Some(theirs) = row["outputs"]["segments"].as_array() else { continue };
            let sigma = row["options"]["sigma"].as_f64().unwrap_or(6.0);
            let similarity = if plain { Similarity::Plain } else { Similarity::Clipped { sigma } };
            let segments = recorded::segments(&row);
            let ours = scores(similarity, &frequencies(4, &segments), &segments);
            for (ours, theirs) in ours.iter().zip(theirs) {
                assert!((ours - theirs.as_f64().unwrap()).abs() < 1e-12, "{ours} {theirs} {row}");
                compared += 1;
            }
        }
    }
    recorded::say("CIDEr and CIDEr-D", compared);
}

#[test]
fn no_references_are_an_error() {
    let table = DocumentFrequencies::new(4);
    let weights = Weights::new(&table);
    let scored = score(&weights, Similarity::Plain, &mut CiderScratch::default(), &["a"], &[]);
    assert!(scored.unwrap_err().to_string().contains("no references"));
}
