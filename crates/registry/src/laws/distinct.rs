//! The law of keys and signatures: different counts imply different keys, different scores different signatures.

use alloc::format;
use alloc::string::ToString;

use bleuprint_core::Metric;

use super::any::{learned, observed};
use super::broken::{Held, require};
use super::corpora::{Owned, hold_on_corpora};
use crate::AnyMetric;

/// Configurations are told apart: where two of these metrics count otherwise on some corpus, their state keys differ,
/// and where they score otherwise, their signatures do. A metric of two passes learns from each corpus first.
///
/// ```
/// # use bleuprint_core::*;
/// # use bleuprint_registry::*;
/// # #[derive(Clone)]
/// # struct Longer { than: u64 }
/// # impl Metric for Longer {
/// #     type Stats = [u64; 1]; type Score = f64; type Scratch = ();
/// #     fn identity(&self) -> Identity {
/// #         Identity::new("longer", 1, Scale::UNBOUNDED).reference_free().counted("than", "t", self.than)
/// #     }
/// #     fn finalize(&self, stats: &[u64; 1], _: &SegmentCounts) -> Result<f64> { Ok(stats[0] as f64) }
/// # }
/// # impl<T> Observe<[T]> for Longer {
/// #     fn observe(&self, _: &mut (), stats: &mut [u64; 1], segment: Segment<'_, [T]>) -> Result<()> {
/// #         stats.merge(&[u64::from(segment.hypothesis.len() as u64 > self.than)])
/// #     }
/// # }
/// let longer = |than| AnyMetric::over_ids(Longer { than }).unwrap();
/// laws::check_distinct(&[longer(0), longer(1), longer(2)]);
/// ```
///
/// # Panics
/// When two of them share a key or signature they must not share.
pub fn check_distinct(metrics: &[AnyMetric]) {
    for (index, metric) in metrics.iter().enumerate() {
        let earlier = &metrics[..index];
        // Equal keys are equal to those of the first that has them.
        let same_key = earlier.iter().find(|other| other.state_key() == metric.state_key());
        let same_signature = earlier.iter().find(|other| other.signature() == metric.signature());
        let name = metric.identity().name();
        let show = |owned: &Owned| owned.shown(|raw| format!("{raw:?}"));
        if let Some(other) = same_key {
            hold_on_corpora(&name, &show, &|corpus| {
                distinct_keys(&learned(other, corpus)?, &learned(metric, corpus)?, corpus)
            });
        }
        if let Some(other) = same_signature {
            hold_on_corpora(&name, &show, &|corpus| {
                distinct_signatures(&learned(other, corpus)?, &learned(metric, corpus)?, corpus)
            });
        }
    }
}

/// Metrics of one key give one state.
pub(super) fn distinct_keys(one: &AnyMetric, other: &AnyMetric, corpus: &[Owned]) -> Held {
    let key = one.state_key();
    if key != other.state_key() {
        return Ok(());
    }
    let (one, other) = (observed(one, corpus)?, observed(other, corpus)?);
    let (one, other) = (one.stats(), other.stats());
    require!(
        "distinct keys",
        one == other,
        "two configurations have the key `{key}`, and count {one:?} and {other:?}"
    );
    Ok(())
}

fn distinct_signatures(one: &AnyMetric, other: &AnyMetric, corpus: &[Owned]) -> Held {
    let signature = one.signature();
    if signature != other.signature() {
        return Ok(());
    }
    let score = |metric: &AnyMetric| -> Held<_> {
        let scored = observed(metric, corpus)?.score(metric);
        Ok(scored.map(|scored| scored.score.headlines.iter().map(|(_, value)| value.to_string()).collect()))
    };
    let (one, other): (bleuprint_core::Result<alloc::vec::Vec<_>>, _) = (score(one)?, score(other)?);
    require!(
        "distinct signatures",
        one == other,
        "two configurations have the signature `{signature}`, and score {one:?} and {other:?}"
    );
    Ok(())
}
