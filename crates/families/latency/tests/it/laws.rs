//! The laws that every metric must obey.

use bleuprint_latency::{Delays, Reference};
use bleuprint_registry::laws;
use serde::de::IgnoredAny;

use crate::built;

fn byte(raw: &[u8], place: usize) -> f64 {
    f64::from(raw.get(place).copied().unwrap_or_default())
}

fn segment(raw: &[u8]) -> (Delays, Vec<Reference>, Option<IgnoredAny>) {
    let mut times: Vec<f64> = raw.iter().take(4).map(|byte| f64::from(byte % 8) * 33.3).collect();
    times.sort_by(f64::total_cmp);
    let given = Delays {
        elapsed: Some(times.iter().map(|delay| delay + 7.5).collect()),
        delays: times,
        // The source is usually longer than the delays.
        source_length: (byte(raw, 1) % 5.0) * 111.1,
        recording_end: None,
    };
    (given, vec![Reference::Pieces((byte(raw, 2) % 4.0) as u64)], None)
}

#[test]
fn the_metrics_obey_the_laws() {
    for name in
        ["al", "laal", "ap", "dal", "yaal", "laal:times=elapsed", "yaal:form=long", "al:form=long,unit=char"]
    {
        laws::check_any_for(&built(name), segment);
    }
}
