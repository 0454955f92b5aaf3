//! [`SinglePrecision`]: resampling of a metric in the `float32` of NumPy 2, as in sacreBLEU.

use crate::prelude::*;

/// A number of a program that computes with NumPy 2: a NumPy `float32` or a Python `float`.
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

/// The arithmetic of a metric whose resamples sacreBLEU sums and finishes in `float32`.
///
/// Exact statistics do not need it; it makes intervals and p-values match sacreBLEU bit for bit. A metric
/// offers it as a `Box<dyn SinglePrecision>` through [`Metric::extension`](crate::Metric::extension).
pub trait SinglePrecision: Sync + 'static {
    /// Appends the `float32` numbers of one segment, computed from its row of counts. Every segment has the
    /// same number of them.
    fn row(&self, row: &[u64], out: &mut Vec<f32>);

    /// Computes the score from the column sums of such numbers, which were added in the order of the draws.
    fn finish(&self, sums: &[f32]) -> NumpyNumber;
}
