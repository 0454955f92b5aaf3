//! The path for any length: one rung per order, each with only the n-grams that can still match.
//!
//! On the first rung the tokens of the hypothesis get numbers, and those of the references look theirs up. An n-gram
//! stays alive if both sides have it. On the next rung, the numbers of two live neighbours make the key of an (n +
//! 1)-gram: exact, since numbers identify n-grams, unlike hashes. Keys get numbers again, and so on up to the highest
//! order, or until nothing is left:
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
//! Most n-grams have no match, ever more of them at higher orders, so all higher rungs together cost about as much as
//! the first. Survivors are collected without data-dependent branches.
//!
//! *Down to masks.* As soon as the survivors of the references fit a mask, the [`sieve`](crate::sieve) takes over.
//!
//! Time `O(tokens)` on the first rung and `O(survivors)` on each other one.

use crate::index::{Index, NONE};
use crate::rows::Rows;
use crate::sieve::Sieve;
use alloc::vec::Vec;
use num_traits::{AsPrimitive, PrimInt};

#[derive(Debug, Clone, Default)]
pub(crate) struct Ladder {
    /// For the first rung, and for each of the others.
    tokens: Index<u32>,
    pub(crate) pairs: Index<u64>,
    keys: Vec<u64>,
    pub(crate) hypothesis: Side,
    pub(crate) references: Side,
    ends: Vec<u32>,
    tallies: Tallies,
    sieve: Sieve,
}

/// The live n-grams of one side: starts and numbers.
#[derive(Debug, Clone, Default)]
pub(crate) struct Side {
    pub(crate) positions: Vec<u32>,
    pub(crate) numbers: Vec<u32>,
}

#[derive(Debug, Clone, Default)]
pub(crate) struct Tallies {
    in_hypothesis: Vec<u32>,
    most: Vec<u32>,
    /// With several references: the latest reference with it (high half) and the count so far (low half).
    latest: Vec<u64>,
}

impl Ladder {
    /// As [`overlap`](crate::overlap()), for at most [`MAX_TOKENS`](crate::intern::MAX_TOKENS).
    pub(crate) fn overlap(&mut self, hypothesis: &[u32], references: Rows<'_>, clipped: &mut [u64]) {
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

    /// The start of the next reference: one position is left out between neighbours.
    pub(crate) fn next_position(&self) -> u32 {
        self.ends.last().copied().unwrap_or(0)
    }

    pub(crate) fn end_reference(&mut self, len: usize) {
        self.ends.push(self.next_position() + len as u32 + 1);
    }

    /// Rung by rung, from the numbers of the first: all of the hypothesis, and the references' survivors.
    pub(crate) fn count(&mut self, mut distinct: usize, clipped: &mut [u64]) {
        clipped.fill(0);
        self.hypothesis.positions.clear();
        for order in 0..clipped.len() {
            let sides = [&self.hypothesis, &self.references];
            if self.sieve.count(distinct, sides, &self.ends, &mut clipped[order..]) {
                return;
            }
            if order == 0 {
                self.hypothesis.positions.extend(0..self.hypothesis.numbers.len() as u32);
            }
            self.tallies.count(distinct, &self.hypothesis, &self.references, &self.ends);
            clipped[order] = self.tallies.clipped();
            let most = &self.tallies.most;
            self.hypothesis.keep(|number| most[number as usize] > 0);
            self.climb();
            distinct = self.pairs.len();
        }
    }

    /// From the live n-grams to the (n + 1)-grams that both sides have.
    fn climb(&mut self) {
        self.hypothesis.join(&mut self.keys);
        self.pairs.number(self.keys.iter().copied(), &mut self.hypothesis.numbers);
        self.references.join(&mut self.keys);
        self.references.keep_found(&self.pairs, &self.keys);
    }
}

impl Side {
    /// The positions of the n-grams once every run of positions without one shrinks to one position.
    pub(crate) fn packed(&self) -> impl Iterator<Item = usize> + '_ {
        let (mut place, mut expected) = (0, self.positions.first().copied().unwrap_or(0));
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

