//! Sorts occurrences of n-grams into buckets by key, so that the hash tables for one bucket stay in the
//! cache.
//!
//! Counting the n-grams of a million sequences in one table would wait for memory at every look-up. Equal
//! keys are in the same bucket, so the buckets can be counted one after the other. Within a bucket the
//! occurrences keep their order.

use alloc::vec::Vec;

#[derive(Debug, Clone, Copy, Default)]
pub(super) struct NgramOccurrence {
    pub(super) key: u64,
    pub(super) position: u32,
    pub(super) sequence: u32,
}

/// Occurrences of n-grams, sorted into buckets by their keys. The memory is reused for the next n-gram order.
#[derive(Debug, Clone, Default)]
pub(super) struct Buckets {
    occurrences: Vec<NgramOccurrence>,
    ends: Vec<usize>,
}

/// Desired mean number of n-gram occurrences per bucket. Occurrences are sorted into buckets by key and
/// counted bucket by bucket, with a hash table of half a megabyte, which fits the processor's cache.
const FILL: usize = 1 << 13;

/// Maximal number of bits of a bucket's index: n-gram occurrences are sorted into at most 4,096 buckets. With
/// more buckets, sorting itself would wait for memory.
const MOST_BITS: u32 = 12;

impl Buckets {
    /// Sorts the n-gram occurrences that `visit` passes on into buckets. `visit` is called three times and
    /// must pass the same occurrences each time.
    pub(super) fn sort(&mut self, visit: impl Fn(&mut dyn FnMut(NgramOccurrence))) {
        let mut count = 0;
        visit(&mut |_| count += 1);
        let bits = (count / FILL).next_power_of_two().trailing_zeros().min(MOST_BITS);
        self.ends.clear();
        self.ends.resize(1 << bits, 0);
        visit(&mut |occurrence| self.ends[bucket(occurrence.key, bits)] += 1);
        // First `ends` holds the start of each bucket; filling moves it to the end.
        let mut start = 0;
        for end in &mut self.ends {
            (start, *end) = (start + *end, start);
        }
        self.occurrences.clear();
        self.occurrences.resize(count, NgramOccurrence::default());
        let occurrences = &mut self.occurrences;
        let ends = &mut self.ends;
        visit(&mut |occurrence| {
            let end = &mut ends[bucket(occurrence.key, bits)];
            occurrences[*end] = occurrence;
            *end += 1;
        });
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = &[NgramOccurrence]> {
        self.ends.iter().scan(0, |start, &end| {
            let bucket = &self.occurrences[*start..end];
            *start = end;
            Some(bucket)
        })
    }
}

/// Returns the index of the bucket for an n-gram key. It uses other bits of the key's hash than the hash
/// table does, because the keys of a bucket would otherwise be neighbours in the table.
#[inline]
fn bucket(key: u64, bits: u32) -> usize {
    let mixed = (key ^ (key >> 29)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    ((mixed >> 32) & ((1 << bits) - 1)) as usize
}
