//! Computes, for thousands of permutation trials, the sum of every system's item scores with random signs.
//! The coin tosses of a trial give the signs.
//!
//! For every eight items, all 256 signed sums are computed once and then looked up. This needs an eighth of
//! the additions. The systems of a block are adjacent in memory, so that one addition is a vector addition.

use core::ops::{Add, Neg, Sub};

/// Number of systems whose values are added in one vector operation.
pub(super) const LANES: usize = 16;

/// Values of up to [`LANES`] systems for one vector operation: their scores of one item, or their sums over
/// items.
#[derive(Debug, Clone, Copy)]
// One cache line for 16 values of `i32`: no table entry crosses a line.
#[repr(align(64))]
pub(super) struct Lane<T>(pub(super) [T; LANES]);

pub(super) trait Whole:
    Copy + Default + Add<Output = Self> + Sub<Output = Self> + Neg<Output = Self>
{
}

impl Whole for i32 {}
impl Whole for i128 {}

impl<T: Whole> Lane<T> {
    fn plus(mut self, other: &Self) -> Self {
        self.0.iter_mut().zip(other.0).for_each(|(sum, value)| *sum = *sum + value);
        self
    }
}

/// Rearranges `values[system][item]` into blocks of [`LANES`] systems; each block has one [`Lane`] for each
/// item. Missing systems of the last block are 0.
pub(super) fn lanes<T: Whole>(values: &[Vec<T>]) -> Vec<Vec<Lane<T>>> {
    let items = values.first().map_or(0, Vec::len);
    let block = |systems: &[Vec<T>]| {
        let mut block = vec![Lane([T::default(); LANES]); items];
        for (lane, values) in systems.iter().enumerate() {
            block.iter_mut().zip(values).for_each(|(item, value)| item.0[lane] = *value);
        }
        block
    };
    values.chunks(LANES).map(block).collect()
}

/// Returns sums of each system's item scores with random signs, as `sums[flip][system][trial]`. The coin
/// tosses of a trial give the signs.
///
/// `blocks` are the scores of `systems` systems, rearranged by [`lanes`]. `eights` are the coin tosses of all
/// trials, grouped by eight items ([`Coins::by_eight`](super::coins::Coins::by_eight)).
///
/// Each entry of `flips` has one bit for each item, packed into bytes. The sign of an item is `+` if exactly
/// one of its coin and its bit is 1. A row of zeros thus takes the coins as signs (1 is `+`); a row of ones
/// inverts all signs.
pub(super) fn signed_sums<T: Whole>(
    blocks: &[Vec<Lane<T>>],
    systems: usize,
    eights: &[Vec<u8>],
    flips: &[&[u8]],
) -> Vec<Vec<Vec<T>>> {
    let trials = eights.first().map_or(0, Vec::len);
    let mut all: Vec<Vec<Vec<T>>> = flips.iter().map(|_| Vec::with_capacity(systems)).collect();
    let zero = Lane([T::default(); LANES]);
    let mut sums = vec![vec![zero; trials]; flips.len()];
    for (at, block) in blocks.iter().enumerate() {
        sums.iter_mut().for_each(|sums| sums.fill(zero));
        let mut eight = block.chunks(8).zip(eights).enumerate();
        // Two groups of eight items at a time: the sums take 64 bytes for each trial, too much for the first
        // cache, and this halves how often they are read and written.
        while let Some((place, (items, coins))) = eight.next() {
            let first = table(items);
            match eight.next() {
                Some((_, (items, other_coins))) => {
                    let second = table(items);
                    for (sums, flip) in sums.iter_mut().zip(flips) {
                        for ((sum, coin), other) in sums.iter_mut().zip(coins).zip(other_coins) {
                            let one = &first[usize::from(coin ^ flip[place])];
                            *sum = sum.plus(one).plus(&second[usize::from(other ^ flip[place + 1])]);
                        }
                    }
                }
                None => {
                    for (sums, flip) in sums.iter_mut().zip(flips) {
                        for (sum, coin) in sums.iter_mut().zip(coins) {
                            *sum = sum.plus(&first[usize::from(coin ^ flip[place])]);
                        }
                    }
                }
            }
        }
        // The last block may have fewer systems than lanes.
        let here = LANES.min(systems - at * LANES);
        for (sums, all) in sums.iter().zip(&mut all) {
            all.extend((0..here).map(|lane| sums.iter().map(|sum| sum.0[lane]).collect::<Vec<T>>()));
        }
    }
    all
}

