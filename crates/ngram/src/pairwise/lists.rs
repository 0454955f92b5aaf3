//! The n-grams of many sequences as numbers, each with its count in its sequence.
//!
//! As on the [ladder](crate::ladder): tokens get numbers, pairs of neighbouring numbers make the n-grams of the next
//! order, and get numbers again, exact at every step. The numbers of all orders stand in one row, order after order.

use crate::index::Index;
use crate::intern::MAX_TOKENS;
use crate::ladder::Side;
use crate::overlap::total;
use alloc::vec::Vec;

/// The numbered n-grams of many references: made once, shared by threads.
///
/// Memory: some 24 bytes per n-gram, and tables of 64 to 128 bytes per distinct one.
#[derive(Debug, Clone)]
pub struct References {
    tokens: Index<u32>,
    /// For the orders from 2.
    pairs: Vec<Index<u64>>,
    /// The first number of each order, and the number after the last.
    firsts: Vec<u32>,
    pub(super) lists: Lists,
    lengths: Vec<usize>,
}

/// The n-grams of many hypotheses that occur in a reference; the next look-up reuses the memory.
#[derive(Debug, Clone, Default)]
pub struct Hypotheses {
    pub(super) lists: Lists,
    side: Side,
    keys: Vec<u64>,
    ends: Vec<u32>,
    seen: Vec<u64>,
}

/// For each order, the n-grams of each sequence.
#[derive(Debug, Clone, Default)]
pub(super) struct Lists {
    pub(super) orders: Vec<Order>,
}

#[derive(Debug, Clone, Default)]
pub(super) struct Order {
    entries: Vec<Entry>,
    ends: Vec<usize>,
}

#[derive(Debug, Clone, Copy)]
pub(super) struct Entry {
    pub(super) gram: u32,
    pub(super) count: u32,
}

impl References {
    /// Numbers the n-grams of these references, for orders up to `max_order`: `O(tokens · max_order)`.
    ///
    /// `None` for more than 2^31 tokens and sequences, or more than 2^32 distinct n-grams: number a part of them at a
    /// time.
    pub fn new(references: &[&[u32]], max_order: usize) -> Option<Self> {
        let lengths: Vec<usize> = references.iter().map(|reference| reference.len()).collect();
        if total(0, lengths.iter().copied()) > MAX_TOKENS {
            return None;
        }
        let (mut side, mut ends, mut seen) = (Side::default(), Vec::new(), Vec::new());
        let mut made = References {
            tokens: Index::compact(),
            pairs: Vec::new(),
            firsts: alloc::vec![0],
            lists: Lists::default(),
            lengths,
        };
        let mut tokens = Vec::new();
        lay_out(references, &mut ends, |positions, reference| {
            side.positions.extend(positions);
            tokens.extend_from_slice(reference);
        });
        made.tokens.number(tokens.iter().copied(), &mut side.numbers);
        drop(tokens);
        let (mut distinct, mut keys) = (made.tokens.len(), Vec::new());
        for order in 1..=max_order {
            let first = made.firsts.last().copied().unwrap_or(0);
            made.firsts.push(first.checked_add(u32::try_from(distinct).ok()?)?);
            let mut list = Order::default();
            list.collect(&side, &ends, first, distinct, &mut seen);
            made.lists.orders.push(list);
            if order < max_order {
                let mut pairs = Index::compact();
                side.join(&mut keys);
                if keys.is_empty() {
                    break;
                }
                pairs.number(keys.iter().copied(), &mut side.numbers);
                distinct = pairs.len();
                made.pairs.push(pairs);
            }
        }
        Some(made)
    }

    /// The number of references.
    pub fn len(&self) -> usize {
        self.lengths.len()
    }

    /// True if it is empty.
    pub fn is_empty(&self) -> bool {
        self.lengths.is_empty()
    }

    /// The length of each reference.
    pub fn lengths(&self) -> &[usize] {
        &self.lengths
    }

    pub(super) fn distinct(&self) -> usize {
        self.firsts.last().copied().unwrap_or(0) as usize
    }
}

