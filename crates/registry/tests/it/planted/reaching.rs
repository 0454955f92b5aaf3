//! Metrics that the drawn data never reach keep every other law, and are caught.

use bleuprint_core::{Identity, Observe, Scale, Segment, Totals};
use bleuprint_registry::{AnyMetric, laws};

use super::breaks;

/// The number of tokens that are equal to one token.
fn equal(to: u32) -> impl Observe<[u32], Stats = [u64; 1]> {
    let count = move |segment: Segment<'_, [u32]>| {
        Ok([segment.hypothesis.iter().filter(|token| **token == to).count() as u64])
    };
    let identity = Identity::new("equal", 1, Scale::UNBOUNDED).reference_free();
    Totals::new(identity, count, |[equal]: &[u64; 1], _| Ok(*equal as f64))
}

fn ids(raw: &[u8]) -> Vec<u32> {
    raw.iter().map(|token| u32::from(token % 3)).collect()
}

fn check(token: u32) {
    laws::check_sequences::<[u32], _, _>(&equal(token), ids);
}

#[test]
fn a_metric_that_is_never_reached_is_caught() {
    check(2);
    let law = "reaching: the generator never reaches this metric";
    breaks("equal", law, &[], || check(9));
    breaks("equal", law, &[], || laws::check_any(&AnyMetric::over_ids(equal(9)).unwrap()));
}
