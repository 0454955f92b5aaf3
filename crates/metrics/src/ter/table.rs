//! Interfaces of TER's edit-distance table. [`TerTable`] computes distances of shifted hypotheses, and
//! [`WordPairs`] decides which words match. [`ShiftedAlignment`] finds the alignment in the table.

use std::ops::Range;

use super::masks::WordMasks;

/// Reference text of TER's search, with the rule by which its words are paired with hypothesis words.
pub(super) trait WordPairs {
    fn len(&self) -> usize;

    /// Compares a hypothesis word with the reference word at `at`: `Some(true)` is a match, `Some(false)` a
    /// substitution, `None` a forbidden pair.
    fn pair(&self, word: u32, at: usize) -> Option<bool>;

    /// Returns the columns of the distance table in `range` whose reference word matches `word`. Column `j`
    /// belongs to reference word `j - 1`.
    fn columns(&self, word: u32, range: Range<u32>) -> impl Iterator<Item = u32>;

    /// Counts how many leading words of `words` match the consecutive reference words from `from` on.
    fn run(&self, words: &[u32], from: usize) -> usize {
        let both = words.iter().zip(from..self.len());
        both.take_while(|&(&word, at)| self.pair(word, at) == Some(true)).count()
    }
}

/// Rule that pairs words by equality: equal words match, and any two words may be paired.
pub(super) struct EqualWords<'s> {
    pub(super) reference: &'s [u32],
    pub(super) masks: &'s WordMasks,
}

impl WordPairs for EqualWords<'_> {
    #[inline]
    fn len(&self) -> usize {
        self.reference.len()
    }

    #[inline]
    fn pair(&self, word: u32, at: usize) -> Option<bool> {
        Some(self.reference[at] == word)
    }

    #[inline]
    fn run(&self, words: &[u32], from: usize) -> usize {
        words.iter().zip(&self.reference[from..]).take_while(|(word, other)| word == other).count()
    }

    #[inline]
    fn columns(&self, word: u32, range: Range<u32>) -> impl Iterator<Item = u32> {
        self.masks.columns(self.masks.place(word), range)
    }
}

/// Rule that pairs words by their positions: a closure compares the hypothesis position with the reference
/// position.
pub(super) struct ByRule<R> {
    pub(super) len: usize,
    pub(super) rule: R,
}

impl<R: Fn(usize, usize) -> Option<bool>> WordPairs for ByRule<R> {
    fn len(&self) -> usize {
        self.len
    }

    fn pair(&self, word: u32, at: usize) -> Option<bool> {
        (self.rule)(word as usize, at)
    }

    fn columns(&self, word: u32, range: Range<u32>) -> impl Iterator<Item = u32> {
        range.filter(move |&column| self.pair(word, column as usize - 1) == Some(true))
    }
}

pub(super) trait TerTable<P> {
    /// Computes the distance table of the hypothesis `words` and the reference, and returns the edit
    /// distance. Words before `from` are unchanged since the last call.
    fn fill(&mut self, words: &[u32], pairs: &P, from: usize) -> u32;

    /// Returns the edit distance after the given shift of hypothesis words. The stored table does not change.
    fn moved(&mut self, pairs: &P, moved: Moved) -> u32;

    /// Returns the last step of the best path to a cell of the distance table. A pair of words is preferred
    /// to a deletion, a deletion to an insertion.
    fn step(&self, i: usize, j: usize, pair: Option<bool>) -> TableStep;
}

/// Shift that moves the words `start..middle` behind the words `middle..end` of a hypothesis.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Moved {
    pub(super) start: usize,
    pub(super) middle: usize,
    pub(super) end: usize,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum TableStep {
    /// A hypothesis word is paired with a reference word, as a match or a substitution.
    Pair,
    /// A hypothesis word has no partner in the reference: to get the reference, it is deleted.
    Delete,
    /// A reference word has no partner in the hypothesis: to get the reference, it is inserted.
    Insert,
}

#[derive(Debug, Clone, Default)]
pub(super) struct ShiftedAlignment {
    /// For each reference word, the number of hypothesis words on the alignment path up to and including this
    /// reference word.
    pub(super) used: Vec<u32>,
    /// Position of the first word without a match at or after each hypothesis word; the length of the
    /// hypothesis if none follows.
    pub(super) hyp_error: Vec<u32>,
    /// Position of the first word without a match at or after each reference word; the length of the
    /// reference if none follows.
    pub(super) ref_error: Vec<u32>,
}

impl ShiftedAlignment {
    pub(super) fn walk<P: WordPairs>(&mut self, table: &impl TerTable<P>, words: &[u32], pairs: &P) {
        let mut i = words.len();
        let mut j = pairs.len();
        let ShiftedAlignment { used, hyp_error, ref_error } = self;
        let mut next_hyp = i as u32;
        let mut next_ref = j as u32;
        hyp_error.resize(i, 0);
        ref_error.resize(j, 0);
        used.resize(j, 0);
        while i > 0 || j > 0 {
            // The walk runs backwards, so the next error after each word is known when the word is reached.
            let pair = if i > 0 && j > 0 { pairs.pair(words[i - 1], j - 1) } else { None };
            let step = table.step(i, j, pair);
            let error = step != TableStep::Pair || pair != Some(true);
            if step != TableStep::Delete {
                j -= 1;
                next_ref = if error { j as u32 } else { next_ref };
                (ref_error[j], used[j]) = (next_ref, i as u32);
            }
            if step != TableStep::Insert {
                i -= 1;
                next_hyp = if error { i as u32 } else { next_hyp };
                hyp_error[i] = next_hyp;
            }
        }
    }
}
