//! The kernel: clipped n-gram matches of all orders up to 8 between two rows of characters of one byte.
//!
//! *Orders 1 and 2* are counted in two tables, by character and by pair: up for the reference, then down for the
//! hypothesis, a match for every step down that does not go below 0.
//!
//! *Orders from 3 up* in one go. The places of the reference stand in chains, one for each hash of three
//! characters. A place `i` of the hypothesis walks the chain of its hash. Its window of 8 characters, XORed with
//! the window of a place `j` of the chain, tells by its trailing zeros how long an n-gram starts at both:
//!
//! ```text
//! hypothesis    t h e c a t s a t      window at 0       t h e c a t s a
//! reference     a n d t h e c o w      window at 3       t h e c o w - -
//!                                      XOR               0 0 0 0 . . . .   equal n-grams up to order 4
//! ```
//!
//! A collision of hashes costs a step and changes nothing, as equality is always checked.
//!
//! *Why claiming is clipping.* Each place `j` has a set of the orders in which it is claimed, 8 bits. Place `i`
//! claims `j` in every order that is long enough, not yet claimed at `j`, and for which `i` has no place yet. The
//! n-grams equal to the one at `i` start at the same places of the reference for all of their occurrences, so
//! `min(count in the hypothesis, count in the reference)` of them find one. The clipped count is the number of
//! claims; guards behind both rows, unlike each other, end n-grams with their rows.
//!
//! Time is linear in the characters where chains are short, as they are in text. A text that repeats itself (one
//! character a thousand times) makes long ones: after a number of steps linear in the lengths the kernel gives up,
//! and the caller counts in another way, so no input takes quadratic time.

use super::characters::{CharacterRow, WINDOW};

pub(crate) const MAX_ORDER: usize = WINDOW;

/// The most characters in a row: beyond, chains are too long in any language, and places have 16 bits.
const MAX_LEN: usize = 1 << 14;
const HASH_BITS: u32 = 12;

/// Steps along chains for each character, beyond which the kernel gives up. In text it takes one to two.
const PATIENCE: usize = 6;

/// The tables. Between calls all of them are zero.
#[derive(Debug, Clone, Default)]
pub(crate) struct Chains {
    characters: Vec<u16>,
    pairs: Vec<u16>,
    last: Vec<u16>,
    /// For each place of the reference the one before it in its chain, 0 for none.
    before: Vec<u16>,
    /// For each place the orders in which it is claimed, order `n` as bit `n - 1`.
    claimed: Vec<u8>,
}

/// The tables at their sizes, which no index of theirs exceeds.
struct ChainTables<'t> {
    characters: &'t mut [u16; 1 << 8],
    pairs: &'t mut [u16; 1 << 16],
    last: &'t mut [u16; 1 << HASH_BITS],
    before: &'t mut [u16],
    claimed: &'t mut [u8],
}

const UP_TO: [u8; WINDOW + 1] = {
    let mut orders = [0; WINDOW + 1];
    let mut n = 1;
    while n <= WINDOW {
        orders[n] = orders[n - 1] << 1 | 1;
        n += 1;
    }
    orders
};

/// The bits of a byte as bytes, so that eight counts are added at once.
const SPREAD: [u64; 256] = {
    let mut spread = [0; 256];
    let mut bits = 0;
    while bits < 256 {
        let mut order = 0;
        while order < 8 {
            spread[bits] |= (bits as u64 >> order & 1) << (8 * order);
            order += 1;
        }
        bits += 1;
    }
    spread
};

impl Chains {
    /// Clipped matches of orders 1 to `matches.len()`, at most [`MAX_ORDER`], of two rows of which one defines and
    /// one is looked up. `false`, and nothing in `matches`, where another way should be taken.
    pub(crate) fn count(
        &mut self,
        hypothesis: &CharacterRow,
        reference: &CharacterRow,
        matches: &mut [u64],
    ) -> bool {
        if matches.len() > MAX_ORDER || reference.len() > MAX_LEN {
            return false;
        }
        matches.fill(0);
        let Some(mut tables) = self.tables(1 + reference.len()) else { return false };
        let hypothesis = hypothesis.guarded();
        let reference = reference.guarded();
        tables.load(reference);
        let counted = tables.walk(hypothesis, reference, matches);
        tables.clear(reference);
        tables.count_claims(matches);
        if !counted {
            matches.fill(0);
        }
        counted
    }

