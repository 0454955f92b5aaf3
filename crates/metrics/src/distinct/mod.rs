//! Distinct-n: the share of different n-grams among those of a system; diversity, without references.
//!
//! ```text
//! distinct-n          = U / C            U different n-grams, C n-grams, over all hypotheses together
//!   per tokens        = U / T            T tokens (Li et al. scale so)
//! expectation-adjusted = U / ( V · (1 - ((V - 1)/V)^C) )      V: the size of the vocabulary, given by the user
//! mean of segments    = mean of U / C of each hypothesis by itself
//! ```
//!
//! No n-gram crosses from one hypothesis to the next. The statistics are the set of all n-grams up to the order, so one
//! state serves all lower orders, every way of scaling, and every size of vocabulary; sets unite when states merge.
//! The corpus value falls as the corpus grows, so it compares outputs for the same inputs only; the expectation-adjusted
//! value does not, and the mean of segments measures repetition within a text instead.
//!
//! Rewards for diversity are the value of each text by itself, the mean of segments (`distinct:mean`).
//!
//! | singular case | result |
//! |---|---|
//! | no n-gram of the order at all | 0 |
//! | hypothesis shorter than the order | adds nothing to the corpus value; counts as 0 in the mean of segments |
//! | references | ignored |
//!
//! Range 0 to 1, higher is more diverse; expectation-adjusted from 0 without limit, and above 1 where more different
//! n-grams occur than chance would draw. Source: Li et al. 2016, A Diversity-Promoting Objective Function for Neural
//! Conversation Models; Liu et al. 2022, Rethinking and Refining the Distinct Metric (published for n = 1). Numbers are
//! those of the definition. Time is linear in the tokens; memory is that of the different n-grams of all orders up to n.
//!
//! ```
//! use bleuprint_core::Accumulator;
//! use bleuprint_metrics::Distinct;
//!
//! let mut distinct = Accumulator::<_, [&str]>::new(Distinct::new(2).unwrap());
//! distinct.push(&["i", "do", "not", "know"], &[]).unwrap();
//! distinct.push(&["i", "do", "not", "care"], &[]).unwrap();
//! assert_eq!(distinct.score().unwrap().score.score, 4.0 / 6.0);
//! ```

mod entry;
mod mean;
mod options;
mod stats;

use bleuprint_core::{
    Composition, ConfigError, Identity, Metric, Observe, PlainScore, Result, Scale, Segment, SegmentCounts,
    StateKey,
};
use bleuprint_math::pow;
use bleuprint_ngram::Word;

use crate::shared::serves_orders_from;

pub(crate) use entry::ENTRY;
pub(crate) use mean::DistinctMean;
pub use options::Per;
use options::{ORDER, PER, VOCABULARY};
pub use stats::DistinctStats;

/// Distinct-n of a corpus.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Distinct {
    order: usize,
    per: Per,
    vocabulary: Option<u64>,
}

impl Default for Distinct {
    fn default() -> Self {
        Distinct { order: ORDER.default(), per: PER.default(), vocabulary: VOCABULARY.default() }
    }
}

impl Distinct {
    /// Distinct-n for n-grams of this order.
    ///
    /// # Errors
    /// [`ConfigError::OutOfRange`] unless the order is from 1 to 100.
    pub fn new(order: usize) -> Result<Self, ConfigError> {
        Ok(Distinct { order: ORDER.check(order)?, ..Distinct::default() })
    }

    /// Divides by the tokens, or by the n-grams.
    #[must_use]
    pub fn per(self, per: Per) -> Self {
        Distinct { per, ..self }
    }

    pub(crate) fn expectation_adjusted(self, vocabulary: u64) -> Result<Self, ConfigError> {
        VOCABULARY.check(vocabulary)?;
        if self.per != Per::Ngrams {
            return Err(ConfigError::Conflict(
                "distinct-n is expectation-adjusted or per tokens, not both".into(),
            ));
        }
        Ok(Distinct { vocabulary: Some(vocabulary), ..self })
    }

    fn ratio(&self, unique: u64, ngrams: u64, tokens: u64) -> f64 {
        let unique = unique as f64;
        match (self.vocabulary, self.per) {
            _ if ngrams == 0 => 0.0,
            (None, Per::Ngrams) => unique / ngrams as f64,
            (None, Per::Tokens) => unique / tokens as f64,
            (Some(size), _) => {
                let size = size as f64;
                unique / (size * (1.0 - pow((size - 1.0) / size, ngrams as f64)))
            }
        }
    }
}

impl Metric for Distinct {
    type Stats = DistinctStats;
    type Score = PlainScore;
    type Scratch = Vec<u32>;

    fn identity(&self) -> Identity {
        Identity::new("distinct", 1, if self.vocabulary.is_some() { Scale::UNBOUNDED } else { Scale::UNIT })
            .composed(Composition::Repeats)
            .needing(|needs| needs.tokens = true)
            .option(ORDER, self.order)
            .option(PER, self.per)
            .option(VOCABULARY, self.vocabulary)
            .reference_free()
    }
    fn zero(&self) -> DistinctStats {
        DistinctStats::new(self.order)
    }

    fn finalize(&self, stats: &DistinctStats, _: &SegmentCounts) -> Result<PlainScore> {
        let (unique, total, tokens) = (stats.unique(self.order), stats.total(self.order), stats.total(1));
        let score = PlainScore::new(self.ratio(unique, total, tokens));
        Ok(score.with_count("unique", unique).with_count("total", total))
    }

    fn check(&self, stats: &DistinctStats, counts: &SegmentCounts) -> Result<()> {
        stats.check(self.order, counts.segments)
    }

    fn serves(&self, key: &StateKey) -> Result<()> {
        serves_orders_from(self.order, &self.state_key(), key)
    }
}

impl<T: Word> Observe<[T]> for Distinct {
    fn observe(
        &self,
        scratch: &mut Vec<u32>,
        stats: &mut DistinctStats,
        segment: Segment<'_, [T]>,
    ) -> Result<()> {
        stats.add(scratch, segment.hypothesis)
    }
}

#[cfg(test)]
mod tests;
