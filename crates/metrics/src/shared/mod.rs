//! Parts that several metrics share; every other file and folder of this package is a metric.

mod f_measure;
mod means;
mod ngram_pairs;
pub(crate) mod ngrams;
mod orders;
mod per_order;
mod ref_lengths;
pub(crate) mod vectors;

pub(crate) use f_measure::headline_names;
pub use f_measure::{FMeasure, FScore};
pub use means::Means;
pub(crate) use ngram_pairs::{FinishPairs, ngram_pairs};
pub(crate) use orders::{MAX_ORDER_LIMIT, serves_orders_from};
pub use per_order::PerOrder;
pub(crate) use ref_lengths::AVERAGE_UNITS;
pub use ref_lengths::RefLengths;
