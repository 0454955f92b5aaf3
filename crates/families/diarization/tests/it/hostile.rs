//! Times that JSON does not have, and many overlapping turns.

use bleuprint_core::{Accumulator, Segment};
use bleuprint_diarization::{Diarization, Regions, ScoredTime, Turn, Turns};

use crate::{observed, turns};

#[test]
fn nan_and_infinities_change_nothing() {
    let regions = Regions(vec![(0.0, 9.0)]);
    for (end, message) in [
        (f64::NAN, "the end of turn 1 of the reference is NaN"),
        (f64::INFINITY, "the end of turn 1 of the reference is inf"),
    ] {
        let metric = Diarization::der(ScoredTime::default()).unwrap();
        let mut all = Accumulator::<_, Turns, Turns, Regions>::new(metric);
        let hypothesis = Turns::default();
        let reference = turns(&[("A", 0.0, end)]);
        let references = [&reference];
        let segment = Segment::with_source(&hypothesis, &references, Some(&regions));
        let error = all.push_segment(segment).unwrap_err().to_string();
        assert!(error.contains(message), "{error}");
        assert_eq!(all.total().stats(), &Default::default());
    }
}

#[test]
fn many_overlapping_turns_are_counted_in_time() {
    let many = |speakers: usize| {
        Turns(
            (0..100_000)
                .map(|place| {
                    let hundredths = place / 100;
                    let [start, end] = [hundredths, hundredths + 5000].map(|time| time as f64 / 100.0);
                    Turn::new((place % speakers).to_string(), start, end)
                })
                .collect(),
        )
    };
    let files = [(many(20), many(7), Some(Regions(vec![(0.0, 100.0)])))];
    let times = *observed(Diarization::der(ScoredTime::default()).unwrap(), &files).total().stats();
    assert_eq!(times.correct + times.miss, 20 * 2 * 59_990_000);
}
