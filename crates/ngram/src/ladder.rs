//! Counts clipped n-gram matches of segments of any length, order by order. At each order (a "rung" of the
//! ladder) only the n-grams that can still match are kept.
//!
//! For order 1, the tokens of the hypothesis get numbers, and the tokens of the references look up theirs. An
//! n-gram is kept if both sides have it. For the next order, the numbers of two kept neighbours form the key
//! of an (n + 1)-gram. The key is exact, because numbers identify n-grams, unlike hashes. Keys get numbers
//! again, and so on up to the highest order, or until no n-gram is left:
//!
//! ```text
//! hypothesis   the  cat  sat  on  the  mat        reference   a  cat  sat  on  a  mat
//! order 1       .   cat  sat  on   .   mat                    .  cat  sat  on  .  mat
//! order 2           cat sat                                      cat sat
//!                        sat on                                       sat on
//! order 3           cat sat on                                   cat sat on
//! order 4            -
//! ```
//!
//! Most n-grams have no match, ever more of them at higher orders, so all higher rungs together cost about as
//! much as the first. The n-grams that remain (survivors) are collected without data-dependent branches.
//!
//! *Down to masks.* As soon as the survivors of the references fit a mask of 64 bits, the
//! [`sieve`](crate::sieve) takes over.
//!
//! Time `O(tokens)` on the first rung and `O(survivors)` on each later one.

use crate::index::{Index, NONE};
use crate::rows::ReferenceRows;
use crate::sieve::Sieve;
use alloc::vec::Vec;
use num_traits::{AsPrimitive, PrimInt};

#[derive(Debug, Clone, Default)]
pub(crate) struct Ladder {
    /// Hash table of the tokens (n-grams of order 1). The field `pairs` is the table for all higher orders.
    tokens: Index<u32>,
    pub(crate) pairs: Index<u64>,
    keys: Vec<u64>,
    pub(crate) hypothesis: LadderSide,
    pub(crate) references: LadderSide,
    ends: Vec<u32>,
    tallies: LadderTallies,
    sieve: Sieve,
}

/// The n-grams of one side (the hypothesis or all references) that can still match: their start positions and
/// the numbers that identify them.
#[derive(Debug, Clone, Default)]
pub(crate) struct LadderSide {
    pub(crate) positions: Vec<u32>,
    pub(crate) numbers: Vec<u32>,
}

#[derive(Debug, Clone, Default)]
pub(crate) struct LadderTallies {
    in_hypothesis: Vec<u32>,
    most: Vec<u32>,
    /// State of the count of each n-gram: the last reference that contains it (high half), and its count in
    /// that reference so far (low half). Used only if there are several references.
    latest: Vec<u64>,
}

impl Ladder {
    /// Counts the clipped n-gram matches of token ids, like [`overlap`](crate::overlap()), for at most
    /// [`MAX_TOKENS`](crate::intern::MAX_TOKENS) tokens.
    pub(crate) fn overlap(&mut self, hypothesis: &[u32], references: ReferenceRows<'_>, clipped: &mut [u64]) {
        self.tokens.number(hypothesis.iter().copied(), &mut self.hypothesis.numbers);
        self.begin_references();
        for reference in references.iter() {
            let offset = self.next_position();
            let grams = reference.iter().enumerate().map(|(at, &token)| (offset + at as u32, token));
            self.references.append_found(&self.tokens, grams);
            self.end_reference(reference.len());
        }
        self.count(self.tokens.len(), clipped);
    }

    pub(crate) fn begin_references(&mut self) {
        self.ends.clear();
        self.references.clear();
    }

    /// Returns the position at which the next reference starts in the concatenation of all references. A gap
    /// of one position separates neighbours, so that no n-gram crosses from one to the next.
    pub(crate) fn next_position(&self) -> u32 {
        self.ends.last().copied().unwrap_or(0)
    }

    pub(crate) fn end_reference(&mut self, len: usize) {
        self.ends.push(self.next_position() + len as u32 + 1);
    }

