//! Rejected data with their messages, and singular cases.

use bleuprint_core::{Accumulator, Choice as _, State};
use bleuprint_latency::{Delays, Latency, LatencyMeasure, Reference};

use crate::delays;

type All = Accumulator<Latency, Delays, Reference>;

#[test]
fn wrong_times_change_nothing() {
    let text = Reference::Text("a b".to_owned());
    let short = Latency::new(LatencyMeasure::Yaal);
    let ended = Delays { recording_end: Some(5.0), ..delays(&[1.0], 2.0) };
    let never = Delays { recording_end: Some(f64::INFINITY), ..delays(&[1.0], 2.0) };
    let unlike = Delays { elapsed: Some(vec![1.0, 2.0]), ..delays(&[1.0], 2.0) };
    for (metric, given, message) in [
        (short, delays(&[1.0, f64::NAN], 9.0), "delay 2 of 2 is NaN, but must be from 0e0 to 1e12"),
        (short, delays(&[f64::INFINITY], 9.0), "delay 1 of 1 is inf"),
        (short, delays(&[-1.0], 9.0), "delay 1 of 1 is -1"),
        (short.long(), delays(&[-2e12], 9.0), "must be from -1e12 to 1e12"),
        (short, delays(&[3.0, 2.0], 9.0), "delay 2 of 2 is 2 after 3, but no piece is written before"),
        (short, delays(&[], -1.0), "the length of the source is -1"),
        (short, delays(&[], f64::NAN), "the length of the source is NaN"),
        (short, ended, "which only form=long takes"),
        (short.long(), never, "the end of the recording is inf"),
        (short.elapsed(), delays(&[1.0], 2.0), "times=elapsed needs the field `elapsed`"),
        (short, unlike.clone(), "1 delay, but 2 of `elapsed`"),
        (short.elapsed(), unlike, "1 delay, but 2 of `elapsed`"),
    ] {
        let mut all = All::new(metric);
        let error = all.push(&given, &[&text]).unwrap_err().to_string();
        assert!(error.contains(message), "{error}");
        assert_eq!(all.total(), &State::zero(&metric));
    }
    let error = All::new(short).push(&delays(&[], 1.0), &[&text, &text]).unwrap_err().to_string();
    assert!(error.contains("yaal is defined for one reference, but the segment has 2"), "{error}");
    assert!(All::new(short).push(&delays(&[], 1.0), &[]).is_err());
}

#[test]
fn segments_without_a_number_are_left_out_and_counted() {
    for (measure, without) in LatencyMeasure::ALL.iter().zip([3, 2, 3, 2, 3]) {
        let mut all = All::new(Latency::new(*measure));
        for (given, pieces) in [
            (delays(&[10.0], 20.0), 1),
            (delays(&[], 20.0), 1),
            (delays(&[0.0], 0.0), 1),
            (delays(&[10.0], 20.0), 0),
            (delays(&[20.0], 20.0), 1),
        ]
        .iter()
        {
            all.push(given, &[&Reference::Pieces(*pieces)]).unwrap();
        }
        let score = all.score().unwrap().score;
        let parts = bleuprint_core::Score::parts(&score);
        let value = |place: usize| parts[place].value.clone();
        let count = |count| bleuprint_core::PartValue::Count(count);
        assert_eq!((value(0), value(1)), (count(5 - without), count(without)), "{measure:?}");
    }
    let mut late = All::new(Latency::new(LatencyMeasure::Yaal));
    late.push(&delays(&[20.0], 20.0), &[&Reference::Pieces(1)]).unwrap();
    let error = late.score().unwrap_err().to_string();
    assert!(error.contains("no segment has a number"), "{error}");
}
