//! Computes the total length of the equal blocks that Python's difflib finds in two sequences.
//!
//! A block is the longest run that both sequences have. Ties are resolved to the run that starts first in
//! `a`, and then first in `b`. The parts to the left and to the right of the block are searched in the same
//! way. For each item of `a`, only positions of `b` with the same item are visited; for a short `b` these
//! positions are bits of machine words.

use bleuprint_core::{Result, check_interrupt};

/// Length of the second sequence from which on difflib ignores frequent ("popular") items: no equal block
/// starts with them.
const JUNK_FROM: usize = 200;
/// Largest length of the second sequence for which its positions of each item are stored as bits. In a longer
/// sequence, most machine words of bits would be empty.
pub(super) const MOST_BITS: usize = WORDS * 64;
const WORDS: usize = 4;
/// Number of rows of the comparison table between two checks for an interrupt by the user.
const CHECKED_ROWS: usize = 1 << 10;

/// A range of positions in each of the two sequences, in which equal blocks are searched.
type Part = (std::ops::Range<usize>, std::ops::Range<usize>);

/// Working memory of the search for equal blocks, reused from pair to pair of sequences.
#[derive(Debug, Default)]
pub(super) struct Blocks {
    /// Last position of each item in the second sequence, plus 1. The number is 0 if the sequence lacks the
    /// item, or has it so often that difflib starts no equal block with it.
    last: Vec<u32>,
    counts: Vec<u32>,
    /// Previous position of an equal item plus 1, for each position in the second sequence; 0 if there is
    /// none.
    before: Vec<u32>,
    /// Latest common run that ends at each position of the second sequence: its end in the first sequence,
    /// and its length.
    runs: Vec<(u64, u32)>,
    row: u64,
    open: Vec<Part>,
    /// Positions of each item in a short second sequence, as bits. After a pair of sequences has been
    /// compared, all bits are set to 0 again.
    bits: Vec<[u64; WORDS]>,
    /// Bit sets of the positions in the second sequence at which a common run ends. Bit `j` of `ends[k]` is
    /// set if a run of `k + 1` items ends at position `j` and at the previous position of the first sequence.
    ends: Vec<[u64; WORDS]>,
}

impl Blocks {
    /// Returns the total length of the equal blocks that Python's difflib finds in the sequences `a` and `b`.
    /// The ids of the items must be consecutive numbers.
    pub(super) fn matching(&mut self, a: &[u32], b: &[u32], autojunk: bool) -> Result<u64> {
        self.index(a, b, autojunk);
        self.sum(a, b, Blocks::longest)
    }

    /// Returns the total length of the equal blocks that Python's difflib finds in the sequences `a` and `b`;
    /// `b` has at most [`MOST_BITS`] items. Items are numbers below `bound`, not all of which need occur.
    pub(super) fn matching_short(
        &mut self,
        a: &[u32],
        b: &[u32],
        bound: usize,
        autojunk: bool,
    ) -> Result<u64> {
        if self.bits.len() < bound {
            self.bits.resize(bound, [0; WORDS]);
        }
        self.ends.resize(MOST_BITS + 1, [0; WORDS]);
        for (place, &item) in b.iter().enumerate() {
            self.bits[item as usize][place / 64] |= 1 << (place % 64);
        }
        if autojunk && b.len() >= JUNK_FROM {
            for &item in b {
                let bits = &mut self.bits[item as usize];
                // difflib calls an item popular if it occurs more than 1 % of the time, plus one.
                if bits.iter().map(|word| word.count_ones()).sum::<u32>() > (b.len() / 100 + 1) as u32 {
                    *bits = [0; WORDS];
                }
            }
        }
        let sum = self.sum(a, b, |blocks, a, b, part| {
            let found = match part.1.len() {
                0..=64 => blocks.longest_of_bits::<1>(a, part)?,
                65..=128 => blocks.longest_of_bits::<2>(a, part)?,
                _ => blocks.longest_of_bits::<WORDS>(a, part)?,
            };
            Ok(extended(a, b, part, found))
        });
        b.iter().for_each(|&item| self.bits[item as usize] = [0; WORDS]);
        sum
    }

