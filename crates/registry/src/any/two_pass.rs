//! [`TwoPass`]: a metric that first learns, for example document frequencies, in a pass over the data; see
//! [`AnyMetric::two_pass`](super::AnyMetric::two_pass).

use bleuprint_core::{
    Identity, InputError, InputErrorKind, Metric, Result, SegmentCounts, TokenSpace, metric_through,
};

use super::{AnyMetric, AnyScratch, AnyState, AnyStats};
use crate::AnyScore;
use crate::prelude::*;

/// Function that creates the metric of the second pass from the counts of the first pass.
type Second = Arc<dyn Fn(&AnyState) -> Result<AnyMetric> + Send + Sync>;

/// A metric that learns in a first pass over the data. It holds the metric of the first pass, an untrained
/// metric of the second pass, and the function that creates the trained metric.
pub(super) struct TwoPass {
    pub(super) first: AnyMetric,
    pub(super) like: AnyMetric,
    pub(super) second: Second,
}

impl TwoPass {
    pub(super) fn labelled(&self, space: &TokenSpace) -> Self {
        TwoPass {
            first: self.first.clone().over(space.clone()),
            like: self.like.clone().over(space.clone()),
            second: self.second.clone(),
        }
    }

    pub(super) fn within(&self, family: &Arc<str>) -> Self {
        let second = self.second.clone();
        let family = family.clone();
        TwoPass {
            first: self.first.clone().within(&family),
            like: self.like.clone().within(&family),
            second: Arc::new(move |first: &AnyState| Ok(second(first)?.within(&family))),
        }
    }

    pub(super) fn second(&self, first: &AnyState) -> Result<AnyMetric> {
        let own = self.first.state_key();
        own.require_equal(first.key())?;
        // The first pass knows the tokens of the data, and the second pass must name the same tokens in its
        // key.
        let space = own.parts.first().map(|part| part.space.clone()).unwrap_or_default();
        Ok((self.second)(first)?.over(space))
    }
}

/// Implementation for a metric that has not yet made its first pass over the data. It has the name and the
/// settings of the final metric, but returns an error when it must observe or score.
impl Metric for TwoPass {
    type Stats = AnyStats;
    type Score = AnyScore;
    type Scratch = AnyScratch;

    metric_through!(all but statistics, self => self.like);
    fn zero(&self) -> AnyStats {
        self.like.zero()
    }
    fn finalize(&self, _: &AnyStats, _: &SegmentCounts) -> Result<AnyScore> {
        Err(not_yet(&self.identity()))
    }
    fn check(&self, _: &AnyStats, _: &SegmentCounts) -> Result<()> {
        Err(not_yet(&self.identity()))
    }
}

pub(super) fn not_yet(identity: &Identity) -> InputError {
    let reason = "it needs a first pass over the data, or the tables learned in one".into();
    InputErrorKind::CannotFinish { metric: identity.name(), reason }.into()
}
