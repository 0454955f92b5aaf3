//! [`SinglePrecision`]: how a metric is resampled in the `float32` of NumPy 2, as sacreBLEU does it.

use alloc::boxed::Box;
use alloc::vec::Vec;
use core::any::{Any, TypeId};

use crate::Metric;

/// A number of a program that computes with NumPy 2: an `f32`, or a float of Python.
#[derive(Debug, Clone, Copy, PartialEq)]
#[expect(clippy::exhaustive_enums, reason = "closed: the two widths of floats")]
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

/// The arithmetic of a metric whose resamples sacreBLEU sums and finishes in `float32`. Exact statistics do not need it;
/// it gives intervals and p-values the bits of sacreBLEU.
pub trait SinglePrecision: Sync + 'static {
    /// Appends the numbers of a segment, made from the metric's own columns; their count is the same for every segment.
    fn row(&self, row: &[u64], out: &mut Vec<f32>);

    /// The score of sums of such numbers, added in the order of the draws.
    fn finish(&self, sums: &[f32]) -> Number;
}

impl dyn SinglePrecision {
    /// The arithmetic that this metric has.
    pub fn of<M: Metric + ?Sized>(metric: &M) -> Option<Box<dyn SinglePrecision>> {
        let offered = metric.extension(TypeId::of::<Box<dyn SinglePrecision>>())?;
        offered.downcast().ok().map(|offered| *offered)
    }

    /// The arithmetic as [`Metric::extension`] offers it, if that is what it is asked for.
    pub fn offer(kind: TypeId, arithmetic: impl SinglePrecision) -> Option<Box<dyn Any>> {
        let asked = kind == TypeId::of::<Box<dyn SinglePrecision>>();
        asked.then(|| Box::new(Box::new(arithmetic) as Box<dyn SinglePrecision>) as Box<dyn Any>)
    }
}
