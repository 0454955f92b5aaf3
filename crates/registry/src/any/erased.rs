//! [`Erased`]: a typed metric without its types, as [`AnyMetric`](super::AnyMetric) and the laws take it.

use once_cell::race::OnceBox;

use bleuprint_core::{
    Answer, Ask, Metric, Observe, Prepared, Result, Segment, SegmentCounts, metric_through,
};

use super::score::Frame;
use super::{AnyScratch, AnyStats, Storable};
use crate::AnyScore;
use crate::prelude::*;

/// The form of a metric's score without its type.
pub(crate) trait Finish<M: Metric>: Send + Sync {
    fn finish(&self, metric: &M, score: &M::Score) -> Result<AnyScore>;
}

#[derive(Default)]
pub(crate) struct Reported(OnceBox<Frame>);

impl<M: Metric> Finish<M> for Reported {
    fn finish(&self, metric: &M, score: &M::Score) -> Result<AnyScore> {
        self.0.get_or_init(|| Box::new(Frame::of(metric))).fill(score)
    }
}

/// A metric without its types. Statistics of another metric are an error.
pub(crate) struct Erased<M, F = Reported>(pub(crate) M, pub(crate) F);

impl<M> Erased<M> {
    pub(super) fn new(metric: M) -> Self {
        Erased(metric, Reported::default())
    }
}

impl<M: Metric<Stats: Storable>, F: Finish<M>> Metric for Erased<M, F> {
    type Stats = AnyStats;
    type Score = AnyScore;
    type Scratch = AnyScratch;

    metric_through!(all but statistics, self => self.0);
    fn zero(&self) -> AnyStats {
        AnyStats::of(self.0.zero())
    }
    fn finalize(&self, stats: &AnyStats, counts: &SegmentCounts) -> Result<AnyScore> {
        self.1.finish(&self.0, &self.0.finalize(stats.typed()?, counts)?)
    }
    fn number(&self, stats: &AnyStats, counts: &SegmentCounts) -> Result<f64> {
        self.0.number(stats.typed()?, counts)
    }
    fn check(&self, stats: &AnyStats, counts: &SegmentCounts) -> Result<()> {
        self.0.check(stats.typed()?, counts)
    }
}

impl<S: ?Sized, R: ?Sized, C: ?Sized, M, F> Observe<S, R, C> for Erased<M, F>
where
    M: Observe<S, R, C, Stats: Storable>,
    F: Finish<M>,
{
    #[inline]
    fn observe(
        &self,
        scratch: &mut AnyScratch,
        stats: &mut AnyStats,
        segment: Segment<'_, S, R, C>,
    ) -> Result<()> {
        self.0.observe(scratch.of(), stats.typed_mut()?, segment)
    }

    /// The statistics are taken out of their pointers and put back.
    fn observe_each(
        &self,
        scratch: &mut AnyScratch,
        stats: &mut [AnyStats],
        segments: &[Segment<'_, S, R, C>],
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

    fn prepare(&self, scratch: &mut AnyScratch, references: &[&R]) -> Result<Prepared> {
        self.0.prepare(scratch.of(), references)
    }

    #[inline]
    fn observe_prepared(
        &self,
        scratch: &mut AnyScratch,
        stats: &mut AnyStats,
        segment: Segment<'_, S, R, C>,
        prepared: &Prepared,
    ) -> Result<()> {
        self.0.observe_prepared(scratch.of(), stats.typed_mut()?, segment, prepared)
    }

    fn observe_prefixes(
        &self,
        scratch: &mut AnyScratch,
        segment: Segment<'_, S, R, C>,
        each: &mut dyn FnMut(&AnyStats) -> Result<()>,
    ) -> Result<bool> {
        self.0.observe_prefixes(scratch.of(), segment, &mut |stats| each(&AnyStats::of(stats.clone())))
    }

    fn ask(&self, scratch: &mut AnyScratch, ask: Ask<'_, S, R, C>) -> Result<Option<Answer<'_, AnyStats>>> {
        let answer = self.0.ask(scratch.of(), ask)?;
        answer.map(|answer| answer.map_stats(|own| Ok(AnyStats::of(own)))).transpose()
    }
}
