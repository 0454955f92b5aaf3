//! The F-score of unigrams, with the weight of recall as an option.

use bleuprint::{contract::*, ngram};

const BETA: Opt<f64> =
    Opt::number("unigram-beta", 1.0).above(0).finished("beta", "b").help("The weight of recall");

columns! { pub struct Unigrams { shared <= hypothesis & reference, hypothesis, reference } }

pub const ENTRY: MetricEntry = MetricEntry::new("unigram_f", "The F-score of unigrams", |options| {
    let beta = BETA.value_in(options)?;
    AnyMetric::for_ids(Totals::new(
        Identity::new("unigram_f", 1, Scale::UNIT).option(BETA, beta),
        |segment: Segment<'_, [u32]>| {
            let of = |reference: &&[u32]| {
                let own = segment.hypothesis;
                let mut shared = [0];
                ngram::overlap(&mut ngram::Scratch::default(), own, &[*reference], &mut shared);
                Unigrams {
                    shared: shared[0],
                    hypothesis: own.len() as u64,
                    reference: reference.len() as u64,
                }
            };
            // The best reference has the most tokens in common; among equals, the shortest.
            let best = segment.references()?.iter().map(of);
            Ok(best.max_by_key(|one| (one.shared, u64::MAX - one.reference)).unwrap_or_default())
        },
        move |counts: &Unigrams, _| {
            let shared = counts.shared as f64;
            let weight = beta * beta;
            let all = counts.hypothesis as f64 + weight * counts.reference as f64;
            Ok(if shared == 0.0 { 0.0 } else { (1.0 + weight) * shared / all })
        },
    ))
})
.options(&[BETA.spec]);

#[test]
fn obeys_the_laws() {
    laws::check_any(&ENTRY.build(&MetricOptions::default().with("unigram-beta", "2")).unwrap());
}
