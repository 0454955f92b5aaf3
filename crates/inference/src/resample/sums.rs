//! Fast sums of the count rows of a resample: the innermost loop of every resampling test.
//!
//! A resample is a weight for every segment ([`ResampleWeights`]); its statistics are the sum of the
//! segments' count rows times their weights. Counts are split into digits of 15 bits, so that one instruction
//! adds the products of two segments. The digits are stored in blocks of columns, with the digits of two
//! segments next to each other (`lanes.rs`).
//!
//! All systems of a test share one table, because many of their columns are equal. For example, the reference
//! lengths are stored only once.

use bleuprint_core::{InputError, Result};

use super::lanes;
use crate::resample::lanes::{LANES, Row};
use crate::rows::require_parallel;
use crate::{CountRows, ResampleWeights};

/// Number of processor vectors that are read at once from a table of counts; together they fill one cache
/// line.
const LINE: usize = 2;
/// Number of bits in the pieces (digits) into which counts are cut. Two products of 15-bit factors fit a
/// 32-bit sum.
const BITS: u32 = 15;

/// Table of counts, cut into pieces of 15 bits. Each row holds two segments, in `V` vectors of [`LANES`]
/// columns.
type Block<const V: usize> = Vec<Row<V>>;

/// Counts of several systems, packed into one table from which exact weighted sums over segments are
/// computed.
///
/// A count is stored as the number `k` in `least + step · k`. In each column, `least` is the smallest count
/// and `step` the greatest common divisor of the differences from it. For most columns `k` fits one digit of
/// 15 bits; constant columns need no digit. Equal columns of digits are stored once.
#[derive(Debug, Clone)]
pub(crate) struct ExactSums {
    widths: Vec<usize>,
    columns: Vec<Packed>,
    digits: Vec<Vec<i16>>,
    lines: Vec<Block<LINE>>,
    vectors: Vec<Block<1>>,
}

#[derive(Debug, Clone)]
struct Packed {
    least: u64,
    step: u64,
    /// Indices of the digit columns in which one column of counts is stored. A count is stored as the integer
    /// `(count − least)/step`, cut into digits of 15 bits; each digit has a column, the lowest digit first.
    digits: Vec<usize>,
}

impl ExactSums {
    /// Packs the count rows of several systems into one table, one system after another.
    ///
    /// # Errors
    /// Returns an error if the systems have no segments or different numbers of segments, or if a sum could
    /// overflow.
    pub(crate) fn new(systems: &[&CountRows]) -> Result<Self> {
        let length = require_parallel(systems)?;
        let segments = segments_as_u32(length)?;
        let mut digits = Vec::new();
        let columns = systems.iter().flat_map(|rows| (0..rows.columns()).map(move |column| (rows, column)));
        let columns = columns
            .map(|(rows, column)| pack(rows, column, segments, &mut digits))
            .collect::<Result<Vec<_>, _>>()?;
        // A wide block for the last few columns would mostly hold zeros.
        let in_lines = match digits.len() % (LINE * LANES) {
            rest @ 1..=LANES => digits.len() - rest,
            _ => digits.len(),
        };
        let (lines, vectors) = digits.split_at(in_lines);
        let lines = lines.chunks(LINE * LANES).map(|columns| block(columns, length)).collect();
        let vectors = vectors.chunks(LANES).map(|columns| block(columns, length)).collect();
        let widths = systems.iter().map(|rows| rows.columns()).collect();
        Ok(ExactSums { widths, columns, digits, lines, vectors })
    }

