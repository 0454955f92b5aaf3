//! Tests that state keys and signatures distinguish configurations of metrics: different counts require
//! different keys, different scores require different signatures.

use super::any::{learned, observed};
use super::prelude::*;

/// Tests that differently configured metrics are distinguishable by name. Metrics whose counts differ on some
/// test corpus must have different state keys; metrics whose scores differ must have different signatures.
///
/// A metric with two passes learns from each corpus first.
///
/// ```
/// use bleuprint_core::*;
/// use bleuprint_registry::*;
/// let longer = |than: usize| {
///     let identity = Identity::new("longer", 1, Scale::UNIT).reference_free().counted("than", "t", than);
///     let is_longer = move |segment: Segment<'_, [u32]>| Ok(f64::from(u8::from(segment.hypothesis.len() > than)));
///     AnyMetric::for_ids(PerSegment::new(identity, is_longer)).unwrap()
/// };
/// laws::check_distinct(&[longer(0), longer(1), longer(2)]);
/// ```
/// # Panics
/// Panics if two metrics with different counts share a state key, or with different scores a signature.
pub fn check_distinct(metrics: &[AnyMetric]) {
    for (index, metric) in metrics.iter().enumerate() {
        let earlier = &metrics[..index];
        // Equality is transitive, so it is enough to compare with the first metric that has the same key.
        let same: [(Option<&AnyMetric>, Distinct); 2] = [
            (earlier.iter().find(|other| other.state_key() == metric.state_key()), distinct_keys),
            (earlier.iter().find(|other| other.signature() == metric.signature()), distinct_signatures),
        ];
        let name = metric.identity().name();
        let show = |owned: &OwnedSegment| owned.shown(|raw| format!("{raw:?}"));
        for (other, distinct) in same.iter().filter_map(|(other, law)| Some(((*other)?, law))) {
            hold_on_corpora(&name, &show, &|corpus| {
                distinct(&learned(other, corpus)?, &learned(metric, corpus)?, corpus)
            });
        }
    }
}

type Distinct = fn(&AnyMetric, &AnyMetric, &[OwnedSegment]) -> Held;

/// Returns an error unless metrics with the same state key produce the same statistics on a test corpus.
pub(super) fn distinct_keys(one: &AnyMetric, other: &AnyMetric, corpus: &[OwnedSegment]) -> Held {
    let key = one.state_key();
    if key != other.state_key() {
        return Ok(());
    }
    let one = observed(one, corpus)?;
    let other = observed(other, corpus)?;
    let one = one.stats();
    let other = other.stats();
    require!(
        "distinct keys",
        one == other,
        "two configurations have the key `{key}`, and count {one:?} and {other:?}"
    );
    Ok(())
}

fn distinct_signatures(one: &AnyMetric, other: &AnyMetric, corpus: &[OwnedSegment]) -> Held {
    let signature = one.signature();
    if signature != other.signature() {
        return Ok(());
    }
    let score = |metric: &AnyMetric| -> Held<_> {
        let scored = observed(metric, corpus)?.score(metric);
        Ok(scored.map(|scored| scored.score.headlines.iter().map(|(_, value)| value.to_string()).collect()))
    };
    let (one, other): (bleuprint_core::Result<Vec<_>>, _) = (score(one)?, score(other)?);
    require!(
        "distinct signatures",
        one == other,
        "two configurations have the signature `{signature}`, and score {one:?} and {other:?}"
    );
    Ok(())
}
