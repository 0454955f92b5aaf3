//! [`SinglePrecision`]: how a metric is resampled in the `float32` of NumPy 2, as sacreBLEU does it.

use alloc::vec::Vec;

/// A number of a program that computes with NumPy 2: an `f32`, or a float of Python.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Number {
    /// In `f64`.
    Double(f64),
    /// In `f32`.
    Single(f32),
}

impl Number {
    /// The value, widened.
    pub fn value(self) -> f64 {
        match self {
            Number::Double(value) => value,
            Number::Single(value) => f64::from(value),
        }
    }
}

/// A metric whose resamples sacreBLEU sums and finishes in `float32`: which numbers stand for a segment, and the score
/// of their sums. Exact statistics need nothing of it; it is there so that intervals and p-values have the same bits.
pub trait SinglePrecision: Sync {
    /// Appends the numbers that stand for the metric's own columns of a segment; as many for every segment.
    fn row(&self, row: &[u64], out: &mut Vec<f32>);

    /// The score of sums of such numbers, each added in the order in which segments were drawn.
    fn finish(&self, sums: &[f32]) -> Number;
}