    /// Counts the clipped matches of all n-gram orders, order by order. It starts with the numbers of all
    /// hypothesis tokens and of the reference tokens that occur in the hypothesis.
    pub(crate) fn count(&mut self, mut distinct: usize, clipped: &mut [u64]) {
        clipped.fill(0);
        self.hypothesis.positions.clear();
        for order in 0..clipped.len() {
            let sides = [&self.hypothesis, &self.references];
            if self.sieve.count(distinct, sides, &self.ends, &mut clipped[order..]) {
                return;
            }
            // The sieve takes a hypothesis without positions as complete, so positions are filled in only if
            // it cannot take over.
            if order == 0 {
                self.hypothesis.positions.extend(0..self.hypothesis.numbers.len() as u32);
            }
            self.tallies.count(distinct, &self.hypothesis, &self.references, &self.ends);
            clipped[order] = self.tallies.clipped();
            let most = &self.tallies.most;
            // The references' survivors all occur in the hypothesis already, so only the hypothesis is
            // reduced.
            self.hypothesis.keep(|number| most[number as usize] > 0);
            self.climb();
            distinct = self.pairs.len();
        }
    }

    /// Replaces the matching n-grams of order n by the (n + 1)-grams that both the hypothesis and a reference
    /// have.
    fn climb(&mut self) {
        self.hypothesis.join(&mut self.keys);
        self.pairs.number(self.keys.iter().copied(), &mut self.hypothesis.numbers);
        self.references.join(&mut self.keys);
        self.references.keep_found(&self.pairs, &self.keys);
    }
}

impl LadderSide {
    /// Returns the start positions of the n-grams with every gap shortened to one position: `[3, 4, 9]`
    /// becomes `[0, 1, 3]`. Neighbours stay neighbours, and the positions may then fit a mask of 64 bits.
    pub(crate) fn packed(&self) -> impl Iterator<Item = usize> + '_ {
        let mut place = 0;
        let mut expected = self.positions.first().copied().unwrap_or(0);
        self.positions.iter().map(move |&position| {
            place += usize::from(position != expected);
            expected = position + 1;
            place += 1;
            place - 1
        })
    }

    pub(crate) fn clear(&mut self) {
        self.positions.clear();
        self.numbers.clear();
    }

    /// Appends to `self` the n-grams that the hash table `index` contains, each as its start position and its
    /// number in the table. `grams` gives the start position and the key of each n-gram.
    #[inline]
    pub(crate) fn append_found<K: PrimInt + Default + AsPrimitive<u64>>(
        &mut self,
        index: &Index<K>,
        grams: impl ExactSizeIterator<Item = (u32, K)>,
    ) {
        let mut kept = self.numbers.len();
        self.positions.resize(kept + grams.len(), 0);
        self.numbers.resize(kept + grams.len(), 0);
        let positions = &mut self.positions[..];
        let numbers = &mut self.numbers[..];
        let number_of = index.lookup();
        let mut keep = |(position, key)| {
            let number = number_of(key);
            // Every n-gram is written, and the end moves only for those found: no branch depends on the
            // look-up.
            (positions[kept], numbers[kept]) = (position, number);
            kept += usize::from(number != NONE);
        };
        if index.is_large() {
            index.fetch_ahead(grams, |&(_, key)| key, keep);
        } else {
            for gram in grams {
                keep(gram);
            }
        }
        self.positions.truncate(kept);
        self.numbers.truncate(kept);
    }

    /// Keeps only the n-grams whose key is in the hash table `index`. Before, n-gram `i` has the position
    /// `self.positions[i]` and the key `keys[i]`. After, `self` has the positions and numbers of the kept
    /// n-grams.
    pub(crate) fn keep_found(&mut self, index: &Index<u64>, keys: &[u64]) {
        self.numbers.clear();
        self.numbers.resize(keys.len(), 0);
        let mut kept = 0;
        let positions = &mut self.positions[..keys.len()];
        let numbers = &mut self.numbers[..];
        let number_of = index.lookup();
        // `kept` never overtakes `i`, so every position is read before it is overwritten.
        let mut keep = |(i, key): (usize, u64)| {
            let number = number_of(key);
            (positions[kept], numbers[kept]) = (positions[i], number);
            kept += usize::from(number != NONE);
        };
        let keys = keys.iter().copied().enumerate();
        if index.is_large() {
            index.fetch_ahead(keys, |&(_, key)| key, keep);
        } else {
            for key in keys {
                keep(key);
            }
        }
        self.positions.truncate(kept);
        self.numbers.truncate(kept);
    }

    /// Keeps only n-grams whose number is wanted. To avoid a branch, each n-gram is written, and only the
    /// write position depends on the choice.
    fn keep(&mut self, wanted: impl Fn(u32) -> bool) {
        let mut kept = 0;
        let len = self.numbers.len().min(self.positions.len());
        let positions = &mut self.positions[..len];
        let numbers = &mut self.numbers[..len];
        for i in 0..len {
            let position = positions[i];
            let number = numbers[i];
            (positions[kept], numbers[kept]) = (position, number);
            kept += usize::from(wanted(number));
        }
        self.positions.truncate(kept);
        self.numbers.truncate(kept);
    }

    /// Replaces the n-grams by the n-grams that are one token longer: their keys in `keys`, their start
    /// positions in `self`. A key is the pair of numbers of two neighbouring shorter n-grams.
    pub(crate) fn join(&mut self, keys: &mut Vec<u64>) {
        let pairs = self.numbers.len().saturating_sub(1);
        keys.clear();
        keys.resize(pairs, 0);
        let mut joined = 0;
        let positions = &mut self.positions[..];
        let numbers = &self.numbers[..];
        let Some((&first, _)) = positions.split_first() else { return };
        let mut position = first;
        for (i, pair) in numbers.windows(2).enumerate() {
            let next = positions[i + 1];
            keys[joined] = u64::from(pair[0]) << 32 | u64::from(pair[1]);
            positions[joined] = position;
            // Neighbours in the list form an n-gram only if they are neighbours in the text.
            joined += usize::from(position + 1 == next);
            position = next;
        }
        keys.truncate(joined);
        self.positions.truncate(joined);
    }
}

