//! Recall of the references' tokens, weighted by rarity: a metric of two passes. The first learns the number of
//! references with each token.

use std::collections::BTreeMap;

use bleuprint::contract::*;
use serde::{Deserialize, Serialize};

/// The result of the first pass.
#[derive(Debug, Clone, Default, PartialEq, Hash, Serialize, Deserialize)]
pub struct Frequencies(BTreeMap<String, u64>);

impl Stats for Frequencies {
    fn merge(&mut self, other: &Self) -> Result<()> {
        let fits =
            |(token, more): (&String, &u64)| self.0.get(token).unwrap_or(&0).checked_add(*more).is_some();
        if !other.0.iter().all(fits) {
            return Err(InputError::malformed_state("a frequency beyond 64 bits"));
        }
        other.0.iter().for_each(|(token, more)| *self.0.entry(token.clone()).or_default() += more);
        Ok(())
    }
}

#[derive(Clone)]
pub struct Learn;

impl Metric for Learn {
    type Stats = Frequencies;
    type Score = f64;
    type Scratch = ();

    fn identity(&self) -> Identity {
        Identity::new("token_frequencies", 1, Scale::UNBOUNDED).remembers_tokens()
    }
    fn finalize(&self, stats: &Frequencies, _: &SegmentCounts) -> Result<f64> {
        Ok(stats.0.len() as f64)
    }
}

impl<T: AsRef<str>> Observe<[T]> for Learn {
    fn observe(&self, _: &mut (), stats: &mut Frequencies, segment: Segment<'_, [T]>) -> Result<()> {
        for reference in segment.references()? {
            stats.merge(&Frequencies(
                reference.iter().map(|token| (token.as_ref().to_owned(), 1)).collect(),
            ))?;
        }
        Ok(())
    }
}

#[derive(Clone)]
pub struct RareRecall(Frequencies);

impl Metric for RareRecall {
    /// The matched weight, and the weight of the references.
    type Stats = (ExactSum, ExactSum);
    type Score = f64;
    type Scratch = ();

    fn identity(&self) -> Identity {
        Identity::new("rare_recall", 1, Scale::UNBOUNDED).learned(&self.0).remembers_tokens()
    }
    fn finalize(&self, (found, all): &Self::Stats, _: &SegmentCounts) -> Result<f64> {
        Ok(if all.to_f64() > 0.0 { (100.0 * found.to_f64() / all.to_f64()).max(0.0) } else { 0.0 })
    }
}

impl<T: AsRef<str>> Observe<[T]> for RareRecall {
    fn observe(&self, _: &mut (), stats: &mut Self::Stats, segment: Segment<'_, [T]>) -> Result<()> {
        // Summed exactly, so that the order of the references does not show.
        let (mut found, mut all) = Self::Stats::default();
        for token in segment.references()?.iter().copied().flatten() {
            let weight = 1.0 / self.0.0.get(token.as_ref()).map_or(1.0, |count| (*count).max(1) as f64);
            all.add(weight)?;
            if segment.hypothesis().iter().any(|own| own.as_ref() == token.as_ref()) {
                found.add(weight)?;
            }
        }
        // One value per segment.
        stats.merge(&(ExactSum::of(found.to_f64())?, ExactSum::of(all.to_f64())?))
    }
}

pub const ENTRY: MetricEntry =
    MetricEntry::new("rare_recall", "Recall in which rare tokens weigh more", |_| {
        let second = |learned: &Frequencies| AnyMetric::over_tokens(RareRecall(learned.clone()));
        let (first, like) = (AnyMetric::over_tokens(Learn), second(&Frequencies::default()));
        Ok(AnyMetric::two_pass(first, like, move |state| Ok(second(state.stats().typed()?))))
    });

#[test]
fn obeys_the_laws() {
    laws::check_any(&ENTRY.build(&MetricOptions::new()).unwrap());
}
