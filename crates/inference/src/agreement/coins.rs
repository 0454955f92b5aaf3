//! Rows of coins, packed: those of soft pairwise accuracy, and those of tests between metrics.

use crate::NumpyRandom;

/// Trials by what is tossed for: items, systems, cells or pairs. Eight coins lie in a byte, the first one lowest; the coins
/// beyond the last are 0.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Coins {
    pub(super) trials: usize,
    /// The bytes of a row.
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

    /// The coins of soft pairwise accuracy: NumPy's `float32` draws, rounded.
    pub(super) fn rounded(seed: u128, trials: usize, count: usize) -> Self {
        let mut random = NumpyRandom::new(seed);
        Self::draw(trials, count, |row| random.fill_rounded(row))
    }

    /// Fair bits, of another seed than those of [`Coins::rounded`] that are tossed within the same test.
    pub(super) fn fair(seed: u128, trials: usize, count: usize) -> Self {
        let mut random = NumpyRandom::new(seed.wrapping_add(1));
        let mut booleans = random.booleans();
        Self::draw(trials, count, |row| row.iter_mut().for_each(|coin| *coin = booleans.draw()))
    }

    pub(super) fn row(&self, trial: usize) -> &[u8] {
        self.bytes.get(trial * self.stride..(trial + 1) * self.stride).unwrap_or_default()
    }

    /// For each eight coins, their bytes in all trials.
    pub(super) fn by_eight(&self) -> Vec<Vec<u8>> {
        let column = |at: usize| self.bytes.iter().skip(at).step_by(self.stride).copied().collect();
        (0..self.stride).map(column).collect()
    }
}

fn packed(coins: &[bool]) -> u8 {
    coins.iter().enumerate().fold(0, |byte, (at, coin)| byte | u8::from(*coin) << at)
}

pub(super) fn coin(row: &[u8], at: usize) -> bool {
    row[at / 8] >> (at % 8) & 1 == 1
}
