//! The table of the long path: 64-bit keys to consecutive 32-bit ids, open addressing, never cleared.
//!
//! Ids count on from level to level and from segment to segment, so a slot whose id lies below the start of the
//! present level is left over and thus empty: no clearing. No key lies farther than [`REACH`] slots from where
//! it belongs, so that no look-up ever costs more. Keys that do not fit so, which random ones practically never
//! do, were crafted to collide (or the table is too small): then [`Index::insert`] says so.

use alloc::vec::Vec;

/// The longest way from a key's own slot. At half load the longest expected way among a million keys is 70.
const REACH: usize = 128;

/// 2^64 divided by the golden ratio, odd: spreads dense ids evenly and pairs of them well.
const GOLDEN: u64 = 0x9E37_79B9_7F4A_7C15;

/// Keys to ids; see the module.
#[derive(Debug, Clone, Default)]
pub(crate) struct Index {
    slots: Vec<Slot>,
    shift: u32,
    base: u32,
    next: u32,
}

#[derive(Debug, Clone, Copy, Default)]
struct Slot {
    key: u64,
    id: u32,
}

impl Index {
    /// Empties the table and makes room for `keys` distinct keys with half of the slots left free.
    pub(crate) fn begin(&mut self, keys: usize) {
        let homes = (2 * keys).next_power_of_two().max(2);
        self.base = self.next.max(1);
        // A row of `REACH` slots behind the last home saves the wrap-around.
        if homes + REACH > self.slots.len() || self.base as usize + keys > u32::MAX as usize {
            let len = self.slots.len().max(homes + REACH);
            self.slots.clear();
            self.slots.resize(len, Slot::default());
            self.base = 1;
        }
        self.next = self.base;
        self.shift = u64::BITS - homes.trailing_zeros();
    }

    /// How many distinct keys there are.
    pub(crate) fn len(&self) -> usize {
        (self.next - self.base) as usize
    }

    /// The number of the key, counted from 0 in the order of first insertion; `None` when it is out of reach.
    #[inline]
    pub(crate) fn insert(&mut self, key: u64) -> Option<u32> {
        let home = self.home(key);
        for slot in &mut self.slots[home..home + REACH] {
            if slot.id < self.base {
                *slot = Slot { key, id: self.next };
                self.next += 1;
                return Some(self.next - 1 - self.base);
            }
            if slot.key == key {
                return Some(slot.id - self.base);
            }
        }
        None
    }

    /// The number of the key; `None` when it was never inserted.
    #[inline]
    pub(crate) fn find(&self, key: u64) -> Option<u32> {
        let home = self.home(key);
        for slot in &self.slots[home..home + REACH] {
            if slot.id < self.base {
                return None;
            }
            if slot.key == key {
                return Some(slot.id - self.base);
            }
        }
        None
    }

    #[inline]
    fn home(&self, key: u64) -> usize {
        ((key ^ (key >> 32)).wrapping_mul(GOLDEN) >> self.shift) as usize
    }
}
