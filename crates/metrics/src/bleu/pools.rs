//! Scores a pool (many hypotheses for one input) with BLEU: each hypothesis with each reference, or each
//! hypothesis with all other hypotheses as references.

use core::hash::Hash;
use core::iter::repeat_n;

use bleuprint_core::Result;
use bleuprint_ngram::pairwise::{Counts, HypothesisNgrams, NumberedReferences, ReferenceSums};
use bleuprint_ngram::with_ids;

use super::pair_scores::PairScores;
use super::{Bleu, BleuStats, RefLen};
use crate::shared::{AVERAGE_UNITS, FinishPairs, RefLengths};

impl FinishPairs for &Bleu {
    type Tables = PairScores;

    fn tables(&self) -> PairScores {
        PairScores::new(self)
    }

    fn finish(
        &self,
        tables: &mut PairScores,
        hyp_len: usize,
        clipped: &[Counts],
        ref_lens: &[usize],
        scores: &mut [f64],
    ) {
        tables.score(hyp_len, clipped, ref_lens, scores);
    }
}

/// Returns the BLEU statistics of each token sequence of a pool, with all other sequences of the pool as its
/// references.
///
/// Returns `None` if the pool is too large, or if the average reference length is required and is not exact
/// for this number of references.
pub(super) fn leave_one_out<T: Hash + Eq>(bleu: &Bleu, sequences: &[&[T]]) -> Result<Option<Vec<BleuStats>>> {
    let others = sequences.len().saturating_sub(1) as u64;
    if others == 0 || bleu.ref_len == RefLen::Average && !AVERAGE_UNITS.is_multiple_of(others) {
        return Ok(None);
    }
    let matches = with_ids(sequences, &[], |ids, _| bleuprint_ngram::leave_one_out(ids, bleu.max_order));
    let Some(matches) = matches.flatten() else { return Ok(None) };
    let lengths = PoolLengths::new(sequences.iter().map(|sequence| sequence.len()));
    let stats_of = |(index, sequence): (usize, &&[T])| {
        // Only the lengths and the clipped counts differ between the members, and both come from one pass
        // over the pool.
        let mut stats = BleuStats::zero(bleu.max_order);
        let ref_len = lengths.without(sequence.len());
        stats.add_segment(sequence.len(), ref_len, matches.clipped(index)).map(|()| stats)
    };
    sequences.iter().enumerate().map(stats_of).collect::<Result<_, _>>().map(Some)
}

pub(super) fn aggregate<T: Hash + Eq>(
    bleu: &Bleu,
    hypotheses: &[&[T]],
    references: &[&[T]],
) -> Option<Vec<BleuStats>> {
    let segments = u32::try_from(references.len()).ok()?;
    let matches = with_ids(hypotheses, references, |hypotheses, references| {
        let numbered = NumberedReferences::new(references, bleu.max_order)?;
        let mut looked_up = HypothesisNgrams::default();
        if !looked_up.look_up(&numbered, hypotheses) {
            return None;
        }
        let ref_len = references.iter().map(|reference| reference.len() as u64).sum();
        // Clipped counts against single references are added for all references at once, n-gram by n-gram.
        // Time then does not grow with the number of pairs.
        let sums = ReferenceSums::new(&numbered);
        let stats_of = |(index, hypothesis): (usize, &&[u32])| {
            let clipped = sums.overlap(&looked_up, index, repeat_n(segments, bleu.max_order));
            BleuStats::of_segments(u64::from(segments), hypothesis.len(), ref_len, clipped)
        };
        Some(hypotheses.iter().enumerate().map(stats_of).collect())
    });
    matches.flatten()
}

struct PoolLengths {
    sorted: Vec<usize>,
    sum: u64,
}

impl PoolLengths {
    fn new(lengths: impl Iterator<Item = usize>) -> Self {
        let mut sorted: Vec<usize> = lengths.collect();
        sorted.sort_unstable();
        let sum = sorted.iter().fold(0, |sum: u64, &length| sum.saturating_add(length as u64));
        PoolLengths { sorted, sum }
    }

    /// Returns the reference lengths for the sequence of length `own`; its references are all other sequences
    /// of the pool.
    ///
    /// In the sorted lengths, one of the two neighbours of `own` is the closest length.
    fn without(&self, own: usize) -> RefLengths {
        let place = self.sorted.partition_point(|&length| length < own);
        let below = place.checked_sub(1).map(|below| self.sorted[below]);
        let above = self.sorted.get(place + 1).copied();
        // Another sequence of the same length is at `place + 1`: `place` itself is the first of equal
        // lengths, and one of them is the hypothesis.
        let near = [below, above].into_iter().flatten();
        let closest = near.min_by_key(|length| (length.abs_diff(own), *length)).unwrap_or(0);
        let shortest = self.sorted[usize::from(place == 0)];
        let others = self.sorted.len() as u64 - 1;
        let exact = AVERAGE_UNITS.is_multiple_of(others);
        let sum = self.sum.saturating_sub(own as u64);
        RefLengths {
            closest: closest as u64,
            shortest: shortest as u64,
            average: if exact { sum.saturating_mul(AVERAGE_UNITS / others) } else { 0 },
            unaveraged: u64::from(!exact),
        }
    }
}

#[cfg(test)]
mod tests {
    use quickcheck::quickcheck;

    use super::*;

    quickcheck! {
        fn lengths_without_one_are_those_of_the_others(first: u8, rest: Vec<u8>, spread: u8) -> bool {
            let bound = |length: u8| usize::from(length % spread.max(1));
            let all: Vec<usize> = [first, first].into_iter().chain(rest).map(bound).collect();
            let lengths = PoolLengths::new(all.iter().copied());
            all.iter().enumerate().all(|(index, &own)| {
                let mut others = all.clone();
                others.remove(index);
                lengths.without(own) == RefLengths::of_segment(own, others.into_iter())
            })
        }
    }
}
