//! Greedy search for TER's shifts of words, with the same limits and the same order of candidates as in the
//! programs tercom and sacreBLEU.

use std::ops::Range;

use bleuprint_core::{Result, check_interrupt};

use super::beam::{Beam, Width};
use super::bits::TerBits;
use super::masks::WordMasks;
use super::table::{ByRule, EqualWords, Moved, ShiftedAlignment, TerTable, WordPairs};
use super::wide::Wide;
use super::{BEAM_WIDTH, MAX_CANDIDATES, MAX_DISTANCE, MAX_LENGTH};

/// Length of the hypothesis, in words, above which the search checks for an interruption at every tried
/// shift.
const MANY_WORDS: usize = 4096;

#[derive(Debug, Clone, Default)]
pub(crate) struct SearchScratch {
    beam: Beam,
    masks: WordMasks,
    bits: TerBits,
    wide: Wide,
    alignment: ShiftedAlignment,
    words: Vec<u32>,
    /// Difference between each token's number of occurrences in hypothesis and reference; all 0 between
    /// calls.
    counts: Vec<i32>,
}

/// Returns the number of shifts and edits that turn `hypothesis` into `reference`; all token ids are below
/// `distinct`. Returns `None` if more than `limit` are certain to be needed.
pub(crate) fn edits(
    scratch: &mut SearchScratch,
    hypothesis: &[u32],
    reference: &[u32],
    distinct: usize,
    limit: u64,
) -> Result<Option<u64>> {
    if hypothesis.is_empty() || reference.is_empty() {
        return Ok(Some(hypothesis.len().max(reference.len()) as u64));
    }
    let least = least_edits(&mut scratch.counts, hypothesis, reference, distinct);
    if u64::from(least) > limit {
        return Ok(None);
    }
    let SearchScratch { beam, masks, bits, wide, alignment, words, .. } = scratch;
    beam.lay(hypothesis.len(), reference.len(), Width::TER);
    masks.load(reference, distinct);
    words.clear();
    words.extend_from_slice(hypothesis);
    let pairs = &EqualWords { reference, masks };
    let search = ShiftSearch { beam, pairs, words, alignment, least, checked: 0 };
    let edits = if TerBits::fits(beam) {
        bits.lay(beam);
        search.run(bits)?
    } else {
        wide.lay(beam);
        search.run(wide)?
    };
    Ok(Some(edits))
}

/// Returns the number of edits and shifts that TER counts between a hypothesis and a reference, given their
/// two lengths. `rule` compares a hypothesis position with a reference position: `Some(true)` is a match,
/// `Some(false)` a substitution, `None` a forbidden pair.
///
/// `half_width` is the number of columns of the distance table that are computed on each side of the
/// diagonal.
pub(crate) fn edits_by(
    scratch: &mut SearchScratch,
    [hypothesis, reference]: [usize; 2],
    half_width: usize,
    rule: impl Fn(usize, usize) -> Option<bool>,
) -> Result<u64> {
    if hypothesis == 0 || reference == 0 {
        return Ok(hypothesis.max(reference) as u64);
    }
    let SearchScratch { beam, wide, alignment, words, .. } = scratch;
    beam.lay(hypothesis, reference, Width { half: half_width.max(BEAM_WIDTH), joined: true });
    wide.lay(beam);
    words.clear();
    words.extend(0..hypothesis as u32);
    let least = hypothesis.abs_diff(reference) as u32;
    let pairs = &ByRule { len: reference, rule };
    ShiftSearch { beam, pairs, words, alignment, least, checked: 0 }.run(wide)
}

/// Returns a lower bound on the edit distance that holds however the hypothesis words are reordered. It is
/// the greater of the two lengths minus the number of words in common.
fn least_edits(counts: &mut Vec<i32>, hypothesis: &[u32], reference: &[u32], distinct: usize) -> u32 {
    counts.resize(counts.len().max(distinct), 0);
    reference.iter().for_each(|&word| counts[word as usize] += 1);
    let mut common = 0;
    for &word in hypothesis {
        let left = &mut counts[word as usize];
        common += usize::from(*left > 0);
        *left -= 1;
    }
    hypothesis.iter().chain(reference).for_each(|&word| counts[word as usize] = 0);
    (hypothesis.len().max(reference.len()) - common) as u32
}

struct ShiftSearch<'s, P> {
    beam: &'s Beam,
    pairs: &'s P,
    words: &'s mut Vec<u32>,
    alignment: &'s mut ShiftedAlignment,
    least: u32,
    checked: usize,
}

#[derive(Debug, Clone, Copy, Default)]
struct BestShift {
    gain: u32,
    length: u32,
    start: u32,
    target: u32,
    moved: Moved,
}

impl BestShift {
    /// Returns `true` if another shift of words is preferred to `self`. The shift that saves more edits
    /// (`gain`) is preferred, then the longer block, then the earlier start, then the earlier target.
    fn loses_to(&self, gain: u32, length: u32, start: u32, target: u32) -> bool {
        let preference = |gain, length, start: u32, target: u32| (gain, length, !start, !target);
        preference(gain, length, start, target) > preference(self.gain, self.length, self.start, self.target)
    }
}

/// A block of consecutive hypothesis words.
#[derive(Clone, Copy)]
struct BlockOfWords {
    start: usize,
    length: usize,
}

/// One round of TER's search for shifts: it finds the shift of words that reduces the edit distance most.
struct ShiftRound {
    best: BestShift,
    /// Edit distance between the hypothesis, in its current word order, and the reference.
    distance: u32,
    /// Upper bound of the edits that any shift can save. It is the edit distance minus a lower bound that
    /// holds for every order of the words.
    most: u32,
    /// `true` if each distance up to `distance` is certain to be the full edit distance, although only cells
    /// near the diagonal of the table are computed.
    exact: bool,
}

