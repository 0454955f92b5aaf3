//! Interning: maps tokens of any type `T: Hash + Eq` to dense `u32` ids within a segment, without cloning or
//! keeping a `T`.
//!
//! A slot of the hash table holds a part of the token's hash and the id. The id leads to the first occurrence
//! (sequence, position), where equality is checked in the caller's slices. So the tables depend on no token
//! type and no lifetime, and serve segments of any type in turn.

use crate::rows::{Flat, ReferenceRows};
use alloc::vec::Vec;
use core::hash::{BuildHasher, Hash};
use foldhash::fast::RandomState;

/// Assigns the ids 0, 1, 2, .. to the distinct tokens of a segment (a hypothesis and its references), in the
/// order in which they first occur.
///
/// The hypothesis comes first, then each reference. Equality is always checked; a hash alone never decides.
/// The tables are reused from segment to segment, without clearing and, once warm, without allocation.
/// Expected time `O(tokens)`. The hash is keyed, so that tokens cannot be crafted to collide. (If all tokens
/// have one hash, the time is quadratic, which cannot be avoided with `Eq` alone.)
///
/// ```
/// let mut interner = bleuprint_ngram::Interner::default();
/// interner.intern_segment(&["the", "cat", "the"], &[&["a", "cat"], &[]]);
/// assert_eq!(interner.hypothesis(), [0, 1, 0]);
/// assert_eq!(interner.reference(0), [2, 1]);
/// assert_eq!(interner.references().map(<[u32]>::len).collect::<Vec<_>>(), [2, 0]);
/// assert_eq!(interner.distinct(), 3);
/// ```
#[derive(Debug, Clone, Default)]
pub struct Interner {
    state: RandomState,
    slots: Vec<InternSlot>,
    /// Smallest token id of the current segment. Ids are not restarted for a new segment; hash table slots
    /// with smaller ids are stale and count as free.
    base: u32,
    places: Vec<InternPlace>,
    pub(crate) flat: Flat,
}

#[derive(Debug, Clone, Copy, Default)]
struct InternSlot {
    fragment: u32,
    id: u32,
}

#[derive(Debug, Clone, Copy)]
struct InternPlace {
    /// Index of the sequence that contains the token: 0 is the hypothesis, `k + 1` is reference `k`.
    sequence: u32,
    position: u32,
}

impl Interner {
    /// Assigns ids to the tokens of one segment, a hypothesis and its references. The ids of the previous
    /// segment are overwritten.
    ///
    /// A segment holds at most 2^31 - 1 tokens (8 GB of ids); further tokens are ignored.
    #[inline]
    pub fn intern_segment<T: Hash + Eq>(&mut self, hypothesis: &[T], references: &[&[T]]) {
        let total =
            references.iter().fold(hypothesis.len(), |sum, reference| sum.saturating_add(reference.len()));
        self.begin(total);
        self.append(0, hypothesis, hypothesis, references);
        for (sequence, reference) in (1..).zip(references) {
            self.append(sequence, reference, hypothesis, references);
        }
    }

