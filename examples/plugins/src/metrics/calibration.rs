//! The expected calibration error: statistics by bin of confidence, the number of bins an option.
//!
//! ```text
//! ECE = Σ over bins:  n_bin / n · |accuracy_bin − mean confidence_bin|
//! ```

use std::collections::BTreeMap;

use bleuprint::contract::*;

form! { pub struct Answer as "answer" {
    /// from 0 to 1
    confidence: f64,
    right: bool
} }

columns! { pub struct Bin { right <= answers, answers <= segments, confidence: ExactSum } }

const BINS: Opt<usize> =
    Opt::integer("calibration-bins", 10).limits(1, u64::MAX).counted("bins", "b").help("Bins of confidence");

pub const ENTRY: MetricEntry = MetricEntry::new("calibration", "The expected calibration error", |options| {
    let bins = BINS.value_in(options)?;
    Ok(AnyMetric::for_own::<Answer, _>(Totals::new(
        Identity::new("calibration", 1, Scale::lower_is_better(0.0, 1.0)).reference_free().option(BINS, bins),
        move |segment: Segment<'_, Answer>| {
            let Answer { confidence, right } = *segment.hypothesis;
            if !(0.0..=1.0).contains(&confidence) {
                return Err(InputError::malformed(format!("a confidence of {confidence}")));
            }
            let bin = ((confidence * bins as f64) as u64).min(bins as u64 - 1);
            let answer =
                Bin { right: right.into(), answers: 1, confidence: ExactSum::from_value(confidence)? };
            Ok(BTreeMap::from([(bin, answer)]))
        },
        |bins: &BTreeMap<u64, Bin>, counts| {
            let gap = |bin: &Bin| (bin.right as f64 - bin.confidence.to_f64()).abs();
            Ok(bins.values().map(gap).sum::<f64>() / counts.segments.max(1) as f64)
        },
    )))
})
.options(&[BINS.spec]);

#[test]
fn obeys_the_laws() {
    laws::check_any_for(&ENTRY.build(&Default::default()).unwrap(), |raw| {
        let byte = raw.iter().fold(0, |sum: u8, byte| sum.wrapping_add(*byte));
        let answer = Answer { confidence: f64::from(byte % 5) / 4.0, right: byte % 2 == 0 };
        (answer, Vec::<Answer>::new(), None::<Answer>)
    });
}