    /// Appends those of the n-grams, by position and key, that the index has.
    #[inline]
    pub(crate) fn append_found<K: PrimInt + Default + AsPrimitive<u64>>(
        &mut self,
        index: &Index<K>,
        grams: impl ExactSizeIterator<Item = (u32, K)>,
    ) {
        let mut kept = self.numbers.len();
        self.positions.resize(kept + grams.len(), 0);
        self.numbers.resize(kept + grams.len(), 0);
        let (positions, numbers) = (&mut self.positions[..], &mut self.numbers[..]);
        let number_of = index.lookup();
        let mut keep = |(position, key)| {
            let number = number_of(key);
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

    /// Keeps those of the n-grams, by position here and by key there, that the index has.
    pub(crate) fn keep_found(&mut self, index: &Index<u64>, keys: &[u64]) {
        self.numbers.clear();
        self.numbers.resize(keys.len(), 0);
        let mut kept = 0;
        let (positions, numbers) = (&mut self.positions[..keys.len()], &mut self.numbers[..]);
        let number_of = index.lookup();
        // No position is written before it is read: `kept` never overtakes `i`.
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

    /// Keeps the n-grams with a wanted number. All are written; only the write position depends on the choice.
    fn keep(&mut self, wanted: impl Fn(u32) -> bool) {
        let mut kept = 0;
        let len = self.numbers.len().min(self.positions.len());
        let (positions, numbers) = (&mut self.positions[..len], &mut self.numbers[..len]);
        for i in 0..len {
            let (position, number) = (positions[i], numbers[i]);
            (positions[kept], numbers[kept]) = (position, number);
            kept += usize::from(wanted(number));
        }
        self.positions.truncate(kept);
        self.numbers.truncate(kept);
    }

    /// The keys and starts of the n-grams one token longer, from neighbours.
    pub(crate) fn join(&mut self, keys: &mut Vec<u64>) {
        let pairs = self.numbers.len().saturating_sub(1);
        keys.clear();
        keys.resize(pairs, 0);
        let mut joined = 0;
        let (positions, numbers) = (&mut self.positions[..], &self.numbers[..]);
        let Some((&first, _)) = positions.split_first() else { return };
        let mut position = first;
        for (i, pair) in numbers.windows(2).enumerate() {
            let next = positions[i + 1];
            keys[joined] = u64::from(pair[0]) << 32 | u64::from(pair[1]);
            positions[joined] = position;
            joined += usize::from(position + 1 == next);
            position = next;
        }
        keys.truncate(joined);
        self.positions.truncate(joined);
    }
}

impl Tallies {
    pub(crate) fn count(&mut self, distinct: usize, hypothesis: &Side, references: &Side, ends: &[u32]) {
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

    fn count_several(&mut self, distinct: usize, references: &Side, ends: &[u32]) {
        self.latest.clear();
        self.latest.resize(distinct, 0);
        let mut reference = 0;
        for (&position, &number) in references.positions.iter().zip(&references.numbers) {
            while ends.get(reference).is_some_and(|&end| end <= position) {
                reference += 1;
            }
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
        /// In tests every table counts as large and is read ahead of look-ups.
        fn rungs_count_what_the_definition_does(hypothesis: Vec<u8>, references: Vec<Vec<u8>>, letters: u8) -> bool {
            let letters = u32::from(letters % 19) + 1;
            let fold = |tokens: &Vec<u8>| tokens.repeat(3).iter().map(|&token| u32::from(token) % letters).collect();
            let (hypothesis, references): (Vec<u32>, Vec<Vec<u32>>) =
                (fold(&hypothesis), references.iter().take(4).map(fold).collect());
            let references: Vec<&[u32]> = references.iter().map(Vec::as_slice).collect();
            let (mut ladder, mut counted, mut expected) = (Ladder::default(), [0; 5], [0; 5]);
            assert!(ladder.tokens.len() == 0);
            for _ in 0..2 {
                ladder.overlap(&hypothesis, Rows::Borrowed(&references), &mut counted);
            }
            assert!(ladder.tokens.is_large());
            crate::naive::overlap(&hypothesis, &references, &mut expected);
            counted == expected
        }
    }
}
