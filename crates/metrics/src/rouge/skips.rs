//! ROUGE-S and ROUGE-SU: counts the skip bigrams that two texts have in common. A skip bigram is a pair of
//! tokens in text order, with up to `gap` other tokens between them.
//!
//! ```text
//! pairs   (t_i, t_j) with i < j and at most `gap` tokens between them
//! hits    Σ over pairs of min(count in hypothesis, count in reference)
//! SU      the tokens t_i count too, except the last one of each text
//! ```
//!
//! ROUGE-1.5.5 counts the first token of each pair as a unigram, and the last token of a text begins no
//! pair.

use bleuprint_core::Result;

use crate::shared::KernelWork;

#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Skips {
    /// Greatest number of tokens between the two tokens of a skip bigram; `None` is no limit.
    pub(super) gap: Option<u64>,
    pub(super) unigrams: bool,
}

#[derive(Debug, Default)]
pub(super) struct SkipScratch {
    places: [Vec<(u32, u32)>; 2],
    /// Number of unmatched skip bigrams (and unigrams) of the hypothesis, indexed by the last token of the
    /// bigram. All numbers are 0 between calls.
    left: Vec<u64>,
}

impl Skips {
    fn reach(self) -> usize {
        self.gap.and_then(|gap| usize::try_from(gap).ok()).map_or(usize::MAX, |gap| gap.saturating_add(1))
    }

    pub(super) fn units(self, len: usize) -> u64 {
        let starts = (len as u64).saturating_sub(1);
        let reach = starts.min(self.reach() as u64);
        // The last `reach` starts have one pair less each.
        let pairs = reach * (starts - reach) + reach * (reach + 1) / 2;
        if self.unigrams { pairs + starts } else { pairs }
    }

    /// Returns the number of skip bigrams (and unigrams) that both texts have. Every id is below `distinct`.
    /// Time is linear in the number of pairs of tokens, memory in the number of tokens.
    ///
    /// # Errors
    /// Returns an error if the evaluation was interrupted.
    pub(super) fn hits(
        self,
        scratch: &mut SkipScratch,
        hypothesis: &[u32],
        reference: &[u32],
        distinct: usize,
    ) -> Result<u64> {
        let hits = self.count(scratch, hypothesis, reference, distinct);
        if hits.is_err() {
            // An interruption leaves counts behind, which the next call would take for its own.
            scratch.left.fill(0);
        }
        hits
    }

    fn count(
        self,
        scratch: &mut SkipScratch,
        hypothesis: &[u32],
        reference: &[u32],
        distinct: usize,
    ) -> Result<u64> {
        let SkipScratch { places, left } = scratch;
        left.resize(left.len().max(distinct), 0);
        for (places, text) in places.iter_mut().zip([hypothesis, reference]) {
            places.clear();
            places.extend(text.iter().copied().zip(0..));
            places.sort_unstable();
        }
        let mut hits = 0;
        let mut work = KernelWork::default();
        let mut take = |id: u32, left: &mut [u64]| {
            let left = &mut left[id as usize];
            hits += u64::from(*left > 0);
            *left = left.saturating_sub(1);
        };
        if self.unigrams {
            let starts = |text: &'_ [u32]| text.len().saturating_sub(1);
            hypothesis[..starts(hypothesis)].iter().for_each(|&id| left[id as usize] += 1);
            reference[..starts(reference)].iter().for_each(|&id| take(id, left));
            hypothesis.iter().for_each(|&id| left[id as usize] = 0);
        }
        // Pairs are grouped by their first token, so one count by second token is enough and memory stays
        // linear.
        let mut theirs = &places[1][..];
        let reach = self.reach();
        for ours in places[0].chunk_by(|(one, _), (other, _)| one == other) {
            let first = ours[0].0;
            theirs = &theirs[theirs.partition_point(|&(id, _)| id < first)..];
            let (same, rest) = theirs.split_at(theirs.partition_point(|&(id, _)| id == first));
            theirs = rest;
            // A first token that the reference lacks has no common pair.
            if same.is_empty() {
                continue;
            }
            seconds(ours, hypothesis, reach, &mut work, |id| left[id as usize] += 1)?;
            seconds(same, reference, reach, &mut work, |id| take(id, left))?;
            seconds(ours, hypothesis, reach, &mut work, |id| left[id as usize] = 0)?;
        }
        Ok(hits)
    }
}

fn seconds(
    places: &[(u32, u32)],
    text: &[u32],
    reach: usize,
    work: &mut KernelWork,
    mut each: impl FnMut(u32),
) -> Result<()> {
    for &(_, at) in places {
        let rest = &text[at as usize + 1..];
        let seconds = &rest[..rest.len().min(reach)];
        work.add(seconds.len())?;
        seconds.iter().for_each(|&id| each(id));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use quickcheck::QuickCheck;
    use std::collections::HashMap;

    fn naive(skips: Skips, text: &[u32]) -> HashMap<(u32, Option<u32>), u64> {
        let mut units = HashMap::new();
        for (at, &first) in text.iter().enumerate() {
            for (between, &second) in (0..).zip(&text[at + 1..]) {
                if skips.gap.is_none_or(|gap| between <= gap) {
                    *units.entry((first, Some(second))).or_default() += 1;
                }
            }
            if skips.unigrams && at + 1 < text.len() {
                *units.entry((first, None)).or_default() += 1;
            }
        }
        units
    }

    #[test]
    fn agrees_with_the_definition() {
        fn agrees(hypothesis: Vec<u8>, reference: Vec<u8>, gap: Option<u8>, unigrams: bool) -> bool {
            let skips = Skips { gap: gap.map(|gap| u64::from(gap % 7)), unigrams };
            let ids = |text: Vec<u8>| text.into_iter().map(|token| u32::from(token % 6)).collect::<Vec<_>>();
            let hypothesis = ids(hypothesis);
            let reference = ids(reference);
            let ours = naive(skips, &hypothesis);
            let theirs = naive(skips, &reference);
            let hits: u64 =
                ours.iter().map(|(unit, &count)| count.min(*theirs.get(unit).unwrap_or(&0))).sum();
            let mut scratch = SkipScratch::default();
            let twice = [0; 2].map(|_| skips.hits(&mut scratch, &hypothesis, &reference, 6).unwrap());
            twice == [hits; 2]
                && skips.units(hypothesis.len()) == ours.values().sum::<u64>()
                && skips.units(reference.len()) == theirs.values().sum::<u64>()
        }
        QuickCheck::new().tests(10_000).quickcheck(agrees as fn(Vec<u8>, Vec<u8>, Option<u8>, bool) -> bool);
    }
}
