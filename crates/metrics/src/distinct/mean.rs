//! [`DistinctMean`]: the mean over segments of distinct-n, computed for each hypothesis alone.

use core::hash::Hash;

use bleuprint_core::{
    Composition, ExactSum, Identity, Metric, Observe, PlainScore, Result, Scale, Segment, SegmentCounts,
};
use bleuprint_ngram::NumberedNgrams;

use super::Distinct;

/// Metric whose score is the mean over segments of distinct-n of each hypothesis. Its statistics hold no
/// tokens.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct DistinctMean(pub(super) Distinct);

impl Metric for DistinctMean {
    type Stats = ExactSum;
    type Score = PlainScore;
    type Scratch = NumberedNgrams;

    fn identity(&self) -> Identity {
        Identity::new("distinct", 1, Scale::UNIT)
            .composed(Composition::Mean)
            .wider_sums()
            .option(Distinct::OPTION.order, self.0.order)
            .option(Distinct::OPTION.mean, true)
            .option(Distinct::OPTION.per.counted("per", "per").unless_default(), self.0.per)
            .reference_free()
    }

    fn finalize(&self, sum: &ExactSum, counts: &SegmentCounts) -> Result<PlainScore> {
        Ok(PlainScore::new(sum.mean(counts.segments.max(1))).with_count("segments", counts.segments))
    }

    fn check(&self, sum: &ExactSum, counts: &SegmentCounts) -> Result<()> {
        Scale::UNIT.check_mean(sum, counts.segments)
    }
}

impl<T: Hash + Eq> Observe<[T]> for DistinctMean {
    fn observe(
        &self,
        ngrams: &mut NumberedNgrams,
        sum: &mut ExactSum,
        segment: Segment<'_, [T]>,
    ) -> Result<()> {
        let tokens = segment.hypothesis;
        ngrams.begin(tokens, &[]);
        (1..self.0.order).for_each(|_| ngrams.climb());
        // N-grams are numbered order by order, so the last numbers are those of the highest order.
        let unique = ngrams.distinct();
        let total = ngrams.sequence(0).len();
        Ok(sum.add(self.0.ratio(unique as u64, total as u64, tokens.len() as u64))?)
    }
}
