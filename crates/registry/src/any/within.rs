//! [`Within`]: a metric whose name begins with its family, because another family has a metric of the same
//! name.

use bleuprint_core::{
    Identity, Metric, Observe, Result, SegmentCounts, StateKey, metric_through, observe_through,
};

use super::{AnyScratch, AnyStats};
use crate::AnyScore;
use crate::prelude::*;

/// A metric that is called `family/name` in keys, signatures and scores.
pub(super) struct Within<M: ?Sized> {
    pub(super) family: Arc<str>,
    pub(super) inner: Arc<M>,
}

impl<M: ?Sized> Within<M> {
    /// Returns the key as the inner metric writes it.
    fn plain(&self, key: &StateKey) -> StateKey {
        let mut plain = key.clone();
        for part in &mut plain.parts {
            let name = part.metric.strip_prefix(&*self.family).and_then(|rest| rest.strip_prefix('/'));
            // The name of another metric must stay different from the inner name.
            part.metric = name.map_or_else(|| format!("{}/{}", part.metric, self.family), ToOwned::to_owned);
        }
        plain
    }
}

impl<M> Metric for Within<M>
where
    M: Metric<Stats = AnyStats, Score = AnyScore, Scratch = AnyScratch> + ?Sized,
{
    type Stats = AnyStats;
    type Score = AnyScore;
    type Scratch = AnyScratch;

    fn identity(&self) -> Identity {
        self.inner.identity().within(&self.family)
    }
    fn identity_over(&self, state: &StateKey) -> Identity {
        self.inner.identity_over(&self.plain(state)).within(&self.family)
    }
    fn serves(&self, key: &StateKey) -> Result<()> {
        let plain = self.plain(key);
        // The error shows the keys as the user knows them.
        self.inner
            .serves(&plain)
            .map_err(|error| self.identity().key().require_serves(key).err().unwrap_or(error))
    }
    fn finalize(&self, stats: &AnyStats, counts: &SegmentCounts) -> Result<AnyScore> {
        let score = self.inner.finalize(stats, counts)?;
        Ok(AnyScore { name: format!("{}/{}", self.family, score.name), ..score })
    }
    fn zero(&self) -> AnyStats {
        self.inner.zero()
    }
    fn number(&self, stats: &AnyStats, counts: &SegmentCounts) -> Result<f64> {
        self.inner.number(stats, counts)
    }
    fn check(&self, stats: &AnyStats, counts: &SegmentCounts) -> Result<()> {
        self.inner.check(stats, counts)
    }
    metric_through!(@ words self => self.inner);
}

impl<S: ?Sized, M> Observe<S> for Within<M>
where
    M: Observe<S, Stats = AnyStats, Score = AnyScore, Scratch = AnyScratch> + ?Sized,
{
    observe_through!(S, self => &*self.inner, scratch => scratch);
}
