//! Counts the edits of many pairs of sequences at once: short pairs side by side in vector lanes, long pairs
//! one by one.

use core::hash::Hash;
use core::ops::Range;

use bleuprint_core::{InputError, Location, Observe, Result, Segment, Stats as _};

use super::align::{align, without_ends};
use super::lanes::{self, LanesScratch, Pair};
use super::{EditCounts, EditRate, EditScratch, MOST_IDS, require_few_tokens};

/// Number of pairs of sequences that are collected before they are aligned together: enough of similar length
/// to fill the vector lanes.
pub(crate) const TOGETHER: usize = 128;

/// Pairs of sequences that are collected to be aligned together.
#[derive(Debug, Clone, Default)]
pub(crate) struct PairsTogether {
    lanes: LanesScratch,
    ids: Vec<u32>,
    kept: Vec<KeptPair>,
    /// New id of each token, indexed by its old id. The tokens of the collected pairs have ids from 1 on; all
    /// other tokens have 0. Small ids keep the tables small.
    numbers: Vec<u32>,
    /// Tokens whose entry in `numbers` is not 0. The list is used to reset these entries after the pairs are
    /// aligned.
    numbered: Vec<u32>,
}

/// Pair of sequences collected for alignment. The equal tokens at the start and at the end of both sequences
/// are removed; `hits` is their number.
#[derive(Debug, Clone)]
struct KeptPair {
    place: usize,
    reference: Range<usize>,
    hypothesis: Range<usize>,
    hits: u64,
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
        together.align::<true>(|place, counts| {
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

    /// Keeps a pair of sequences, to be aligned together with others later; token ids are below `bound`.
    /// Returns `false` if the pair is too long for a vector lane.
    pub(crate) fn keep(&mut self, place: usize, reference: &[u32], hypothesis: &[u32], bound: usize) -> bool {
        let (ends, reference, hypothesis) = without_ends(reference, hypothesis);
        if !lanes::fits((reference, hypothesis), bound) {
            return false;
        }
        let PairsTogether { ids, kept, numbers, numbered, .. } = self;
        numbers.resize(bound.max(numbers.len()), 0);
        let mut add = |some: &[u32]| {
            let start = ids.len();
            ids.extend(some.iter().map(|&token| {
                let number = &mut numbers[token as usize];
                if *number == 0 {
                    numbered.push(token);
                    *number = numbered.len() as u32;
                }
                *number
            }));
            start..ids.len()
        };
        kept.push(KeptPair {
            place,
            reference: add(reference),
            hypothesis: add(hypothesis),
            hits: ends as u64,
        });
        true
    }

    /// Aligns all pairs of sequences that [`keep`](PairsTogether::keep) has collected. Calls `each` with the
    /// number that the caller gave the pair (`place`) and its edit counts.
    ///
    /// Without `WALK` only the distances are computed, and all edits count as substitutions.
    pub(crate) fn align<const WALK: bool>(&mut self, mut each: impl FnMut(usize, EditCounts)) {
        let PairsTogether { lanes, ids, kept, numbers, numbered } = self;
        let pair = |kept: &KeptPair| (&ids[kept.reference.clone()], &ids[kept.hypothesis.clone()]);
        let pairs: Vec<Pair<'_>> = kept.iter().map(pair).collect();
        lanes::align_each::<WALK>(lanes, &pairs, numbered.len() + 1, |at, counts| {
            each(kept[at].place, EditCounts { hits: counts.hits + kept[at].hits, ..counts });
        });
        ids.clear();
        kept.clear();
        numbered.drain(..).for_each(|token| numbers[token as usize] = 0);
    }
}
