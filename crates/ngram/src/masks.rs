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
use crate::rows::Rows;
use alloc::vec::Vec;

/// The references in a mask, with a table of `S` slots, a power of two, from tokens to positions.
#[derive(Debug, Clone, Default)]
pub(crate) struct Masks<B, const S: usize> {
    /// None before the first segment, then `S`.
    slots: Vec<Slot<B>>,
    generation: u32,
    pub(crate) fields: Fields<B>,
}

/// The references' fields within the mask.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Fields<B> {
    /// How many references have any token.
    pub(crate) count: usize,
    /// The lowest bit of each field, and the free bit behind each.
    pub(crate) lows: B,
    pub(crate) guards: B,
    end: usize,
}

/// The token in the low half of `tag`, the generation in the high one: left over from other segments if unlike.
#[derive(Debug, Clone, Copy, Default)]
struct Slot<B> {
    tag: u64,
    mask: B,
}

/// How many bits the references take: their tokens, and one between any two.
pub(crate) fn width(references: Rows<'_>) -> usize {
    let lengths = references.iter().map(<[u32]>::len).filter(|&length| length > 0);
    lengths.fold(0usize, |sum, length| sum.saturating_add(length).saturating_add(1)).saturating_sub(1)
}

impl<B: Bits, const S: usize> Masks<B, S> {
    /// Takes in the references, which must fit.
    pub(crate) fn load(&mut self, references: Rows<'_>) {
        self.empty();
        for reference in references.iter().filter(|reference| !reference.is_empty()) {
            self.append(reference);
        }
    }

    /// A new generation begins; only when their numbers run out is the table itself cleared.
    fn empty(&mut self) {
        self.fields = Fields::default();
        self.generation = self.generation.wrapping_add(1);
        if self.generation == 0 || self.slots.len() != S {
            self.slots.clear();
            self.slots.resize(S, Slot::default());
            self.generation = 1;
        }
    }

    fn append(&mut self, reference: &[u32]) {
        let start = self.fields.end;
        let Some(slots) = self.slots.first_chunk_mut::<S>() else { return };
        for (position, &token) in (start..).zip(reference) {
            let (at, same) = probe(slots, self.generation, token);
            let slot = &mut slots[at % S];
            let mask = slot.mask.only_if(same) | B::one(position);
            *slot = Slot { tag: tag(self.generation, token), mask };
        }
        let end = start + reference.len();
        self.fields.count += 1;
        self.fields.lows = self.fields.lows | B::one(start);
        if end < B::WIDTH {
            self.fields.guards = self.fields.guards | B::one(end);
        }
        self.fields.end = end + 1;
    }

    /// The way from a token to its positions.
    #[inline]
    pub(crate) fn lookup(&self) -> impl Fn(u32) -> B + '_ {
        let (slots, generation) = (self.slots.first_chunk::<S>(), self.generation);
        move |token| {
            let Some(slots) = slots else { return B::default() };
            let (at, same) = probe(slots, generation, token);
            slots[at % S].mask.only_if(same)
        }
    }
}

/// The token's slot and `true`, or the free slot where it would go and `false`.
#[inline]
fn probe<B: Bits, const S: usize>(slots: &[Slot<B>; S], generation: u32, token: u32) -> (usize, bool) {
    let tag = tag(generation, token);
    let mut at = (token.wrapping_mul(GOLDEN) >> (u32::BITS - S.trailing_zeros())) as usize;
    loop {
        let difference = slots[at % S].tag ^ tag;
        // Taken by another token: the same generation, so the high half is equal, the low half is not.
        if difference.wrapping_sub(1) >= u64::from(u32::MAX) {
            return (at, difference == 0);
        }
        at += 1;
    }
}

#[inline]
fn tag(generation: u32, token: u32) -> u64 {
    u64::from(generation) << 32 | u64::from(token)
}

/// 2^32 divided by the golden ratio, odd: spreads small consecutive ids evenly.
const GOLDEN: u32 = 0x9E37_79B1;
