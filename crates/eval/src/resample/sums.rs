//! Sums of rows at many lists of indices: the inner loop of every resampling test.
//!
//! A resample is a list of indices, and its statistics are the sum of the rows there. The rows lie in blocks of
//! [`LANES`] columns, so that one row of a block is one line of cache and its columns add up side by side; columns
//! never mix, so each is summed in the order of the indices.

use bleuprint_core::{InputErrorKind, Result};

use super::Rows;

/// Columns of a block.
const LANES: usize = 16;

/// One row of one block, in one or two lines of cache.
#[derive(Debug, Clone, Copy)]
#[repr(align(64))]
struct Lane<T>([T; LANES]);

/// A table whose columns are summed side by side.
#[derive(Debug, Clone)]
struct Blocks<T> {
    blocks: Vec<Vec<Lane<T>>>,
}

impl<T: Copy + Default> Blocks<T> {
    /// The columns as blocks; the last one is filled up with zeros.
    fn new(segments: usize, columns: &[Vec<T>]) -> Self {
        let block = |columns: &[Vec<T>]| {
            let mut block = vec![Lane([T::default(); LANES]); segments];
            for (lane, column) in columns.iter().enumerate() {
                for (row, value) in block.iter_mut().zip(column) {
                    row.0[lane] = *value;
                }
            }
            block
        };
        Blocks { blocks: columns.chunks(LANES).map(block).collect() }
    }

    /// Appends the sums of all columns over the rows at `indices`, added in their order.
    fn sums(&self, indices: &[u32], add: impl Fn(T, T) -> T + Copy, out: &mut Vec<T>) {
        for block in &self.blocks {
            let mut sums = [T::default(); LANES];
            for &index in indices {
                let Some(Lane(row)) = block.get(index as usize) else { continue };
                for (sum, value) in sums.iter_mut().zip(row) {
                    *sum = add(*sum, *value);
                }
            }
            out.extend_from_slice(&sums);
        }
    }
}

/// Integer rows, packed: exact sums of at most as many rows as there are segments.
///
/// A column is kept as `least + step · k`, with `step` the greatest common divisor of what exceeds the least, so
/// that most columns fit 32 bits and constant ones need no column at all; equal columns are kept once.
#[derive(Debug, Clone)]
pub struct ExactSums {
    columns: Vec<Packed>,
    narrow: Blocks<u32>,
    wide: Blocks<u64>,
}

#[derive(Debug, Clone, Copy)]
struct Packed {
    least: u64,
    step: u64,
    place: Place,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Place {
    /// All rows are equal.
    Nowhere,
    Narrow(usize),
    Wide(usize),
}

impl ExactSums {
    /// Prepares rows for sums.
    ///
    /// # Errors
    /// [`CountRange`](InputErrorKind::CountRange) when the sum of a resample could exceed 64 bits;
    /// [`Limit`](InputErrorKind::Limit) when there are 2³² segments or more.
    pub fn new(rows: &Rows) -> Result<Self> {
        let segments = segments_as_u32(rows.len())?;
        let mut packing = Packing::default();
        let columns = (0..rows.columns())
            .map(|column| packing.pack(rows, column, segments))
            .collect::<Result<Vec<_>, _>>()?;
        Ok(ExactSums {
            columns,
            narrow: Blocks::new(rows.len(), &packing.narrow),
            wide: Blocks::new(rows.len(), &packing.wide),
        })
    }

    /// The number of columns.
    pub fn columns(&self) -> usize {
        self.columns.len()
    }

