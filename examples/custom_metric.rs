//! A metric of your own from start to end: statistics, contract, registry entry, and the proof of its laws.
//!
//! The metric is the share of bigrams of the hypotheses that repeat an earlier bigram of the same segment. (The number
//! of distinct bigrams of a whole corpus is not a sum over segments: its statistics would be a set, not counts.)
#![allow(clippy::print_stdout, reason = "an example prints its result")]

use std::collections::HashSet;
use std::hash::Hash;

use bleuprint::{
    Accumulator, AnyMetric, Identity, Metric, MetricEntry, Observe, PlainScore, Result, Scale, Segment,
    SegmentCounts, Stats, columns, registry,
};

/// The configuration; this metric has no options.
#[derive(Debug, Clone)]
struct RepeatedBigrams;

columns! {
    /// The counts: integers, so that any cut of a corpus gives the same score.
    struct RepeatedStats { repeated <= bigrams, bigrams }
}

impl Metric for RepeatedBigrams {
    type Stats = RepeatedStats;
    type Score = PlainScore;
    type Scratch = ();

    fn identity(&self) -> Identity {
        Identity::new("repeated_bigrams", 1, Scale { max: 100.0, percent: true, ..Scale::ERROR_RATE })
            .named("RepeatedBigrams")
            .reference_free()
    }
    fn finalize(&self, stats: &RepeatedStats, _: &SegmentCounts) -> Result<PlainScore> {
        let score = 100.0 * stats.repeated as f64 / stats.bigrams.max(1) as f64;
        Ok(PlainScore::new(score).with_count("bigrams", stats.bigrams))
    }
}

/// One implementation for words, characters and ids.
impl<T: Hash + Eq> Observe<[T]> for RepeatedBigrams {
    fn observe(&self, _: &mut (), stats: &mut RepeatedStats, segment: Segment<'_, [T]>) -> Result<()> {
        let (mut seen, tokens) = (HashSet::new(), segment.hypothesis);
        let repeated = tokens.windows(2).filter(|bigram| !seen.insert(*bigram)).count() as u64;
        stats.merge(&RepeatedStats { repeated, bigrams: tokens.len().saturating_sub(1) as u64 })
    }
}

/// The registry entry.
const ENTRY: MetricEntry =
    MetricEntry::new("repeated_bigrams", "Bigrams that repeat an earlier one of the same segment", |_| {
        AnyMetric::for_ids(RepeatedBigrams)
    });

pub(crate) fn main() {
    let mut words = Accumulator::<_, [&str]>::new(RepeatedBigrams);
    words.push(&["no", "no", "no", "way"], &[]).unwrap();
    let score = words.score().unwrap().score;
    assert_eq!(score, PlainScore::new(100.0 / 3.0).with_count("bigrams", 3));

    let mut registry = registry();
    registry.add(ENTRY).unwrap();
    let plug_in = registry.build("repeated_bigrams").unwrap();
    let mut ids = Accumulator::<_, [u32]>::new(plug_in);
    ids.push(&[7, 7, 7, 8], &[]).unwrap();
    assert_eq!(ids.score().unwrap().value(), score.score);
    println!("Repeated bigrams {score:.1}");

    // The proof in one line, for your tests, with the feature `laws`.
    bleuprint::contract::laws::check(&RepeatedBigrams);
}
