//! The queries of the search for shifts to a table of distances, and the walk back over one.

use super::masks::Masks;

pub(super) trait Table {
    /// Computes it; the words before `from` are as they were. Returns the distance.
    fn fill(&mut self, words: &[u32], masks: &Masks, from: usize) -> u32;

    /// The distance when words change places. The table stays as it is.
    fn moved(&mut self, masks: &Masks, moved: Moved) -> u32;

    /// The last step of the best path to a cell that lies on one: a pair before a deletion before an insertion.
    fn step(&self, i: usize, j: usize, equal: bool) -> Step;
}

/// A hypothesis with the words from `start` to `middle` behind those from `middle` to `end`.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Moved {
    pub(super) start: usize,
    pub(super) middle: usize,
    pub(super) end: usize,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Step {
    /// A word of the hypothesis with one of the reference.
    Pair,
    /// A word of the hypothesis alone.
    Delete,
    /// A word of the reference alone.
    Insert,
}

#[derive(Debug, Clone, Default)]
pub(super) struct Alignment {
    /// For each word of the reference, the number of words of the hypothesis used up to it on the path.
    pub(super) used: Vec<u32>,
    /// For each word of the hypothesis, the next one in error, itself included; the length if none is.
    pub(super) hyp_error: Vec<u32>,
    /// The same for the reference.
    pub(super) ref_error: Vec<u32>,
}

impl Alignment {
    pub(super) fn walk(&mut self, table: &impl Table, words: &[u32], reference: &[u32]) {
        let (mut i, mut j) = (words.len(), reference.len());
        let Alignment { used, hyp_error, ref_error } = self;
        let (mut next_hyp, mut next_ref) = (i as u32, j as u32);
        hyp_error.resize(i, 0);
        ref_error.resize(j, 0);
        used.resize(j, 0);
        while i > 0 || j > 0 {
            let equal = i > 0 && j > 0 && words[i - 1] == reference[j - 1];
            let step = table.step(i, j, equal);
            let error = step != Step::Pair || !equal;
            if step != Step::Delete {
                j -= 1;
                next_ref = if error { j as u32 } else { next_ref };
                (ref_error[j], used[j]) = (next_ref, i as u32);
            }
            if step != Step::Insert {
                i -= 1;
                next_hyp = if error { i as u32 } else { next_hyp };
                hyp_error[i] = next_hyp;
            }
        }
    }
}
