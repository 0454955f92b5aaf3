//! The F-score of unigrams, over any tokens, with the weight of recall as an option.

use std::hash::Hash;

use bleuprint::contract::*;
use bleuprint::ngram;

const BETA: Opt<f64> =
    Opt::number("unigram-beta", 1.0).above(0).finished("beta", "b").help("The weight of recall");

#[derive(Clone)]
pub struct UnigramF {
    beta: f64,
}

columns! { pub struct Unigrams { shared <= hypothesis & reference, hypothesis, reference } }

impl Metric for UnigramF {
    type Stats = Unigrams;
    type Score = f64;
    type Scratch = ngram::Scratch;

    fn identity(&self) -> Identity {
        Identity::new("unigram_f", 1, Scale::UNIT).option(BETA, self.beta)
    }
    fn finalize(&self, counts: &Unigrams, _: &SegmentCounts) -> Result<f64> {
        let weight = self.beta * self.beta;
        let all = counts.hypothesis as f64 + weight * counts.reference as f64;
        Ok(if counts.shared == 0 { 0.0 } else { (1.0 + weight) * counts.shared as f64 / all })
    }
}

impl<T: Hash + Eq> Observe<[T]> for UnigramF {
    fn observe(
        &self,
        scratch: &mut Self::Scratch,
        stats: &mut Unigrams,
        segment: Segment<'_, [T]>,
    ) -> Result<()> {
        let of = |reference: &&[T]| {
            let mut shared = [0];
            ngram::overlap(scratch, segment.hypothesis(), &[*reference], &mut shared);
            let (hypothesis, reference) = (segment.hypothesis().len() as u64, reference.len() as u64);
            Unigrams { shared: shared[0], hypothesis, reference }
        };
        // The best reference has the most tokens in common; among equals, the shortest.
        let best =
            segment.references()?.iter().map(of).max_by_key(|one| (one.shared, u64::MAX - one.reference));
        stats.merge(&best.unwrap_or_default())
    }
}

pub const ENTRY: MetricEntry = MetricEntry::new("unigram_f", "The F-score of unigrams", |options| {
    AnyMetric::over_ids(UnigramF { beta: BETA.of(options)? })
})
.options(&[BETA.spec]);

#[test]
fn obeys_the_laws() {
    laws::check(&UnigramF { beta: 2.0 });
}
