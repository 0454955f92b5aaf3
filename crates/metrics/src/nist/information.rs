//! Information: NIST's weight of an n-gram, from the frequency of its last token after its prefix in the
//! references.
//!
//! ```text
//! info(w_1 .. w_n) = log2( count(w_1 .. w_{n-1}) / count(w_1 .. w_n) ),   info(w) = log2( all tokens / count(w) )
//! ```

use core::f64::consts::LN_2;
use std::sync::Arc;

use bleuprint_math::ln;
use bleuprint_ngram::NgramSet;

use super::NistArithmetic;
use crate::shared::ngrams::NgramCounts;

/// NIST's information weight of every n-gram of the references, computed from the first pass for use in the
/// second.
#[derive(Debug, Clone)]
pub struct Information {
    ngrams: Arc<NgramSet>,
    weights: Vec<Vec<f64>>,
    pub(super) rules: NistArithmetic,
    pub(super) fingerprint: u64,
}

impl Information {
    /// Creates the information weights of n-grams from their counts, with the rounding of `rules`.
    ///
    /// The counts must cover all occurrences in all references.
    pub fn new(counts: &NgramCounts, rules: NistArithmetic) -> Self {
        let ngrams = counts.ngrams().clone();
        let tokens = counts.total(1);
        let weigh = match rules {
            NistArithmetic::Nltk => |prefix: u64, count: u64| ln(prefix as f64 / count as f64) / LN_2,
            NistArithmetic::Standard | NistArithmetic::Mteval => {
                |prefix, count| -ln(count as f64 / prefix as f64) / LN_2
            }
        };
        // The string "0" is false in Perl, so mteval treats a bigram that begins with it as having no
        // prefix.
        let zero = ngrams.find_token("0").filter(|_| rules == NistArithmetic::Mteval);
        let weights = (1..=ngrams.max_order()).map(|order| {
            let weight = |(number, &count): (u32, &u64)| {
                let prefix = ngrams.parts(order, number).map(|(prefix, _)| prefix);
                let prefix = prefix.filter(|&prefix| order != 2 || Some(prefix) != zero);
                let before = prefix.map_or(tokens, |prefix| counts.counts(order - 1)[prefix as usize]);
                // Shortcut for most n-grams of high orders: their prefix is always followed by their last
                // token, and log2(1) is 0.
                if before == count { 0.0 } else { weigh(before, count) }
            };
            (0..).zip(counts.counts(order)).map(weight).collect()
        });
        Information { weights: weights.collect(), ngrams, rules, fingerprint: counts.fingerprint() }
    }

    pub(super) fn max_order(&self) -> usize {
        self.weights.len()
    }

    pub(super) fn ngrams(&self) -> &NgramSet {
        &self.ngrams
    }

    pub(super) fn weight(&self, order: usize, number: u32) -> f64 {
        self.weights[order - 1][number as usize]
    }
}