    /// Splits `sum` into one slice for each system. `sum` has the column sums of the first system, then of
    /// the second, and so on.
    pub(crate) fn of_each<'s>(&self, mut sum: &'s [u64]) -> impl Iterator<Item = &'s [u64]> {
        self.widths.iter().map(move |&width| sum.split_off(..width.min(sum.len())).unwrap_or_default())
    }

    /// Writes to `sum` the weighted column sums of all systems, one system after another. The weights of a
    /// resample add up to at most the number of segments. `digits` is working memory.
    pub(crate) fn sum(&self, weights: &ResampleWeights, digits: &mut Vec<u64>, sum: &mut Vec<u64>) {
        digits.clear();
        self.lines.iter().for_each(|block| add_block(block, weights, digits));
        self.vectors.iter().for_each(|block| add_block(block, weights, digits));
        // Draws of a segment beyond the largest 15-bit weight are added one by one; they are very rare.
        for &segment in &weights.others {
            for (digit, column) in digits.iter_mut().zip(&self.digits) {
                *digit += column.get(segment as usize).map_or(0, |&value| u64::from(value.unsigned_abs()));
            }
        }
        let digit = |&place: &usize| digits.get(place).copied().unwrap_or(0);
        sum.clear();
        sum.extend(self.columns.iter().map(|Packed { least, step, digits }| {
            // `pack` has checked that the greatest count times the number of segments fits 64 bits, so this
            // cannot overflow.
            let multiple = digits.iter().rev().map(digit).fold(0, |high, low| (high << BITS) + low);
            least * weights.draws + step * multiple
        }));
    }
}

/// Appends to `sums` the column sums of a table of 15-bit pieces of counts. Each segment is weighted by the
/// number of times it was drawn.
fn add_block<const V: usize>(block: &Block<V>, weights: &ResampleWeights, sums: &mut Vec<u64>) {
    let first = sums.len();
    sums.resize(first + V * LANES, 0);
    let mut start = 0;
    for &end in &weights.pieces {
        let rows = block.get(start..end).unwrap_or_default();
        // The 32-bit sums of a piece are below 2³² but may wrap into the sign bit; the cast to `u32` undoes
        // this.
        let piece = lanes::sums(rows, &weights.pairs[start..end]);
        let lanes = piece.as_flattened().iter();
        sums[first..].iter_mut().zip(lanes).for_each(|(sum, &lane)| *sum += u64::from(lane as u32));
        start = end;
    }
}

/// Creates a table of counts from columns of digits (15-bit pieces of counts). The digits of two segments
/// alternate; unused positions are 0.
fn block<const V: usize>(columns: &[Vec<i16>], segments: usize) -> Block<V> {
    let value = |column: usize, segment: usize| {
        columns.get(column).and_then(|column| column.get(segment)).copied().unwrap_or(0)
    };
    let lane = |pair: usize, lane: usize| value(lane / 2, 2 * pair + lane % 2);
    (0..segments.div_ceil(2)).map(|pair| lanes::row(|index| lane(pair, index))).collect()
}

pub(crate) fn segments_as_u32(segments: usize) -> Result<u32> {
    u32::try_from(segments)
        .map_err(|_| InputError::limit("the number of segments resampled", segments, "at most 4294967295"))
}

/// Packs one column of counts into 15-bit digits and appends new digit columns to `all`. `draws` is the
/// largest number of segments that a resample draws.
///
/// # Errors
/// Returns an error if the greatest count times `draws` does not fit 64 bits.
fn pack(rows: &CountRows, column: usize, draws: u32, all: &mut Vec<Vec<i16>>) -> Result<Packed> {
    let values: Vec<u64> = rows.column(column).collect();
    let least = values.iter().copied().min().unwrap_or(0);
    let greatest = values.iter().copied().max().unwrap_or(0);
    if greatest.checked_mul(u64::from(draws)).is_none() {
        return Err(InputError::count_range(format!("{}", column + 1), greatest, '*', u64::from(draws)));
    }
    let mut step = 0;
    for value in &values {
        step = gcd(step, value - least);
        // A divisor of 1 cannot change any more. Most columns reach it after a few segments.
        if step == 1 {
            break;
        }
    }
    let mut digits = Vec::new();
    let mut most = (greatest - least).checked_div(step).unwrap_or(0);
    while most > 0 {
        let shift = BITS * digits.len() as u32;
        let digit = |multiple: u64| ((multiple >> shift) & ((1 << BITS) - 1)) as i16;
        // The common step of 1 skips a slow division for each segment.
        let column: Vec<i16> = match step {
            1 => values.iter().map(|value| digit(value - least)).collect(),
            _ => values.iter().map(|value| digit((value - least) / step)).collect(),
        };
        digits.push(all.iter().position(|known| *known == column).unwrap_or_else(|| {
            all.push(column);
            all.len() - 1
        }));
        most >>= BITS;
    }
    Ok(Packed { least, step, digits })
}

