//! A hash table from keys to consecutive 32-bit numbers, for segments of any length; it uses open addressing
//! and is never cleared.
//!
//! Each slot holds a key and an id. Ids are not restarted for a new use of the table. A slot whose id is
//! below the start of the current use is stale, hence free, so nothing is cleared. No key is more than
//! [`REACH`] slots behind its home slot, which its hash selects; this bounds the cost of a look-up. Keys
//! beyond that reach were almost certainly crafted to collide: they are sorted instead, and found by binary
//! search. That bounds the worst case at `O(n log n)` without trust in the hash and without random seeds.

use alloc::vec::Vec;
use core::hint::select_unpredictable;
use num_traits::{AsPrimitive, PrimInt};

/// Maximal distance, in slots of the hash table, of a key from its home slot, where its search begins. At
/// half load the largest expected distance among a million keys is 70.
const REACH: usize = 128;

/// Minimal number of slots of the hash table: 16 kB, at which collisions between few keys are rare.
const FEWEST: usize = 1024;

/// Number of keys above which the hash table grows on demand; slots for this many keys take 16 MiB.
const MANY: usize = if cfg!(test) { 1 << 10 } else { 1 << 18 };

/// Number of slots above which a hash table does not fit the fast caches near the processor core: see
/// [`Index::fetch`].
const LARGE: usize = if cfg!(test) { 1 << 10 } else { 1 << 16 };

/// Number of hash table slots that are prefetched together.
const FETCHED: usize = 32;

/// Largest number of keys for which the hash table gets more slots per key, to avoid collisions.
const FEW: usize = if cfg!(test) { 1 << 7 } else { 1 << 12 };

pub(crate) const NONE: u32 = u32::MAX;

/// A hash table from keys to numbers 0, 1, 2, .. A key is a token id, or two numbers packed into 64 bits.
#[derive(Debug, Clone, Default)]
pub(crate) struct Index<K> {
    slots: Vec<IndexSlot<K>>,
    shift: u32,
    base: u32,
    next: u32,
    /// Distinct keys in ascending order if they did not fit the hash table; otherwise empty.
    sorted: Vec<K>,
    compact: bool,
}

/// A slot of a hash table from keys to ids; it is free if its id is below the smallest id in use (`base`).
#[derive(Debug, Clone, Copy, Default)]
struct IndexSlot<K> {
    key: K,
    id: u32,
}

impl<K: PrimInt + Default + AsPrimitive<u64>> IndexSlot<K> {
    /// Returns `true` if the hash table slot is in use (its id is at least `base`) and holds a key different
    /// from `key`.
    ///
    /// Both conditions are computed as one number, so that the processor executes a single branch, which it
    /// predicts well. A branch on "in use" alone would be unpredictable, because it depends on new tokens.
    ///
    /// Both keys are widened to `u64` before they are compared. If a 32-bit difference is widened instead,
    /// the compiler creates two branches, which costs 20 to 38 % per token.
    #[inline]
    fn is_taken(self, key: K, base: u32) -> bool {
        let difference = self.key.as_() ^ key.as_();
        // The sign bit spread over all bits: all ones if `id >= base`, that is, if the slot is in use, else
        // 0.
        let in_use = (i64::from(base) - 1 - i64::from(self.id)) >> 63;
        difference & in_use as u64 != 0
    }
}

impl<K: PrimInt + Default + AsPrimitive<u64>> Index<K> {
    /// Replaces the contents of the table by these keys and writes the number of each key: equal keys get
    /// equal numbers, all below [`Index::len`].
    pub(crate) fn number(&mut self, keys: impl ExactSizeIterator<Item = K> + Clone, numbers: &mut Vec<u32>) {
        numbers.clear();
        let far = if keys.len() > MANY {
            self.number_many(keys.clone(), numbers)
        } else {
            self.begin(keys.len());
            self.insert(keys.clone(), numbers)
        };
        if far {
            self.sorted.extend(keys.clone());
            self.sorted.sort_unstable();
            self.sorted.dedup();
            numbers.clear();
            numbers.extend(keys.map(self.lookup()));
        }
    }

