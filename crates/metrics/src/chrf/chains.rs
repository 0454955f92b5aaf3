//! Inner loop of chrF: counts clipped n-gram matches of all orders up to 8 between two texts, given as
//! one-byte character numbers.
//!
//! *Orders 1 and 2* use two tables of counts, one by character and one by pair of characters. The reference
//! counts up, then the hypothesis counts down. Each step down that does not go below 0 is a match.
//!
//! *Orders from 3 up* are counted in one pass. The positions of the reference are linked in chains, one for
//! each hash of three characters. A position `i` of the hypothesis walks the chain of its hash. The window of
//! 8 characters at `i` is XORed with the window at each position `j` of the chain. The trailing zeros of the
//! result give the length of the longest n-gram that starts at both:
//!
//! ```text
//! hypothesis    t h e c a t s a t      window at 0       t h e c a t s a
//! reference     a n d t h e c o w      window at 3       t h e c o w - -
//!                                      XOR               0 0 0 0 . . . .   equal n-grams up to order 4
//! ```
//!
//! A hash collision costs a step but changes nothing, because equality is always checked.
//!
//! *Why claiming is clipping.* Each position `j` has a set of the orders in which it is claimed, 8 bits.
//! Position `i` claims `j` in every order in which three conditions hold: the common n-gram is long enough,
//! `j` is not yet claimed, and `i` has claimed no other position.
//!
//! All occurrences of one n-gram in the hypothesis can claim the same positions of the reference. So exactly
//! `min(count in the hypothesis, count in the reference)` of them succeed, and the clipped count is the
//! number of claims. Guard bytes follow both rows; they differ from each other, so no n-gram extends past the
//! end of a row.
//!
//! Time is linear in the characters if chains are short, as in natural text. A repetitive text (one character
//! a thousand times) makes long chains. The kernel gives up after a number of steps that is linear in the
//! lengths. The caller then counts in another way, so no input takes quadratic time.

use super::characters::{CharacterRow, WINDOW};

pub(crate) const MAX_ORDER: usize = WINDOW;

/// Maximum number of characters of a reference for chrF's fast counting, which looks up positions by a hash
/// of three characters. In longer texts too many positions share one hash, and positions must fit 16 bits.
const MAX_LEN: usize = 1 << 14;
const HASH_BITS: u32 = 12;

/// Limit of the fast counting of chrF's n-grams: mean number of reference positions compared per character.
/// Above it, a slower algorithm counts.
///
/// The fast algorithm compares a hypothesis position with all reference positions that have the same hash of
/// three characters. Natural text has one to two such positions.
const PATIENCE: usize = 6;

/// Tables for counting chrF's character n-gram matches, all zero between calls.
#[derive(Debug, Clone, Default)]
pub(crate) struct Chains {
    characters: Vec<u16>,
    pairs: Vec<u16>,
    last: Vec<u16>,
    /// For each position of the reference, the nearest earlier position where three characters with the same
    /// hash begin; 0 if there is none. Following these links finds all positions where an n-gram may match.
    before: Vec<u16>,
    /// For each position of the reference, a set of n-gram orders, in which order `n` is bit `n - 1`. An
    /// order is in the set if a hypothesis n-gram of this order is already matched with the n-gram at this
    /// position.
    claimed: Vec<u8>,
}

/// Tables for counting chrF's character n-gram matches, as arrays of fixed size, so that the compiler omits
/// bounds checks.
struct ChainTables<'t> {
    characters: &'t mut [u16; 1 << 8],
    pairs: &'t mut [u16; 1 << 16],
    last: &'t mut [u16; 1 << HASH_BITS],
    before: &'t mut [u16],
    claimed: &'t mut [u8],
}

// Entry n has the bits of orders 1 to n: all orders in which two windows with n equal characters match.
const UP_TO: [u8; WINDOW + 1] = {
    let mut orders = [0; WINDOW + 1];
    let mut n = 1;
    while n <= WINDOW {
        orders[n] = orders[n - 1] << 1 | 1;
        n += 1;
    }
    orders
};

/// For each byte value, its eight bits as eight bytes of 0 or 1, so that one 64-bit addition increases up to
/// eight counts.
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
    /// Counts the clipped matches of n-gram orders 1 to `matches.len()`, at most [`MAX_ORDER`], between two
    /// texts of numbered characters.
    ///
    /// One text must have defined the numbers, and the other must have been looked up in them. Returns
    /// `false`, with zeros in `matches`, if the caller must use the slower general count.
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
        // Entries that the reference touched are reset one by one: clearing 128 KiB of pairs would cost more
        // than counting a sentence. The hypothesis only lowers these same counts.
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
        // Each chain ends up with the latest position first. Any order gives the same number of claims.
        for (j, before) in self.before.iter_mut().enumerate().skip(1) {
            let window = window(reference, j);
            self.characters[character(window)] += 1;
            self.pairs[pair(window)] += 1;
            let last = &mut self.last[hash(window)];
            *before = *last;
            *last = j as u16;
        }
    }

    /// Counts the n-gram matches of a hypothesis with a reference: orders 1 and 2 by tables of counts, and
    /// higher orders by comparing positions with equal hashes. Returns `false` if this takes too many steps.
    fn walk(&mut self, hypothesis: &[u8], reference: &[u8], matches: &mut [u64]) -> bool {
        let places = hypothesis.len().saturating_sub(WINDOW);
        let mut patience = PATIENCE * (places + self.before.len());
        // Bits 0 and 1 are dropped: the tables have counted those orders exactly.
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
        // Position 0 is a guard that matches nothing. Visiting it once saves a branch that the processor
        // cannot predict.
        loop {
            // The first character is the lowest byte, so trailing zero bytes are leading equal characters.
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
        // A byte of the sum overflows after 255 claims.
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

/// Returns the 8 one-byte characters of a text from position `at` on as an integer, with the first character
/// in the lowest byte.
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
    // Multiplicative hashing by 2^64 divided by the golden ratio. The shift by 40 keeps the first three
    // characters.
    ((window << 40).wrapping_mul(0x9E37_79B9_7F4A_7C15) >> (u64::BITS - HASH_BITS)) as usize
}
