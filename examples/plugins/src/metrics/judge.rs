//! The marks of a model that is faster on many texts: it gets batches of 32 at every door.
//!
//! The model here counts words that a text shares with its reference, and tells its calls, in which a real one spends its time.

use bleuprint::contract::*;

fn model(pairs: &[(&str, &str)]) -> Vec<f64> {
    eprintln!("the judge reads {} texts", pairs.len());
    let shared = |text: &str, other: &str| text.split(' ').filter(|word| other.contains(word)).count();
    pairs.iter().map(|(text, other)| shared(text, other) as f64 / text.split(' ').count() as f64).collect()
}

pub struct Judge;

impl Metric for Judge {
    type Stats = ExactSum;
    type Score = f64;
    type Scratch = ();
    fn identity(&self) -> Identity {
        Identity::new("judge", 1, Scale::UNIT).needing(|needs| needs.one_reference = true)
    }
    fn finalize(&self, sum: &ExactSum, _: &SegmentCounts) -> Result<f64> {
        Ok(sum.mean(sum.count().max(1)))
    }
    fn batch(&self) -> usize {
        32
    }
}

impl Observe<str> for Judge {
    fn observe(&self, _: &mut (), sum: &mut ExactSum, segment: Segment<'_, str>) -> Result<()> {
        self.observe_each(&mut (), std::slice::from_mut(sum), &[segment])
    }
    fn observe_each(&self, _: &mut (), sums: &mut [ExactSum], all: &[Segment<'_, str>]) -> Result<()> {
        let mut pairs = Vec::new();
        for (number, one) in (1..).zip(all) {
            let at = |error: InputError| error.at(Location::segment(number));
            pairs.push((one.hypothesis, one.one_reference("judge").map_err(at)?));
        }
        sums.iter_mut().zip(model(&pairs)).try_for_each(|(sum, mark)| sum.merge(&ExactSum::from_value(mark)?))
    }
}

pub const ENTRY: MetricEntry =
    MetricEntry::new("judge", "The marks of a model", |_| Ok(AnyMetric::for_text(Judge)));

#[test]
fn obeys_the_laws() {
    laws::check_any(&AnyMetric::for_text(Judge));
}
