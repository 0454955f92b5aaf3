//! Counts the matches of short sequences for ROUGE-1, ROUGE-2 and ROUGE-L in one pass over the token ids.
//!
//! The shorter sequence of a pair has at most 64 tokens. `m(i)` is the bit mask of the positions at which token `i`
//! of the longer sequence occurs in it. The three counts need nothing else:
//!
//! ```text
//! ROUGE-1    every token claims the lowest free bit of m(i)
//! ROUGE-2    every pair of tokens claims the lowest free bit of (m(i - 1) << 1) & m(i)
//! ROUGE-L    the column of `lcs.rs` takes one step by m(i)
//! ```
//!
//! `masks.rs` of `bleuprint-ngram` explains why claims are clipped counts. Clipped counts and longest common
//! subsequences are the same if the two sequences change places.
//!
//! Metrics over the same texts observe a segment one after the other with the same memory. The counts of the last
//! segment are kept with its tokens, so the first of these metrics counts for all of them.

/// Exclusive limit of token ids, which index the table of masks directly. The table takes 32 kB.
const MOST_IDS: usize = 1 << 12;

/// Greatest length of the shorter sequence of a pair: one bit of a mask for each token.
const MOST_SHORTER: usize = u64::BITS as usize;

/// Greatest length of the longer sequence of a pair. For longer sequences, the copy of the tokens would take memory
/// for little gain.
const MOST_LONGER: usize = 1 << 10;

/// Matches of a hypothesis with one reference.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct PairCounts {
    /// Clipped matches of single tokens.
    pub(super) unigrams: u64,
    /// Clipped matches of pairs of neighbours.
    pub(super) bigrams: u64,
    /// Length of the longest common subsequence.
    pub(super) common: u64,
}

/// The segment that was counted last, with its matches, and the table of masks for the next one.
#[derive(Debug, Clone, Default)]
pub(super) struct ShortCounts {
    /// For each token id, the bit mask of its positions in the shorter sequence; all zero between calls. The table
    /// has no entries before the first segment.
    masks: Vec<u64>,
    hypothesis: Vec<u32>,
    /// Tokens of all references, one reference after the other.
    references: Vec<u32>,
    /// Length of each reference. As many as `counts`.
    lengths: Vec<usize>,
    counts: Vec<PairCounts>,
}

impl ShortCounts {
    /// Returns the matches of the hypothesis with each reference, or `None` if the sequences are too long or their
    /// ids too large for this algorithm.
    pub(super) fn count(&mut self, hypothesis: &[u32], references: &[&[u32]]) -> Option<&[PairCounts]> {
        if !self.holds(hypothesis, references) {
            if !fits(hypothesis, references) {
                return None;
            }
            self.keep(hypothesis, references);
        }
        Some(&self.counts)
    }

    /// Returns `true` if the segment that was counted last has the same tokens.
    fn holds(&self, hypothesis: &[u32], references: &[&[u32]]) -> bool {
        if self.lengths.len() != references.len() || self.hypothesis != hypothesis {
            return false;
        }
        let mut rest = &self.references[..];
        references.iter().zip(&self.lengths).all(|(reference, &length)| {
            let (kept, others) = rest.split_at(length);
            rest = others;
            kept == *reference
        })
    }

    /// Counts the matches of a segment that [`fits`], and keeps them with its tokens.
    fn keep(&mut self, hypothesis: &[u32], references: &[&[u32]]) {
        let ShortCounts { masks, hypothesis: kept, references: all, lengths, counts } = self;
        masks.resize(MOST_IDS, 0);
        kept.clear();
        kept.extend_from_slice(hypothesis);
        all.clear();
        lengths.clear();
        counts.clear();
        let Some(masks) = masks.first_chunk_mut() else { return };
        for reference in references {
            all.extend_from_slice(reference);
            lengths.push(reference.len());
            counts.push(count_pair(masks, hypothesis, reference));
        }
    }
}

fn fits(hypothesis: &[u32], references: &[&[u32]]) -> bool {
    // The bits of all ids in one number are below the limit, a power of two, if each id is.
    let all_bits = |ids: &[u32]| ids.iter().fold(0, |bits, id| bits | id);
    let small = |ids: &[u32]| ids.len() <= MOST_LONGER && (all_bits(ids) as usize) < MOST_IDS;
    small(hypothesis)
        && references
            .iter()
            .all(|reference| hypothesis.len().min(reference.len()) <= MOST_SHORTER && small(reference))
}