impl LadderTallies {
    pub(crate) fn count(
        &mut self,
        distinct: usize,
        hypothesis: &LadderSide,
        references: &LadderSide,
        ends: &[u32],
    ) {
        for counts in [&mut self.in_hypothesis, &mut self.most] {
            counts.clear();
            counts.resize(distinct, 0);
        }
        for &number in &hypothesis.numbers {
            self.in_hypothesis[number as usize] += 1;
        }
        if ends.len() > 1 {
            self.count_several(distinct, references, ends);
        } else {
            for &number in &references.numbers {
                self.most[number as usize] += 1;
            }
        }
    }

    fn count_several(&mut self, distinct: usize, references: &LadderSide, ends: &[u32]) {
        self.latest.clear();
        self.latest.resize(distinct, 0);
        let mut reference = 0;
        for (&position, &number) in references.positions.iter().zip(&references.numbers) {
            while ends.get(reference).is_some_and(|&end| end <= position) {
                reference += 1;
            }
            // References count from 1, so that the initial 0 is older than all. The maximum resets the count
            // for a new reference without a branch.
            let start = (reference as u64 + 1) << 32;
            let latest = &mut self.latest[number as usize];
            *latest = (*latest).max(start) + 1;
            let most = &mut self.most[number as usize];
            *most = (*most).max(*latest as u32);
        }
    }

    pub(crate) fn most(&self) -> &[u32] {
        &self.most
    }

    fn clipped(&self) -> u64 {
        self.in_hypothesis.iter().zip(&self.most).map(|(&a, &b)| u64::from(a.min(b))).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    quickcheck::quickcheck! {
        /// Compares the counts of the fast algorithm with the quadratic reference implementation. In tests
        /// every table counts as large, so that look-ups prefetch.
        fn rungs_count_what_the_definition_does(hypothesis: Vec<u8>, references: Vec<Vec<u8>>, letters: u8) -> bool {
            let letters = u32::from(letters % 19) + 1;
            let fold = |tokens: &Vec<u8>| tokens.repeat(3).iter().map(|&token| u32::from(token) % letters).collect();
            let (hypothesis, references): (Vec<u32>, Vec<Vec<u32>>) =
                (fold(&hypothesis), references.iter().take(4).map(fold).collect());
            let references: Vec<&[u32]> = references.iter().map(Vec::as_slice).collect();
            let mut ladder = Ladder::default();
            let mut counted = [0; 5];
            let mut expected = [0; 5];
            assert!(ladder.tokens.len() == 0);
            for _ in 0..2 {
                ladder.overlap(&hypothesis, ReferenceRows::Borrowed(&references), &mut counted);
            }
            assert!(ladder.tokens.is_large());
            crate::naive::overlap(&hypothesis, &references, &mut expected);
            counted == expected
        }
    }
}
