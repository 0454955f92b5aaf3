//! [`SinglePrecision`]: resampling of a metric with the `float32` rounding of NumPy 2, to reproduce
//! sacreBLEU's numbers.

use crate::prelude::*;

/// A number as a Python program with NumPy 2 computes it: a NumPy `float32` or a Python `float`.
#[derive(Debug, Clone, Copy, PartialEq)]
#[expect(clippy::exhaustive_enums, reason = "closed: the two widths of floats")]
pub enum NumpyNumber {
    /// A Python `float`, which is an `f64`.
    Double(f64),
    /// A NumPy `float32`.
    Single(f32),
}

/// Widens a `float32` to `f64`, which is exact.
impl From<NumpyNumber> for f64 {
    fn from(number: NumpyNumber) -> Self {
        match number {
            NumpyNumber::Double(value) => value,
            NumpyNumber::Single(value) => f64::from(value),
        }
    }
}

/// Resampling arithmetic of a metric for which sacreBLEU sums resamples and computes scores in `float32`.
///
/// It makes confidence intervals and p-values match sacreBLEU bit for bit; exact counts do not need it. A
/// metric offers it as a `Box<dyn SinglePrecision>` through [`Metric::extension`](crate::Metric::extension).
pub trait SinglePrecision: Sync + 'static {
    /// Converts the counts of one segment, `row`, to `float32` numbers and appends them to `out`. All
    /// segments must append equally many numbers.
    fn row(&self, row: &[u64], out: &mut Vec<f32>);

    /// Computes the score of a resample from the sums of its segments' `float32` numbers, added in the order
    /// in which segments were drawn.
    fn finish(&self, sums: &[f32]) -> NumpyNumber;
}