/// Counts the matches of two sequences. The shorter one has at most 64 tokens, all ids are below the length of
/// `masks`, and all masks are 0 before and after.
fn count_pair(masks: &mut [u64; MOST_IDS], one: &[u32], other: &[u32]) -> PairCounts {
    let (shorter, longer) = if one.len() <= other.len() { (one, other) } else { (other, one) };
    // The remainder changes no id, but spares a check of the bounds for every token.
    for (position, &token) in (0..).zip(shorter) {
        masks[token as usize % MOST_IDS] |= 1_u64.wrapping_shl(position);
    }
    let mut before = 0;
    let mut unigrams = 0_u64;
    let mut bigrams = 0_u64;
    let mut flat = u64::MAX;
    for &token in longer {
        let mask = masks[token as usize % MOST_IDS];
        let pair = before << 1 & mask;
        before = mask;
        unigrams |= lowest(mask & !unigrams);
        bigrams |= lowest(pair & !bigrams);
        flat = flat.wrapping_add(flat & mask) | (flat & !mask);
    }
    for &token in shorter {
        masks[token as usize % MOST_IDS] = 0;
    }
    PairCounts {
        unigrams: unigrams.count_ones().into(),
        bigrams: bigrams.count_ones().into(),
        common: flat.count_zeros().into(),
    }
}

/// Returns the lowest set bit, or 0 if no bit is set.
fn lowest(bits: u64) -> u64 {
    bits & bits.wrapping_neg()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rouge::lcs::naive;
    use quickcheck::quickcheck;

    fn by_definition(hypothesis: &[u32], reference: &[u32]) -> PairCounts {
        let mut clipped = [0; 2];
        bleuprint_ngram::naive::overlap(hypothesis, &[reference], &mut clipped);
        let table = naive::table(hypothesis, reference);
        let common = table[hypothesis.len()][reference.len()] as u64;
        PairCounts { unigrams: clipped[0], bigrams: clipped[1], common }
    }

    /// Hypothesis, references with their lengths, number of kinds of tokens and length of the hypothesis.
    type DrawnSegment = (Vec<u8>, Vec<(Vec<u8>, u8)>, u8, u8);

    /// Tokens of few kinds, so that n-grams repeat, in a sequence of this length.
    fn tokens(bytes: &[u8], kinds: u8, length: u8) -> Vec<u32> {
        let few = bytes.iter().map(|byte| u32::from(byte % (kinds % 7 + 1)) * 585);
        few.cycle().take(usize::from(length)).collect()
    }

    quickcheck! {
        fn counts_match_the_definition(segments: Vec<DrawnSegment>) -> bool {
            let mut short = ShortCounts::default();
            segments.iter().take(8).all(|(hypothesis, references, kinds, length)| {
                // Some lengths of both sides are above 64, which is too many for a mask.
                let hypothesis = tokens(hypothesis, *kinds, length % 140);
                let reference = |(bytes, length): &(Vec<u8>, u8)| tokens(bytes, *kinds, length % 70);
                let references: Vec<Vec<u32>> = references.iter().take(3).map(reference).collect();
                let references: Vec<&[u32]> = references.iter().map(Vec::as_slice).collect();
                let expected: Vec<PairCounts> =
                    references.iter().map(|reference| by_definition(&hypothesis, reference)).collect();
                // The second call returns what the first has kept.
                (0..2).all(|_| match short.count(&hypothesis, &references) {
                    Some(counts) => counts == expected,
                    None => !fits(&hypothesis, &references),
                })
            })
        }
    }

    #[test]
    fn what_is_too_long_or_large_is_left_to_others() {
        let ids: Vec<u32> = (0..MOST_LONGER as u32 + 1).collect();
        let counted = |hypothesis: &[u32], reference: &[u32]| {
            ShortCounts::default().count(hypothesis, &[reference]).map(<[_]>::to_vec)
        };
        let whole = PairCounts { unigrams: 64, bigrams: 63, common: 64 };
        assert_eq!(counted(&ids[..64], &ids[..MOST_LONGER]), Some(vec![whole]));
        assert_eq!(counted(&ids[..65], &ids[..65]), None);
        assert_eq!(counted(&ids[..2], &ids), None);
        let largest = MOST_IDS as u32 - 1;
        let one = PairCounts { unigrams: 1, bigrams: 0, common: 1 };
        assert_eq!(counted(&[largest], &[largest]), Some(vec![one]));
        assert_eq!(counted(&[largest + 1], &[largest]), None);
    }

    /// The same memory serves segments that differ in one token, in the border between references, or in their
    /// number, one after the other.
    #[test]
    fn kept_counts_are_of_the_same_segment_alone() {
        let mut short = ShortCounts::default();
        let segments: [(&[u32], &[&[u32]]); 6] = [
            (&[1, 2, 3], &[&[1, 2], &[3, 4]]),
            (&[1, 2, 3], &[&[1], &[2, 3, 4]]),
            (&[1, 2, 3], &[&[1, 2, 3, 4]]),
            (&[1, 2], &[&[1, 2, 3, 4]]),
            (&[1, 2], &[&[1, 2, 3, 5]]),
            (&[], &[&[], &[]]),
        ];
        for (hypothesis, references) in segments.iter().chain(segments.iter().rev()) {
            let expected: Vec<PairCounts> =
                references.iter().map(|reference| by_definition(hypothesis, reference)).collect();
            assert_eq!(short.count(hypothesis, references), Some(&expected[..]));
        }
    }
}
