//! Computes the length of a longest common subsequence of long sequences: several machine words of a table
//! column at a time, within a band of diagonals.
//!
//! Let the pattern have `p` tokens and the text `t`. A common subsequence that leaves out at most `k`
//! tokens of the pattern stays on the diagonals from `-k` to `t - p + k` (text position minus pattern
//! position). Matches outside this band do not matter to it. If the subsequence found in a band leaves out
//! no more tokens than the band allows, it is a longest one.

use bleuprint_core::{Result, check_interrupt};

use crate::edit::strip::{EqualTokens, WORD};

/// Number of machine words of a table column that are computed side by side. Only the carry from each word to
/// the next connects them.
const LANES: usize = 4;

/// Number of tokens of the shorter sequence, as rows of the common-subsequence table, that are computed
/// together. For a shorter sequence, it saves no time to compute only the cells near the diagonal.
const ROWS: usize = LANES * WORD;
const FIRST_GUESS: usize = 256;

#[derive(Debug, Clone, Default)]
pub(super) struct Bands {
    equal: EqualTokens<LANES>,
    /// For each token of the longer sequence (the text), 0 or 1: the growth of the common subsequence's
    /// length at that token, in the last computed row of the table.
    steps: Vec<u8>,
}

impl Bands {
    /// Returns the length of a longest common subsequence of a pattern and a text. The pattern must not be
    /// longer than the text. All token ids are below `distinct`.
    ///
    /// Time is `O(text · k / 64)` if the subsequence leaves out `k` pattern tokens. `k` is guessed first;
    /// each guess that is too small costs another pass.
    pub(super) fn length(&mut self, pattern: &[u32], text: &[u32], distinct: usize) -> Result<usize> {
        self.equal.reserve(distinct);
        // Equal tokens at both ends belong to some longest common subsequence, so they need no table.
        let front = pattern.iter().zip(text).take_while(|(a, b)| a == b).count();
        let pattern = &pattern[front..];
        let text = &text[front..];
        let back = pattern.iter().rev().zip(text.iter().rev()).take_while(|(a, b)| a == b).count();
        let pattern = &pattern[..pattern.len() - back];
        let text = &text[..text.len() - back];
        let mut guess = FIRST_GUESS;
        loop {
            let found = self.within(pattern, text, guess)?;
            let left_out = pattern.len() - found;
            if left_out <= guess {
                return Ok(front + found + back);
            }
            // `left_out` is an upper bound on the tokens that must be left out, so a guess of that size is
            // certain to suffice. It is taken once it is near; until then the guess grows by 4.
            guess = if 8 * guess > left_out { left_out } else { 4 * guess };
        }
    }

    fn within(&mut self, pattern: &[u32], text: &[u32], left_out: usize) -> Result<usize> {
        self.steps.clear();
        self.steps.resize(text.len(), 0);
        let above = text.len() - pattern.len() + left_out;
        // Start of the last strip, and the length in the row above the strip, before its first column.
        let mut before = 0;
        let mut corner = 0;
        for (strip, tokens) in pattern.chunks(ROWS).enumerate() {
            check_interrupt()?;
            let top = strip * ROWS;
            let start = top.saturating_sub(left_out);
            let end = (top + tokens.len() + above).min(text.len());
            corner += grown(&self.steps[before..start]);
            self.equal.load(tokens);
            run(&self.equal, &text[start..end], &mut self.steps[start..end]);
            self.equal.clear(tokens);
            before = start;
        }
        Ok(corner + grown(&self.steps[before..]))
    }
}

fn grown(steps: &[u8]) -> usize {
    steps.iter().map(|&step| usize::from(step)).sum()
}

/// Computes one block of rows of the table of longest-common-subsequence lengths, which has a column for each
/// token of `text`.
///
/// `steps[j]` is 1 if the length in column `j` is greater than in the column before, otherwise 0. On entry,
/// `steps` describes the row above the block; on return, it describes the block's last row. The formula is in
/// `lcs.rs`.
fn run(equal: &EqualTokens<LANES>, text: &[u32], steps: &mut [u8]) {
    let mut flat = [u64::MAX; LANES];
    for (step, &token) in steps.iter_mut().zip(text) {
        let masks = equal.rows_of(token);
        let mut carry = *step != 0;
        for (flat, &mask) in flat.iter_mut().zip(masks) {
            let (sum, one) = flat.overflowing_add(*flat & mask);
            let (sum, two) = sum.overflowing_add(u64::from(carry));
            carry = one | two;
            *flat = sum | (*flat & !mask);
        }
        *step = u8::from(carry);
    }
}

#[cfg(test)]
mod tests {
    use super::super::lcs::naive;
    use super::*;
    use quickcheck::{Arbitrary, Gen, quickcheck};

    #[derive(Debug, Clone)]
    struct Pair(Vec<u32>, Vec<u32>);

    impl Arbitrary for Pair {
        fn arbitrary(g: &mut Gen) -> Self {
            let below = |g: &mut Gen, limit: usize| usize::arbitrary(g) % limit;
            let longest = *g.choose(&[3, 20, 70, 270, 600, 1_100]).expect("there are some");
            let alphabet = *g.choose(&[1, 2, 4, 30]).expect("there are some");
            let tokens = |g: &mut Gen, longest: usize| -> Vec<u32> {
                (0..below(g, longest + 1)).map(|_| below(g, alphabet) as u32).collect()
            };
            let text = tokens(g, longest);
            let mut pattern = if bool::arbitrary(g) { text.clone() } else { tokens(g, longest) };
            for _ in 0..below(g, 20) {
                let at = below(g, pattern.len() + 1);
                let to = (at + below(g, 40)).min(pattern.len());
                pattern.splice(at..to, tokens(g, 5));
            }
            if pattern.len() <= text.len() { Pair(pattern, text) } else { Pair(text, pattern) }
        }
    }

    quickcheck! {
        fn bands_agree_with_the_table(one: Pair, other: Pair) -> bool {
            let mut bands = Bands::default();
            [one, other].iter().all(|Pair(pattern, text)| {
                bands.length(pattern, text, 30).unwrap() == naive::table(pattern, text)[pattern.len()][text.len()]
            })
        }

        fn no_band_finds_too_much_and_wide_ones_find_all(pair: Pair, left_out: usize) -> bool {
            let Pair(pattern, text) = pair;
            let all = naive::table(&pattern, &text)[pattern.len()][text.len()];
            let mut bands = Bands::default();
            bands.equal.reserve(30);
            let left_out = left_out % (pattern.len() + 2);
            let found = bands.within(&pattern, &text, left_out).unwrap();
            found <= all && (found == all || pattern.len() - all > left_out)
        }
    }
}
