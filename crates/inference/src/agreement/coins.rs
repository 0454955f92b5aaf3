//! Bit-packed tables of random coin tosses. Each trial of a permutation test uses one row of tosses to decide
//! which scores are swapped.

use crate::NumpyRandom;

/// Table of random coin tosses for permutation tests: one row for each trial, one coin for each swapped unit.
/// A unit is an item, a system, a single score or a pair of scores.
///
/// A byte holds eight coins, the first one in the lowest bit. Unused bits of the last byte are 0.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Coins {
    /// Number of rows of coin tosses: one for each trial.
    pub(super) trials: usize,
    /// Number of bytes in the row of coin tosses of one trial.
    stride: usize,
    bytes: Vec<u8>,
}

impl Coins {
    pub(super) fn draw(trials: usize, count: usize, mut fill: impl FnMut(&mut [bool])) -> Self {
        let stride = count.div_ceil(8);
        let mut row = vec![false; count];
        let mut bytes = Vec::with_capacity(trials * stride);
        for _ in 0..trials {
            fill(&mut row);
            bytes.extend(row.chunks(8).map(packed));
        }
        Coins { trials, stride, bytes }
    }

    /// Draws the coin tosses of soft pairwise accuracy: NumPy's `float32` draws for this seed, each rounded
    /// to 0 or 1.
    pub(super) fn rounded(seed: u128, trials: usize, count: usize) -> Self {
        let mut random = NumpyRandom::new(seed);
        Self::draw(trials, count, |row| random.fill_rounded(row))
    }

    /// Draws fair bits with the seed `seed + 1`. The bits are thus independent of the tosses that
    /// [`Coins::rounded`] draws with `seed` for the same test.
    pub(super) fn fair(seed: u128, trials: usize, count: usize) -> Self {
        let mut random = NumpyRandom::new(seed.wrapping_add(1));
        let mut booleans = random.booleans();
        Self::draw(trials, count, |row| row.iter_mut().for_each(|coin| *coin = booleans.draw()))
    }

    pub(super) fn row(&self, trial: usize) -> &[u8] {
        self.bytes.get(trial * self.stride..(trial + 1) * self.stride).unwrap_or_default()
    }

    /// Returns the tosses in groups of eight coins: one vector for each group, with one byte for each trial.
    /// The bits of a byte are the trial's tosses of the eight coins.
    pub(super) fn by_eight(&self) -> Vec<Vec<u8>> {
        let column = |at: usize| self.bytes.iter().skip(at).step_by(self.stride).copied().collect();
        (0..self.stride).map(column).collect()
    }
}

// `signed::table` relies on this order: bit `i` of a byte is the sign of item `i` of the eight.
fn packed(coins: &[bool]) -> u8 {
    coins.iter().enumerate().fold(0, |byte, (at, coin)| byte | u8::from(*coin) << at)
}

pub(super) fn coin(row: &[u8], at: usize) -> bool {
    row[at / 8] >> (at % 8) & 1 == 1
}
