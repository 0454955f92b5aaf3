//! Compares many pairs of sequences at once: short pairs side by side in vector lanes, long pairs one by one.

use core::hash::Hash;
use core::ops::Range;

use bleuprint_core::{InputError, Location, Observe, Result, Segment, Stats as _};

use super::align::{align, without_ends};
use super::lanes::{self, CountLanes, DistanceLanes, LaneKernel, LaneTables, Pair};
use super::{EditCounts, EditRate, EditScratch, MOST_IDS, require_few_tokens};

/// Number of pairs of sequences that are collected before they are aligned together: enough of similar length
/// to fill the vector lanes.
pub(crate) const TOGETHER: usize = 128;

/// Tokens below this number keep their numbers, such as all ASCII characters. Larger tokens are numbered from
/// here on, because small numbers keep the tables small.
const KEPT_NUMBERS: usize = 1 << 7;

/// Pairs of sequences that are collected to be compared together.
#[derive(Debug, Clone, Default)]
pub(crate) struct PairsTogether {
    counts: LaneTables<CountLanes>,
    distances: LaneTables<DistanceLanes>,
    pairs: KeptPairs,
}

#[derive(Debug, Clone, Default)]
struct KeptPairs {
    ids: Vec<u32>,
    kept: Vec<KeptPair>,
    /// New number of each token, indexed by its id, plus 1; 0 if the pairs lack the token.
    numbers: Vec<u32>,
    /// Tokens from [`KEPT_NUMBERS`] on whose entry in `numbers` is not 0. The list is used to reset these
    /// entries after the pairs are compared.
    numbered: Vec<u32>,
}

/// Pair of sequences collected for a comparison. The equal tokens at the start and at the end of both
/// sequences are removed; `ends` is their number.
#[derive(Debug, Clone)]
struct KeptPair {
    place: usize,
    reference: Range<usize>,
    hypothesis: Range<usize>,
    ends: u64,
}

/// Counts the edits of each segment into separate statistics, many segments at a time.
pub(super) fn observe_each<T: Hash + Eq>(
    rate: &EditRate,
    scratch: &mut EditScratch,
    stats: &mut [EditCounts],
    segments: &[Segment<'_, [T]>],
) -> Result<()> {
    // Taken out, so that an error leaves no pair waiting.
    let mut together = core::mem::take(&mut scratch.together);
    let at = |place: usize| move |error: InputError| error.at(Location::segment(place as u64 + 1));
    for (part, segments) in segments.chunks(TOGETHER).enumerate() {
        for (place, segment) in (part * TOGETHER..).zip(segments) {
            let counts = &mut stats[place];
            together.keep_or_observe(rate, scratch, place, counts, *segment).map_err(at(place))?;
        }
        let mut merged = Ok(());
        together.counts(|place, counts| {
            let added = stats[place].merge(&counts);
            if merged.is_ok() {
                merged = added.map_err(at(place));
            }
        });
        merged?;
    }
    scratch.together = together;
    Ok(())
}

impl PairsTogether {
    fn keep_or_observe<T: Hash + Eq>(
        &mut self,
        rate: &EditRate,
        scratch: &mut EditScratch,
        place: usize,
        counts: &mut EditCounts,
        segment: Segment<'_, [T]>,
    ) -> Result<()> {
        let hypothesis = segment.hypothesis;
        let references = segment.references;
        // Several references must be compared with each other, which needs all counts at once.
        if references.len() != 1 {
            return rate.observe(scratch, counts, segment);
        }
        require_few_tokens(hypothesis, references)?;
        let ids = scratch.interner.number_segment(hypothesis, references, MOST_IDS);
        let reference = ids.references().next().unwrap_or_default();
        if self.keep(place, reference, ids.hypothesis, ids.bound) {
            return Ok(());
        }
        let none = EditCounts::default();
        counts.merge(&align(&mut scratch.align, reference, ids.hypothesis, ids.bound, none)?)
    }

    /// Keeps a pair of sequences, to be compared together with others later; token ids are below `bound`.
    /// Returns `false` if the pair is too long for a vector lane.
    pub(crate) fn keep(&mut self, place: usize, reference: &[u32], hypothesis: &[u32], bound: usize) -> bool {
        let (ends, reference, hypothesis) = without_ends(reference, hypothesis);
        let fits = lanes::fits((reference, hypothesis), bound);
        if fits {
            let reference = self.pairs.append(reference, bound);
            let hypothesis = self.pairs.append(hypothesis, bound);
            self.pairs.kept.push(KeptPair { place, reference, hypothesis, ends: ends as u64 });
        }
        fits
    }

    /// Aligns all pairs of sequences that [`keep`](PairsTogether::keep) has collected. Calls `each` with the
    /// number that the caller gave the pair (`place`) and its edit counts.
    pub(crate) fn counts(&mut self, mut each: impl FnMut(usize, EditCounts)) {
        self.pairs.compare(&mut self.counts, |kept, counts| {
            each(kept.place, EditCounts { hits: counts.hits + kept.ends, ..counts });
        });
    }

    /// Computes the fewest edits of all pairs that [`keep`](PairsTogether::keep) has collected. Calls `each`
    /// with the number that the caller gave the pair (`place`) and its edits.
    pub(crate) fn distances(&mut self, mut each: impl FnMut(usize, u64)) {
        self.pairs.compare(&mut self.distances, |kept, edits| each(kept.place, edits));
    }
}

impl KeptPairs {
    fn append(&mut self, sequence: &[u32], bound: usize) -> Range<usize> {
        let KeptPairs { ids, numbers, numbered, .. } = self;
        let start = ids.len();
        if bound <= KEPT_NUMBERS {
            ids.extend_from_slice(sequence);
            return start..ids.len();
        }
        if numbers.len() < bound {
            numbers.extend((numbers.len()..KEPT_NUMBERS).map(|token| token as u32 + 1));
            numbers.resize(bound, 0);
        }
        ids.extend(sequence.iter().map(|&token| {
            let number = &mut numbers[token as usize];
            if *number == 0 {
                numbered.push(token);
                *number = (KEPT_NUMBERS + numbered.len()) as u32;
            }
            *number - 1
        }));
        start..ids.len()
    }

    /// Compares all pairs, calls `each` with a pair and its result, and removes the pairs.
    fn compare<K: LaneKernel>(
        &mut self,
        tables: &mut LaneTables<K>,
        mut each: impl FnMut(&KeptPair, K::Found),
    ) {
        let KeptPairs { ids, kept, numbers, numbered } = self;
        let pair = |kept: &KeptPair| (&ids[kept.reference.clone()], &ids[kept.hypothesis.clone()]);
        let pairs: Vec<Pair<'_>> = kept.iter().map(pair).collect();
        let distinct = KEPT_NUMBERS + numbered.len();
        tables.compare_each(&pairs, distinct, |at, found| each(&kept[at], found));
        ids.clear();
        kept.clear();
        numbered.drain(..).for_each(|token| numbers[token as usize] = 0);
    }
}
