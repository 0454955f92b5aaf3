//! Recall of the references' tokens, weighted by rarity: a metric of two passes. The first learns the number of
//! references with each token.

use std::collections::{BTreeMap, BTreeSet};

use bleuprint::contract::*;

/// The number of references with each token.
type Frequencies = BTreeMap<String, [u64; 1]>;

columns! { pub struct Weights { found: ExactSum, all: ExactSum } }

fn learn(segment: Segment<'_, [&str]>) -> Result<Frequencies> {
    let mut frequencies = Frequencies::new();
    for reference in segment.references()? {
        let tokens: BTreeSet<&str> = reference.iter().copied().collect();
        let one = tokens.into_iter().map(|token| (token.to_owned(), [1])).collect();
        Stats::merge(&mut frequencies, &one)?;
    }
    Ok(frequencies)
}

fn second(frequencies: Frequencies) -> AnyMetric {
    AnyMetric::for_tokens(Totals::for_tokens(
        Identity::new("rare_recall", 1, Scale::PERCENT).learned(&frequencies),
        move |segment: Segment<'_, [&str]>| {
            // Summed exactly, so that the order of the references does not show.
            let mut found = ExactSum::default();
            let mut all = ExactSum::default();
            for token in segment.references()?.iter().copied().flatten() {
                let weight = 1.0 / frequencies.get(*token).map_or(1.0, |[count]| (*count).max(1) as f64);
                all.add(weight)?;
                found.add(if segment.hypothesis.contains(token) { weight } else { 0.0 })?;
            }
            // One value per segment.
            Ok(Weights {
                found: ExactSum::from_value(found.to_f64())?,
                all: ExactSum::from_value(all.to_f64())?,
            })
        },
        |weights: &Weights, _| {
            let found = weights.found.to_f64();
            let all = weights.all.to_f64();
            Ok(if all > 0.0 { (100.0 * found / all).clamp(0.0, 100.0) } else { 0.0 })
        },
    ))
}

pub const ENTRY: MetricEntry =
    MetricEntry::new("rare_recall", "Recall in which rare tokens weigh more", |_| {
        let identity = Identity::new("token_frequencies", 1, Scale::UNBOUNDED);
        let first = Totals::for_tokens(identity, learn, |all: &Frequencies, _| Ok(all.len() as f64));
        let like = second(Frequencies::new());
        Ok(AnyMetric::two_pass(AnyMetric::for_tokens(first), like, |state| {
            Ok(second(state.stats().typed::<Frequencies>()?.clone()))
        }))
    });

#[test]
fn obeys_the_laws() {
    laws::check_any(&ENTRY.build(&Default::default()).unwrap());
}