    /// Inserts keys into the hash table, which must have enough slots, and appends the number of each key.
    /// Returns `true` if a key found no free slot near its home slot.
    #[inline(always)]
    fn insert(&mut self, keys: impl Iterator<Item = K>, numbers: &mut Vec<u32>) -> bool {
        // Local variables stay in registers. In memory, each insertion would wait for the one before.
        let Index { base, next: mut id, shift, .. } = *self;
        let slots = &mut self.slots[..];
        let mut far = false;
        numbers.extend(keys.map(|key| {
            let home = home(key, shift);
            let slot = &mut slots[home];
            if !slot.is_taken(key, base) {
                let free = slot.id < base;
                let found = select_unpredictable(free, id, slot.id);
                // The slot is written even if the key is there already: an unconditional store is cheaper
                // than a branch that cannot be predicted.
                *slot = IndexSlot { key, id: found };
                id += u32::from(free);
                return found - base;
            }
            let found = insert_farther(&mut slots[home + 1..home + REACH], key, base, id);
            far |= found == NONE;
            id += u32::from(found == id);
            found.wrapping_sub(base)
        }));
        self.next = id;
        far
    }

    /// Appends the number of each key to `numbers`, like [`Index::insert`], but grows the hash table with the
    /// number of distinct keys. Returns `true` if a key found no free slot near its home slot.
    ///
    /// If there are millions of keys, most of them are repeated. A slot for every key would take a hundred
    /// bytes per key.
    #[inline(never)]
    fn number_many(&mut self, mut keys: impl ExactSizeIterator<Item = K>, numbers: &mut Vec<u32>) -> bool {
        numbers.reserve_exact(keys.len());
        if self.next as usize + keys.len() >= NONE as usize {
            // Clearing restarts the ids, which would run out on the way.
            self.slots.clear();
        }
        // A table keeps its size once it has grown, because its pages are already mapped.
        let grown = self.slots.len().saturating_sub(REACH) / 4;
        self.begin(grown.clamp(MANY / 4, keys.len()));
        let mut far = false;
        let mut fetched = [K::default(); FETCHED];
        while keys.len() > 0 {
            let homes = 1_usize << (u64::BITS - self.shift);
            // Grow before the next batch if the table would be more than half full: `FETCHED` keys never
            // exceed the eighth that is kept free.
            let distinct = (self.next - self.base) as usize;
            if homes / 2 < distinct + homes / 8 {
                far |= self.grow(2 * homes);
                continue;
            }
            let some = fill(&mut fetched, &mut keys);
            self.fetch(some.iter().copied());
            far |= self.insert(some.iter().copied(), numbers);
        }
        far
    }

    /// Calls `each` for every item. Before each batch of [`FETCHED`] items, it prefetches the hash table
    /// slots of the items' keys.
    #[inline(never)]
    pub(crate) fn fetch_ahead<T: Copy + Default>(
        &self,
        mut items: impl ExactSizeIterator<Item = T>,
        key: impl Fn(&T) -> K,
        mut each: impl FnMut(T),
    ) {
        let mut fetched = [T::default(); FETCHED];
        while items.len() > 0 {
            let some = fill(&mut fetched, &mut items);
            self.fetch(some.iter().map(&key));
            some.iter().for_each(|&item| each(item));
        }
    }

    /// Prefetches the home slots of some keys into the cache. The slots to be used are unpredictable, so
    /// single reads would each wait for memory; reads issued together overlap.
    #[inline]
    fn fetch(&self, keys: impl Iterator<Item = K>) {
        let ids = keys.map(|key| self.slots.get(home(key, self.shift)).map_or(0, |slot| slot.id));
        // `black_box` keeps the compiler from removing reads whose result is unused.
        core::hint::black_box(ids.fold(0, |all, id| all ^ id));
    }

    #[inline]
    pub(crate) fn is_large(&self) -> bool {
        self.slots.len() > LARGE
    }

    /// Creates a hash table with half the usual number of slots, for when many tables are kept in memory
    /// together.
    pub(crate) fn compact() -> Self {
        Index { compact: true, ..Self::default() }
    }

