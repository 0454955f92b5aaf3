//! [`PreparedBleu`]: references whose n-grams are counted once, to score many hypotheses with BLEU. The
//! tokens are integer ids.
//!
//! ```
//! use bleuprint_core::{Metric, Observe, Segment};
//! use bleuprint_metrics::Bleu;
//!
//! let bleu = Bleu::default().sentence();
//! let mut scratch = Default::default();
//! let references: [&[u32]; 2] = [&[1, 2, 3, 4, 5], &[1, 2]];
//! let prepared = bleu.prepare(&mut scratch, &references).unwrap();
//! for hypothesis in [[1, 2, 3, 9], [5, 4, 3, 2]] {
//!     let (mut fast, mut plain) = (bleu.zero(), bleu.zero());
//!     bleu.observe_prepared(&mut scratch, &mut fast, Segment::new(&hypothesis, &[]), &prepared).unwrap();
//!     bleu.observe(&mut scratch, &mut plain, Segment::new(&hypothesis, &references)).unwrap();
//!     assert_eq!(fast, plain);
//! }
//! ```

use bleuprint_core::{InputError, InputErrorKind, Result};
use bleuprint_ngram::{PreparedIds, Scratch};
use smallvec::SmallVec;

use super::{Bleu, BleuStats, RefLen};
use crate::shared::RefLengths;

#[derive(Debug, Clone)]
pub(crate) struct PreparedBleu {
    references: PreparedIds,
}

impl Bleu {
    pub(super) fn prepare_ids(&self, scratch: &mut Scratch, references: &[&[u32]]) -> Result<PreparedBleu> {
        check_references(self, references.len())?;
        Ok(PreparedBleu { references: PreparedIds::new(scratch, references, self.max_order) })
    }

    /// Counts the n-gram matches of a hypothesis with prepared references, whose n-grams are already counted.
    /// It rejects references that were prepared for a lower order: the missing orders would have no matches.
    pub(super) fn observe_prepared_ids(
        &self,
        scratch: &mut Scratch,
        stats: &mut BleuStats,
        hypothesis: &[u32],
        prepared: &PreparedBleu,
    ) -> Result<()> {
        let references = &prepared.references;
        check_references(self, references.reference_lengths().len())?;
        if references.max_order() < self.max_order {
            return Err(InputError::limit(
                "the order of the prepared references",
                references.max_order(),
                format!("at least {}", self.max_order),
            ));
        }
        let mut clipped: SmallVec<[u64; 8]> = SmallVec::from_elem(0, self.max_order);
        references.overlap(scratch, hypothesis, &mut clipped);
        let lengths = references.reference_lengths().iter().copied();
        stats.add_segment(hypothesis.len(), RefLengths::of_segment(hypothesis.len(), lengths), &clipped)
    }
}

fn check_references(bleu: &Bleu, references: usize) -> Result<()> {
    if references == 0 {
        return Err(InputErrorKind::NoReferences.into());
    }
    if bleu.ref_len == RefLen::Average {
        RefLengths::require_average_of(references)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use bleuprint_core::{Metric, Observe, Segment};
    use quickcheck::quickcheck;

    use super::*;

    fn observed(bleu: &Bleu, hypothesis: &[u32], references: &[&[u32]]) -> Result<BleuStats> {
        let mut stats = bleu.zero();
        let segment = Segment::new(hypothesis, references);
        bleu.observe(&mut Scratch::default(), &mut stats, segment).map(|()| stats)
    }

    fn prepared(bleu: &Bleu, hypothesis: &[u32], references: &[&[u32]]) -> Result<BleuStats> {
        let mut scratch = Scratch::default();
        let mut stats = bleu.zero();
        let prepared = bleu.prepare(&mut scratch, references)?;
        bleu.observe_prepared(&mut scratch, &mut stats, Segment::new(hypothesis, &[]), &prepared)
            .map(|()| stats)
    }

    quickcheck! {
        fn preparing_changes_nothing(hypothesis: Vec<u8>, references: Vec<Vec<u8>>, average: bool) -> bool {
            let ids = |bytes: &Vec<u8>| bytes.iter().map(|byte| u32::from(byte % 4)).collect::<Vec<u32>>();
            let references: Vec<Vec<u32>> = references.iter().map(ids).collect();
            let references: Vec<&[u32]> = references.iter().map(Vec::as_slice).collect();
            let ref_len = if average { RefLen::Average } else { RefLen::Closest };
            let bleu = Bleu::builder().ref_len(ref_len).build().unwrap_or_default();
            observed(&bleu, &ids(&hypothesis), &references) == prepared(&bleu, &ids(&hypothesis), &references)
        }
    }

    #[test]
    fn references_prepared_for_a_lower_order_are_refused() {
        let low = Bleu::builder().max_order(2).build().unwrap();
        let high = Bleu::default();
        let mut scratch = Scratch::default();
        let prepared = low.prepare(&mut scratch, &[&[1u32, 2, 3]]).unwrap();
        let mut stats = high.zero();
        let segment = Segment::new(&[1u32, 2, 3][..], &[]);
        let error = high.observe_prepared(&mut scratch, &mut stats, segment, &prepared).unwrap_err();
        assert!(error.to_string().contains("is 2, but must be at least 4"), "{error}");
        assert_eq!(stats, high.zero());
    }
}