    /// Returns the total length of the equal blocks that Python's difflib finds in two sequences. `longest`
    /// finds the longest block in a part of both sequences: its start in each, and its length.
    fn sum(
        &mut self,
        a: &[u32],
        b: &[u32],
        longest: impl Fn(&mut Self, &[u32], &[u32], &Part) -> Result<(usize, usize, usize)>,
    ) -> Result<u64> {
        let mut sum = 0;
        self.open.clear();
        self.open.push((0..a.len(), 0..b.len()));
        while let Some((in_a, in_b)) = self.open.pop() {
            if in_a.is_empty() || in_b.is_empty() {
                continue;
            }
            let (start_a, start_b, length) = longest(self, a, b, &(in_a.clone(), in_b.clone()))?;
            if length == 0 {
                continue;
            }
            sum += length as u64;
            // The order of the two parts does not matter, because their blocks are only summed.
            self.open.push((in_a.start..start_a, in_b.start..start_b));
            self.open.push((start_a + length..in_a.end, start_b + length..in_b.end));
        }
        Ok(sum)
    }

    fn index(&mut self, a: &[u32], b: &[u32], autojunk: bool) {
        let items = a.iter().chain(b).fold(0, |most, &item| most.max(item as usize + 1));
        self.last.clear();
        self.last.resize(items, 0);
        self.counts.clear();
        self.counts.resize(items, 0);
        self.before.clear();
        for (place, &item) in (1..).zip(b) {
            self.before.push(std::mem::replace(&mut self.last[item as usize], place));
            self.counts[item as usize] += 1;
        }
        if autojunk && b.len() >= JUNK_FROM {
            let most = (b.len() / 100 + 1) as u32;
            for (last, &count) in self.last.iter_mut().zip(&self.counts) {
                if count > most {
                    *last = 0;
                }
            }
        }
        self.runs.clear();
        self.runs.resize(b.len() + 1, (0, 0));
        self.row = 0;
    }

    /// Returns the longest equal block within a part of both sequences: its start in each, and its length.
    /// Frequent items are ignored first; then the block is extended over all equal items next to it.
    fn longest(&mut self, a: &[u32], b: &[u32], (in_a, in_b): &Part) -> Result<(usize, usize, usize)> {
        // The end of the best block in both sequences, and its length.
        let mut end_a = in_a.start;
        let mut end_b = in_b.start;
        let mut length = 0_usize;
        // The stored rows belong to another part. Skipping a row number keeps its runs from being continued.
        self.row += 1;
        for at in in_a.clone() {
            if at % CHECKED_ROWS == CHECKED_ROWS - 1 {
                check_interrupt()?;
            }
            self.row += 1;
            let mut place = self.last[a[at] as usize] as usize;
            // Places are visited in descending order, so the run that ends one place before is still the run
            // of the previous row.
            while place > in_b.start {
                if place <= in_b.end {
                    let (row, run) = self.runs[place - 1];
                    let run = if row + 1 == self.row && place - 1 > in_b.start { run + 1 } else { 1 };
                    self.runs[place] = (self.row, run);
                    // Among equal lengths in one row a smaller place wins, as difflib prefers the block that
                    // starts first in `b`.
                    if run as usize > length || run as usize == length && end_a == at + 1 {
                        (end_a, end_b, length) = (at + 1, place, run as usize);
                    }
                }
                place = self.before[place - 1] as usize;
            }
        }
        Ok(extended(a, b, &(in_a.clone(), in_b.clone()), (end_a, end_b, length)))
    }

    /// Finds the longest equal block without frequent items in a part of both sequences. Returns its end in
    /// `a`, its end in `b`, and its length. The part of `b` has at most 64 · `W` positions, one bit for each.
    ///
    /// For each n, bits mark the positions in `b` at which a run of n equal items ends. A run of n items ends
    /// at two positions if their items are equal and a run of n - 1 items ends one position earlier.
    fn longest_of_bits<const W: usize>(
        &mut self,
        a: &[u32],
        (in_a, in_b): &Part,
    ) -> Result<(usize, usize, usize)> {
        let mut end_a = in_a.start;
        let mut end_b = in_b.start;
        let mut length = 0_usize;
        let first = in_b.start / 64;
        let shift = in_b.start % 64;
        let part: [u64; W] = std::array::from_fn(|word| match in_b.len().saturating_sub(word * 64) {
            0 => 0,
            places @ 1..64 => (1 << places) - 1,
            _ => u64::MAX,
        });
        let mut alive = 0;
        for at in in_a.clone() {
            if at % CHECKED_ROWS == CHECKED_ROWS - 1 {
                check_interrupt()?;
            }
            let places = &self.bits[a[at] as usize];
            let own: [u64; W] = std::array::from_fn(|word| {
                let word_at = |word: usize| places.get(first + word).copied().unwrap_or_default();
                // The shift is done in two steps, because a shift by 64 bits is not allowed.
                (word_at(word) >> shift | word_at(word + 1) << 1 << (63 - shift)) & part[word]
            });
            // Each pass handles one length, so the work of a row is the length of its longest run.
            let mut now = own;
            let mut run = 0;
            while now != [0; W] {
                let before = &mut self.ends[run];
                let mut longer = [0; W];
                if run < alive {
                    let mut carry = 0;
                    for word in 0..W {
                        longer[word] = (before[word] << 1 | carry) & own[word];
                        carry = before[word] >> 63;
                    }
                }
                // A copy of a slice is a call without link-time optimisation, and takes a quarter of all instructions.
                if let Some(kept) = before.first_chunk_mut::<W>() {
                    *kept = now;
                }
                (now, run) = (longer, run + 1);
            }
            alive = run;
            // Only a longer run replaces the best one, so the first row with it wins; the lowest bit is its
            // first place in `b`.
            if run > length {
                let ends = &self.ends[run - 1][..W];
                let word = ends.iter().position(|&word| word != 0).unwrap_or_default();
                let place = word * 64 + ends[word].trailing_zeros() as usize;
                (end_a, end_b, length) = (at + 1, in_b.start + place + 1, run);
            }
        }
        Ok((end_a, end_b, length))
    }
}

