//! Counts clipped n-gram matches for tokens of any type. Tokens get numbers by their hashes, and the equality
//! of tokens with equal hashes is always checked.
//!
//! Each token is compared with the first hypothesis token of equal hash. Nearly all comparisons succeed, so
//! the processor predicts them; interning token by token mispredicts at every new token. Reference tokens
//! whose hash does not occur in the hypothesis differ from all its tokens and need no comparison. A segment
//! in which two different tokens share a hash is interned instead.

use crate::ladder::{Ladder, LadderSide};
use alloc::vec::Vec;
use core::hash::{BuildHasher, Hash};
use foldhash::fast::RandomState;

#[derive(Debug, Clone, Default)]
pub(crate) struct Hashed {
    state: RandomState,
    hashes: Vec<u64>,
    /// Position of the first hypothesis token with each hash, indexed by the number of the hash. The hashes
    /// are numbered from 0 in the order of their first occurrence.
    firsts: Vec<u32>,
    /// Positions of the hypothesis tokens that are not in `firsts`. Each must equal the first token with its
    /// hash; otherwise different tokens share a hash.
    others: Vec<u32>,
}

impl Hashed {
    /// Counts the clipped n-gram matches of a hypothesis with its references. Returns `false`, and leaves
    /// `clipped` unchanged, if two different tokens have the same hash.
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
            let LadderSide { positions, numbers } = &ladder.references;
            let mut found = positions[start..].iter().zip(&numbers[start..]);
            if !found.all(|(&position, &number)| *first(number) == reference[(position - offset) as usize]) {
                return false;
            }
        }
        ladder.count(ladder.pairs.len(), clipped);
        true
    }

    /// Stores the position of the first hypothesis token with each hash in `firsts`, and of all later tokens
    /// in `others`. `numbers` are the numbers of the tokens' hashes, in the order of their first occurrence.
    ///
    /// If the hash table had to sort its keys, numbers are in another order. The comparison of tokens then
    /// fails, and the caller counts by a slower method.
    fn find_firsts(&mut self, numbers: &[u32]) {
        for places in [&mut self.firsts, &mut self.others] {
            places.clear();
            places.resize(numbers.len(), 0);
        }
        let mut firsts = 0;
        let mut others = 0;
        for (place, &number) in (0..).zip(numbers) {
            (self.firsts[firsts], self.others[others]) = (place, place);
            let is_first = number as usize == firsts;
            firsts += usize::from(is_first);
            others += usize::from(!is_first);
        }
        self.others.truncate(others);
    }
}
