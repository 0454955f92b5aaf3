//! Repetition (seq-rep-n): the share of n-grams that repeat an earlier n-gram of the text.
//!
//! ```text
//! seq-rep-n = 1 − |different n-grams| / |n-grams|          of each hypothesis alone, then the mean
//! ```
//!
//! Rewards that penalize repetition (open-r1 and others) are `-p` times this number, where `p` is the
//! greatest penalty. They use words in lower case between spaces:
//! `repetition:order=3,tokenize=none,lowercase`. Results match `1 - different / all` bit for bit.
//!
//! | singular case | result |
//! |---|---|
//! | a hypothesis shorter than n | 0 |
//! | references | not used |
//! | nothing observed | error |
//!
//! Range 0 to 1, lower is better. Source: Welleck et al. 2020, Neural Text Generation with Unlikelihood
//! Training, section 6.1. Time is linear in the length.
//!
//! ```
//! use bleuprint_core::{Accumulator, Mean, Score};
//! use bleuprint_metrics::Repetition;
//!
//! let mut rep = Accumulator::<_, [&str]>::new(Mean::new(Repetition::new(1).unwrap()));
//! rep.push(&["so", "it", "goes", "so"], &[]).unwrap();
//! rep.push(&["so", "it", "is"], &[]).unwrap();
//! assert_eq!(rep.score().unwrap().score.value(), 0.125);
//! ```

use core::hash::Hash;
use std::collections::HashSet;

use bleuprint_core::{
    ConfigError, Direction, Identity, Mean, Metric, Observe, PlainScore, Result, Scale, Segment,
    SegmentCounts, Stats, columns,
};
use bleuprint_registry::{AnyMetric, MetricEntry, Opt, settings};

settings! {
    /// Metric of the share of repeated n-grams in one hypothesis; wrap it in [`Mean`] to score a corpus. [The
    /// module](self) has the definition.
    #[derive(Copy, Eq)]
    pub struct Repetition {
        /// The order of the n-grams; rewards have 1 - different / all of order 3 over tokenize=none,lowercase, times a penalty
        order: usize = Opt::integer("repetition-order", 4).limits(1, 64).counted("n", "n");
    }
}

impl Repetition {
    /// Creates the repetition metric over n-grams of this order.
    ///
    /// # Errors
    /// Returns an error if the order is 0 or above 64.
    pub fn new(order: usize) -> Result<Self, ConfigError> {
        Ok(Repetition { order: Repetition::OPTION.order.check(order)? })
    }
}

columns! {
    /// Numbers of n-grams and of distinct n-grams of hypotheses, from which the share of repeated n-grams is
    /// computed.
    pub struct RepetitionStats {
        /// Number of distinct n-grams in each hypothesis, summed over hypotheses.
        different <= ngrams,
        /// Number of n-grams of the hypotheses.
        ngrams
    }
}

impl Metric for Repetition {
    type Stats = RepetitionStats;
    type Score = PlainScore;
    type Scratch = ();

    fn identity(&self) -> Identity {
        let scale = Scale { direction: Direction::LowerIsBetter, ..Scale::UNIT };
        self.add_to_identity(Identity::new("repetition", 1, scale)).reference_free()
    }
    fn finalize(&self, stats: &RepetitionStats, _: &SegmentCounts) -> Result<PlainScore> {
        // In the order of operations of the definition; nothing repeats where there is no n-gram.
        let different = if stats.ngrams == 0 { 1.0 } else { stats.different as f64 / stats.ngrams as f64 };
        Ok(PlainScore::new(1.0 - different))
    }
}

impl<T: Hash + Eq> Observe<[T]> for Repetition {
    fn observe(&self, (): &mut (), stats: &mut Self::Stats, segment: Segment<'_, [T]>) -> Result<()> {
        let ngrams = segment.hypothesis.windows(self.order);
        let all = ngrams.len();
        let different = ngrams.collect::<HashSet<_>>().len();
        stats.merge(&RepetitionStats { different: different as u64, ngrams: all as u64 })
    }
}

pub(crate) const ENTRY: MetricEntry =
    MetricEntry::new("repetition", "N-grams that a hypothesis has said before (seq-rep-n)", |options| {
        AnyMetric::for_ids(Mean::new(Repetition::from_options(options)?))
    })
    .aliases(&["seq_rep"])
    .papers(&[crate::paper("welleck-etal-2020-neural")])
    .options(Repetition::SPECS)
    .example(r#"{"hypothesis": "the cat sat and the cat sat and the cat sat"}"#);

#[cfg(test)]
#[test]
fn obeys_the_laws() {
    bleuprint_registry::laws::check(&Repetition { order: 2 });
    bleuprint_registry::laws::check(&Mean::new(Repetition { order: 2 }));
}