/// Returns the sums of at most eight items' scores under all choices of signs. Bit `i` of the index is the
/// sign of item `i`; 1 is `+`.
fn table<T: Whole>(items: &[Lane<T>]) -> Box<[Lane<T>; 256]> {
    let zero = Lane([T::default(); LANES]);
    let mut table = Box::new([zero; 256]);
    table[0] = items.iter().fold(zero, |mut sum, item| {
        sum.0.iter_mut().zip(item.0).for_each(|(sum, value)| *sum = *sum - value);
        sum
    });
    // Clearing the lowest bit gives an index whose sum is already known. Setting the bit turns −x into +x,
    // which adds x twice. Unused items of a short group count as 0.
    for index in 1..256_usize {
        let below = table[index & (index - 1)];
        table[index] = match items.get(index.trailing_zeros() as usize) {
            Some(item) => below.plus(item).plus(item),
            None => below,
        };
    }
    table
}

/// Converts item scores of systems, `values[system][item]`, to integers that share one scale, so that sums
/// are exact. The integers are small enough that four times a sum over all items does not overflow.
///
/// With up to a million items, the conversion is exact unless scores differ extremely in size. Digits of a
/// score that are more than 2⁵⁰ times smaller than the last digit of the largest score are lost.
pub(super) fn fixed(values: &[Vec<f64>]) -> Vec<Vec<i128>> {
    let most = values.iter().flatten().fold(0.0_f64, |most, value| most.max(value.abs()));
    let items = values.first().map_or(1, Vec::len).max(1);
    // The largest value is scaled to just below 2^(124 − log₂ items − 1), so sums over all items are below
    // 2^124 and sums of four such sums are below 2^126: signs, differences and complements of trials still
    // fit.
    let room = 124 - items.ilog2() as i32 - 1;
    let scale = room - exponent(most);
    let whole = |value: &f64| scaled(*value, scale);
    values.iter().map(|values| values.iter().map(whole).collect()).collect()
}

/// Returns the smallest exponent `e` with `|value| < 2^e`.
fn exponent(value: f64) -> i32 {
    let bits = ((value.to_bits() >> 52) & 0x7ff) as i32;
    bits.max(1) - 1022
}

/// Returns the fixed-point number `value · 2^scale`, rounded to the nearest integer.
fn scaled(value: f64, scale: i32) -> i128 {
    let bits = value.to_bits();
    let exponent = ((bits >> 52) & 0x7ff) as i32;
    let fraction = i128::from(bits & ((1 << 52) - 1));
    // The float is taken apart into bits: multiplying by 2^scale could overflow to infinity. Subnormal
    // numbers have no implicit leading bit.
    let mantissa = if exponent == 0 { fraction } else { fraction | 1 << 52 };
    let shift = exponent.max(1) - 1075 + scale;
    let whole = match shift {
        0.. => mantissa << shift,
        // Half of the divisor is added before the shift. A shift beyond 60 bits leaves nothing of a mantissa
        // of 53 bits.
        -60..0 => (mantissa + (1 << (-shift - 1))) >> -shift,
        _ => 0,
    };
    if value < 0.0 { -whole } else { whole }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::agreement::coins::{Coins, coin};

    #[test]
    fn looked_up_sums_are_added_ones() {
        for (systems, items) in [(1, 1), (3, 8), (17, 21), (16, 40), (33, 16)] {
            let value = |system: usize, item: usize| (system * 31 + item * item * 7) as i32 % 101 - 50;
            let values: Vec<Vec<i32>> =
                (0..systems).map(|system| (0..items).map(|item| value(system, item)).collect()).collect();
            let coins = Coins::rounded(4, 9, items);
            let flips = Coins::fair(5, 3, items);
            let flipped: Vec<&[u8]> = (0..3).map(|trial| flips.row(trial)).collect();
            let sums = signed_sums(&lanes(&values), systems, &coins.by_eight(), &flipped);
            for (flip, row) in flipped.iter().enumerate() {
                for (trial, sums) in (0..9).map(|trial| (trial, &sums[flip])) {
                    for (system, values) in values.iter().enumerate() {
                        let sign =
                            |at: usize| if coin(coins.row(trial), at) == coin(row, at) { -1 } else { 1 };
                        let sum: i32 = values.iter().enumerate().map(|(at, value)| sign(at) * value).sum();
                        assert_eq!(sums[system][trial], sum);
                    }
                }
            }
        }
    }

    #[test]
    fn integers_of_one_scale_keep_every_bit() {
        let fixed = fixed(&[vec![0.1, -0.1, 3.0], vec![1e-9, 0.0, -2.0]]);
        assert_eq!(fixed[0][0], -fixed[0][1]);
        assert_eq!(fixed[0][2] * 2, -fixed[1][2] * 3);
        assert_eq!(
            (fixed[1][1], (fixed[0][0] as f64 / fixed[0][2] as f64 - 0.1 / 3.0).abs() < 1e-17),
            (0, true)
        );
        assert_eq!(super::fixed(&[vec![0.0, f64::MIN_POSITIVE]])[0][0], 0);
        assert!(super::fixed(&[vec![1e308, 5e-324]])[0][0] > 0);
    }
}
