//! [`DescribedOnce`]: the key and the signature of a typed metric, built once and not for every state.

use core::fmt;
use std::sync::OnceLock;

use bleuprint_core::export::{Arc, Signed};
use bleuprint_core::{Metric, SegmentCounts, Signature, StateKey};

/// Cache of the state key and the signature of one configuration of a metric.
#[derive(Default)]
pub(crate) struct DescribedOnce {
    key: OnceLock<Arc<StateKey>>,
    signed: Signed,
}

impl DescribedOnce {
    /// Returns the key of the metric's states. Every call on one cache must pass the same metric.
    pub(crate) fn state_key(&self, metric: &impl Metric) -> Arc<StateKey> {
        Arc::clone(self.key.get_or_init(|| Arc::new(metric.identity().key())))
    }

    /// Returns the signature of the metric's score of a state. Every call on one cache must pass the same metric.
    pub(crate) fn signature(
        &self,
        metric: &impl Metric,
        key: &Arc<StateKey>,
        counts: &SegmentCounts,
    ) -> Signature {
        self.signed.signature(metric, key, counts)
    }
}

/// Returns an empty cache, because a copy of a metric may get other settings.
impl Clone for DescribedOnce {
    fn clone(&self) -> Self {
        DescribedOnce::default()
    }
}

/// Compares nothing: a cache is no setting of a metric.
impl PartialEq for DescribedOnce {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl fmt::Debug for DescribedOnce {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("DescribedOnce")
    }
}
