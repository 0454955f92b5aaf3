//! Error rate: the edits that turn the hypothesis into the reference, per token of the reference.
//!
//! Over words it is a word error rate, over characters a character error rate. [`EditRate`](crate::EditRate) gives the
//! same rates as jiwer does, as fractions, and counts the hits of jiwer's alignment.
//!
//! ```text
//! ER = 100 · (substitutions + deletions + insertions) / (hits + substitutions + deletions)
//! ```
//!
//! all summed over the corpus. A *deletion* is a reference token that the hypothesis lacks, an *insertion* a token
//! it has too much. Among the alignments with the fewest edits, one with the most hits is counted, so that the
//! four counts are unique. Of several references the one with the lowest rate counts (then the fewest edits, then
//! the most hits), so their order does not matter.
//!
//! | singular case | result |
//! |---|---|
//! | empty reference, empty hypothesis | no edits |
//! | references empty throughout, with insertions | 100 |
//! | no reference | error |
//!
//! Range from 0 without limit, lower is better. Source: Levenshtein 1966; corpus rates as in NIST's sclite.
//! Time is the product of the lengths; for more than some 500 tokens a small part of it (10^5 unrelated tokens take
//! about a second), and for long sequences that are much alike in proportion to the edits. Memory is linear.
//!
//! ```
//! use bleuprint_core::Accumulator;
//! use bleuprint_metrics::ErrorRate;
//!
//! let mut wer = Accumulator::<_, [&str]>::new(ErrorRate);
//! wer.push(&["the", "cat", "sat", "down"], &[&["a", "cat", "sat"]]).unwrap();
//! let counts = wer.total().stats();
//! assert_eq!((counts.substitutions, counts.insertions, counts.ref_len()), (1, 1, 3));
//! assert_eq!(wer.score().unwrap().score.score, 100.0 * 2.0 / 3.0);
//! ```

use core::hash::Hash;

use bleuprint_core::{
    Identity, InputError, Metric, MetricEntry, Observe, OverIds, PlainScore, Prefixes, Scale, Segment,
    SegmentCounts, Stats,
};
use bleuprint_ngram::Interner;

use crate::edit::{EditCounts, MOST_IDS, MostHitsScratch, most_hits, require_few_tokens};

/// The metric; it has no options: what the tokens are makes it a word or a character error rate.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct ErrorRate;

/// Tables that are reused from segment to segment.
#[derive(Debug, Clone, Default)]
pub struct ErrorRateScratch {
    interner: Interner,
    tables: MostHitsScratch,
}

impl Metric for ErrorRate {
    type Stats = EditCounts;
    type Score = PlainScore;
    type Scratch = ErrorRateScratch;

    fn identity(&self) -> Identity {
        Identity::new("error_rate", 1).named("ER")
    }
    fn scale(&self) -> Scale {
        Scale::ERROR_PERCENT
    }
    fn scratch(&self) -> ErrorRateScratch {
        ErrorRateScratch::default()
    }
    fn zero(&self) -> EditCounts {
        EditCounts::default()
    }

    fn finalize(&self, counts: &EditCounts, _: &SegmentCounts) -> Result<PlainScore, InputError> {
        Ok(PlainScore::new(rate(counts))
            .with_count("hits", counts.hits)
            .with_count("substitutions", counts.substitutions)
            .with_count("deletions", counts.deletions)
            .with_count("insertions", counts.insertions)
            .with_count("ref_len", counts.ref_len()))
    }

    fn check(&self, stats: &EditCounts, counts: &SegmentCounts) -> Result<(), InputError> {
        let EditCounts { hits, substitutions, deletions, insertions } = *stats;
        let all = [hits, substitutions, deletions, insertions].into_iter().try_fold(0u64, u64::checked_add);
        match all {
            None => Err(InputError::malformed_state(format!("more tokens than can be counted: {stats:?}"))),
            Some(1..) if counts.segments == 0 => {
                Err(InputError::malformed_state(format!("tokens of no segments: {stats:?}")))
            }
            Some(_) => Ok(()),
        }
    }
}

/// In percent; see the table of singular cases.
fn rate(counts: &EditCounts) -> f64 {
    match (counts.edits(), counts.ref_len()) {
        (0, _) => 0.0,
        (_, 0) => 100.0,
        (edits, ref_len) => 100.0 * edits as f64 / ref_len as f64,
    }
}

impl<T: Hash + Eq> Observe<[T]> for ErrorRate {
    fn observe(
        &self,
        scratch: &mut ErrorRateScratch,
        counts: &mut EditCounts,
        segment: Segment<'_, [T]>,
    ) -> Result<(), InputError> {
        let (hypothesis, references) = (segment.hypothesis(), segment.references()?);
        require_few_tokens(hypothesis, references)?;
        let ErrorRateScratch { interner, tables } = scratch;
        let distinct = interner.number_segment(hypothesis, references, MOST_IDS);
        let counted = interner.references().map(|reference| {
            let (edits, hits) = most_hits(tables, reference, interner.hypothesis(), distinct);
            EditCounts::of_edits_and_hits(edits, hits, reference.len(), hypothesis.len())
        });
        counts.merge(&EditCounts::preferred(counted)?)
    }
}

impl Prefixes<u32> for ErrorRate {}

pub(crate) const ENTRY: MetricEntry =
    MetricEntry::new("error_rate", "Edits per reference token: WER over words, CER over characters", |_| {
        Ok(Box::new(OverIds::new(ErrorRate)))
    })
    .paper("Levenshtein 1966, Binary codes capable of correcting deletions, insertions and reversals");

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn obeys_the_laws() {
        bleuprint_core::laws::check(&ErrorRate);
    }

    #[test]
    fn the_reference_with_the_lowest_rate_counts() {
        let mut counts = EditCounts::default();
        let references: [&[u8]; 3] = [b"xyz", b"abcdeXXX", b"abc"];
        let segment = Segment::new(&b"abcd"[..], &references);
        ErrorRate.observe(&mut ErrorRateScratch::default(), &mut counts, segment).unwrap();
        assert_eq!(counts, EditCounts { hits: 3, insertions: 1, ..Default::default() });
    }
}
