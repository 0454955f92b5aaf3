//! The queries of the search for shifts to a table of distances, and the walk back over one.

use std::ops::Range;

use super::masks::WordMasks;

/// The reference, as words of the hypothesis see it.
pub(super) trait WordPairs {
    fn len(&self) -> usize;

    /// This word of the hypothesis and the one at this place are a match, or else a substitution; none if they may not be a pair.
    fn pair(&self, word: u32, at: usize) -> Option<bool>;

    /// The columns of matches with this word. Column `j` is word `j - 1`.
    fn columns(&self, word: u32, range: Range<u32>) -> impl Iterator<Item = u32>;

    /// The number of these words that match those from a place on, one after another.
    fn run(&self, words: &[u32], from: usize) -> usize {
        let both = words.iter().zip(from..self.len());
        both.take_while(|&(&word, at)| self.pair(word, at) == Some(true)).count()
    }
}

/// Equal words are matches, and any two may be a pair.
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

/// A rule for every pair of places; the words of the hypothesis are their places in it.
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
    /// Computes it; the words before `from` are as they were. Returns the distance.
    fn fill(&mut self, words: &[u32], pairs: &P, from: usize) -> u32;

    /// The distance when words change places. The table stays as it is.
    fn moved(&mut self, pairs: &P, moved: Moved) -> u32;

    /// The last step of the best path to a cell that lies on one: a pair before a deletion before an insertion.
    fn step(&self, i: usize, j: usize, pair: Option<bool>) -> TableStep;
}

/// A hypothesis with the words from `start` to `middle` behind those from `middle` to `end`.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Moved {
    pub(super) start: usize,
    pub(super) middle: usize,
    pub(super) end: usize,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum TableStep {
    /// A word of the hypothesis with one of the reference.
    Pair,
    /// A word of the hypothesis alone.
    Delete,
    /// A word of the reference alone.
    Insert,
}

#[derive(Debug, Clone, Default)]
pub(super) struct ShiftedAlignment {
    /// For each word of the reference, the number of words of the hypothesis used up to it on the path.
    pub(super) used: Vec<u32>,
    /// For each word of the hypothesis, the next one in error, itself included; the length if none is.
    pub(super) hyp_error: Vec<u32>,
    /// The same for the reference.
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
