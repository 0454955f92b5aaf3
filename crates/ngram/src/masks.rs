//! Counts clipped n-gram matches of short segments with bit masks of reference positions.
//!
//! A small table maps each token of the reference to the set of its positions, as the bits of a mask. If
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
//! *Why claiming is clipping.* Equal n-grams have equal sets `En`, different n-grams have disjoint sets,
//! because only one n-gram of each order ends at a reference position. So every occurrence in the hypothesis
//! claims the lowest free position of its set, per order. The occurrences of one n-gram compete only for that
//! n-gram's positions, and `min(count in hypothesis, count in reference)` of them get one. The clipped count
//! is the number of claimed positions, a popcount at the end.
//!
//! ```text
//! hypothesis    the    the    the                 E1 = {0,4} each time
//! claimed       {0}   {0,4}  {0,4}                the third finds nothing free: clipped to 2
//! ```
//!
//! *Several references* are placed side by side in one mask, separated by one free bit each. No token has
//! this bit, so no n-gram crosses it. An occurrence claims one position *in every reference that has one
//! left*, and matches if it claims any. The k-th occurrence does so if k is at most the largest count in any
//! single reference. One subtraction finds the lowest free bits of all references; the separating bits stop
//! the borrows:
//!
//! ```text
//! field          | reference 1 |  | reference 0 |
//! free          0  1 0 1 0 0   0  0 0 1 1 0
//! | guards      1  1 0 1 0 0   1  0 0 1 1 0
//! - lows        1  1 0 0 1 1   1  0 0 1 0 1      one less in each field
//! free & !that  0  0 0 1 0 0   0  0 0 0 1 0      the lowest of each
//! ```
//!
//! No step has a data-dependent branch, because a misprediction costs as much as three tokens. Time
//! `O(tokens · orders)`. Tokens crafted to collide cost at most as many probes each as the mask has bits.

use crate::claims::MaskFields;
use crate::rows::ReferenceRows;
use alloc::vec::Vec;
use core::hint::select_unpredictable;

pub(crate) const WIDTH: usize = u64::BITS as usize;

/// The references of a segment as bit masks, in a hash table of `S` slots (a power of two) from tokens to the
/// positions at which they occur.
#[derive(Debug, Clone, Default)]
pub(crate) struct ReferenceMasks<const S: usize> {
    /// Slots of the hash table from tokens to their positions in the references. The list is empty before the
    /// first segment; then it has `S` slots, the type's parameter.
    slots: Vec<MaskSlot<u64>>,
    generation: u32,
    fields: MaskFields,
    end: usize,
}

/// A slot of a hash table from tokens to their positions in the references. The low half of `tag` is the
/// token, the high half the generation; slots of other generations are free.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct MaskSlot<M> {
    pub(crate) tag: u64,
    pub(crate) mask: M,
}

/// Returns `true` if the references fit a mask of 64 bits: their tokens, and a free position between any two
/// references.
pub(crate) fn fit(references: ReferenceRows<'_>) -> bool {
    let mut lengths = references.iter().map(<[u32]>::len).filter(|&length| length > 0);
    lengths.try_fold(0, |start, length| Some(start + length + 1).filter(|&next| next <= WIDTH + 1)).is_some()
}

impl<const S: usize> ReferenceMasks<S> {
    /// Loads the references of a new segment, which must [`fit`] a mask of 64 bits, and removes all earlier
    /// references.
    pub(crate) fn load(&mut self, references: ReferenceRows<'_>) {
        self.clear();
        for reference in references.iter() {
            self.append(reference);
        }
    }

    /// Removes all references by starting a new generation of hash table slots; slots of earlier generations
    /// are free. The table itself is cleared only when the generation numbers run out.
    pub(crate) fn clear(&mut self) {
        (self.fields, self.end) = (MaskFields::default(), 0);
        self.generation = self.generation.wrapping_add(1);
        if self.generation == 0 || self.slots.len() != S {
            self.slots.clear();
            self.slots.resize(S, MaskSlot::default());
            self.generation = 1;
        }
    }

    /// Adds one more reference, which must fit into the free bits, to the bit masks of token positions.
    pub(crate) fn append(&mut self, reference: &[u32]) {
        let Some(slots) = self.slots.first_chunk_mut::<S>().filter(|_| !reference.is_empty()) else { return };
        let start = self.end;
        for (position, &token) in (start as u32..).zip(reference) {
            let (at, same) = probe(slots, self.generation, token);
            let slot = &mut slots[at % S];
            // `wrapping` and not checked shifts: `fit` has made sure that positions are below 64, and a check
            // would be a branch.
            let mask = select_unpredictable(same, slot.mask, 0) | 1u64.wrapping_shl(position);
            *slot = MaskSlot { tag: tag(self.generation, token), mask };
        }
        let end = start + reference.len();
        self.fields.count += 1;
        self.fields.lows |= 1u64.wrapping_shl(start as u32);
        // The last reference may end at bit 63. It then needs no separating bit, because a borrow leaves the
        // mask.
        self.fields.guards |= 1u64.checked_shl(end as u32).unwrap_or(0);
        self.end = end + 1;
    }

    pub(crate) fn fields(&self) -> MaskFields {
        self.fields
    }

    #[inline]
    pub(crate) fn lookup(&self) -> impl Fn(&u32) -> u64 + '_ {
        let slots = self.slots.first_chunk::<S>();
        let generation = self.generation;
        move |&token| {
            let Some(slots) = slots else { return 0 };
            let (at, same) = probe(slots, generation, token);
            select_unpredictable(same, slots[at % S].mask, 0)
        }
    }
}

/// Returns the hash table slot of the token and `true`, or the free slot for it and `false`.
#[inline]
pub(crate) fn probe<M: Copy, const S: usize>(
    slots: &[MaskSlot<M>; S],
    generation: u32,
    token: u32,
) -> (usize, bool) {
    let tag = tag(generation, token);
    let mut at = (token.wrapping_mul(GOLDEN) >> (u32::BITS - S.trailing_zeros())) as usize;
    loop {
        let difference = slots[at % S].tag ^ tag;
        // Another token of the same generation holds the slot: the high halves are equal, the low halves
        // differ.
        if difference.wrapping_sub(1) >= u64::from(u32::MAX) {
            return (at, difference == 0);
        }
        // The loop ends because the table has more slots than the mask has bits.
        at += 1;
    }
}

#[inline]
pub(crate) fn tag(generation: u32, token: u32) -> u64 {
    u64::from(generation) << 32 | u64::from(token)
}

/// Factor of the hash of token ids: 2^32 divided by the golden ratio, rounded to an odd number. It spreads
/// small consecutive ids evenly.
const GOLDEN: u32 = 0x9E37_79B1;