impl Hypotheses {
    /// Looks up the n-grams of these hypotheses, replacing earlier ones: `O(tokens · orders)`, less if few are found.
    /// `false`, and empty, for more than 2^31 tokens and sequences.
    #[must_use]
    pub fn look_up(&mut self, references: &References, hypotheses: &[&[u32]]) -> bool {
        let Hypotheses { lists, side, keys, ends, seen } = self;
        lists.orders.resize_with(references.lists.orders.len(), Order::default);
        lists.orders.iter_mut().for_each(Order::clear);
        if total(0, hypotheses.iter().map(|hypothesis| hypothesis.len())) > MAX_TOKENS {
            return false;
        }
        ends.clear();
        side.clear();
        lay_out(hypotheses, ends, |positions, hypothesis| {
            side.append_found(&references.tokens, Positioned(positions, hypothesis.iter()));
        });
        let mut pairs = references.pairs.iter();
        for (list, firsts) in lists.orders.iter_mut().zip(references.firsts.windows(2)) {
            let [first, after] = *firsts else { continue };
            list.collect(side, ends, first, (after - first) as usize, seen);
            if let Some(pairs) = pairs.next() {
                side.join(keys);
                side.keep_found(pairs, keys);
            }
        }
        true
    }
}

/// Gives the sequences consecutive positions, one left out between neighbours.
fn lay_out<'s>(
    sequences: &[&'s [u32]],
    ends: &mut Vec<u32>,
    mut take: impl FnMut(core::ops::Range<u32>, &'s [u32]),
) {
    let mut start = 0;
    for sequence in sequences {
        let end = start + sequence.len() as u32;
        take(start..end, sequence);
        start = end + 1;
        ends.push(start);
    }
}

/// Positions and tokens, with a known length.
struct Positioned<'s>(core::ops::Range<u32>, core::slice::Iter<'s, u32>);

impl Iterator for Positioned<'_> {
    type Item = (u32, u32);

    #[inline]
    fn next(&mut self) -> Option<(u32, u32)> {
        self.1.next().map(|&token| (self.0.next().unwrap_or_default(), token))
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.1.size_hint()
    }
}

impl ExactSizeIterator for Positioned<'_> {}

impl Order {
    #[inline]
    pub(super) fn of(&self, sequence: usize) -> &[Entry] {
        let start = sequence.checked_sub(1).map_or(Some(0), |before| self.ends.get(before).copied());
        let range = start.zip(self.ends.get(sequence).copied());
        range.and_then(|(start, end)| self.entries.get(start..end)).unwrap_or(&[])
    }

    pub(super) fn all(&self) -> &[Entry] {
        &self.entries
    }

    fn clear(&mut self) {
        self.entries.clear();
        self.ends.clear();
    }

    /// Collects the n-grams of the sequences that end at these positions, with their counts. `first` is added to all
    /// `distinct` numbers.
    fn collect(&mut self, side: &Side, ends: &[u32], first: u32, distinct: usize, seen: &mut Vec<u64>) {
        self.clear();
        // For each n-gram, the latest sequence with it, from 1, and its entry there.
        seen.clear();
        seen.resize(distinct, 0);
        let mut ends = ends.iter();
        let (mut sequence, mut end) = (1, ends.next().copied().unwrap_or(u32::MAX));
        for (&position, &number) in side.positions.iter().zip(&side.numbers) {
            while position >= end {
                self.ends.push(self.entries.len());
                (sequence, end) = (sequence + 1, ends.next().copied().unwrap_or(u32::MAX));
            }
            let latest = &mut seen[number as usize];
            if *latest >> 32 == sequence {
                self.entries[*latest as u32 as usize].count += 1;
            } else {
                *latest = sequence << 32 | self.entries.len() as u64;
                self.entries.push(Entry { gram: first + number, count: 1 });
            }
        }
        // The current sequence and the later ones; none without sequences.
        let rest = ends.len() + usize::from(end != u32::MAX);
        self.ends.extend(core::iter::repeat_n(self.entries.len(), rest));
    }
}