    /// Moves the entries to a new hash table with `homes` home slots. Returns `true` if a key found no free
    /// slot near its home slot.
    fn grow(&mut self, homes: usize) -> bool {
        let fresh = alloc::vec![IndexSlot::default(); homes + REACH];
        let old = core::mem::replace(&mut self.slots, fresh);
        let base = self.base;
        (self.next, self.base) = (self.next - base + 1, 1);
        self.shift = u64::BITS - homes.trailing_zeros();
        let mut far = false;
        for IndexSlot { key, id } in old.into_iter().filter(|slot| slot.id >= base) {
            let home = home(key, self.shift);
            let free = self.slots[home..home + REACH].iter_mut().find(|slot| slot.id == 0);
            match free {
                Some(slot) => *slot = IndexSlot { key, id: id - base + 1 },
                None => far = true,
            }
        }
        far
    }

    pub(crate) fn len(&self) -> usize {
        if self.sorted.is_empty() { (self.next - self.base) as usize } else { self.sorted.len() }
    }

    /// Returns `true` if keys are numbered 0, 1, 2, .. by first occurrence. Keys that did not fit the hash
    /// table are sorted and numbered by value instead.
    pub(crate) fn follows_first_occurrence(&self) -> bool {
        self.sorted.is_empty()
    }

    /// Returns a function that maps a key to its number, or to [`NONE`] if the table lacks the key.
    #[inline]
    pub(crate) fn lookup(&self) -> impl Fn(K) -> u32 + '_ {
        let Index { base, shift, .. } = *self;
        let slots = &self.slots[..];
        let sorted = &self.sorted[..];
        move |key| {
            if !sorted.is_empty() {
                return sorted.binary_search(&key).map_or(NONE, |number| number as u32);
            }
            let home = home(key, shift);
            let slot = slots[home];
            if !slot.is_taken(key, base) {
                return select_unpredictable(slot.id >= base, slot.id.wrapping_sub(base), NONE);
            }
            find_farther(&slots[home + 1..home + REACH], key, base)
        }
    }

    /// Empties the hash table and provides slots for `keys` distinct keys: three quarters stay free, or seven
    /// eighths in a small table, for fewer collisions.
    fn begin(&mut self, keys: usize) {
        self.sorted.clear();
        let spread = if self.compact || keys > FEW { 4 } else { 8 };
        let homes = (spread * keys).next_power_of_two().max(FEWEST);
        self.base = self.next.max(1);
        // The extra `REACH` slots after the last home make a wrap-around unnecessary.
        if homes + REACH > self.slots.len() || self.base as usize + keys >= NONE as usize {
            let len = self.slots.len().max(homes + REACH);
            self.slots.clear();
            self.slots.resize(len, IndexSlot::default());
            self.base = 1;
        }
        self.next = self.base;
        self.shift = u64::BITS - homes.trailing_zeros();
    }
}

/// Moves the next items of an iterator into the array, up to [`FETCHED`], and returns them.
#[inline]
fn fill<'f, T>(array: &'f mut [T; FETCHED], items: &mut impl ExactSizeIterator<Item = T>) -> &'f [T] {
    let some = items.len().min(FETCHED);
    for (place, item) in array.iter_mut().zip(items.take(some)) {
        *place = item;
    }
    &array[..some]
}

#[inline(never)]
fn find_farther<K: PrimInt + Default + AsPrimitive<u64>>(slots: &[IndexSlot<K>], key: K, base: u32) -> u32 {
    for slot in slots {
        if slot.id < base {
            return NONE;
        }
        if slot.key == key {
            return slot.id - base;
        }
    }
    NONE
}

/// Finds or inserts a key in the slots after its home slot, which holds another key.
///
/// Returns the id of the key, which is `next` for a new key. Returns [`NONE`] if no slot is free.
#[inline(never)]
fn insert_farther<K: PrimInt + Default + AsPrimitive<u64>>(
    slots: &mut [IndexSlot<K>],
    key: K,
    base: u32,
    next: u32,
) -> u32 {
    for slot in slots {
        if slot.id < base {
            *slot = IndexSlot { key, id: next };
        }
        if slot.key == key {
            return slot.id;
        }
    }
    NONE
}

/// Returns the home slot of the key: the slot of the hash table at which its search begins.
#[inline]
fn home<K: PrimInt + Default + AsPrimitive<u64>>(key: K, shift: u32) -> usize {
    let key: u64 = key.as_();
    // The halves of a pair are mixed first: the product alone would move no bit of the high half down.
    ((key ^ (key >> 32)).wrapping_mul(GOLDEN) >> shift) as usize
}

