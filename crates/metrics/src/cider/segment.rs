//! Scores one segment with CIDEr: cosines of vectors of n-grams, weighted by how rare they are.

use core::f64::consts::E;
use core::hash::Hash;

use bleuprint_core::{ExactSum, Result};
use bleuprint_math::pow;
use bleuprint_ngram::Word;

use super::frequencies::CiderWeights;
use crate::shared::ngrams::FoundNgrams;

/// Working memory of CIDEr, tables that are reused from segment to segment.
#[derive(Debug, Clone, Default)]
pub struct CiderScratch {
    found: FoundNgrams,
    weights: Vec<f64>,
    counts: Vec<u32>,
    hypothesis: CiderVector,
    reference: CiderVector,
}

/// Weighted counts of the n-grams of one order in a text, as a vector: its nonzero entries in order of first
/// occurrence, and its Euclidean norm.
#[derive(Debug, Clone, Default)]
struct CiderVector {
    entries: Vec<(u32, f64)>,
    norm: f64,
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum CiderSimilarity {
    Plain,
    /// The similarity of CIDEr-D, which clips the n-gram weights of the hypothesis to the weights of the
    /// reference. It also penalizes unlike lengths.
    Clipped {
        sigma: f64,
    },
}

/// Returns CIDEr of a segment, 0 to 10: the mean over n-gram orders and references of the cosine, times 10.
///
/// pycocoevalcap adds the references in their given order. Here the sum is exact, so the order does not
/// matter.
pub(super) fn score<T: Word + Hash + Eq>(
    weights: &CiderWeights,
    similarity: CiderSimilarity,
    scratch: &mut CiderScratch,
    hypothesis: &[T],
    references: &[&[T]],
) -> Result<f64> {
    let orders = weights.ngrams.max_order();
    let mut sum = ExactSum::default();
    scratch.found.numbered.begin(hypothesis, references);
    scratch.found.find_tokens(&weights.ngrams, hypothesis, references, |_| true);
    for order in 1..=orders {
        if order > 1 {
            scratch.found.numbered.climb();
            scratch.found.find(&weights.ngrams, |_| true);
        }
        scratch.weigh(weights, order);
        for (index, reference) in (1..).zip(references) {
            let penalty = length_penalty(similarity, hypothesis, reference);
            sum.add(ExactSum::nearest(scratch.similarity(similarity, index, penalty)))?;
        }
    }
    Ok(sum.to_f64() / orders as f64 / references.len() as f64 * 10.0)
}

/// Returns the length penalty `e^(-(difference of lengths)² / (2 sigma²))`; a length is the number of
/// bigrams. Plain CIDEr has the penalty 1.
fn length_penalty<T>(similarity: CiderSimilarity, hypothesis: &[T], reference: &[T]) -> f64 {
    let CiderSimilarity::Clipped { sigma } = similarity else { return 1.0 };
    let bigrams = |tokens: &[T]| tokens.len().saturating_sub(1) as f64;
    let difference = bigrams(hypothesis) - bigrams(reference);
    // The program raises `np.e` to a power, whose last bit can differ from `exp`.
    pow(E, -(difference * difference) / (2.0 * (sigma * sigma)))
}

impl CiderScratch {
    fn weigh(&mut self, weights: &CiderWeights, order: usize) {
        self.weights.clear();
        self.weights.extend(self.found.found().iter().map(|&number| weights.weight(order, number)));
        self.counts.clear();
        self.counts.resize(self.weights.len(), 0);
        self.hypothesis.count(self.found.numbered.sequence(0), &self.weights, &mut self.counts);
        self.hypothesis.forget(&mut self.counts);
    }

    fn similarity(&mut self, similarity: CiderSimilarity, index: usize, penalty: f64) -> f64 {
        self.reference.count(self.found.numbered.sequence(index), &self.weights, &mut self.counts);
        let product = |&(number, weight): &(u32, f64)| {
            let other = f64::from(self.counts[number as usize]) * self.weights[number as usize];
            match similarity {
                CiderSimilarity::Plain => weight * other,
                // CIDEr-D clips the hypothesis only; its norm below stays that of the unclipped vector, as in
                // the program.
                CiderSimilarity::Clipped { .. } => weight.min(other) * other,
            }
        };
        let mut value: f64 = self.hypothesis.entries.iter().map(product).sum();
        self.reference.forget(&mut self.counts);
        if self.hypothesis.norm != 0.0 && self.reference.norm != 0.0 {
            value /= self.hypothesis.norm * self.reference.norm;
        }
        value * penalty
    }
}

impl CiderVector {
    /// Fills the vector with the weighted n-gram counts of a text; `numbers` holds the ids of its n-grams.
    /// `counts` must be all 0 on entry; on return it holds the n-gram counts of the text.
    fn count(&mut self, numbers: &[u32], weights: &[f64], counts: &mut [u32]) {
        self.entries.clear();
        for &number in numbers {
            let count = &mut counts[number as usize];
            if *count == 0 {
                self.entries.push((number, 0.0));
            }
            *count += 1;
        }
        let mut squares = 0.0;
        for (number, weight) in &mut self.entries {
            *weight = f64::from(counts[*number as usize]) * weights[*number as usize];
            squares += *weight * *weight;
        }
        self.norm = squares.sqrt();
    }

    // Resets only the touched counts, since the table covers all n-grams of the segment.
    fn forget(&self, counts: &mut [u32]) {
        for &(number, _) in &self.entries {
            counts[number as usize] = 0;
        }
    }
}
