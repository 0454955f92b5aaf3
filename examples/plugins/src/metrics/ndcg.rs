//! Normalized discounted cumulative gain (nDCG@k) of rankings: hypotheses, references and sources of types of their own.
//!
//! ```text
//! nDCG@k = DCG@k / DCG@k of the best ranking,  DCG@k = Σ over i ≤ k:  gain(doc i) / log₂(i + 1)
//! ```
//!
//! A segment without any gain scores 0. Source: Järvelin and Kekäläinen 2002, with linear gains.

use bleuprint::contract::*;

/// The gain of each judged document.
type Judgements = std::collections::BTreeMap<String, u32>;

// A ranking for a query.
form! { pub struct Ranking as "ranking", Reference = Judgements, Source = String {
    /// the ids of the documents, best first
    docs: Vec<String>
} }

const K: Opt<usize> =
    Opt::integer("k", 10).limits(1, u64::MAX).counted("k", "k").help("The documents looked at");

pub const ENTRY: MetricEntry = MetricEntry::new("ndcg", "Discounted gain relative to the best", |options| {
    let k = K.value_in(options)?;
    let identity = Identity::new("ndcg", 1, Scale::UNIT)
        .named("nDCG")
        .option(K, k)
        .needing(|needs| needs.one_reference = true);
    let value = move |segment: Segment<'_, Ranking, Judgements, String>| {
        let judged = segment.one_reference("nDCG")?;
        let own = segment.hypothesis.docs.iter().map(|doc| judged.get(doc).copied().unwrap_or(0)).collect();
        let mut best: Vec<u32> = judged.values().copied().collect();
        best.sort_unstable_by(|one, other| other.cmp(one));
        let [own, best] = [own, best].map(|gains| -> f64 {
            (2_u32..).zip(gains).take(k).map(|(place, gain)| f64::from(gain) / f64::from(place).log2()).sum()
        });
        Ok(if best == 0.0 { 0.0 } else { own / best })
    };
    Ok(AnyMetric::for_own::<Ranking, _>(PerSegment::new(identity, value)))
})
.options(&[K.spec]);

#[test]
fn obeys_the_laws() {
    let metric = ENTRY.build(&Default::default()).unwrap();
    laws::check_any_for(&metric, |raw| {
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
