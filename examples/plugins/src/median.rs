//! The median length of hypotheses in tokens: statistics that keep all values.

use bleuprint::contract::*;
use bleuprint::metrics::Kept;

#[derive(Clone)]
pub struct MedianLength;

impl Metric for MedianLength {
    type Stats = Kept<1>;
    type Score = f64;
    type Scratch = ();

    fn identity(&self) -> Identity {
        Identity::new("median_length", 1, Scale::UNBOUNDED).reference_free()
    }
    fn finalize(&self, lengths: &Kept<1>, _: &SegmentCounts) -> Result<f64> {
        lengths.median().ok_or_else(|| InputError::no_score("median_length", "no segments"))
    }
}

impl<T> Observe<[T]> for MedianLength {
    fn observe(&self, _: &mut (), lengths: &mut Kept<1>, segment: Segment<'_, [T]>) -> Result<()> {
        lengths.merge(&Kept::of([segment.hypothesis().len() as f64])?)
    }
}

pub const ENTRY: MetricEntry =
    MetricEntry::new("median_length", "The median number of tokens", |_| AnyMetric::over_ids(MedianLength));

#[test]
fn obeys_the_laws() {
    laws::check_any(&AnyMetric::over_ids(MedianLength).unwrap());
}
