//! How many different tokens the hypotheses use: a metric that remembers tokens, whose statistics are a set.

use std::collections::BTreeSet;

use bleuprint::{
    AnyMetric, Identity, Metric, MetricEntry, Observe, Result, Scale, Segment, SegmentCounts, Stats,
};
use serde::{Deserialize, Serialize};

#[derive(Clone)]
pub struct Vocabulary;

#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Words(BTreeSet<String>);

impl Stats for Words {
    fn merge(&mut self, other: &Self) -> Result<()> {
        self.0.extend(other.0.iter().cloned());
        Ok(())
    }
}

impl Metric for Vocabulary {
    type Stats = Words;
    type Score = f64;
    type Scratch = ();

    fn identity(&self) -> Identity {
        Identity::new("vocabulary", 1, Scale::UNBOUNDED).remembers_tokens().reference_free()
    }
    fn finalize(&self, stats: &Words, _: &SegmentCounts) -> Result<f64> {
        Ok(stats.0.len() as f64)
    }
}

impl<T: AsRef<str>> Observe<[T]> for Vocabulary {
    fn observe(&self, _: &mut (), stats: &mut Words, segment: Segment<'_, [T]>) -> Result<()> {
        stats.0.extend(segment.hypothesis().iter().map(|token| token.as_ref().to_owned()));
        Ok(())
    }
}

pub const ENTRY: MetricEntry = MetricEntry::new("vocabulary", "How many different tokens there are", |_| {
    Ok(AnyMetric::over_tokens(Vocabulary))
});

#[test]
fn obeys_the_laws() {
    bleuprint::laws::check_any(&AnyMetric::over_tokens(Vocabulary));
}
