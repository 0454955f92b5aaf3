//! Times that JSON does not have.

use bleuprint_core::{Accumulator, State};
use bleuprint_latency::{Delays, Latency, LatencyMeasure, Reference};

use crate::delays;

#[test]
fn nan_and_infinities_change_nothing() {
    let text = Reference::Text("a b".to_owned());
    let short = Latency::new(LatencyMeasure::Yaal);
    let never = Delays { recording_end: Some(f64::INFINITY), ..delays(&[1.0], 2.0) };
    for (metric, given, message) in [
        (short, delays(&[1.0, f64::NAN], 9.0), "delay 2 of 2 is NaN, but must be from 0e0 to 1e12"),
        (short, delays(&[f64::INFINITY], 9.0), "delay 1 of 1 is inf"),
        (short, delays(&[], f64::NAN), "the length of the source is NaN"),
        (short.long(), never, "the end of the recording is inf"),
    ] {
        let mut all = Accumulator::<Latency, Delays, Reference>::new(metric);
        let error = all.push(&given, &[&text]).unwrap_err().to_string();
        assert!(error.contains(message), "{error}");
        assert_eq!(all.total(), &State::zero(&metric));
    }
}
