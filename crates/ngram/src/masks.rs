//! The path for short segments: bit masks of reference positions.
//!
//! A small table leads from each token of the reference to the set of its positions, as the bits of a mask. If
//! `m(i)` is the mask of hypothesis token `i`, then the n-gram that *ends* at `i` ends in the reference at
//!
//! ```text
//! E1(i) = m(i)        En(i) = (E(n-1)(i - 1) << 1) & m(i)
//!
//! reference    the cat  is  on the mat            bit 0 is the first "the"
//! position      0   1   2   3   4   5
//!
//! hypothesis   the  on  the  cat
//! E1          .1..1 3   0..4 1                    as sets: {0,4} {3} {0,4} {1}
//! E2            -   {}  {4}  {1}                  "on the" ends at 4, "the cat" at 1; "the on" nowhere
//! E3                -   {}   {}
//! ```
//!
//! *Why claiming is clipping.* Equal n-grams have equal sets `En`, different ones disjoint sets: at one reference
//! position ends one n-gram of each order. So let every occurrence in the hypothesis claim the lowest position
//! of its set that is still free, per order. The occurrences of one n-gram compete for exactly its own positions,
//! and `min(count in hypothesis, count in reference)` of them get one. The clipped count is the number of
//! positions claimed, a popcount at the end.
//!
//! ```text
//! hypothesis    the    the    the                 E1 = {0,4} each time
//! claimed       {0}   {0,4}  {0,4}                the third finds nothing free: clipped to 2
//! ```
//!
//! *Several references* lie side by side in one mask, a bit left free behind each, which no n-gram can cross since
//! no token has it. An occurrence claims one position *in every reference that has one left*, and matches when
//! there was any: the k-th occurrence does so as long as k is not above the largest count in any one reference.
//! The lowest free bits of all fields come from one subtraction, the free bits behind them stopping the borrows:
//!
//! ```text
//! field          | reference 1 |  | reference 0 |
//! free          0  1 0 1 0 0   0  0 0 1 1 0
//! | guards      1  1 0 1 0 0   1  0 0 1 1 0
//! - lows        1  1 0 0 1 1   1  0 0 1 0 1      one less in each field
//! free & !that  0  0 0 1 0 0   0  0 0 0 1 0      the lowest of each
//! ```
//!
//! All steps are free of branches that depend on the text, as a mispredicted one costs as much as three tokens.
//! Time `O(tokens · width / 64)` and `O(orders)` more for the claims; the table cannot be crafted into more than
//! as many probes per token as the mask has bits.

use crate::bits::Bits;
use crate::claims::{self, Room};
use crate::rows::Rows;
use alloc::vec::Vec;

/// Where the references lie in the mask, and the table from tokens to positions.
#[derive(Debug, Clone, Default)]
pub(crate) struct Masks<const W: usize> {
    slots: Vec<Slot<W>>,
    /// How far to shift a 32-bit hash down to a slot number.
    shift: u32,
    generation: u32,
    pub(crate) fields: Fields<W>,
}

/// The references' fields within the mask.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Fields<const W: usize> {
    /// How many references have any token.
    pub(crate) count: usize,
    /// The lowest bit of each field, and the free bit behind each.
    pub(crate) lows: Bits<W>,
    pub(crate) guards: Bits<W>,
    end: usize,
}

/// The token in the low half of `tag`, the generation in the high one: left over from other segments if unlike.
#[derive(Debug, Clone, Copy)]
struct Slot<const W: usize> {
    tag: u64,
    mask: Bits<W>,
}

/// Slots of the table that serves every segment: at least four per bit, so that few tokens collide.
const SLOTS: usize = 1024;

/// How many bits the references take: their tokens, and one between any two.
pub(crate) fn width(references: Rows<'_>) -> usize {
    let lengths = references.iter().map(<[u32]>::len).filter(|&length| length > 0);
    lengths.fold(0usize, |sum, length| sum.saturating_add(length).saturating_add(1)).saturating_sub(1)
}

impl<const W: usize> Masks<W> {
    /// As [`overlap`](crate::overlap()), against references that fit the mask.
    pub(crate) fn overlap(
        &mut self,
        hypothesis: &[u32],
        references: Rows<'_>,
        clipped: &mut [u64],
        room: &mut Room<W>,
    ) {
        self.load(references, SLOTS);
        claims::count(self, hypothesis, clipped, room);
    }

    /// Takes in the references, which must fit; `slots` is a power of two above the number of their tokens.
    pub(crate) fn load(&mut self, references: Rows<'_>, slots: usize) {
        self.empty(slots);
        for reference in references.iter().filter(|reference| !reference.is_empty()) {
            self.append(reference);
        }
    }

    /// A new generation begins; only when their numbers run out is the table itself cleared.
    fn empty(&mut self, slots: usize) {
        self.fields = Fields::default();
        self.generation = self.generation.wrapping_add(1);
        if self.generation == 0 || self.slots.len() != slots {
            self.slots.clear();
            self.slots.resize(slots, Slot { tag: 0, mask: Bits::ZERO });
            self.generation = 1;
            self.shift = u32::BITS - slots.trailing_zeros();
        }
    }

    fn append(&mut self, reference: &[u32]) {
        let start = self.fields.end;
        for (position, &token) in (start..).zip(reference) {
            self.set(token, Bits::one(position));
        }
        let end = start + reference.len();
        self.fields.count += 1;
        self.fields.lows = self.fields.lows.or(Bits::one(start));
        if end < Bits::<W>::WIDTH {
            self.fields.guards = self.fields.guards.or(Bits::one(end));
        }
        self.fields.end = end + 1;
    }

    #[inline]
    fn set(&mut self, token: u32, position: Bits<W>) {
        let (at, same) = self.probe(token);
        let tag = self.tag(token);
        let slot = &mut self.slots[at];
        *slot = Slot { tag, mask: slot.mask.only_if(same).or(position) };
    }

    /// The positions of the token.
    #[inline]
    pub(crate) fn get(&self, token: u32) -> Bits<W> {
        let (at, same) = self.probe(token);
        self.slots[at].mask.only_if(same)
    }

    /// The token's slot and `true`, or the free slot where it would go and `false`.
    #[inline]
    fn probe(&self, token: u32) -> (usize, bool) {
        let tag = self.tag(token);
        let mut at = (token.wrapping_mul(GOLDEN) >> self.shift) as usize;
        loop {
            at &= self.slots.len() - 1;
            let difference = self.slots[at].tag ^ tag;
            // Taken by another token: the same generation, so the high half is equal, the low half is not.
            if difference.wrapping_sub(1) >= u64::from(u32::MAX) {
                return (at, difference == 0);
            }
            at += 1;
        }
    }

    #[inline]
    fn tag(&self, token: u32) -> u64 {
        u64::from(self.generation) << 32 | u64::from(token)
    }
}

/// 2^32 divided by the golden ratio, odd: spreads small consecutive ids evenly.
const GOLDEN: u32 = 0x9E37_79B1;
