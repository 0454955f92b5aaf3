//! [`Signed`]: the signature of a metric's scores, built for the first score and kept for all others.

use once_cell::race::OnceBox;

use crate::prelude::*;
use crate::{Metric, SegmentCounts, Signature, StateKey};

/// Caches the first signature, which depends on the number of references and the key of the states. Consecutive segments
/// usually share it.
#[derive(Clone, Default)]
pub struct Signed(Arc<OnceBox<Kept>>);

struct Kept {
    /// The number of references of every segment, and whether there is any segment.
    per_segment: (Option<u64>, bool),
    key: Arc<StateKey>,
    signature: Signature,
}

impl Signed {
    /// The signature of a metric's scores, which must be the metric of every other call.
    pub fn signature<M: Metric + ?Sized>(
        &self,
        metric: &M,
        key: &Arc<StateKey>,
        counts: &SegmentCounts,
    ) -> Signature {
        let fresh = || metric.identity_over(key).signature(counts);
        let per_segment = (counts.per_segment(), counts.segments > 0);
        let kept =
            self.0.get_or_init(|| Box::new(Kept { per_segment, key: key.clone(), signature: fresh() }));
        let same_key = Arc::ptr_eq(&kept.key, key) || *kept.key == **key;
        if same_key && kept.per_segment == per_segment { kept.signature.clone() } else { fresh() }
    }
}
