//! Tokens of any type on the ladder: by their hashes on the first rung, with every equality checked.
//!
//! The 64-bit hashes of the tokens are the keys; then each token is compared with the first one of its number. As
//! good as always all comparisons succeed, which a processor foretells, where interning one token after another
//! stumbles over every new one. Tokens of references whose hash the hypothesis has not differ from all of its
//! tokens and need no comparison. Where unlike tokens do share a hash, the segment is interned instead.

use crate::ladder::{Ladder, Side};
use alloc::vec::Vec;
use core::hash::{BuildHasher, Hash};
use foldhash::fast::RandomState;

/// Keys of the hash, and reused rows.
#[derive(Debug, Clone, Default)]
pub(crate) struct Hashed {
    state: RandomState,
    hashes: Vec<u64>,
    /// Where the first token of each number stands in the hypothesis.
    firsts: Vec<u32>,
    /// The places of all tokens that are not the first of their number.
    others: Vec<u32>,
}

impl Hashed {
    /// As [`overlap`](crate::overlap()); `false`, with `clipped` as it was, where two unlike tokens share a hash.
    #[inline]
    pub(crate) fn overlap<T: Hash + Eq>(
        &mut self,
        ladder: &mut Ladder,
        hypothesis: &[T],
        references: &[&[T]],
        clipped: &mut [u64],
    ) -> bool {
        self.hashes.clear();
        self.hashes.extend(hypothesis.iter().map(|token| self.state.hash_one(token)));
        ladder.pairs.number(self.hashes.iter().copied(), &mut ladder.hypothesis.numbers);
        self.find_firsts(&ladder.hypothesis.numbers);
        let first = |number: u32| &hypothesis[self.firsts[number as usize] as usize];
        let number_at = |place: u32| ladder.hypothesis.numbers[place as usize];
        if !self.others.iter().all(|&place| *first(number_at(place)) == hypothesis[place as usize]) {
            return false;
        }
        ladder.begin_references();
        for reference in references {
            let start = ladder.references.numbers.len();
            let offset = ladder.next_position();
            let grams = reference.iter().enumerate();
            let grams = grams.map(|(at, token)| (offset + at as u32, self.state.hash_one(token)));
            ladder.references.append_found(&ladder.pairs, grams);
            ladder.end_reference(reference.len());
            let Side { positions, numbers } = &ladder.references;
            let mut found = positions[start..].iter().zip(&numbers[start..]);
            if !found.all(|(&position, &number)| *first(number) == reference[(position - offset) as usize]) {
                return false;
            }
        }
        ladder.count(ladder.pairs.len(), clipped);
        true
    }

    /// Numbers are given in the order of first occurrence, so the first of the next number is the first to have it.
    /// (In the one case where they are not, keys that were sorted, comparisons fail and the segment is interned.)
    fn find_firsts(&mut self, numbers: &[u32]) {
        for places in [&mut self.firsts, &mut self.others] {
            places.clear();
            places.resize(numbers.len(), 0);
        }
        let (mut firsts, mut others) = (0, 0);
        for (place, &number) in (0..).zip(numbers) {
            (self.firsts[firsts], self.others[others]) = (place, place);
            let is_first = number as usize == firsts;
            firsts += usize::from(is_first);
            others += usize::from(!is_first);
        }
        self.others.truncate(others);
    }
}
