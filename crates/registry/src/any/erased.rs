//! [`Erased`]: a wrapper that hides the Rust types of a metric, so that metrics of different types share one
//! type.

use once_cell::race::OnceBox;

use bleuprint_core::{
    Answer, Ask, Metric, Observe, Prepared, Result, Segment, SegmentCounts, metric_through,
};

use super::score::Frame;
use super::{AnyScratch, AnyStats, Storable};
use crate::AnyScore;
use crate::prelude::*;

/// Conversion of a metric's typed score to an [`AnyScore`], which has one type for all metrics.
pub(crate) trait ErasedFinish<M: Metric>: Send + Sync {
    fn finish(&self, metric: &M, score: &M::Score) -> Result<AnyScore>;
}

#[derive(Default)]
pub(crate) struct ErasedReport(OnceBox<Frame>);

impl<M: Metric> ErasedFinish<M> for ErasedReport {
    fn finish(&self, metric: &M, score: &M::Score) -> Result<AnyScore> {
        // Names, heading and scale are equal for all scores of a metric, so they are computed once.
        self.0.get_or_init(|| Box::new(Frame::from_metric(metric))).fill(score)
    }
}

/// A metric whose statistics, score and working buffers are type-erased. It rejects statistics of other
/// metrics.
pub(crate) struct Erased<M, F = ErasedReport>(pub(crate) M, pub(crate) F);

impl<M> Erased<M> {
    pub(super) fn new(metric: M) -> Self {
        Erased(metric, ErasedReport::default())
    }
}

impl<M: Metric<Stats: Storable>, F: ErasedFinish<M>> Metric for Erased<M, F> {
    type Stats = AnyStats;
    type Score = AnyScore;
    type Scratch = AnyScratch;

    metric_through!(all but statistics, self => self.0);
    fn zero(&self) -> AnyStats {
        AnyStats::from_stats(self.0.zero())
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
    F: ErasedFinish<M>,
{
    #[inline]
    fn observe(
        &self,
        scratch: &mut AnyScratch,
        stats: &mut AnyStats,
        segment: Segment<'_, S, R, C>,
    ) -> Result<()> {
        self.0.observe(scratch.get_or_default(), stats.typed_mut()?, segment)
    }

    /// Observes segments with the inner metric. Moves the statistics out of their boxes before, and back
    /// afterwards, also after an error.
    fn observe_each(
        &self,
        scratch: &mut AnyScratch,
        stats: &mut [AnyStats],
        segments: &[Segment<'_, S, R, C>],
    ) -> Result<()> {
        // The inner metric takes a slice of its own type, but the statistics are boxed one by one. Taking
        // them leaves defaults behind and avoids copies.
        let mut own: Vec<M::Stats> = Vec::with_capacity(stats.len());
        for stats in &mut *stats {
            own.push(core::mem::take(stats.typed_mut()?));
        }
        let done = self.0.observe_each(scratch.get_or_default(), &mut own, segments);
        for (stats, own) in stats.iter_mut().zip(own) {
            *stats.typed_mut()? = own;
        }
        done
    }

    fn prepare(&self, scratch: &mut AnyScratch, references: &[&R]) -> Result<Prepared> {
        self.0.prepare(scratch.get_or_default(), references)
    }

    #[inline]
    fn observe_prepared(
        &self,
        scratch: &mut AnyScratch,
        stats: &mut AnyStats,
        segment: Segment<'_, S, R, C>,
        prepared: &Prepared,
    ) -> Result<()> {
        self.0.observe_prepared(scratch.get_or_default(), stats.typed_mut()?, segment, prepared)
    }

    fn observe_prefixes(
        &self,
        scratch: &mut AnyScratch,
        segment: Segment<'_, S, R, C>,
        each: &mut dyn FnMut(&AnyStats) -> Result<()>,
    ) -> Result<bool> {
        self.0.observe_prefixes(scratch.get_or_default(), segment, &mut |stats| {
            each(&AnyStats::from_stats(stats.clone()))
        })
    }

    fn ask(&self, scratch: &mut AnyScratch, ask: Ask<'_, S, R, C>) -> Result<Option<Answer<'_, AnyStats>>> {
        let answer = self.0.ask(scratch.get_or_default(), ask)?;
        answer.map(|answer| answer.map_stats(|own| Ok(AnyStats::from_stats(own)))).transpose()
    }
}
