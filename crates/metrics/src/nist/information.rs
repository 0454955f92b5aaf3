//! Information: NIST's weight of an n-gram, from the frequency of its last token after its prefix in the
//! references.
//!
//! ```text
//! info(w_1 .. w_n) = log2( count(w_1 .. w_{n-1}) / count(w_1 .. w_n) ),   info(w) = log2( all tokens / count(w) )
//! ```

use core::f64::consts::LN_2;

use bleuprint_math::ln;
use bleuprint_ngram::NgramSet;

use super::NistArithmetic;
use crate::shared::ngrams::NgramCounts;

/// NIST's information weight of every n-gram of the references, computed from the first pass for use in the
/// second.
#[derive(Debug, Clone)]
pub struct Information {
    counts: NgramCounts,
    /// Number of the token after which a bigram weighs as a unigram does.
    zero: Option<u32>,
    pub(super) rules: NistArithmetic,
    pub(super) fingerprint: u64,
}

impl Information {
    /// Creates the information weights of n-grams from their counts, with the rounding of `rules`.
    ///
    /// The counts must cover all occurrences in all references.
    pub fn new(counts: &NgramCounts, rules: NistArithmetic) -> Self {
        // The string "0" is false in Perl, so mteval treats a bigram that begins with it as having no
        // prefix.
        let zero = counts.ngrams().find_token("0").filter(|_| rules == NistArithmetic::Mteval);
        Information { counts: counts.clone(), zero, rules, fingerprint: counts.fingerprint() }
    }

    pub(super) fn max_order(&self) -> usize {
        self.ngrams().max_order()
    }

    pub(super) fn ngrams(&self) -> &NgramSet {
        self.counts.ngrams()
    }

    pub(super) fn count(&self, order: usize, number: u32) -> u64 {
        self.counts.counts(order)[number as usize]
    }

    /// Returns the weight of an n-gram that occurs `count` times. `prefix` holds number and count of its
    /// prefix; `None` at order 1.
    ///
    /// Weights are computed when they are needed, because most n-grams of the references match no hypothesis.
    pub(super) fn weight(&self, order: usize, count: u64, prefix: Option<(u32, u64)>) -> f64 {
        let prefix = prefix.filter(|&(number, _)| order != 2 || Some(number) != self.zero);
        let before = prefix.map_or_else(|| self.counts.total(1), |(_, before)| before);
        // Shortcut for most n-grams of high orders: their prefix is always followed by their last token, and
        // log2(1) is 0.
        if before == count {
            return 0.0;
        }
        match self.rules {
            NistArithmetic::Nltk => ln(before as f64 / count as f64) / LN_2,
            NistArithmetic::Standard | NistArithmetic::Mteval => -ln(count as f64 / before as f64) / LN_2,
        }
    }
}
