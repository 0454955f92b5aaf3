//! Metrics that the drawn data never reach keep every other law, and are caught.

use bleuprint_core::{Identity, Metric, Observe, Result, Scale, Segment, SegmentCounts, Stats};
use bleuprint_registry::{AnyMetric, laws};

use super::breaks;

/// The number of tokens that are equal to one token.
#[derive(Clone)]
struct Equal(u32);

impl Metric for Equal {
    type Stats = [u64; 1];
    type Score = f64;
    type Scratch = ();

    fn identity(&self) -> Identity {
        Identity::new("equal", 1, Scale::UNBOUNDED).reference_free()
    }
    fn finalize(&self, stats: &[u64; 1], _: &SegmentCounts) -> Result<f64> {
        Ok(stats[0] as f64)
    }
}

impl Observe<[u32]> for Equal {
    fn observe(&self, (): &mut (), stats: &mut [u64; 1], segment: Segment<'_, [u32]>) -> Result<()> {
        stats.merge(&[segment.hypothesis.iter().filter(|token| **token == self.0).count() as u64])
    }
}

fn ids(raw: &[u8]) -> Vec<u32> {
    raw.iter().map(|token| u32::from(token % 3)).collect()
}

fn check(token: u32) {
    laws::check_sequences::<[u32], _, _>(&Equal(token), ids);
}

#[test]
fn a_metric_that_is_never_reached_is_caught() {
    check(2);
    let law = "reaching: the generator never reaches this metric";
    breaks("equal", law, &[], || check(9));
    breaks("equal", law, &[], || laws::check_any(&AnyMetric::over_ids(Equal(9)).unwrap()));
}
