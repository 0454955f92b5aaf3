//! Normalized discounted cumulative gain (nDCG@k) of rankings: hypotheses, references and sources of types of their own.
//!
//! ```text
//! nDCG@k = DCG@k / DCG@k of the best ranking,  DCG@k = Σ over i ≤ k:  gain(doc i) / log₂(i + 1)
//! ```
//!
//! A segment without any gain scores 0. Source: Järvelin and Kekäläinen 2002, with linear gains.

use std::collections::BTreeMap;

use bleuprint::contract::*;
use serde::Deserialize;

/// A ranking.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Ranking {
    docs: Vec<String>,
}

/// The gain of each judged document.
type Judgements = BTreeMap<String, u32>;

impl Form for Ranking {
    const NAME: &'static str = "ranking";
    const FIELDS: &'static [(&'static str, &'static str)] =
        &[("docs", "the ids of the documents, best first")];
    type Reference = Judgements;
    /// The query.
    type Source = String;
}

const K: Opt<usize> =
    Opt::integer("k", 10).at_least(1).counted("k", "k").help("The number of documents looked at");

fn gain_of(k: usize, gains: impl Iterator<Item = u32>) -> f64 {
    (2_u32..).zip(gains.take(k)).map(|(place, gain)| f64::from(gain) / f64::from(place).log2()).sum()
}

pub const ENTRY: MetricEntry =
    MetricEntry::new("ndcg", "Discounted gain of rankings by that of the best ranking", |options| {
        let k = K.of(options)?;
        let identity = Identity::new("ndcg", 1, Scale::UNIT).named("nDCG").option(K, k).one_reference();
        Ok(AnyMetric::over_own::<Ranking, _>(PerSegment::new(
            identity.over_form::<Ranking>(),
            move |segment: Segment<'_, Ranking, Judgements, String>| {
                let judged = segment.one_reference("nDCG")?;
                let mut best: Vec<u32> = judged.values().copied().collect();
                best.sort_unstable_by(|one, other| other.cmp(one));
                let docs = &segment.hypothesis().docs;
                if let Some(twice) = (1..docs.len()).find(|&at| docs[..at].contains(&docs[at])) {
                    return Err(InputError::malformed(format!("`{}` is ranked twice", docs[twice])));
                }
                let own = gain_of(k, docs.iter().map(|doc| judged.get(doc).copied().unwrap_or(0)));
                let best = gain_of(k, best.into_iter());
                Ok(if best == 0.0 { 0.0 } else { (own / best).min(1.0) })
            },
        )))
    })
    .options(&[K.spec]);

#[test]
fn obeys_the_laws() {
    let metric = ENTRY.build(&Default::default()).unwrap();
    laws::check_any_over(&metric, |raw| {
        // Each document once, in an order of the bytes; the judgements are of half of them.
        let mut docs: Vec<String> = raw.iter().map(|byte| (byte % 7).to_string()).collect();
        docs.sort_by_key(|doc| std::cmp::Reverse(doc.clone()));
        docs.dedup();
        let turned = raw.len() % 3 % docs.len().max(1);
        docs.rotate_left(turned);
        let judged =
            docs.iter().step_by(2).zip([2, 1, 3, 0]).map(|(doc, gain)| (doc.clone(), gain)).collect();
        (Ranking { docs }, Vec::<Judgements>::from([judged]), Some("query".to_owned()))
    });
}