impl ShiftRound {
    /// Returns `true` if a shift of words may be better than the best one so far. An upper bound of the edits
    /// that it saves decides.
    #[inline]
    fn may_win(&self, block: BlockOfWords, target: usize, moved: Moved) -> bool {
        let shorter = (moved.middle - moved.start).min(moved.end - moved.middle);
        // A moved word can remove at most two edits, provided that the distances are true edit distances. A
        // shift moves the shorter of two neighbouring blocks across the longer one.
        let bound = if self.exact { self.most.min(2 * shorter as u32) } else { self.most };
        shorter > 0 && self.best.loses_to(bound, block.length as u32, block.start as u32, target as u32)
    }

    /// Records the shift of words as the best one of the round, if it saves edits and is preferred to the
    /// best one so far.
    #[inline]
    fn keep(&mut self, gain: u32, block: BlockOfWords, target: usize, moved: Moved) {
        let BlockOfWords { start, length } = block;
        let shift =
            BestShift { gain, length: length as u32, start: start as u32, target: target as u32, moved };
        if gain > 0 && self.best.loses_to(gain, shift.length, shift.start, shift.target) {
            self.best = shift;
        }
    }
}

impl<P: WordPairs> ShiftSearch<'_, P> {
    fn run(mut self, table: &mut impl TerTable<P>) -> Result<u64> {
        let mut distance = table.fill(self.words, self.pairs, 0);
        let mut shifts = 0;
        // No order of the words is below this bound, so the search for further shifts would find nothing.
        while distance > self.least {
            check_interrupt()?;
            self.alignment.walk(table, self.words, self.pairs);
            let best = self.best(table, distance)?;
            // sacreBLEU does not apply the best candidate found when the limit of candidates is reached.
            if self.checked >= MAX_CANDIDATES || best.gain == 0 {
                break;
            }
            let Moved { start, middle, end } = best.moved;
            self.words[start..end].rotate_left(middle - start);
            distance = table.fill(self.words, self.pairs, start);
            shifts += 1;
        }
        Ok(shifts + u64::from(distance))
    }

    fn best(&mut self, table: &mut impl TerTable<P>, distance: u32) -> Result<BestShift> {
        let most = distance - self.least;
        let mut round =
            ShiftRound { best: BestShift::default(), distance, most, exact: self.beam.is_exact(distance) };
        let pairs = self.pairs;
        for start in 0..self.words.len() {
            let to_error = self.alignment.hyp_error[start] as usize - start;
            if to_error >= MAX_LENGTH {
                continue;
            }
            for column in pairs.columns(self.words[start], self.columns_near(start)) {
                let from = column as usize - 1;
                for length in self.lengths(start, from, to_error) {
                    self.try_targets(table, &mut round, from, BlockOfWords { start, length })?;
                    if self.checked >= MAX_CANDIDATES {
                        return Ok(round.best);
                    }
                }
            }
        }
        Ok(round.best)
    }

    /// Returns the columns to which a block of words that begins at hypothesis word `start` may move. Column
    /// `j` is word `j - 1` of the reference.
    fn columns_near(&self, start: usize) -> Range<u32> {
        let first = (start + 1).saturating_sub(MAX_DISTANCE).max(1);
        let end = (start + 2 + MAX_DISTANCE).min(self.pairs.len() + 1);
        first as u32..end.max(first) as u32
    }

    /// Tries to move a block of hypothesis words next to the equal reference words, which begin at index
    /// `from`. The targets are the places before the first of these reference words, after the last, and
    /// between them. `round` records the best move.
    fn try_targets(
        &mut self,
        table: &mut impl TerTable<P>,
        round: &mut ShiftRound,
        from: usize,
        block: BlockOfWords,
    ) -> Result<()> {
        let n = self.words.len();
        let mut last = usize::MAX;
        for at in from..=from + block.length {
            let target = at.checked_sub(1).map_or(0, |at| self.alignment.used[at] as usize);
            // Reference words without a partner share the target of the word before them.
            if target == last {
                continue;
            }
            last = target;
            // Every candidate counts against the limit, also those that the bound skips: the limit is part
            // of the score.
            self.checked += 1;
            let moved = Moved::block(block.start, block.length, target, n);
            if !round.may_win(block, target, moved) {
                continue;
            }
            if n > MANY_WORDS {
                check_interrupt()?;
            }
            round.keep(round.distance.saturating_sub(table.moved(self.pairs, moved)), block, target, moved);
        }
        Ok(())
    }

    fn lengths(&self, start: usize, from: usize, to_error: usize) -> std::ops::RangeInclusive<usize> {
        let block = &self.words[start..self.words.len().min(start + MAX_LENGTH)];
        let equal = self.pairs.run(block, from);
        // A candidate needs an error in the block on both sides.
        let shortest = 1 + to_error.max(self.alignment.ref_error[from] as usize - from);
        // The first word of the block in the reference must not be aligned inside the block of the
        // hypothesis.
        let used = self.alignment.used[from] as usize;
        let longest = if used > start { equal.min(used - start - 1) } else { equal };
        shortest..=longest
    }
}

impl Moved {
    fn block(start: usize, length: usize, target: usize, n: usize) -> Moved {
        let end = start + length;
        if target < start {
            Moved { start: target, middle: start, end }
        } else {
            // The target is inside the block. The block moves behind as many following words as its length,
            // up to the end.
            let after = if target > end { target } else { (target + length).min(n) };
            Moved { start, middle: end, end: after }
        }
    }
}
