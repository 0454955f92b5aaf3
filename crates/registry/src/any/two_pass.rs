//! [`TwoPass`]: a metric whose configuration is learned from the data in a first pass; see
//! [`AnyMetric::two_pass`](super::AnyMetric::two_pass).

use bleuprint_core::{
    Identity, InputError, InputErrorKind, Metric, Result, SegmentCounts, TokenSpace, metric_through,
};

use super::{AnyMetric, AnyScratch, AnyState, AnyStats};
use crate::AnyScore;
use crate::prelude::*;

/// Makes the second pass from the state of the first.
type Second = Arc<dyn Fn(&AnyState) -> Result<AnyMetric> + Send + Sync>;

/// The first pass, a second pass with nothing learned, and the way from one to the other.
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

    pub(super) fn second(&self, first: &AnyState) -> Result<AnyMetric> {
        let own = self.first.state_key();
        own.require_equal(first.key())?;
        let space = own.parts.first().map(|part| part.space.clone()).unwrap_or_default();
        Ok((self.second)(first)?.over(space))
    }
}

/// It has the identity of the second pass; it observes and finishes nothing.
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