fn gcd(a: u64, b: u64) -> u64 {
    if b == 0 { a } else { gcd(b, a % b) }
}

/// Sums over resamples in `f32` that match sacreBLEU's: rows are added one after another in the order of the
/// drawn indices, on which the rounding depends.
///
/// If all sums are exact in `f32`, as for counts below 2²⁴, the order does not matter and the rows are summed
/// as integers.
#[derive(Debug, Clone)]
pub(crate) struct FloatSums {
    columns: usize,
    values: SummedValues,
}

/// Number of `f32` columns that are summed together in one block.
const FLOATS: usize = 16;

#[derive(Debug, Clone)]
enum SummedValues {
    Integers(ExactSums),
    /// Rows of `f32` numbers in blocks of columns, for sums in the order of the draws. The last block is
    /// filled up with zeros.
    InOrder(Vec<Vec<[f32; FLOATS]>>),
}

impl FloatSums {
    /// Prepares the rows of the segments, `columns` numbers each, for sums over resamples. `values` holds the
    /// rows one after another.
    ///
    /// # Errors
    /// Returns an error if there are too many segments or if a sum could overflow.
    pub(crate) fn new(columns: usize, values: &[f32]) -> Result<Self> {
        let segments = values.len().checked_div(columns).unwrap_or(0);
        segments_as_u32(segments)?;
        let greatest = values.iter().copied().fold(0.0, f32::max);
        // The cast saturates for negative and huge numbers, which then differ from their integer or fail the
        // bound below.
        let is_integer = |value: &f32| *value as u64 as f32 == *value;
        // A float of 24 significant bits holds every integer up to 2²⁴, so no partial sum is rounded.
        let exact = f64::from(greatest) * segments as f64 <= f64::from(1 << f32::MANTISSA_DIGITS);
        let values = if segments > 0 && exact && values.iter().all(is_integer) {
            let counts = values.iter().map(|&value| value as u64).collect();
            SummedValues::Integers(ExactSums::new(&[&CountRows::new(columns, counts)?])?)
        } else {
            let block = |first: usize| {
                let row = |row: &[f32]| {
                    core::array::from_fn(|lane| row.get(first + lane).copied().unwrap_or_default())
                };
                values.chunks_exact(columns.max(1)).map(row).collect()
            };
            SummedValues::InOrder((0..columns).step_by(FLOATS).map(block).collect())
        };
        Ok(FloatSums { columns, values })
    }

