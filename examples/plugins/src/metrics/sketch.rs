//! The number of different tokens, estimated in 1024 bytes by HyperLogLog: statistics that merge by the greater rank.
//!
//! Source: Flajolet et al. 2007, with linear counting of few tokens.

use std::collections::BTreeMap;

use bleuprint::contract::*;
use serde::{Deserialize, Serialize};

const REGISTERS: u64 = 1024;

/// The greatest number of leading zeros, plus one, of hashes in a register.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
pub struct Rank(u8);

impl Stats for Rank {
    fn merge(&mut self, other: &Self) -> Result<()> {
        self.0 = self.0.max(other.0);
        Ok(())
    }
}

/// FNV-1a, mixed: states of two machines merge, so the hash must be the same on both.
fn observe(segment: Segment<'_, [&str]>) -> Result<BTreeMap<u64, Rank>> {
    let mut ranks: BTreeMap<u64, Rank> = BTreeMap::new();
    for token in segment.hypothesis {
        let step = |hash: u64, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        let hash = token.bytes().fold(0xcbf2_9ce4_8422_2325, step);
        let hash = (hash ^ (hash >> 32)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let rank = Rank((hash ^ (hash >> 29)).leading_zeros() as u8 + 1);
        ranks.entry(hash % REGISTERS).or_default().merge(&rank)?;
    }
    Ok(ranks)
}

pub const ENTRY: MetricEntry =
    MetricEntry::new("distinct_tokens", "The number of different tokens, estimated", |_| {
        let identity = Identity::new("distinct_tokens", 1, Scale::UNBOUNDED).reference_free();
        let score = |ranks: &BTreeMap<u64, Rank>, _: &SegmentCounts| {
            let all = REGISTERS as f64;
            let empty = REGISTERS.saturating_sub(ranks.len() as u64) as f64;
            let sum: f64 = ranks.values().map(|rank| 0.5_f64.powi(rank.0.into())).sum();
            let estimate = 0.7213 / (1.0 + 1.079 / all) * all * all / (empty + sum);
            Ok(if estimate <= 2.5 * all && empty > 0.0 { all * (all / empty).ln() } else { estimate })
        };
        Ok(AnyMetric::for_tokens(Totals::for_tokens(identity, observe, score)))
    });

#[test]
fn obeys_the_laws() {
    laws::check_any(&ENTRY.build(&Default::default()).unwrap());
}