    /// The sum of the rows at `indices`, at most one for each segment.
    pub fn sum(&self, indices: &[u32], scratch: &mut SumScratch, sum: &mut Vec<u64>) {
        let SumScratch { narrow, wide } = scratch;
        narrow.clear();
        wide.clear();
        self.narrow.sums(indices, u32::wrapping_add, narrow);
        self.wide.sums(indices, u64::wrapping_add, wide);
        sum.clear();
        sum.extend(self.columns.iter().map(|column| {
            let multiple = match column.place {
                Place::Nowhere => 0,
                Place::Narrow(at) => u64::from(narrow.get(at).copied().unwrap_or(0)),
                Place::Wide(at) => wide.get(at).copied().unwrap_or(0),
            };
            column.least * indices.len() as u64 + column.step * multiple
        }));
    }
}

/// Memory that sums are made in, used again and again.
#[derive(Debug, Clone, Default)]
pub struct SumScratch {
    narrow: Vec<u32>,
    wide: Vec<u64>,
}

pub(crate) fn segments_as_u32(segments: usize) -> Result<u32> {
    u32::try_from(segments).map_err(|_| {
        let (what, limit) = ("the number of segments resampled".to_owned(), "at most 4294967295".to_owned());
        InputErrorKind::Limit { what, given: segments.to_string(), limit }.into()
    })
}

#[derive(Default)]
struct Packing {
    narrow: Vec<Vec<u32>>,
    wide: Vec<Vec<u64>>,
}

impl Packing {
    fn pack(&mut self, rows: &Rows, column: usize, draws: u32) -> Result<Packed> {
        let values = rows.column(column);
        let least = values.clone().min().unwrap_or(0);
        let greatest = values.clone().max().unwrap_or(0);
        if greatest.checked_mul(u64::from(draws)).is_none() {
            let column = format!("{}", column + 1);
            let (left, right) = (greatest, u64::from(draws));
            return Err(InputErrorKind::CountRange { column, left, operation: '*', right }.into());
        }
        let step = values.clone().fold(0, |step, value| gcd(step, value - least));
        if step == 0 {
            return Ok(Packed { least, step, place: Place::Nowhere });
        }
        let multiples = values.map(|value| (value - least) / step);
        let most = (greatest - least) / step;
        let place = if most * u64::from(draws) <= u64::from(u32::MAX) {
            Place::Narrow(place(&mut self.narrow, multiples.map(|value| value as u32).collect()))
        } else {
            Place::Wide(place(&mut self.wide, multiples.collect()))
        };
        Ok(Packed { least, step, place })
    }
}

/// Where the column lies: where an equal one does, or at the end.
fn place<T: PartialEq>(columns: &mut Vec<Vec<T>>, column: Vec<T>) -> usize {
    columns.iter().position(|known| *known == column).unwrap_or_else(|| {
        columns.push(column);
        columns.len() - 1
    })
}

fn gcd(a: u64, b: u64) -> u64 {
    if b == 0 { a } else { gcd(b, a % b) }
}

/// Rows of `f32`, summed one after the other as NumPy sums over a middle axis: the rounding depends on the order
/// of the indices.
#[derive(Debug, Clone)]
pub struct FloatSums {
    columns: usize,
    blocks: Blocks<f32>,
}

impl FloatSums {
    /// Prepares rows of `columns` numbers each.
    ///
    /// # Errors
    /// [`Limit`](InputErrorKind::Limit) when there are 2³² segments or more.
    pub fn new(columns: usize, values: &[f32]) -> Result<Self> {
        let column = |column: usize| values.iter().skip(column).step_by(columns.max(1)).copied().collect();
        let table: Vec<Vec<f32>> = (0..columns).map(column).collect();
        let segments = table.first().map_or(0, Vec::len);
        segments_as_u32(segments)?;
        Ok(FloatSums { columns, blocks: Blocks::new(segments, &table) })
    }

    /// The sum of the rows at `indices`.
    pub fn sum(&self, indices: &[u32], sum: &mut Vec<f32>) {
        sum.clear();
        self.blocks.sums(indices, |one, other| one + other, sum);
        sum.truncate(self.columns);
    }
}

#[cfg(test)]
mod tests {
    use quickcheck::{TestResult, quickcheck};

    use super::*;

    /// Counts of several kinds: small, constant, repeated, in large units, large.
    fn table(seed: &[(u8, u16)]) -> Rows {
        let row = |&(small, large): &(u8, u16)| {
            let (small, large) = (u64::from(small), u64::from(large));
            let mut row = vec![small, 3, small, small * 720_720, large << 40, 5 + 7 * small];
            row.extend((0..14).map(|i| small.wrapping_mul(i) ^ large));
            row
        };
        Rows::new(20, seed.iter().flat_map(row).collect()).unwrap()
    }

    quickcheck! {
        fn packed_sums_are_plain_sums(seed: Vec<(u8, u16)>, picks: Vec<u32>) -> TestResult {
            if seed.is_empty() {
                return TestResult::discard();
            }
            let rows = table(&seed);
            let indices: Vec<u32> =
                picks.iter().take(seed.len()).map(|pick| pick % seed.len() as u32).collect();
            let (mut scratch, mut sum) = (SumScratch::default(), Vec::new());
            ExactSums::new(&rows).unwrap().sum(&indices, &mut scratch, &mut sum);
            TestResult::from_bool(sum == rows.sum_of(indices.iter().map(|&i| i as usize)).unwrap())
        }

        fn float_sums_are_sums_in_order(seed: Vec<(u8, u16)>, picks: Vec<u32>) -> TestResult {
            if seed.is_empty() {
                return TestResult::discard();
            }
            let values: Vec<f32> = seed.iter().flat_map(|&(a, b)| [f32::from(a) / 3.0, f32::from(b) * 1e6]).collect();
            let indices: Vec<u32> = picks.iter().map(|pick| pick % seed.len() as u32).collect();
            let naive = |column: usize| {
                indices.iter().fold(0.0_f32, |sum, &index| sum + values[2 * index as usize + column])
            };
            let mut sum = Vec::new();
            FloatSums::new(2, &values).unwrap().sum(&indices, &mut sum);
            TestResult::from_bool(sum == [naive(0), naive(1)])
        }
    }

    #[test]
    fn sums_that_may_not_fit_are_refused() {
        let error = ExactSums::new(&Rows::new(1, vec![u64::MAX, 1]).unwrap()).unwrap_err();
        assert_eq!(error.to_string(), "count out of range in column `1`: 18446744073709551615 * 2");
    }
}
