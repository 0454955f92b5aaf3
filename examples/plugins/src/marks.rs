//! The means of human marks, over pairs of numbers in place of tokens: several exact sums.

use bleuprint::contract::*;

#[derive(Clone)]
pub struct Marks;

impl Metric for Marks {
    type Stats = (ExactSum, ExactSum);
    type Score = f64;
    type Scratch = ();

    fn identity(&self) -> Identity {
        Identity::new("marks", 1, Scale::PERCENT).reference_free()
    }
    fn finalize(&self, (fluency, adequacy): &Self::Stats, _: &SegmentCounts) -> Result<f64> {
        Ok((fluency.mean(fluency.count().max(1)) + adequacy.mean(adequacy.count().max(1))) / 2.0)
    }
}

impl Observe<(f64, f64)> for Marks {
    fn observe(&self, _: &mut (), stats: &mut Self::Stats, marks: Segment<'_, (f64, f64)>) -> Result<()> {
        let (fluency, adequacy) = *marks.hypothesis();
        stats.merge(&(ExactSum::of(fluency)?, ExactSum::of(adequacy)?))
    }
}

#[test]
fn obeys_the_laws() {
    let marks = |raw: &[u8]| {
        (f64::from(raw.len() as u8 % 8) * 12.5, f64::from(raw.first().copied().unwrap_or(0) % 9) * 0.1)
    };
    laws::check_sequences::<(f64, f64), (f64, f64), _>(&Marks, marks, laws::Equality::Exact);
}
