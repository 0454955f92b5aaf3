//! Gives ids to all n-grams of the sequences of one segment, order by order. It is for metrics that need the
//! n-grams themselves, not only the number of matches.
//!
//! An n-gram consists of two overlapping n-grams of the order below: `the cat` and `cat sat` form
//! `the cat sat`. So its key is a pair of numbers. The key is exact, as in [`ladder`](crate::ladder), but
//! here every n-gram is kept and numbered by first occurrence.

use crate::index::{Index, NONE};
use crate::intern::Interner;
use alloc::vec::Vec;
use core::hash::Hash;

/// The n-grams of a segment's sequences. Distinct n-grams have the ids 0, 1, 2, .. in the order of their
/// first occurrence, sequence after sequence.
///
/// Its tables are reused from segment to segment.
///
/// ```
/// let mut ngrams = bleuprint_ngram::NumberedNgrams::default();
/// ngrams.begin(&["a", "b", "a"], &[&["b", "a", "c"]]);
/// assert_eq!((ngrams.sequence(0), ngrams.sequence(1)), (&[0, 1, 0][..], &[1, 0, 2][..]));
/// ngrams.climb();
/// assert_eq!((ngrams.sequence(0), ngrams.sequence(1)), (&[0, 1][..], &[1, 2][..]));
/// assert_eq!((ngrams.order(), ngrams.distinct()), (2, 3));
/// // "a c" is token 0, then token 2.
/// assert_eq!(ngrams.origin(2), Some((0, 2)));
/// ```
#[derive(Debug, Clone, Default)]
pub struct NumberedNgrams {
    interner: Interner,
    pairs: Index<u64>,
    order: usize,
    numbers: Vec<u32>,
    ends: Vec<usize>,
    keys: Vec<u64>,
    /// Parts of each n-gram, indexed by its number. The high 32 bits are the number of its prefix (the n-gram
    /// without its last token); the low 32 bits are the number of its last token.
    origins: Vec<u64>,
    /// Spare buffer that holds the n-gram numbers of order `n - 1` while the n-grams of order `n` are
    /// numbered.
    spare: Vec<u32>,
}

impl NumberedNgrams {
    /// Gives ids to the tokens of a segment: sequence 0 is `first`, and the sequences of `rest` follow.
    ///
    /// A segment holds at most `2^31 - 1` tokens; further tokens are ignored.
    pub fn begin<T: Hash + Eq>(&mut self, first: &[T], rest: &[&[T]]) {
        self.interner.intern_segment(first, rest);
        self.order = 1;
        self.numbers.clear();
        self.numbers.extend_from_slice(&self.interner.flat.ids);
        self.ends.clear();
        self.ends.extend_from_slice(&self.interner.flat.ends);
        self.origins.clear();
        self.origins.extend(0..self.interner.distinct() as u64);
    }

    /// Replaces the n-grams of the current order by the n-grams that are one token longer, and gives ids to
    /// them.
    pub fn climb(&mut self) {
        self.spare.clone_from(&self.numbers);
        self.keys.clear();
        let mut start = 0;
        for end in &mut self.ends {
            let pairs = self.spare[start..*end].windows(2);
            start = *end;
            self.keys.extend(pairs.map(|pair| u64::from(pair[0]) << 32 | u64::from(pair[1])));
            *end = self.keys.len();
        }
        self.pairs.number(self.keys.iter().copied(), &mut self.numbers);
        if !self.pairs.follows_first_occurrence() {
            self.renumber();
        }
        self.order += 1;
        self.trace();
    }

    /// Returns the order of the current n-grams: 1 after [`begin`](Self::begin), one more after each
    /// [`climb`](Self::climb).
    pub fn order(&self) -> usize {
        self.order
    }

    /// Returns how many distinct n-grams of the current order there are. Each of them has an id below this
    /// count.
    pub fn distinct(&self) -> usize {
        self.origins.len()
    }

    /// Returns the ids of the n-grams of the current order in a sequence; empty for a sequence out of range.
    pub fn sequence(&self, index: usize) -> &[u32] {
        let Some(&end) = self.ends.get(index) else { return &[] };
        let start = if index == 0 { 0 } else { self.ends[index - 1] };
        &self.numbers[start..end]
    }

    /// Returns the ids of the tokens of a sequence, independent of the current n-gram order.
    pub fn tokens(&self, index: usize) -> &[u32] {
        self.interner.flat.sequence(index)
    }