    /// Writes the sum of a resample's rows to `sum`. `indices` are the drawn segments; `weights` has the
    /// number of draws of each segment, for integer sums. `memory` is working memory.
    pub(crate) fn sum(
        &self,
        indices: &[u32],
        weights: &ResampleWeights,
        memory: &mut [Vec<u64>; 2],
        sum: &mut Vec<f32>,
    ) {
        sum.clear();
        match &self.values {
            SummedValues::Integers(sums) => {
                let [digits, counts] = memory;
                sums.sum(weights, digits, counts);
                sum.extend(counts.iter().map(|&count| count as f32));
            }
            SummedValues::InOrder(blocks) => {
                for block in blocks {
                    let mut sums = [0.0; FLOATS];
                    for row in indices.iter().filter_map(|&index| block.get(index as usize)) {
                        sums.iter_mut().zip(row).for_each(|(sum, value)| *sum += value);
                    }
                    sum.extend_from_slice(&sums);
                }
                sum.truncate(self.columns);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use quickcheck::{TestResult, quickcheck};

    use super::*;

    fn table(seed: &[(u8, u16)]) -> CountRows {
        let row = |&(small, large): &(u8, u16)| {
            let small = u64::from(small);
            let large = u64::from(large);
            let mut row = vec![small, 3, small, small * 720_720, large << 40, 5 + 7 * small];
            row.extend((0..14).map(|i| small.wrapping_mul(i) ^ large));
            row
        };
        CountRows::new(20, seed.iter().flat_map(row).collect()).unwrap()
    }

    quickcheck! {
        fn packed_sums_are_plain_sums(seed: Vec<(u8, u16)>, picks: Vec<u32>) -> TestResult {
            if seed.is_empty() {
                return TestResult::discard();
            }
            let rows = table(&seed);
            let indices: Vec<u32> =
                picks.iter().take(seed.len()).map(|pick| pick % seed.len() as u32).collect();
            let mut weights = ResampleWeights::default();
            let mut digits = Vec::new();
            let mut sum = Vec::new();
            weights.fill(&indices, seed.len());
            ExactSums::new(&[&rows]).unwrap().sum(&weights, &mut digits, &mut sum);
            TestResult::from_bool(sum == rows.sum_of(indices.iter().map(|&i| i as usize)).unwrap())
        }

        fn systems_in_one_table_have_their_own_sums(seed: Vec<(u8, u16)>, picks: Vec<u32>) -> TestResult {
            if seed.is_empty() {
                return TestResult::discard();
            }
            // Systems with different numbers of columns, some of which are equal.
            let narrow = seed.iter().flat_map(|&(small, _)| [u64::from(small), 3]).collect();
            let systems = [table(&seed), CountRows::new(2, narrow).unwrap(), table(&seed)];
            let indices: Vec<u32> = picks.iter().take(seed.len()).map(|pick| pick % seed.len() as u32).collect();
            let mut weights = ResampleWeights::default();
            let mut digits = Vec::new();
            let mut sum = Vec::new();
            weights.fill(&indices, seed.len());
            let sums = ExactSums::new(&systems.each_ref()).unwrap();
            sums.sum(&weights, &mut digits, &mut sum);
            let alone = |rows: &CountRows| rows.sum_of(indices.iter().map(|&i| i as usize)).unwrap();
            TestResult::from_bool(sums.of_each(&sum).eq(systems.iter().map(alone)))
        }

        fn float_sums_are_sums_in_order(seed: Vec<(u8, u16)>, picks: Vec<u32>) -> TestResult {
            if seed.is_empty() {
                return TestResult::discard();
            }
            let fractions = seed.iter().flat_map(|&(a, b)| [f32::from(a) / 3.0, f32::from(b) * 1e6]).collect();
            let counts = seed.iter().flat_map(|&(a, b)| [f32::from(a), f32::from(b)]).collect();
            let indices: Vec<u32> = picks.iter().take(seed.len()).map(|pick| pick % seed.len() as u32).collect();
            let mut weights = ResampleWeights::default();
            weights.fill(&indices, seed.len());
            let in_order = |values: Vec<f32>| {
                let naive = |column: usize| {
                    indices.iter().fold(0.0_f32, |sum, &index| sum + values[2 * index as usize + column])
                };
                let mut sum = Vec::new();
                FloatSums::new(2, &values).unwrap().sum(&indices, &weights, &mut Default::default(), &mut sum);
                sum == [naive(0), naive(1)]
            };
            TestResult::from_bool(in_order(fractions) && in_order(counts))
        }
    }

    /// Checks sums of a resample that draws one segment more often than a 15-bit weight can count, and more
    /// segments than one 32-bit sum can hold.
    #[test]
    fn many_draws_are_summed_in_pieces() {
        let rows = CountRows::new(2, (0..300_000).flat_map(|i| [i % 32_768, i]).collect()).unwrap();
        let indices: Vec<u32> = (0..300_000).map(|i| if i % 3 == 0 { 32_767 } else { i }).collect();
        let mut weights = ResampleWeights::default();
        let mut digits = Vec::new();
        let mut sum = Vec::new();
        weights.fill(&indices, rows.len());
        assert!(weights.pieces.len() > 1 && weights.others.len() > 60_000);
        ExactSums::new(&[&rows]).unwrap().sum(&weights, &mut digits, &mut sum);
        assert_eq!(sum, rows.sum_of(indices.iter().map(|&i| i as usize)).unwrap());
    }

    #[test]
    fn sums_that_may_not_fit_are_refused() {
        let error = ExactSums::new(&[&CountRows::new(1, vec![u64::MAX, 1]).unwrap()]).unwrap_err();
        assert_eq!(error.to_string(), "count out of range in column `1`: 18446744073709551615 * 2");
    }
}
