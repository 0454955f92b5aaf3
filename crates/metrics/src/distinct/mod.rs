//! Distinct-n: the share of distinct n-grams among all n-grams of a system, a measure of diversity.
//!
//! ```text
//! distinct-n          = U / C            U different n-grams, C n-grams, over all hypotheses together
//!   per tokens        = U / T            T tokens (Li et al. scale so)
//! expectation-adjusted = U / ( V · (1 - ((V - 1)/V)^C) )      V: the size of the vocabulary, given by the user
//! mean of segments    = mean of U / C of each hypothesis by itself
//! ```
//!
//! No n-gram crosses from one hypothesis to the next. The statistics are the set of all n-grams up to the
//! order, and merging unites sets. The same statistics therefore serve all lower orders, every divisor and
//! every vocabulary size.
//!
//! The corpus value falls as the corpus grows, so it can only compare outputs for the same inputs. The
//! expectation-adjusted value does not fall, and the mean of segments measures repetition within a text
//! instead.
//!
//! Rewards for diversity use the value of each text alone, the mean of segments (`distinct:mean`).
//!
//! | singular case | result |
//! |---|---|
//! | no n-gram of the order in any hypothesis | 0 |
//! | hypothesis shorter than the order | adds nothing to the corpus value; counts as 0 in the mean of segments |
//! | a vocabulary with fewer words than the hypotheses | error |
//! | references | ignored |
//!
//! The range is 0 to 1; higher is more diverse. Expectation-adjusted values are at least 0 without a limit.
//! They exceed 1 if there are more distinct n-grams than chance would draw. Sources: Li et al. 2016, A
//! Diversity-Promoting Objective Function for Neural Conversation Models; Liu et al. 2022, Rethinking and
//! Refining the Distinct Metric (published for n = 1). Numbers follow the definition. Time is linear in the
//! tokens; memory is proportional to the distinct n-grams of all orders up to n. References are not read.
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
    Composition, ConfigError, Identity, InputErrorKind, Metric, Observe, PlainScore, Result, Scale, Segment,
    SegmentCounts, StateKey,
};
use bleuprint_math::pow;
use bleuprint_ngram::Word;
use bleuprint_registry::{Opt, settings};

use crate::shared::ngrams::MAX_ORDER;
use crate::shared::serves_orders_from;

pub(crate) use entry::ENTRY;
pub(crate) use mean::DistinctMean;
pub use options::DistinctDivisor;
pub use stats::DistinctStats;

settings! {
    /// Metric distinct-n: the share of distinct n-grams among all n-grams of a corpus of hypotheses.
    #[derive(Copy, Eq)]
    pub struct Distinct {
        /// The order of the n-grams
        order: usize = Opt::integer("distinct-order", 2).limits(1, MAX_ORDER as u64).counted("order", "n");
        /// Divide the number of distinct n-grams by all n-grams or by all tokens
        #[setter(pub)]
        per: DistinctDivisor = Opt::choice("distinct-per").finished("per", "per").unless_default();
        // The number of n-grams that are expected by chance is then the divisor. Above the limit, `(V - 1)/V` has too few digits.
        /// Adjust to what is expected with a vocabulary of this size (EAD)
        vocabulary: Option<u64> = Opt::optional_integer("distinct-vocabulary", "none: not adjusted")
            .limits(1, 1 << 32)
            .finished("vocabulary", "vocabulary");
        /// Score the mean of the values of single segments, as rewards for diversity do, instead of the corpus value
        mean: bool = Opt::flag("distinct-mean").counted("mean", "mean").words("segments", "");
    }
    in help: order, mean, vocabulary, per;
}

impl Distinct {
    /// Creates distinct-n for n-grams of this order.
    ///
    /// # Errors
    /// Returns [`ConfigError::OutOfRange`] unless the order is in 1 to 100.
    pub fn new(order: usize) -> Result<Self, ConfigError> {
        Ok(Distinct { order: Distinct::OPTION.order.check(order)?, ..Distinct::default() })
    }

    pub(crate) fn expectation_adjusted(self, vocabulary: u64) -> Result<Self, ConfigError> {
        Distinct::OPTION.vocabulary.check(vocabulary)?;
        if self.per != DistinctDivisor::Ngrams {
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
            (None, DistinctDivisor::Ngrams) => unique / ngrams as f64,
            (None, DistinctDivisor::Tokens) => unique / tokens as f64,
            (Some(size), _) => {
                // Equation 2 of Liu et al. 2022: the divisor is the expected number of distinct n-grams in C
                // uniform draws from V.
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
        let scale = if self.vocabulary.is_some() { Scale::UNBOUNDED } else { Scale::UNIT };
        self.add_to_identity(Identity::new("distinct", 1, scale))
            .composed(Composition::Repeats)
            .needing(|needs| needs.tokens = true)
            .reference_free()
    }
    fn zero(&self) -> DistinctStats {
        DistinctStats::new(self.order)
    }

    fn finalize(&self, stats: &DistinctStats, _: &SegmentCounts) -> Result<PlainScore> {
        let unique = stats.unique(self.order);
        let total = stats.total(self.order);
        let tokens = stats.total(1);
        let words = stats.unique(1);
        if let Some(size) = self.vocabulary.filter(|size| *size < words) {
            let reason = format!(
                "the texts have {words} different words, but vocabulary={size}: give the number of words that the systems can write"
            );
            return Err(InputErrorKind::CannotFinish { metric: self.identity().name(), reason }.into());
        }
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
