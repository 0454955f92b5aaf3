//! [`Signed`]: a cache of the signature of a metric's scores.

use once_cell::race::OnceBox;

use crate::prelude::*;
use crate::{Metric, SegmentCounts, Signature, StateKey};

/// A cache of one metric's signature for one number of references and one state key. Consecutive segments
/// usually agree in both.
#[derive(Clone, Default)]
pub struct Signed(Arc<OnceBox<SignedParts>>);

struct SignedParts {
    /// Number of references per segment (`None` if it varies), and `true` if there is any segment.
    per_segment: (Option<u64>, bool),
    key: Arc<StateKey>,
    signature: Signature,
}

impl Signed {
    /// Returns the signature of a score with these counts. Every call on one cache must pass the same metric.
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
