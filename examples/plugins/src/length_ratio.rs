//! The length of the hypotheses over that of their references, in percent: a metric over any tokens.

use bleuprint::{
    AnyMetric, Direction, Identity, Metric, MetricEntry, Observe, Result, Scale, Segment, SegmentCounts,
    Stats, columns,
};

#[derive(Clone)]
pub struct LengthRatio;

columns! {
    pub struct Lengths { hypotheses, references }
}

impl Metric for LengthRatio {
    type Stats = Lengths;
    type Score = f64;
    type Scratch = ();

    fn identity(&self) -> Identity {
        Identity::new(
            "length_ratio",
            1,
            Scale { direction: Direction::HigherIsBetter, ..Scale::ERROR_PERCENT },
        )
    }
    fn finalize(&self, stats: &Lengths, _: &SegmentCounts) -> Result<f64> {
        Ok(100.0 * stats.hypotheses as f64 / stats.references.max(1) as f64)
    }
}

impl<T> Observe<[T]> for LengthRatio {
    fn observe(&self, _: &mut (), stats: &mut Lengths, segment: Segment<'_, [T]>) -> Result<()> {
        let shortest = segment.references()?.iter().map(|reference| reference.len()).min().unwrap_or(0);
        stats.merge(&Lengths { hypotheses: segment.hypothesis().len() as u64, references: shortest as u64 })
    }
}

pub const ENTRY: MetricEntry =
    MetricEntry::new("length_ratio", "Tokens of the hypotheses over tokens of the references", |_| {
        AnyMetric::over_ids(LengthRatio)
    });

#[test]
fn obeys_the_laws() {
    bleuprint::laws::check(&LengthRatio);
}
