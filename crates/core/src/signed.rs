//! [`Signed`]: a cache of the signature (printed settings) of a metric's scores.

use once_cell::race::OnceBox;

use crate::prelude::*;
use crate::{Metric, SegmentCounts, Signature, StateKey};

/// Cache of one signature (printed settings of a score) of a metric. It is used as long as the state key and
/// the number of references stay the same.
#[derive(Clone, Default)]
pub struct Signed(Arc<OnceBox<SignedParts>>);

struct SignedParts {
    /// Number of references per segment (`None` if it varies), and `true` if there is at least one segment.
    per_segment: (Option<u64>, bool),
    key: Arc<StateKey>,
    signature: Signature,
}

impl Signed {
    /// Returns the signature of a metric's score over `counts` segments, from the cache if possible. Every
    /// call on one cache must pass the same metric.
    pub fn signature<M: Metric + ?Sized>(
        &self,
        metric: &M,
        key: &Arc<StateKey>,
        counts: &SegmentCounts,
    ) -> Signature {
        let fresh = || metric.identity_over(key).signature(counts);
        let per_segment = (counts.per_segment(), counts.segments > 0);
        let kept = self
            .0
            .get_or_init(|| Box::new(SignedParts { per_segment, key: key.clone(), signature: fresh() }));
        let same_key = Arc::ptr_eq(&kept.key, key) || *kept.key == **key;
        if same_key && kept.per_segment == per_segment { kept.signature.clone() } else { fresh() }
    }
}
