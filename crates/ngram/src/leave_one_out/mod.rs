//! Compares each of many sequences with all others as its references: clipped n-gram counts in linear time.
//!
//! Clipping limits the count of an n-gram to its largest count in any single other sequence. For all
//! sequences but one, this limit is the largest count of all. For the sequence with the largest count, it is
//! the second largest. So two counts per n-gram, and the index of the sequence with the largest, serve every
//! sequence:
//!
//! ```text
//! counts of "the"      in 0: 2   in 1: 5   in 2: 3          largest 5, in 1; second 3
//! allowed              0: 5      1: 3      2: 5
//! ```
//!
//! The orders are counted one by one, as in [`ladder`](crate::ladder). N-grams that only one sequence has
//! match nothing, nor do longer n-grams that contain them, so they are dropped before the next order.

mod buckets;

use crate::index::{Index, NONE};
use crate::intern::MAX_TOKENS;
use crate::overlap::total;
use alloc::vec::Vec;
use buckets::{Buckets, NgramOccurrence};

/// Clipped n-gram matches of each of many sequences with all other sequences as its references;
/// [`leave_one_out`] computes them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LeaveOneOut {
    /// Clipped match counts of all sequences in one row; each sequence has one count for each n-gram order.
    clipped: Vec<u64>,
    max_order: usize,
}

#[derive(Debug, Clone, Copy, Default)]
struct Gram {
    largest: u32,
    owner: u32,
    second: u32,
    /// Sequence (numbered from 1) in which this n-gram was last counted. The field `count` is its count there
    /// so far.
    latest: u32,
    count: u32,
}

/// Counts the clipped n-gram matches of every sequence with all others as its references, for orders from 1
/// to `max_order`.
///
/// The counts equal those that [`overlap`](crate::overlap()) gives for each sequence against the others, in
/// time `O(tokens · max_order)` for all sequences together. The function needs some 20 bytes per token.
/// Returns `None` if there are more than 2^31 tokens and sequences.
///
/// ```
/// use bleuprint_ngram::leave_one_out;
/// let matches = leave_one_out(&[&[7, 7, 7, 8], &[7, 8], &[9, 7, 8, 7]], 2).unwrap();
/// assert_eq!(matches.clipped(0), [3, 1]); // 7 7 8 and "7 8": another has 7 twice
/// assert_eq!(matches.clipped(1), [2, 1]);
/// assert_eq!(matches.clipped(2), [3, 1]); // 7 8 7 and "7 8"
/// ```
pub fn leave_one_out(sequences: &[&[u32]], max_order: usize) -> Option<LeaveOneOut> {
    let positions = total(0, sequences.iter().map(|sequence| sequence.len()));
    if positions > MAX_TOKENS {
        return None;
    }
    let mut matches = LeaveOneOut { clipped: alloc::vec![0; sequences.len() * max_order], max_order };
    // For each position, the number of the n-gram that starts there, if another sequence has the n-gram too.
    // One position is left free between neighbouring sequences.
    let mut numbers: Vec<u32> = Vec::new();
    let mut buckets = Buckets::default();
    let mut counting = BucketTables::default();
    for order in 0..max_order {
        if order == 0 {
            buckets.sort(|see| tokens(sequences, see));
        } else {
            buckets.sort(|see| pairs(sequences, &numbers, see));
        }
        numbers.clear();
        numbers.resize(positions, NONE);
        counting.base = 0;
        for bucket in buckets.iter() {
            let clipped = |sequence: u32| (sequence as usize - 1) * max_order + order;
            counting.count(bucket, |sequence| matches.clipped[clipped(sequence)] += 1, &mut numbers);
        }
        if counting.base == 0 {
            break;
        }
    }
    Some(matches)
}

impl LeaveOneOut {
    /// Returns the clipped matches of a sequence with all others as references, one number for each n-gram
    /// order.
    ///
    /// # Panics
    /// Panics if the sequence is out of range.
    pub fn clipped(&self, sequence: usize) -> &[u64] {
        &self.clipped[sequence * self.max_order..(sequence + 1) * self.max_order]
    }
}

/// Tables for counting one bucket, which has all occurrences of some n-grams. They hold the two largest
/// counts that each n-gram has in a single sequence, and the next free n-gram number.
#[derive(Debug, Default)]
struct BucketTables {
    index: Index<u64>,
    local: Vec<u32>,
    grams: Vec<Gram>,
    base: u32,
}

impl BucketTables {
    /// Counts the n-grams of one bucket. For each occurrence that is a clipped match, calls `claim` with the
    /// number of its sequence. For each n-gram that several sequences have, writes its number to `numbers` at
    /// its start positions.
    fn count(&mut self, bucket: &[NgramOccurrence], mut claim: impl FnMut(u32), numbers: &mut [u32]) {
        let BucketTables { index, local, grams, base } = self;
        index.number(bucket.iter().map(|occurrence| occurrence.key), local);
        grams.clear();
        grams.resize(index.len(), Gram::default());
        for (occurrence, &number) in bucket.iter().zip(&*local) {
            grams[number as usize].tally(occurrence.sequence);
        }
        // The first pass finds the two largest counts; the second needs them complete and counts again from
        // the start.
        grams.iter_mut().for_each(|gram| gram.latest = 0);
        for (occurrence, &number) in bucket.iter().zip(&*local) {
            let gram = &mut grams[number as usize];
            gram.see(occurrence.sequence);
            let allowed = if gram.owner == occurrence.sequence { gram.second } else { gram.largest };
            if gram.count <= allowed {
                claim(occurrence.sequence);
            }
            if gram.second > 0 {
                numbers[occurrence.position as usize] = *base + number;
            }
        }
        *base += grams.len() as u32;
    }
}

impl Gram {
    /// Adds one occurrence of the n-gram in `sequence` to its count; sequences are numbered from 1.
    #[inline]
    fn see(&mut self, sequence: u32) {
        self.count = if self.latest == sequence { self.count + 1 } else { 1 };
        self.latest = sequence;
    }

    #[inline]
    fn tally(&mut self, sequence: u32) {
        self.see(sequence);
        if self.owner == sequence {
            self.largest = self.count;
        } else if self.count > self.largest {
            // If this sequence had set `second` before, its earlier count is at most the old largest, which
            // now becomes the second.
            (self.second, self.largest, self.owner) = (self.largest, self.count, sequence);
        } else {
            self.second = self.second.max(self.count);
        }
    }
}

fn tokens(sequences: &[&[u32]], see: &mut dyn FnMut(NgramOccurrence)) {
    let mut position = 0;
    for (sequence, tokens) in (1..).zip(sequences) {
        for &token in *tokens {
            see(NgramOccurrence { key: token.into(), position, sequence });
            position += 1;
        }
        position += 1;
    }
}

/// Calls `see` with every n-gram that consists of two neighbouring n-grams of the order below. `numbers` has
/// the numbers of these neighbours.
fn pairs(sequences: &[&[u32]], numbers: &[u32], see: &mut dyn FnMut(NgramOccurrence)) {
    let mut start = 0;
    for (sequence, tokens) in (1..).zip(sequences) {
        let own = &numbers[start..start + tokens.len()];
        for (position, pair) in (start as u32..).zip(own.windows(2)) {
            if pair[0] != NONE && pair[1] != NONE {
                let key = u64::from(pair[0]) << 32 | u64::from(pair[1]);
                see(NgramOccurrence { key, position, sequence });
            }
        }
        start += tokens.len() + 1;
    }
}
