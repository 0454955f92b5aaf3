//! Exact match: the share of hypotheses that equal a reference. The smallest metric, a template for your own.
//!
//! ```text
//! EM = 100 · matched / segments
//! ```
//!
//! | singular case | result |
//! |---|---|
//! | empty hypothesis, empty reference | a match |
//! | no reference | error |
//! | nothing observed | 0 |
//!
//! Range 0 to 100, higher is better. Source: the exact match of question answering (Rajpurkar et al. 2016,
//! SQuAD), here over any sequences and without its text normalization. Time is linear in the length.
//!
//! ```
//! use bleuprint_core::Accumulator;
//! use bleuprint_metrics::ExactMatch;
//!
//! let mut em = Accumulator::<_, str>::new(ExactMatch);
//! em.push("in 1869", &["1869", "in 1869"]).unwrap();
//! em.push("Paris", &["Lyon"]).unwrap();
//! assert_eq!(em.score().unwrap().score.score, 50.0);
//! ```

use bleuprint_core::*;
use bleuprint_registry::{AnyMetric, MetricEntry};

/// Metric exact match, the percentage of hypotheses that equal a reference; it has no options.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[expect(clippy::exhaustive_structs, reason = "closed: the definition has no options")]
pub struct ExactMatch;

columns! {
    /// Number of segments whose hypothesis equals one of its references.
    pub struct ExactMatchStats { matched <= segments }
}

impl Metric for ExactMatch {
    type Stats = ExactMatchStats;
    type Score = PlainScore;
    type Scratch = ();

    fn identity(&self) -> Identity {
        Identity::new("exact_match", 2, Scale::PERCENT).named("EM").composed(Composition::Rate)
    }
    fn finalize(&self, stats: &ExactMatchStats, counts: &SegmentCounts) -> Result<PlainScore> {
        let percent = 100.0 * stats.matched as f64 / counts.segments.max(1) as f64;
        Ok(PlainScore::new(percent)
            .with_count("matched", stats.matched)
            .with_count("segments", counts.segments))
    }
    fn quotient(&self) -> Option<Quotient> {
        Some(Quotient { numerator: &["matched"], denominator: &["segments"], factor: 100.0 })
    }
}

impl<S: PartialEq + ?Sized> Observe<S> for ExactMatch {
    fn observe(&self, (): &mut (), stats: &mut Self::Stats, segment: Segment<'_, S>) -> Result<()> {
        let matched = u64::from(segment.references()?.contains(&segment.hypothesis));
        stats.merge(&ExactMatchStats { matched })
    }
}

pub(crate) const ENTRY: MetricEntry =
    MetricEntry::new("exact_match", "The share of hypotheses that equal a reference, as text", |_| {
        Ok(AnyMetric::for_text(ExactMatch))
    })
    .aliases(&["em"])
    .papers(crate::squad::PAPERS)
    .example(r#"{"hypothesis": "the cat", "references": ["a cat", "the cat"]}"#);

#[cfg(test)]
#[test]
fn obeys_the_laws() {
    bleuprint_registry::laws::check(&ExactMatch);
}
