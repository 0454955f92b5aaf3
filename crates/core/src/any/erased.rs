//! [`Erased`]: a typed metric with the statistics, score and scratch of [`AnyMetric`](super::AnyMetric).

use alloc::borrow::Cow;
use alloc::boxed::Box;
use alloc::vec::Vec;

use once_cell::race::OnceBox;

use super::score::Frame;
use super::{AnyScratch, AnyStats, Storable};
use crate::{
    AnyScore, Identity, Metric, Observe, PairScorer, Pairing, Prepared, Result, Segment, SegmentCounts,
    SinglePrecision, StateKey,
};

/// A metric without its types. Statistics of another metric are an error.
pub(super) struct Erased<M>(M, OnceBox<Frame>);

impl<M> Erased<M> {
    pub(super) fn new(metric: M) -> Self {
        Erased(metric, OnceBox::new())
    }
}

impl<M: Metric> Metric for Erased<M>
where
    M::Stats: Storable,
{
    type Stats = AnyStats;
    type Score = AnyScore;
    type Scratch = AnyScratch;

    fn identity(&self) -> Identity {
        self.0.identity()
    }
    fn identity_over(&self, state: &StateKey) -> Identity {
        self.0.identity_over(state)
    }
    fn serves(&self, key: &StateKey) -> Result<()> {
        self.0.serves(key)
    }
    fn zero(&self) -> AnyStats {
        AnyStats::of(self.0.zero())
    }
    fn finalize(&self, stats: &AnyStats, counts: &SegmentCounts) -> Result<AnyScore> {
        let score = self.0.finalize(stats.typed()?, counts)?;
        self.1.get_or_init(|| Box::new(Frame::of(&self.0))).fill(&score)
    }
    fn number(&self, stats: &AnyStats, counts: &SegmentCounts) -> Result<f64> {
        self.0.number(stats.typed()?, counts)
    }
    fn check(&self, stats: &AnyStats, counts: &SegmentCounts) -> Result<()> {
        self.0.check(stats.typed()?, counts)
    }
    fn missing(&self, stats: &AnyStats, counts: &SegmentCounts) -> u64 {
        stats.typed().map_or(0, |stats| self.0.missing(stats, counts))
    }
    fn headline_names(&self) -> Vec<Cow<'static, str>> {
        self.0.headline_names()
    }
    fn batch(&self) -> usize {
        self.0.batch()
    }
    fn single_precision(&self) -> Option<&dyn SinglePrecision> {
        self.0.single_precision()
    }
}

impl<S: ?Sized, M: Observe<S>> Observe<S> for Erased<M>
where
    M::Stats: Storable,
{
    #[inline]
    fn observe(&self, scratch: &mut AnyScratch, stats: &mut AnyStats, segment: Segment<'_, S>) -> Result<()> {
        self.0.observe(scratch.of(), stats.typed_mut()?, segment)
    }

    /// The statistics are taken out of their pointers and put back.
    fn observe_each(
        &self,
        scratch: &mut AnyScratch,
        stats: &mut [AnyStats],
        segments: &[Segment<'_, S>],
    ) -> Result<()> {
        let mut own: Vec<M::Stats> = Vec::with_capacity(stats.len());
        for stats in &mut *stats {
            own.push(core::mem::take(stats.typed_mut()?));
        }
        let done = self.0.observe_each(scratch.of(), &mut own, segments);
        for (stats, own) in stats.iter_mut().zip(own) {
            *stats.typed_mut()? = own;
        }
        done
    }

    fn prepare(&self, scratch: &mut AnyScratch, references: &[&S]) -> Result<Prepared> {
        self.0.prepare(scratch.of(), references)
    }

    #[inline]
    fn observe_prepared(
        &self,
        scratch: &mut AnyScratch,
        stats: &mut AnyStats,
        segment: Segment<'_, S>,
        prepared: &Prepared,
    ) -> Result<()> {
        self.0.observe_prepared(scratch.of(), stats.typed_mut()?, segment, prepared)
    }

    fn observe_prefixes(
        &self,
        scratch: &mut AnyScratch,
        segment: Segment<'_, S>,
        each: &mut dyn FnMut(&AnyStats) -> Result<()>,
    ) -> Result<bool> {
        self.0.observe_prefixes(scratch.of(), segment, &mut |stats| each(&AnyStats::of(stats.clone())))
    }

    fn pair_scorer<'m>(
        &'m self,
        hypotheses: &[&S],
        references: &[&S],
    ) -> Result<Option<Box<dyn PairScorer + 'm>>> {
        self.0.pair_scorer(hypotheses, references)
    }

    fn pairing(&self, scratch: &mut AnyScratch, segment: Segment<'_, S>) -> Result<Option<Pairing>> {
        self.0.pairing(scratch.of(), segment)
    }

    fn leave_one_out(&self, sequences: &[&S]) -> Result<Option<Vec<AnyStats>>> {
        Ok(held(self.0.leave_one_out(sequences)?))
    }

    fn aggregate(&self, hypotheses: &[&S], references: &[&S]) -> Result<Option<Vec<AnyStats>>> {
        Ok(held(self.0.aggregate(hypotheses, references)?))
    }
}

fn held<S: Storable>(all: Option<Vec<S>>) -> Option<Vec<AnyStats>> {
    all.map(|all| all.into_iter().map(AnyStats::of).collect())
}