/// Multiplier of the key hash: 2^64 divided by the golden ratio, rounded to an odd number. It spreads small
/// consecutive ids evenly, and pairs of them well.
const GOLDEN: u64 = 0x9E37_79B9_7F4A_7C15;

#[cfg(test)]
mod tests {
    use super::*;

    fn number<K: PrimInt + Default + AsPrimitive<u64>>(index: &mut Index<K>, keys: &[K]) -> Vec<u32> {
        let mut numbers = Vec::new();
        index.number(keys.iter().copied(), &mut numbers);
        numbers
    }

    #[test]
    fn numbers_follow_first_occurrence() {
        let mut index = Index::default();
        assert_eq!(number(&mut index, &[9u32, 7, 9, 0]), [0, 1, 0, 2]);
        assert_eq!(number(&mut index, &[7u32, 7]), [0, 0]);
        assert_eq!(index.len(), 1);
        assert_eq!([7, 9].map(index.lookup()), [0, NONE]);
    }

    #[test]
    fn many_keys_are_numbered_as_few_are() {
        let keys: Vec<u64> = (0..20_000_u64).map(|i| i.wrapping_mul(i) % 7919).collect();
        let mut seen: Vec<u64> = Vec::new();
        let expected: Vec<u32> = keys
            .iter()
            .map(|key| match seen.iter().position(|known| known == key) {
                Some(at) => at as u32,
                None => {
                    seen.push(*key);
                    seen.len() as u32 - 1
                }
            })
            .collect();
        let mut index = Index::default();
        for _ in 0..3 {
            assert_eq!(number(&mut index, &keys), expected);
            assert_eq!(index.len(), seen.len());
            assert_eq!([7918, 4].map(index.lookup()), [NONE, 2]);
        }
        assert_eq!(number(&mut index, &[4, 4, 5]), [0, 0, 1]);
        // Room for the distinct keys at half load, not for all.
        assert!(index.slots.len() < 8 * seen.len());
    }

    #[test]
    fn many_crafted_keys_are_sorted() {
        let keys = crafted(3 * MANY as u64);
        let mut index = Index::default();
        let numbers = number(&mut index, &keys);
        assert_eq!((index.sorted.len(), index.len()), (3 * MANY, 3 * MANY));
        assert_eq!(keys.iter().copied().map(index.lookup()).collect::<Vec<_>>(), numbers);
    }

    /// Returns keys that all have the first hash table slot as their home slot: their products with the hash
    /// multiplier are 0, 1, 2, ..
    fn crafted(count: u64) -> Vec<u64> {
        let inverse = (0..6).fold(GOLDEN, |x, _| x.wrapping_mul(2u64.wrapping_sub(GOLDEN.wrapping_mul(x))));
        let folded = (0..count).map(|i| i.wrapping_mul(inverse));
        folded.map(|key| key ^ (key >> 32)).collect()
    }

    #[test]
    fn crafted_keys_are_sorted() {
        let keys = crafted(1000);
        let mut index = Index::default();
        assert!(keys.iter().all(|&key| home(key, 40) == 0));
        let numbers = number(&mut index, &[&keys[..], &keys[..10]].concat());
        assert_eq!((index.sorted.len(), index.len()), (1000, 1000));
        assert_eq!(numbers[..10], numbers[1000..]);
        let found: Vec<u32> = keys.iter().copied().map(index.lookup()).collect();
        assert_eq!(found, numbers[..1000]);
        assert_eq!(index.lookup()(3), NONE);
        // And the next segment is hashed again.
        assert_eq!(number(&mut index, &[5, 5, 6]), [0, 0, 1]);
        assert!(index.sorted.is_empty());
    }

    #[test]
    fn ids_that_run_out_begin_anew() {
        let mut index = Index::default();
        number(&mut index, &[1u64, 2]);
        index.next = NONE - 1;
        assert_eq!(number(&mut index, &[2u64, 3]), [0, 1]);
        assert_eq!((index.base, index.lookup()(1)), (1, NONE));
        // Of many keys, before the table grows and begins anew of itself.
        index.next = NONE - 300;
        let many: Vec<u64> = (0..2 * MANY as u64).rev().collect();
        assert!(number(&mut index, &many).into_iter().eq(0..2 * MANY as u32));
        assert!(index.follows_first_occurrence());
    }
}
