//! Kernels and statistics that several metrics share, also those of other packages.
//!
//! The kernels of edit distance are in `edit`, next to the error rates. Every other file and folder of the crate is a
//! metric, or wraps any metric (`by_label`, `each_reference`).

#[cfg(feature = "all")]
mod assign;
mod described;
mod f_measure;
#[cfg(feature = "all")]
mod kept;
mod means;
mod ngram_pairs;
pub(crate) mod ngrams;
mod orders;
#[cfg(feature = "all")]
mod pairs;
mod per_order;
mod ref_lengths;

#[cfg(feature = "all")]
pub use assign::{assign, assign_interruptibly};
pub(crate) use described::DescribedOnce;
pub(crate) use f_measure::FMeasure;
pub use f_measure::FScore;
#[cfg(feature = "all")]
pub use kept::KeptRows;
pub use means::Means;
pub(crate) use ngram_pairs::{FinishPairs, ngram_pairs};
pub use ngrams::mixed;
pub(crate) use orders::{MAX_ORDER_LIMIT, serves_orders_from};
#[cfg(feature = "all")]
pub use pairs::PairTables;
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

/// Limit of the cells of a table of two sequences, without their common ends: some minutes of work.
const MOST_CELLS: u128 = 1 << 42;

/// Returns an error before the work if the table of two sequences has too many cells.
pub(crate) fn require_table(what: &str, one: &[u32], other: &[u32]) -> bleuprint_core::Result<()> {
    let cells = |one: &[u32], other: &[u32]| one.len() as u128 * other.len() as u128;
    if cells(one, other) <= MOST_CELLS {
        return Ok(());
    }
    // Equal ends cost nothing, so that long equal texts are no problem.
    let front = one.iter().zip(other).take_while(|(one, other)| one == other).count();
    let one = &one[front..];
    let other = &other[front..];
    let back = one.iter().rev().zip(other.iter().rev()).take_while(|(one, other)| one == other).count();
    let lengths = [one.len() - back, other.len() - back];
    let cells = lengths[0] as u128 * lengths[1] as u128;
    if cells <= MOST_CELLS {
        return Ok(());
    }
    Err(bleuprint_core::InputError::malformed(format!(
        "{what} of {} and {} tokens of one segment needs a table of {cells} cells, but at most {MOST_CELLS} are allowed: \
         cut the texts into segments",
        lengths[0], lengths[1]
    )))
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

#[cfg(test)]
#[test]
fn a_table_that_would_take_hours_is_refused_before_the_work() {
    let long: Vec<u32> = (0..2_200_000).collect();
    let other: Vec<u32> = long.iter().map(|token| token + 1_000_000_000).collect();
    let error = require_table("the alignment", &long, &other).unwrap_err().to_string();
    assert!(error.contains("of 2200000 and 2200000 tokens"), "{error}");
    assert!(require_table("the alignment", &long, &long).is_ok());
    assert!(require_table("the alignment", &long[..400_000], &other[..400_000]).is_ok());
}
