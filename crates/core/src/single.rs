//! [`SinglePrecision`]: how a metric is resampled in the `float32` of NumPy 2, as sacreBLEU does it.

use crate::prelude::*;

/// A number of a program that computes with NumPy 2: an `f32`, or a float of Python.
#[derive(Debug, Clone, Copy, PartialEq)]
#[expect(clippy::exhaustive_enums, reason = "closed: the two widths of floats")]
pub enum Number {
    /// In `f64`.
    Double(f64),
    /// In `f32`.
    Single(f32),
}

/// The value, widened.
impl From<Number> for f64 {
    fn from(number: Number) -> Self {
        match number {
            Number::Double(value) => value,
            Number::Single(value) => f64::from(value),
        }
    }
}

/// The arithmetic of a metric whose resamples sacreBLEU sums and finishes in `float32`. Exact statistics do not need it;
/// it gives intervals and p-values the bits of sacreBLEU. A metric offers it as a `Box<dyn SinglePrecision>` by
/// [`Metric::extension`](crate::Metric::extension).
pub trait SinglePrecision: Sync + 'static {
    /// Appends the numbers of a segment, made from the metric's own columns; their count is the same for every segment.
    fn row(&self, row: &[u64], out: &mut Vec<f32>);

    /// The score of sums of such numbers, added in the order of the draws.
    fn finish(&self, sums: &[f32]) -> Number;
}
