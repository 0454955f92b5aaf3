//! [`DistinctMean`]: the mean over segments of distinct-n of each hypothesis by itself.

use core::hash::Hash;

use bleuprint_core::{
    ConfigError, ExactSum, Identity, Metric, Observe, PlainScore, Result, Scale, Segment, SegmentCounts,
};
use bleuprint_ngram::NumberedNgrams;

use super::options::{MEAN, ORDER, PER};
use super::{Distinct, Per};
use crate::shared::check_mean;

/// The mean over segments of distinct-n of each hypothesis by itself: how little a text repeats itself.
///
/// It remembers no tokens: the statistics are the exact sum of the ratios.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct DistinctMean {
    order: usize,
    per: Per,
}

impl Default for DistinctMean {
    fn default() -> Self {
        DistinctMean { order: ORDER.default(), per: PER.default() }
    }
}

impl DistinctMean {
    /// For n-grams of this order.
    ///
    /// # Errors
    /// [`ConfigError::OutOfRange`] unless the order is from 1 to 100.
    pub(crate) fn new(order: usize) -> Result<Self, ConfigError> {
        Ok(DistinctMean { order: ORDER.check(order)?, ..DistinctMean::default() })
    }

    /// Divides by the tokens, or by the n-grams.
    #[must_use]
    pub(crate) fn per(self, per: Per) -> Self {
        DistinctMean { per, ..self }
    }
}

impl Metric for DistinctMean {
    type Stats = ExactSum;
    type Score = PlainScore;
    type Scratch = NumberedNgrams;

    fn identity(&self) -> Identity {
        Identity::new("distinct", 1, Scale::UNIT)
            .option(ORDER, self.order)
            .option(MEAN, true)
            .option(PER.counted("per", "per").unless_default(), self.per)
            .reference_free()
    }
    fn zero(&self) -> ExactSum {
        ExactSum::new()
    }

    fn finalize(&self, sum: &ExactSum, counts: &SegmentCounts) -> Result<PlainScore> {
        Ok(PlainScore::new(sum.mean(counts.segments.max(1))).with_count("segments", counts.segments))
    }

    fn check(&self, sum: &ExactSum, counts: &SegmentCounts) -> Result<()> {
        check_mean(sum, counts, Scale::UNIT)
    }
}

impl<T: Hash + Eq> Observe<[T]> for DistinctMean {
    fn observe(
        &self,
        ngrams: &mut NumberedNgrams,
        sum: &mut ExactSum,
        segment: Segment<'_, [T]>,
    ) -> Result<()> {
        let tokens = segment.hypothesis();
        ngrams.begin(tokens, &[]);
        (1..self.order).for_each(|_| ngrams.climb());
        let (unique, total) = (ngrams.distinct(), ngrams.sequence(0).len());
        let corpus = Distinct { order: self.order, per: self.per, vocabulary: None };
        sum.add(corpus.ratio(unique as u64, total as u64, tokens.len() as u64))
    }
}
