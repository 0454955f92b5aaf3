//! The share of the hypotheses' tokens found in their sources: a metric with a source, without references.

use bleuprint::contract::*;

#[derive(Clone)]
pub struct CopyRate;

columns! { pub struct Copied { copied <= tokens, tokens } }

impl Metric for CopyRate {
    type Stats = Copied;
    type Score = f64;
    type Scratch = ();

    fn identity(&self) -> Identity {
        Identity::new("copy_rate", 1, Scale::PERCENT).needs_source().reference_free()
    }
    fn finalize(&self, stats: &Copied, _: &SegmentCounts) -> Result<f64> {
        Ok(100.0 * stats.copied as f64 / stats.tokens.max(1) as f64)
    }
}

impl<T: PartialEq> Observe<[T]> for CopyRate {
    fn observe(&self, _: &mut (), stats: &mut Copied, segment: Segment<'_, [T]>) -> Result<()> {
        let (tokens, source) = (segment.hypothesis(), segment.source()?);
        let copied = tokens.iter().filter(|token| source.contains(token)).count() as u64;
        stats.merge(&Copied { copied, tokens: tokens.len() as u64 })
    }
}

pub const ENTRY: MetricEntry =
    MetricEntry::new("copy_rate", "Tokens that stand in the source", |_| AnyMetric::over_ids(CopyRate));

#[test]
fn obeys_the_laws() {
    laws::check(&CopyRate);
}
