//! Code that several metrics of this crate share; every other file and folder of the crate is a metric.

mod f_measure;
mod means;
mod ngram_pairs;
pub(crate) mod ngrams;
mod orders;
mod per_order;
mod ref_lengths;

pub(crate) use f_measure::FMeasure;
pub use f_measure::FScore;
pub use means::Means;
pub(crate) use ngram_pairs::{FinishPairs, ngram_pairs};
pub use ngrams::mixed;
pub(crate) use orders::{MAX_ORDER_LIMIT, serves_orders_from};
pub use per_order::PerOrder;
pub(crate) use ref_lengths::AVERAGE_UNITS;
pub use ref_lengths::RefLengths;

use core::any::{Any, TypeId};

use bleuprint_core::SinglePrecision;

/// Returns `arithmetic`, a metric's `f32` computation, if the caller requests this extension; otherwise
/// returns `None`. `kind` is then the type id of `Box<dyn SinglePrecision>`.
pub(crate) fn offer_single(kind: TypeId, arithmetic: impl SinglePrecision) -> Option<Box<dyn Any>> {
    let asked = kind == TypeId::of::<Box<dyn SinglePrecision>>();
    asked.then(|| Box::new(Box::new(arithmetic) as Box<dyn SinglePrecision>) as Box<dyn Any>)
}

/// Counter of computed table cells, by which a long computation knows when to check for an interruption.
/// Other crates use it too.
///
/// ```
/// let mut work = bleuprint_metrics::KernelWork::default();
/// assert!(work.add(1 << 30).is_ok());
/// ```
#[derive(Debug, Default)]
pub struct KernelWork(usize);

impl KernelWork {
    /// Number of table cells that a long computation fills between two checks for an interruption: some
    /// milliseconds of work.
    const MOST: usize = 1 << 20;

    /// Counts computed table cells, and checks for an interruption once enough cells have accumulated.
    ///
    /// # Errors
    /// Returns an error if the evaluation was interrupted.
    pub fn add(&mut self, cells: usize) -> bleuprint_core::Result<()> {
        self.0 = self.0.saturating_add(cells);
        if self.0 < Self::MOST {
            return Ok(());
        }
        self.0 = 0;
        bleuprint_core::check_interrupt()
    }
}
