//! Computes longest common subsequences by bit operations: 64 positions of one sequence advance with every
//! token of the other.
//!
//! `T(i, j)` is the length for the first `i` tokens of the pattern, one sequence, and the first `j` of the
//! text, the other. Along `i` it grows by 0 or 1, so a column of the table is a row of bits: `flat` has a 1
//! where it does *not* grow. With `m` the positions of the next text token in the pattern, the next column is
//!
//! ```text
//! flat' = (flat + (flat & m)) | (flat & !m)
//! ```
//!
//! (Crochemore et al. 2001; the carry of the addition decides the maximum.) The length is the number of
//! zeros at the end. If only the length is wanted, up to four words of a column stay in registers, and
//! `band.rs` computes longer columns. Otherwise a pattern of more than 64 tokens is cut into blocks; each
//! block runs over the whole text and passes its carries to the next. Time is `O(text · pattern / 64)`;
//! `band.rs` needs less for long sequences.
//!
//! Tokens are dense ids below the argument `distinct`.

use bleuprint_core::{Result, check_interrupt};

use super::band::Bands;

const BLOCK: usize = u64::BITS as usize;

/// Number of tokens of the longer sequence whose table columns are stored at a time. For a longer sequence,
/// the table is computed twice.
const KEPT: usize = 1024;
const CHECKED_BLOCKS: usize = 8;

/// Working memory for longest common subsequences, reused from call to call. No call leaves values that a
/// later call would see.
#[derive(Debug, Clone, Default)]
pub(crate) struct Lcs {
    /// For each token, the bit mask of its positions in the current 64 tokens of the pattern, or one mask for
    /// each 64 tokens; all zero between calls.
    masks: Vec<u64>,
    carries: Vec<bool>,
    column: Vec<u64>,
    marks: Vec<u64>,
    /// Bit masks of pattern positions: one machine word for each block of 64 pattern tokens and each text
    /// token. A bit is set if the pattern token equals the text token. It is also set if the common
    /// subsequence with the text up to this token grows at that pattern position.
    stops: Vec<u64>,
    bands: Bands,
}

impl Lcs {
    pub(crate) fn length(&mut self, one: &[u32], other: &[u32], distinct: usize) -> Result<usize> {
        let (pattern, text) = if one.len() <= other.len() { (one, other) } else { (other, one) };
        crate::shared::require_table("the longest common subsequence", pattern, text)?;
        match pattern.len().div_ceil(BLOCK) {
            0 | 1 => Ok(self.length_of_words::<1>(pattern, text, distinct)),
            // With two or three words the compiler moves them between vectors and registers, which takes longer
            // than the additions with carry of four words.
            2..=4 => Ok(self.length_of_words::<4>(pattern, text, distinct)),
            _ => self.bands.length(pattern, text, distinct),
        }
    }

    /// Returns the length for a pattern of at most `64 · W` tokens, whose table column stays in registers.
    fn length_of_words<const W: usize>(&mut self, pattern: &[u32], text: &[u32], distinct: usize) -> usize {
        if self.masks.len() < W * distinct {
            // The masks are all 0, so new ones serve as well, of which only the used pages take memory.
            self.masks = vec![0; W * distinct];
        }
        for (word, block) in pattern.chunks(BLOCK).enumerate() {
            for (position, &token) in (0..).zip(block) {
                self.masks[token as usize * W + word] |= 1_u64.wrapping_shl(position);
            }
        }
        let masks = self.masks.as_chunks::<W>().0;
        let mut flat = [u64::MAX; W];
        for &token in text {
            let masks = &masks[token as usize];
            let mut carry = false;
            for (flat, &mask) in flat.iter_mut().zip(masks) {
                let (sum, one) = flat.overflowing_add(*flat & mask);
                let (sum, two) = sum.overflowing_add(u64::from(carry));
                carry = one | two;
                *flat = sum | (*flat & !mask);
            }
        }
        for &token in pattern {
            self.masks[token as usize * W..][..W].fill(0);
        }
        flat.iter().map(|flat| flat.count_zeros() as usize).sum()
    }

