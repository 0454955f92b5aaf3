//! [`SinglePrecision`]: how a metric is resampled in the `float32` of NumPy 2, as sacreBLEU does it.

use alloc::vec::Vec;
use core::cmp::Ordering;
use core::ops::{Add, Div, Mul};

/// A number of a program that computes with NumPy 2: an `f32`, or a float of Python.
///
/// A float of Python that meets an `f32` is rounded to it, and the result is an `f32`; two floats of Python stay what
/// they are.
///
/// ```
/// use bleuprint_core::Number;
/// let third = Number::Single(1.0) / Number::Single(3.0);
/// assert_eq!(Number::Double(100.0) * third, Number::Single(100.0 * (1.0_f32 / 3.0)));
/// assert_eq!(Number::Double(0.1) + Number::Double(0.2), Number::Double(0.1 + 0.2));
/// ```
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

    /// Whether it is 0.
    pub fn is_zero(self) -> bool {
        self.value() == 0.0
    }

    fn combine(self, other: Self, double: fn(f64, f64) -> f64, single: fn(f32, f32) -> f32) -> Self {
        match (self, other) {
            (Number::Double(one), Number::Double(other)) => Number::Double(double(one, other)),
            (Number::Double(one), Number::Single(other)) => Number::Single(single(one as f32, other)),
            (Number::Single(one), Number::Double(other)) => Number::Single(single(one, other as f32)),
            (Number::Single(one), Number::Single(other)) => Number::Single(single(one, other)),
        }
    }
}

impl From<f64> for Number {
    fn from(value: f64) -> Self {
        Number::Double(value)
    }
}

impl From<f32> for Number {
    fn from(value: f32) -> Self {
        Number::Single(value)
    }
}

impl Add for Number {
    type Output = Number;
    fn add(self, other: Number) -> Number {
        self.combine(other, |a, b| a + b, |a, b| a + b)
    }
}

impl Mul for Number {
    type Output = Number;
    fn mul(self, other: Number) -> Number {
        self.combine(other, |a, b| a * b, |a, b| a * b)
    }
}

impl Div for Number {
    type Output = Number;
    fn div(self, other: Number) -> Number {
        self.combine(other, |a, b| a / b, |a, b| a / b)
    }
}

impl PartialOrd for Number {
    fn partial_cmp(&self, other: &Number) -> Option<Ordering> {
        self.value().partial_cmp(&other.value())
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
