//! Novel n-grams: the share of the distinct n-grams of a summary that its source does not have.
//!
//! ```text
//! novel-n = |distinct n-grams of the summary that are not in the source| / |distinct n-grams of the
//! summary|
//! ```
//!
//! The score is the exact mean over summaries. The metric that is built from the name `novel` distinguishes
//! upper and lower case, like lighteval. For copied fragments ([`Extractive`](crate::Extractive)), lighteval
//! ignores case.
//!
//! | singular case | result |
//! |---|---|
//! | a summary shorter than n | a segment without a number |
//! | no segment with a number | error |
//! | a source shorter than n | 1 |
//! | no source | error |
//! | references | not used |
//! | nothing observed | 0 |
//!
//! The range is 0 to 1, higher is more abstractive. Source: See et al. 2017, Get To The Point: Summarization
//! with Pointer-Generator Networks. The numbers match lighteval 0.13.0 over the same tokens bit for bit. Time
//! grows with the lengths times n.
//!
//! ```
//! use bleuprint_core::{Accumulator, Segment};
//! use bleuprint_sources::Novel;
//!
//! let mut novel = Accumulator::<_, [&str]>::new(Novel::new(2).unwrap());
//! let segment = Segment::with_source(&["the", "cat", "sat"][..], &[], Some(&["the", "cat", "ran"][..]));
//! novel.push_segment(segment).unwrap();
//! assert_eq!(novel.score().unwrap().value(), 0.5);
//! ```

use core::hash::Hash;
use std::collections::HashSet;

use bleuprint_core::{
    ConfigError, ExactSum, Identity, InputError, Metric, Observe, PlainScore, Result, Scale, Segment,
    SegmentCounts,
};
use bleuprint_registry::{AnyMetric, MetricEntry, Opt, settings};

settings! {
    /// The metric of novel n-grams: the share of a summary's distinct n-grams that its source does not contain.
    /// The [module documentation](self) has the definition.
    #[derive(Copy, Eq)]
    pub struct Novel {
        /// The order of the n-grams
        order: usize = Opt::integer("novel-n", 2).limits(1, 64).counted("n", "n");
    }
}

impl Novel {
    /// Creates the metric of novel n-grams: the share of a summary's distinct n-grams, of `order` tokens
    /// each, that its source does not contain.
    ///
    /// # Errors
    /// Returns an error if the order is 0 or above 64.
    pub fn new(order: usize) -> Result<Self, ConfigError> {
        Ok(Novel { order: Novel::OPTION.order.check(order)? })
    }
}

impl Metric for Novel {
    type Stats = ExactSum;
    type Score = PlainScore;
    type Scratch = ();

    fn identity(&self) -> Identity {
        self.add_to_identity(Identity::new("novel", 1, Scale::UNIT))
            .needing(|needs| needs.source = true)
            .reference_free()
    }
    fn finalize(&self, sum: &ExactSum, counts: &SegmentCounts) -> Result<PlainScore> {
        // Segments without a number are no zeros: a summary shorter than n has no n-gram to be novel.
        if sum.count() == 0 && counts.segments > 0 {
            let reason = format!("no summary has {} tokens", self.order);
            return Err(InputError::no_score(self.identity().name(), reason));
        }
        Ok(PlainScore::new(sum.mean(sum.count().max(1))).with_count("segments", sum.count()))
    }
    fn check(&self, sum: &ExactSum, counts: &SegmentCounts) -> Result<()> {
        Scale::UNIT.check_mean(sum, sum.count().min(counts.segments))
    }
}

impl<T: Hash + Eq> Observe<[T]> for Novel {
    fn observe(&self, (): &mut (), sum: &mut ExactSum, segment: Segment<'_, [T]>) -> Result<()> {
        let own: HashSet<&[T]> = segment.hypothesis.windows(self.order).collect();
        // Sets of slices borrow the tokens, so no n-gram is copied.
        let source: HashSet<&[T]> = segment.source()?.windows(self.order).collect();
        // Such a summary is left out of the mean instead of counting as 0.
        if own.is_empty() {
            return Ok(());
        }
        let novel = own.iter().filter(|ngram| !source.contains(*ngram)).count();
        Ok(sum.add(novel as f64 / own.len() as f64)?)
    }
}

pub(crate) const ENTRY: MetricEntry =
    MetricEntry::new("novel", "Different n-grams of summaries that their sources do not have", |options| {
        AnyMetric::for_ids(Novel::from_options(options)?)
    })
    .aliases(&["novel_ngrams"])
    .papers(&[crate::paper("see-etal-2017-get")])
    .agrees_with("lighteval 0.13.0, over the same tokens")
    .options(Novel::SPECS)
    .example(r#"{"hypothesis": "a cat sat", "source": "the cat sat on a mat"}"#);

#[cfg(test)]
#[test]
fn obeys_the_laws() {
    bleuprint_registry::laws::check(&Novel { order: 2 });
}
