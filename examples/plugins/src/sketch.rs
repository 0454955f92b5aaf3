//! The number of distinct tokens, estimated in bounded memory from their smallest hashes: statistics that are a set.

use std::collections::BTreeSet;

use bleuprint::contract::*;
use serde::{Deserialize, Serialize};

/// The number of hashes kept; the relative error is about its inverse square root.
const KEPT: usize = 1024;

#[derive(Clone)]
pub struct DistinctTokens;

#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Least(BTreeSet<u64>);

impl Stats for Least {
    fn merge(&mut self, other: &Self) -> Result<()> {
        self.0.extend(&other.0);
        while self.0.len() > KEPT {
            self.0.pop_last();
        }
        Ok(())
    }
    fn check(&self, _: &SegmentCounts) -> Result<()> {
        InputError::require_at_most("hashes", self.0.len() as u64, "kept", KEPT as u64)
    }
}

impl Metric for DistinctTokens {
    type Stats = Least;
    type Score = f64;
    type Scratch = ();

    fn identity(&self) -> Identity {
        Identity::new("distinct_tokens", 1, Scale::UNBOUNDED).remembers_tokens().reference_free()
    }
    fn finalize(&self, Least(hashes): &Least, _: &SegmentCounts) -> Result<f64> {
        let greatest = hashes.last().copied().unwrap_or(0) as f64 / u64::MAX as f64;
        Ok(if hashes.len() < KEPT { hashes.len() as f64 } else { (KEPT - 1) as f64 / greatest })
    }
}

impl<T: AsRef<str>> Observe<[T]> for DistinctTokens {
    fn observe(&self, _: &mut (), least: &mut Least, segment: Segment<'_, [T]>) -> Result<()> {
        // FNV-1a, mixed: states of two machines merge, so the hash must be the same on both.
        let hash = |token: &T| {
            let step = |hash: u64, byte: u8| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
            let hash = token.as_ref().bytes().fold(0xcbf2_9ce4_8422_2325, step);
            (hash ^ (hash >> 32)).wrapping_mul(0x9e37_79b9_7f4a_7c15)
        };
        least.merge(&Least(segment.hypothesis().iter().map(hash).collect()))
    }
}

pub const ENTRY: MetricEntry =
    MetricEntry::new("distinct_tokens", "The number of different tokens, estimated", |_| {
        Ok(AnyMetric::over_tokens(DistinctTokens))
    });

#[test]
fn obeys_the_laws() {
    laws::check_any(&AnyMetric::over_tokens(DistinctTokens));
}
