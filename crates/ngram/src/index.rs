//! The table of the long path: 64-bit keys to consecutive 32-bit numbers, open addressing, never cleared.
//!
//! The ids in the slots count on from use to use, so a slot whose id lies below the start of the present use is
//! left over and thus free: no clearing. No key lies farther than [`REACH`] slots from its home, so no look-up
//! ever costs more. Keys that do not fit so were crafted to collide, as others practically never need do:
//! they are sorted instead, and found by binary search. That bounds the worst case at `O(n log n)` without trust
//! in the hash and without random seeds.

use alloc::vec::Vec;
use core::hint::select_unpredictable;

/// The longest way from a key's home. At half load the longest expected way among a million keys is 70.
const REACH: usize = 128;

/// The fewest homes: with few keys, 16 kB is no loss and collisions are rare.
const FEWEST: usize = 1024;

/// The number of a key that is not there.
pub(crate) const NONE: u32 = u32::MAX;

/// Keys to numbers; see the module.
#[derive(Debug, Clone, Default)]
pub(crate) struct Index {
    slots: Vec<Slot>,
    shift: u32,
    base: u32,
    next: u32,
    /// The distinct keys in order, where the table does not hold them.
    sorted: Vec<u64>,
}

/// Free where `id` is below the index's `base`.
#[derive(Debug, Clone, Copy, Default)]
struct Slot {
    key: u64,
    id: u32,
}

impl Index {
    /// Forgets everything and numbers the keys: equal ones get equal numbers, all below [`Index::len`].
    pub(crate) fn number(
        &mut self,
        keys: impl ExactSizeIterator<Item = u64> + Clone,
        numbers: &mut Vec<u32>,
    ) {
        self.begin(keys.len());
        numbers.clear();
        // All in local variables: in memory, each insertion would wait for the one before.
        let Index { base, next: mut id, shift, .. } = *self;
        let (slots, mut far) = (&mut self.slots[..], false);
        numbers.extend(keys.clone().map(|key| {
            let home = home(key, shift);
            let slot = &mut slots[home];
            let (free, same) = (slot.id < base, slot.key == key);
            if free | same {
                let found = select_unpredictable(free, id, slot.id);
                *slot = Slot { key, id: found };
                id += u32::from(free);
                return found - base;
            }
            let found = insert_farther(&mut slots[home + 1..home + REACH], key, base, id);
            far |= found == NONE;
            id += u32::from(found == id);
            found.wrapping_sub(base)
        }));
        self.next = id;
        if far {
            self.sorted.extend(keys.clone());
            self.sorted.sort_unstable();
            self.sorted.dedup();
            numbers.clear();
            numbers.extend(keys.map(|key| self.find(key)));
        }
    }

    /// How many distinct keys there are.
    pub(crate) fn len(&self) -> usize {
        if self.sorted.is_empty() { (self.next - self.base) as usize } else { self.sorted.len() }
    }

    /// The number of the key, or [`NONE`].
    #[inline]
    pub(crate) fn find(&self, key: u64) -> u32 {
        if !self.sorted.is_empty() {
            return self.sorted.binary_search(&key).map_or(NONE, |number| number as u32);
        }
        let home = home(key, self.shift);
        let slot = self.slots[home];
        let (free, same) = (slot.id < self.base, slot.key == key);
        if free | same {
            return select_unpredictable(same & !free, slot.id.wrapping_sub(self.base), NONE);
        }
        self.find_farther(key, home)
    }

    /// Empties the table and makes room for `keys` distinct keys with three quarters of the slots left free.
    fn begin(&mut self, keys: usize) {
        self.sorted.clear();
        let homes = (4 * keys).next_power_of_two().max(FEWEST);
        self.base = self.next.max(1);
        // The row of `REACH` slots behind the last home saves the wrap-around.
        if homes + REACH > self.slots.len() || self.base as usize + keys >= NONE as usize {
            let len = self.slots.len().max(homes + REACH);
            self.slots.clear();
            self.slots.resize(len, Slot::default());
            self.base = 1;
        }
        self.next = self.base;
        self.shift = u64::BITS - homes.trailing_zeros();
    }

    #[inline(never)]
    fn find_farther(&self, key: u64, home: usize) -> u32 {
        for slot in &self.slots[home + 1..home + REACH] {
            if slot.id < self.base {
                return NONE;
            }
            if slot.key == key {
                return slot.id - self.base;
            }
        }
        NONE
    }
}

/// The id of the key, which is `next` where it is new, or [`NONE`] where none of the slots will do.
#[inline(never)]
fn insert_farther(slots: &mut [Slot], key: u64, base: u32, next: u32) -> u32 {
    for slot in slots {
        if slot.id < base {
            *slot = Slot { key, id: next };
        }
        if slot.key == key {
            return slot.id;
        }
    }
    NONE
}

/// The slot where the key belongs.
#[inline]
fn home(key: u64, shift: u32) -> usize {
    ((key ^ (key >> 32)).wrapping_mul(GOLDEN) >> shift) as usize
}

/// 2^64 divided by the golden ratio, odd: spreads small consecutive ids evenly and pairs of them well.
const GOLDEN: u64 = 0x9E37_79B9_7F4A_7C15;