    fn tables(&mut self, places: usize) -> Option<ChainTables<'_>> {
        if self.characters.is_empty() {
            self.characters.resize(1 << 8, 0);
            self.pairs.resize(1 << 16, 0);
            self.last.resize(1 << HASH_BITS, 0);
        }
        if self.before.len() < places {
            self.before.resize(places, 0);
            self.claimed.resize(places, 0);
        }
        Some(ChainTables {
            characters: self.characters.first_chunk_mut()?,
            pairs: self.pairs.first_chunk_mut()?,
            last: self.last.first_chunk_mut()?,
            before: &mut self.before[..places],
            claimed: &mut self.claimed[..places],
        })
    }
}

impl ChainTables<'_> {
    fn load(&mut self, reference: &[u8]) {
        for (j, before) in self.before.iter_mut().enumerate().skip(1) {
            let window = window(reference, j);
            self.characters[character(window)] += 1;
            self.pairs[pair(window)] += 1;
            let last = &mut self.last[hash(window)];
            *before = *last;
            *last = j as u16;
        }
    }

    /// Orders 1 and 2 are counted, the higher ones claimed; `false` where it takes too long.
    fn walk(&mut self, hypothesis: &[u8], reference: &[u8], matches: &mut [u64]) -> bool {
        let places = hypothesis.len().saturating_sub(WINDOW);
        let mut patience = PATIENCE * (places + self.before.len());
        let wanted = UP_TO[matches.len()] & !UP_TO[2];
        let mut low = [0u64; 2];
        for i in 1..places {
            let here = window(hypothesis, i);
            low[0] += u64::from(claim(&mut self.characters[character(here)]));
            low[1] += u64::from(claim(&mut self.pairs[pair(here)]));
            if wanted == 0 {
                continue;
            }
            match self.claim_orders(here, reference, wanted, patience) {
                Some(steps) => patience -= steps,
                None => return false,
            }
        }
        for (count, matches) in low.into_iter().zip(matches) {
            *matches = count;
        }
        true
    }

    #[inline]
    fn claim_orders(&mut self, here: u64, reference: &[u8], mut open: u8, patience: usize) -> Option<usize> {
        let mut j = usize::from(self.last[hash(here)]);
        let mut steps = 0;
        // The place 0 matches nothing: going there once saves a branch that cannot be predicted.
        loop {
            let equal = (here ^ window(reference, j)).trailing_zeros() / u8::BITS;
            let claims = UP_TO[equal as usize] & open & !self.claimed[j];
            self.claimed[j] |= claims;
            open &= !claims;
            j = usize::from(self.before[j]);
            if j == 0 {
                return Some(steps);
            }
            steps += 1;
            if steps > patience {
                return None;
            }
        }
    }

    fn clear(&mut self, reference: &[u8]) {
        for j in 1..self.before.len() {
            let window = window(reference, j);
            self.characters[character(window)] = 0;
            self.pairs[pair(window)] = 0;
            self.last[hash(window)] = 0;
        }
    }

    fn count_claims(&mut self, matches: &mut [u64]) {
        // As many as a byte can count.
        for claimed in self.claimed.chunks_mut(255) {
            let sum: u64 = claimed.iter().map(|&orders| SPREAD[usize::from(orders)]).sum();
            claimed.fill(0);
            for (order, matches) in matches.iter_mut().enumerate() {
                *matches += sum >> (8 * order) & 0xFF;
            }
        }
    }
}

#[inline]
fn claim(left: &mut u16) -> bool {
    let any = *left > 0;
    *left -= u16::from(any);
    any
}

/// The 8 characters from place `at` on, the first one lowest.
#[inline]
fn window(row: &[u8], at: usize) -> u64 {
    row[at..].first_chunk().map_or(0, |bytes| u64::from_le_bytes(*bytes))
}

#[inline]
fn character(window: u64) -> usize {
    usize::from(window as u8)
}

#[inline]
fn pair(window: u64) -> usize {
    usize::from(window as u16)
}

#[inline]
fn hash(window: u64) -> usize {
    ((window << 40).wrapping_mul(0x9E37_79B9_7F4A_7C15) >> (u64::BITS - HASH_BITS)) as usize
}
