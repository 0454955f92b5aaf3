//! Lists the n-grams of many sequences. Each n-gram is a number, with its count in the sequence.
//!
//! Tokens get numbers. Each pair of neighbouring numbers is the key of an n-gram of the next order, which
//! gets a number again. No two n-grams share a number: each order continues the numbers of the last.

use crate::index::Index;
use crate::intern::MAX_TOKENS;
use crate::ladder::LadderSide;
use crate::overlap::total;
use alloc::vec::Vec;

/// The n-grams of many references as numbers with counts, computed once and shared by threads.
///
/// Memory: some 24 bytes per n-gram, and tables of 64 to 128 bytes per distinct n-gram.
#[derive(Debug, Clone)]
pub struct NumberedReferences {
    tokens: Index<u32>,
    /// Hash tables from n-grams to ids, one for each order from 2 on. The key of an n-gram is a pair of ids:
    /// of the n-gram without its last token, and of the n-gram without its first token.
    pairs: Vec<Index<u64>>,
    /// First n-gram id of each order, then one past the last id. The ids of all orders are consecutive, order
    /// after order.
    firsts: Vec<u32>,
    pub(super) lists: Lists,
    lengths: Vec<usize>,
}

/// The n-grams of many hypotheses that also occur in a reference. The memory is reused for the next
/// hypotheses.
#[derive(Debug, Clone, Default)]
pub struct HypothesisNgrams {
    pub(super) lists: Lists,
    side: LadderSide,
    keys: Vec<u64>,
    ends: Vec<u32>,
    seen: Vec<u64>,
}

/// N-grams of many sequences, in one list for each n-gram order. The list has, for each sequence, the ids of
/// its distinct n-grams with their counts in the sequence.
#[derive(Debug, Clone, Default)]
pub(super) struct Lists {
    pub(super) orders: Vec<ListOrder>,
}

#[derive(Debug, Clone, Default)]
pub(super) struct ListOrder {
    entries: Vec<ListEntry>,
    ends: Vec<usize>,
}

#[derive(Debug, Clone, Copy)]
pub(super) struct ListEntry {
    pub(super) gram: u32,
    pub(super) count: u32,
}

impl NumberedReferences {
    /// Numbers the n-grams of these references, for orders up to `max_order`, in time
    /// `O(tokens · max_order)`.
    ///
    /// Returns `None` if there are more than 2^31 tokens and sequences, or more than 2^32 distinct n-grams.
    /// Number the references in several parts then.
    pub fn new(references: &[&[u32]], max_order: usize) -> Option<Self> {
        let lengths: Vec<usize> = references.iter().map(|reference| reference.len()).collect();
        if total(0, lengths.iter().copied()) > MAX_TOKENS {
            return None;
        }
        let mut side = LadderSide::default();
        let mut ends = Vec::new();
        let mut seen = Vec::new();
        let mut made = NumberedReferences {
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
        let mut distinct = made.tokens.len();
        let mut keys = Vec::new();
        for order in 1..=max_order {
            let first = made.firsts.last().copied().unwrap_or(0);
            made.firsts.push(first.checked_add(u32::try_from(distinct).ok()?)?);
            let mut list = ListOrder::default();
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

    /// Returns the number of references.
    pub fn len(&self) -> usize {
        self.lengths.len()
    }

    /// Returns `true` if there is no reference.
    pub fn is_empty(&self) -> bool {
        self.lengths.is_empty()
    }

    /// Returns the length of each reference.
    pub fn lengths(&self) -> &[usize] {
        &self.lengths
    }

    pub(super) fn distinct(&self) -> usize {
        self.firsts.last().copied().unwrap_or(0) as usize
    }
}

impl HypothesisNgrams {
    /// Looks up the n-grams of these hypotheses in the n-grams of the references, and replaces earlier
    /// hypotheses. Time `O(tokens · orders)`, less if few n-grams are found.
    ///
    /// Returns `false`, and holds no n-gram, if there are more than 2^31 tokens and sequences.
    #[must_use]
    pub fn look_up(&mut self, references: &NumberedReferences, hypotheses: &[&[u32]]) -> bool {
        let HypothesisNgrams { lists, side, keys, ends, seen } = self;
        lists.orders.resize_with(references.lists.orders.len(), ListOrder::default);
        lists.orders.iter_mut().for_each(ListOrder::clear);
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

/// Assigns consecutive positions to the tokens of the sequences, with a gap of one position between
/// neighbouring sequences.
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

/// Iterator over pairs `(position, id)` of the tokens of a sequence; its length is known.
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

impl ListOrder {
    #[inline]
    pub(super) fn entries(&self, sequence: usize) -> &[ListEntry] {
        let start = sequence.checked_sub(1).map_or(Some(0), |before| self.ends.get(before).copied());
        let range = start.zip(self.ends.get(sequence).copied());
        range.and_then(|(start, end)| self.entries.get(start..end)).unwrap_or(&[])
    }

    pub(super) fn all(&self) -> &[ListEntry] {
        &self.entries
    }

    fn clear(&mut self) {
        self.entries.clear();
        self.ends.clear();
    }

    /// Replaces the contents by the n-grams of one order, with their counts in each sequence. `side` has
    /// these n-grams, and `ends` has the end position of each sequence in it.
    ///
    /// In `side`, the ids of n-grams are from 0 to `distinct - 1`. The stored id is the id in `side` plus
    /// `first`. `seen` is a scratch buffer whose contents are overwritten.
    fn collect(&mut self, side: &LadderSide, ends: &[u32], first: u32, distinct: usize, seen: &mut Vec<u64>) {
        self.clear();
        // For each n-gram, the latest sequence that has it, counted from 1 (high half), and its entry there
        // (low half).
        seen.clear();
        seen.resize(distinct, 0);
        let mut ends = ends.iter();
        let mut sequence = 1;
        let mut end = ends.next().copied().unwrap_or(u32::MAX);
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
                self.entries.push(ListEntry { gram: first + number, count: 1 });
            }
        }
        // Ends of the current sequence and of all later ones, which have no n-gram; none if there is no
        // sequence.
        let rest = ends.len() + usize::from(end != u32::MAX);
        self.ends.extend(core::iter::repeat_n(self.entries.len(), rest));
    }
}