    /// Assigns ids to the tokens of a segment, like [`Interner::intern_segment`]. Small integer tokens are
    /// their own ids, for callers that tolerate gaps between ids: the bitwise OR of all tokens must be below
    /// `most`.
    ///
    /// The OR needs no comparison per token. `u32` tokens are not even copied.
    ///
    /// ```
    /// let mut interner = bleuprint_ngram::Interner::default();
    /// let segment = interner.number_segment(&[7_u32, 5], &[&[5]], 100);
    /// assert_eq!((segment.hypothesis, segment.bound), (&[7, 5][..], 8));
    /// let segment = interner.number_segment(&[7_u32, 500], &[&[500]], 100);
    /// assert_eq!((segment.references().next(), segment.bound), (Some(&[1][..]), 2));
    /// ```
    #[inline]
    pub fn number_segment<'s, T: Hash + Eq>(
        &'s mut self,
        hypothesis: &'s [T],
        references: &'s [&'s [T]],
        most: u32,
    ) -> SegmentIds<'s> {
        let all_bits = |ids: &[u32]| ids.iter().fold(0, |bits, id| bits | id);
        if let Some((hypothesis, references)) = crate::token::as_ids(hypothesis, references) {
            let bits = references.iter().fold(all_bits(hypothesis), |bits, ids| bits | all_bits(ids));
            if bits < most {
                let references = ReferenceRows::Borrowed(references);
                return SegmentIds { hypothesis, references, bound: bits as usize + 1 };
            }
        } else if crate::token::is_integer::<T>() {
            self.flat.clear();
            let append = |sequence: &[T]| {
                let fits = crate::token::append_values(sequence, &mut self.flat.ids);
                self.flat.end();
                fits
            };
            let sequences = core::iter::once(hypothesis).chain(references.iter().copied());
            let fit = sequences.map(append).fold(true, |a, b| a & b);
            let bits = all_bits(&self.flat.ids);
            if fit && bits < most {
                return SegmentIds::from_flat(&self.flat, bits as usize + 1);
            }
        }
        self.intern_segment(hypothesis, references);
        SegmentIds::from_flat(&self.flat, self.distinct())
    }

    /// Returns the token ids of the hypothesis of the segment that was interned last.
    pub fn hypothesis(&self) -> &[u32] {
        self.flat.hypothesis()
    }

    /// Returns the token ids of reference `index` of the segment that was interned last; empty if there is no
    /// such reference.
    pub fn reference(&self, index: usize) -> &[u32] {
        self.flat.sequence(index.saturating_add(1))
    }

    /// Returns the token ids of each reference of the segment that was interned last.
    pub fn references(&self) -> impl ExactSizeIterator<Item = &[u32]> + Clone {
        self.flat.references().iter()
    }

    /// Returns the number of distinct tokens of the segment that was interned last, an exclusive upper bound
    /// of its ids.
    pub fn distinct(&self) -> usize {
        self.places.len()
    }

    /// Empties the hash table and provides slots for a segment of `total` tokens, at most half of them used.
    fn begin(&mut self, total: usize) {
        let total = total.min(MAX_TOKENS);
        self.base = self.base.saturating_add(self.places.len() as u32).max(1);
        let slots = (2 * total).next_power_of_two().max(self.slots.len());
        if slots > self.slots.len() || self.base as usize > MAX_TOKENS {
            self.slots.clear();
            self.slots.resize(slots, InternSlot::default());
            self.base = 1;
        }
        self.places.clear();
        self.flat.clear();
    }

    /// Assigns ids to the tokens of `sequence`. Its index `number` is 0 for the hypothesis and `k + 1` for
    /// reference `k`.
    #[inline]
    fn append<T: Hash + Eq>(&mut self, number: u32, sequence: &[T], hypothesis: &[T], references: &[&[T]]) {
        let mask = self.slots.len() - 1;
        let room = MAX_TOKENS.saturating_sub(self.flat.ids.len()).min(sequence.len());
        let sequence = &sequence[..room];
        if self.slots.len() <= LARGE {
            for (position, token) in (0u32..).zip(sequence) {
                let hash = self.state.hash_one(token);
                self.insert(hash, token, InternPlace { sequence: number, position }, hypothesis, references);
            }
        } else {
            let mut hashes = [0; FETCHED];
            for (first, tokens) in (0u32..).step_by(FETCHED).zip(sequence.chunks(FETCHED)) {
                // The slots of a batch are read ahead together: single reads would each wait for memory.
                let mut ids = 0;
                for (hash, token) in hashes.iter_mut().zip(tokens) {
                    *hash = self.state.hash_one(token);
                    ids ^= self.slots[*hash as usize & mask].id;
                }
                core::hint::black_box(ids);
                for ((position, token), &hash) in (first..).zip(tokens).zip(&hashes) {
                    self.insert(
                        hash,
                        token,
                        InternPlace { sequence: number, position },
                        hypothesis,
                        references,
                    );
                }
            }
        }
        self.flat.end();
    }

    /// Finds the token with this hash in the hash table, adds it if it is new, and appends its id to the
    /// sequence.
    #[inline(always)]
    fn insert<T: Eq>(
        &mut self,
        hash: u64,
        token: &T,
        place: InternPlace,
        hypothesis: &[T],
        references: &[&[T]],
    ) {
        let mask = self.slots.len() - 1;
        let fragment = (hash >> 32) as u32;
        let mut at = hash as usize & mask;
        let id = loop {
            let slot = self.slots[at];
            if slot.id < self.base {
                let id = self.places.len() as u32;
                self.slots[at] = InternSlot { fragment, id: self.base + id };
                self.places.push(place);
                break id;
            }
            let id = slot.id - self.base;
            if slot.fragment == fragment && self.places[id as usize].token(hypothesis, references) == token {
                break id;
            }
            at = (at + 1) & mask;
        };
        self.flat.ids.push(id);
    }
}

/// The token ids of a segment's hypothesis and references; [`Interner::number_segment`] creates them.
#[derive(Debug, Clone, Copy)]
pub struct SegmentIds<'s> {
    /// Token ids of the hypothesis.
    pub hypothesis: &'s [u32],
    references: ReferenceRows<'s>,
    /// Exclusive upper bound of all token ids of the segment.
    pub bound: usize,
}

impl<'s> SegmentIds<'s> {
    fn from_flat(flat: &'s Flat, bound: usize) -> Self {
        SegmentIds { hypothesis: flat.hypothesis(), references: flat.references(), bound }
    }

    /// Returns the token ids of each reference.
    pub fn references(&self) -> impl ExactSizeIterator<Item = &'s [u32]> + Clone + use<'s> {
        self.references.iter()
    }
}

/// Number of slots above which a hash table does not fit the fast caches near the processor core.
const LARGE: usize = if cfg!(test) { 16 } else { 1 << 16 };

/// Number of slots of a large hash table that are prefetched together.
const FETCHED: usize = 32;

/// Maximal number of tokens in one segment; twice this number still fits 32-bit ids.
pub(crate) const MAX_TOKENS: usize = (1 << 31) - 1;

impl InternPlace {
    #[inline]
    fn token<'a, T>(self, hypothesis: &'a [T], references: &[&'a [T]]) -> &'a T {
        let position = self.position as usize;
        match (self.sequence as usize).checked_sub(1) {
            None => &hypothesis[position],
            Some(reference) => &references[reference][position],
        }
    }
}