    /// Returns the id of an n-gram's prefix (the n-gram without its last token) and the id of its last token.
    /// `number` is the id of the n-gram; the result is `None` if there is no such n-gram. At order 1, where a
    /// token has no prefix, the result is `(0, number)`.
    pub fn origin(&self, number: u32) -> Option<(u32, u32)> {
        let origin = *self.origins.get(number as usize)?;
        Some(((origin >> 32) as u32, origin as u32))
    }

    /// Renumbers the n-grams of the current order by first occurrence.
    #[cold]
    fn renumber(&mut self) {
        let mut given = Vec::new();
        let mut next = 0;
        given.resize(self.pairs.len(), NONE);
        for number in &mut self.numbers {
            let new = &mut given[*number as usize];
            if *new == NONE {
                *new = next;
                next += 1;
            }
            *number = *new;
        }
    }

    /// Stores the prefix (the n-gram without its last token) and the last token of each distinct n-gram of
    /// the current order, for the method `origin`.
    fn trace(&mut self) {
        self.origins.clear();
        let mut at = 0;
        let mut before = 0;
        for (index, &end) in self.ends.iter().enumerate() {
            let tokens = self.interner.flat.sequence(index);
            let last_tokens = tokens.get(self.order - 1..).unwrap_or(&[]);
            for ((&number, &prefix), &token) in
                self.numbers[at..end].iter().zip(&self.spare[before..]).zip(last_tokens)
            {
                // Numbers follow first occurrence, so a number equal to the count so far is new.
                if number as usize == self.origins.len() {
                    self.origins.push(u64::from(prefix) << 32 | u64::from(token));
                }
            }
            before += tokens.len().saturating_sub(self.order - 2);
            at = end;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn naive<'a>(sequences: &[&'a [u8]], order: usize) -> (Vec<Vec<u32>>, Vec<&'a [u8]>) {
        let mut known: Vec<&[u8]> = Vec::new();
        let mut number = |window: &'a [u8]| {
            known.iter().position(|other| *other == window).unwrap_or_else(|| {
                known.push(window);
                known.len() - 1
            }) as u32
        };
        let numbers =
            sequences.iter().map(|sequence| sequence.windows(order).map(&mut number).collect()).collect();
        (numbers, known)
    }

    quickcheck::quickcheck! {
        fn numbers_are_those_of_the_definition(first: Vec<u8>, rest: Vec<Vec<u8>>, letters: u8) -> bool {
            let letters = letters % 9 + 1;
            let fold = |sequence: &Vec<u8>| -> Vec<u8> { sequence.iter().map(|token| token % letters).collect() };
            let (first, rest): (Vec<u8>, Vec<Vec<u8>>) = (fold(&first), rest.iter().map(fold).collect());
            let rest: Vec<&[u8]> = rest.iter().take(4).map(Vec::as_slice).collect();
            let sequences: Vec<&[u8]> = [&first[..]].into_iter().chain(rest.iter().copied()).collect();
            let mut ngrams = NumberedNgrams::default();
            let mut below = Vec::new();
            ngrams.begin(&[1u8, 2], &[]);
            ngrams.begin(&first, &rest);
            for order in 1..6 {
                let (numbers, known) = naive(&sequences, order);
                let same = (0..).zip(&numbers).all(|(index, numbers)| ngrams.sequence(index) == numbers);
                let origins = (0..).zip(&known).all(|(number, ngram)| {
                    let (prefix, token) = ngrams.origin(number).unwrap();
                    let tokens = naive(&sequences, 1).1;
                    let split = order == 1 || below[prefix as usize] == &ngram[..order - 1];
                    split && tokens[token as usize] == &ngram[order - 1..]
                });
                if !same || !origins || ngrams.distinct() != known.len() || ngrams.order() != order {
                    return false;
                }
                below = known;
                ngrams.climb();
            }
            ngrams.tokens(0) == naive(&sequences, 1).0[0] && ngrams.sequence(sequences.len()).is_empty()
        }
    }

    #[test]
    fn numbers_that_do_not_follow_first_occurrence_are_given_again() {
        let mut ngrams = NumberedNgrams::default();
        ngrams.begin(b"abc", &[]);
        ngrams.climb();
        ngrams.numbers = [1, 0, 1].to_vec();
        ngrams.renumber();
        assert_eq!(ngrams.numbers, [0, 1, 0]);
    }
}