    /// Finds one longest common subsequence of `pattern` and `text`, and sets the bits of its positions in
    /// `pattern` in the bit mask `union`. Bits that are already set remain.
    ///
    /// If there are several, the choice is fixed. Both sequences are read backwards, and equal tokens are
    /// taken. If the tokens differ, the token of `pattern` is skipped, unless this makes the common
    /// subsequence shorter; then the token of `text` is skipped.
    pub(super) fn unite(
        &mut self,
        pattern: &[u32],
        text: &[u32],
        distinct: usize,
        union: &mut [u64],
    ) -> Result<()> {
        crate::shared::require_table("the longest common subsequence", pattern, text)?;
        self.begin(pattern, distinct);
        let blocks = self.column.len();
        let last = text.len().saturating_sub(1) / KEPT;
        self.marks.clear();
        for part in text.chunks(KEPT).take(last) {
            // Only the column at the start of each part is kept. The second pass computes each part again,
            // so memory does not grow with the text.
            self.marks.extend_from_slice(&self.column);
            self.advance(pattern, part, |_, _, _, _| {})?;
        }
        let mut stops = core::mem::take(&mut self.stops);
        let mut end = pattern.len();
        for (number, part) in text.chunks(KEPT).enumerate().rev() {
            if number < last {
                self.column.copy_from_slice(&self.marks[number * blocks..][..blocks]);
            }
            stops.resize(stops.len().max(blocks * part.len()), 0);
            self.advance(pattern, part, |block, at, flat, mask| {
                stops[block * part.len() + at] = !flat | mask
            })?;
            end = walk_back(pattern, part, end, &stops, union);
        }
        self.stops = stops;
        Ok(())
    }

    /// Resets the table column to its state before the first text token. All bits are 1, because the common
    /// subsequence with an empty text is empty.
    fn begin(&mut self, pattern: &[u32], distinct: usize) {
        self.column.clear();
        self.column.resize(pattern.len().div_ceil(BLOCK), u64::MAX);
        if self.masks.len() < distinct {
            self.masks.resize(distinct, 0);
        }
    }

    #[inline(always)]
    fn advance(
        &mut self,
        pattern: &[u32],
        text: &[u32],
        mut each: impl FnMut(usize, usize, u64, u64),
    ) -> Result<()> {
        let Lcs { masks, carries, column, .. } = self;
        let several = column.len() > 1;
        if several {
            carries.clear();
            carries.resize(text.len(), false);
        }
        for (number, (block, flat)) in pattern.chunks(BLOCK).zip(column.iter_mut()).enumerate() {
            if number % CHECKED_BLOCKS == CHECKED_BLOCKS - 1 {
                check_interrupt()?;
            }
            for (position, &token) in (0..).zip(block) {
                masks[token as usize] |= 1_u64.wrapping_shl(position);
            }
            let mut now = *flat;
            for (at, &token) in text.iter().enumerate() {
                let mask = masks[token as usize];
                let (mut sum, mut carried) = now.overflowing_add(now & mask);
                if several {
                    let (with_carry, again) = sum.overflowing_add(u64::from(carries[at]));
                    (sum, carried) = (with_carry, carried | again);
                    carries[at] = carried;
                }
                now = sum | (now & !mask);
                each(number, at, now, mask);
            }
            *flat = now;
            for &token in block {
                // Clearing the tokens of the block is cheaper than clearing the masks of the whole
                // vocabulary.
                masks[token as usize] = 0;
            }
        }
        Ok(())
    }
}

/// Finds the tokens that `part`, a part of the text, has in common with the first `end` tokens of `pattern`.
/// Sets the bits of these pattern positions in `union`. Returns the number of pattern tokens that remain for
/// the text before `part`.
///
/// The search runs backwards from the end of `part`. For each text token, `stops` has a bit set at the
/// pattern positions with an equal token, and where the common subsequence grows. The search skips all other
/// positions at once.
fn walk_back(pattern: &[u32], part: &[u32], mut end: usize, stops: &[u64], union: &mut [u64]) -> usize {
    for (at, token) in part.iter().enumerate().rev() {
        let Some(position) = highest_below(end, |block| stops[block * part.len() + at]) else { return 0 };
        if pattern[position] == *token {
            union[position / BLOCK] |= 1 << (position % BLOCK);
            end = position;
        } else {
            end = position + 1;
        }
    }
    end
}

fn highest_below(end: usize, word: impl Fn(usize) -> u64) -> Option<usize> {
    let mut above = end;
    while above > 0 {
        let block = (above - 1) / BLOCK;
        let bits = above - block * BLOCK;
        let found = word(block) & (u64::MAX >> (BLOCK - bits));
        if found != 0 {
            return Some(block * BLOCK + found.ilog2() as usize);
        }
        above = block * BLOCK;
    }
    None
}