/// Extends an equal block to both sides while the items of both sequences are equal, but not beyond the
/// searched part of the sequences. Returns its start in `a`, its start in `b`, and its length.
fn extended(
    a: &[u32],
    b: &[u32],
    (in_a, in_b): &Part,
    (mut end_a, mut end_b, length): (usize, usize, usize),
) -> (usize, usize, usize) {
    let mut start_a = end_a - length;
    let mut start_b = end_b - length;
    while start_a > in_a.start && start_b > in_b.start && a[start_a - 1] == b[start_b - 1] {
        (start_a, start_b) = (start_a - 1, start_b - 1);
    }
    while end_a < in_a.end && end_b < in_b.end && a[end_a] == b[end_b] {
        (end_a, end_b) = (end_a + 1, end_b + 1);
    }
    (start_a, start_b, end_a - start_a)
}

#[cfg(test)]
mod tests {
    use super::*;
    use quickcheck::{Arbitrary as _, Gen};

    /// Returns the total length of the equal blocks of two sequences, computed directly from difflib's
    /// definition: by comparing the runs from every pair of positions.
    fn naive(a: &[u32], b: &[u32], starts: &dyn Fn(u32) -> bool) -> u64 {
        let mut best = (0, 0, 0);
        for i in 0..a.len() {
            for j in 0..b.len() {
                let run = a[i..].iter().zip(&b[j..]).take_while(|(x, y)| x == y && starts(**y)).count();
                if run > best.2 {
                    best = (i, j, run);
                }
            }
        }
        let (mut i, mut j, mut run) = best;
        while i > 0 && j > 0 && a[i - 1] == b[j - 1] {
            (i, j, run) = (i - 1, j - 1, run + 1);
        }
        while i + run < a.len() && j + run < b.len() && a[i + run] == b[j + run] {
            run += 1;
        }
        if run == 0 {
            return 0;
        }
        run as u64 + naive(&a[..i], &b[..j], starts) + naive(&a[i + run..], &b[j + run..], starts)
    }

    #[test]
    fn blocks_are_those_of_the_definition() {
        let mut g = Gen::new(60);
        let mut blocks = Blocks::default();
        for round in 0..3_000 {
            let alphabet = [2, 5, 40][round % 3];
            let mut tokens = |least: usize, most: usize| -> Vec<u32> {
                let length = least + usize::arbitrary(&mut g) % (most - least);
                (0..length).map(|_| u32::arbitrary(&mut g) % alphabet).collect()
            };
            let (a, b) = if round % 10 == 0 {
                (tokens(0, 120), tokens(195, 230))
            } else {
                (tokens(0, 25), tokens(0, [25, 70, 140][round / 3 % 3]))
            };
            for autojunk in [true, false] {
                let popular = |item: u32| {
                    let count = b.iter().filter(|&&other| other == item).count();
                    autojunk && b.len() >= 200 && count > b.len() / 100 + 1
                };
                let expected = naive(&a, &b, &|item| !popular(item));
                let short = blocks.matching_short(&a, &b, 40, autojunk).unwrap();
                let found = [blocks.matching(&a, &b, autojunk).unwrap(), short];
                assert_eq!(found, [expected; 2], "{a:?} {b:?} {autojunk}");
            }
        }
    }
}