#[cfg(test)]
pub(crate) mod naive {
    //! Naive reference implementation of longest common subsequences, with the complete table.

    pub(crate) fn table(pattern: &[u32], text: &[u32]) -> Vec<Vec<usize>> {
        let mut table = vec![vec![0; text.len() + 1]; pattern.len() + 1];
        for i in 1..=pattern.len() {
            for j in 1..=text.len() {
                table[i][j] = if pattern[i - 1] == text[j - 1] {
                    table[i - 1][j - 1] + 1
                } else {
                    table[i - 1][j].max(table[i][j - 1])
                };
            }
        }
        table
    }

    pub(crate) fn positions(pattern: &[u32], text: &[u32]) -> Vec<usize> {
        let table = table(pattern, text);
        let mut i = pattern.len();
        let mut j = text.len();
        let mut taken = Vec::new();
        while i > 0 && j > 0 {
            if pattern[i - 1] == text[j - 1] {
                taken.push(i - 1);
                (i, j) = (i - 1, j - 1);
            } else if table[i][j - 1] > table[i - 1][j] {
                j -= 1;
            } else {
                i -= 1;
            }
        }
        taken
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use quickcheck::{Arbitrary, Gen, QuickCheck};

    #[derive(Debug, Clone)]
    struct Pair(Vec<u32>, Vec<u32>);

    const DISTINCT: usize = 6;

    impl Arbitrary for Pair {
        fn arbitrary(g: &mut Gen) -> Self {
            let len = |g: &mut Gen| match u8::arbitrary(g) % 12 {
                0 => usize::arbitrary(g) % 300,
                1 => 60 + usize::arbitrary(g) % 10,
                _ => usize::arbitrary(g) % 12,
            };
            let tokens = |g: &mut Gen, len| (0..len).map(|_| u32::arbitrary(g) % DISTINCT as u32).collect();
            let one = len(g);
            let other = len(g);
            Pair(tokens(g, one), tokens(g, other))
        }

        fn shrink(&self) -> Box<dyn Iterator<Item = Self>> {
            let pairs = (self.0.clone(), self.1.clone()).shrink();
            let below = |tokens: &[u32]| tokens.iter().all(|&token| (token as usize) < DISTINCT);
            Box::new(pairs.filter(move |(a, b)| below(a) && below(b)).map(|(a, b)| Pair(a, b)))
        }
    }

    fn united(lcs: &mut Lcs, pattern: &[u32], text: &[u32]) -> Vec<usize> {
        let mut union = vec![0; pattern.len().div_ceil(BLOCK)];
        lcs.unite(pattern, text, DISTINCT, &mut union).unwrap();
        (0..pattern.len()).filter(|at| union[at / BLOCK] >> (at % BLOCK) & 1 == 1).collect()
    }

    fn agrees(lcs: &mut Lcs, pattern: &[u32], text: &[u32]) -> bool {
        let mut positions = naive::positions(pattern, text);
        positions.reverse();
        let length = naive::table(pattern, text)[pattern.len()][text.len()];
        lcs.length(pattern, text, DISTINCT).unwrap() == length && united(lcs, pattern, text) == positions
    }

    #[test]
    fn agrees_with_the_table() {
        let agree = |Pair(pattern, text): Pair| agrees(&mut Lcs::default(), &pattern, &text);
        QuickCheck::new().tests(20_000).quickcheck(agree as fn(Pair) -> bool);
    }

    #[test]
    fn tables_are_left_clean() {
        let mut g = Gen::new(100);
        let mut lcs = Lcs::default();
        for _ in 0..5_000 {
            let Pair(pattern, text) = Pair::arbitrary(&mut g);
            assert!(agrees(&mut lcs, &pattern, &text), "{pattern:?} {text:?}");
        }
    }

    #[test]
    fn long_texts_are_gone_through_twice() {
        let mut g = Gen::new(100);
        let mut lcs = Lcs::default();
        for (pattern, text) in [(5, 3000), (130, KEPT), (130, KEPT + 1), (700, 2 * KEPT + 77), (2000, 40)] {
            let mut tokens = |len| (0..len).map(|_| u32::arbitrary(&mut g) % 4).collect::<Vec<u32>>();
            let pattern = tokens(pattern);
            let text = tokens(text);
            assert!(agrees(&mut lcs, &pattern, &text));
        }
    }
}
