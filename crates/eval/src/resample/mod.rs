//! Resampling: intervals, significance tests and power, from the counts of segments alone, never from text.
//!
//! | you have | you want | look at |
//! |---|---|---|
//! | one system | an interval | [`bootstrap`], [`Scores::interval`] |
//! | a system and a baseline | a p-value | [`paired_bootstrap`], [`randomization`] |
//! | a system and a baseline | the bounds that a randomization test does not reject | [`subsets`] |
//! | several systems | every pair, ranks, clusters | [`compare_all`] |
//! | .. whose segments depend on each other | the same by documents or users | [`compare_units`], [`Units`] |
//! | systems on different segments | the same | [`Unpaired`], [`Units`] |
//! | .. while data comes in | intervals that hold at every look | [`Sequence`] |
//! | numbers that are 0 or 1 | exact tests and intervals | [`McNemar`], [`Proportion`] |
//! | a test of your own | distributions, corrections of p-values | [`student_tail`], [`normal_tail`], [`beta_incomplete`], [`holm`] |
//! | a test set | the smallest difference it can show | [`Power`], [`standard_error`] |
//! | segments on several machines | an interval that merges | [`PoissonBootstrap`] |
//! | one system | the contribution of each segment | [`leave_one_out`] |
//!
//! A metric comes in as the counts of every segment ([`Rows`]) and a function from their sum to a score, so every
//! metric with linear statistics can be resampled.
//!
//! Resamples are those of NumPy's generator ([`NumpyRandom`]), in one of two arithmetics. [`Arithmetic::Single`] is that of
//! sacreBLEU 2.6.0 with NumPy 2: statistics are rounded to `float32`, added in the order of the draws, and finished in
//! `float32`. [`Arithmetic::Exact`] keeps integers, and so stays right where a sum exceeds 2²⁴.
//!
//! Two of sacreBLEU's results are not reproduced: seed 0 is a seed like others (there it means no seed in paired tests), and
//! systems that score alike in every resample have p = 1 (there the smallest possible p).

mod bootstrap;
mod clusters;
mod distribution;
mod interval;
mod lanes;
mod matrix;
mod mcnemar;
mod mean;
mod paired;
mod pairs;
mod poisson;
mod power;
mod proportion;
mod random;
mod randomization;
mod rows;
mod sequence;
mod subsets;
mod sums;
mod units;
mod unpaired;
mod weights;

pub use bootstrap::{Arithmetic, Finish, Plan, bootstrap, bootstrap_from};
pub use clusters::{PairedUnits, compare_units};
pub use distribution::{
    beta_incomplete, beta_quantile, normal_quantile, normal_tail, student_quantile, student_tail,
    tail_of_percentile,
};
pub use interval::{Interval, Scores};
pub use matrix::{Rank, Win, benjamini_hochberg, holm, ranks};
pub use mcnemar::McNemar;
pub use mean::exact_mean;
pub use paired::{AtLeast, paired_bootstrap};
pub use pairs::{Design, Matrix, PairTest, Test, compare_all};
pub use poisson::PoissonBootstrap;
pub use power::{Power, leave_one_out, standard_error};
pub use proportion::Proportion;
pub use random::{Booleans, NumpyRandom};
pub use randomization::{Pair, randomization};
pub use rows::Rows;
#[cfg(feature = "store")]
pub(crate) use rows::add_row;
pub(crate) use rows::subtract_row;
pub use sequence::{FEWEST_UNITS_OF_LOOK, Look, Sequence};
pub use subsets::subsets;
pub use sums::{ExactSums, FloatSums};
pub use units::Units;
pub use unpaired::{
    Arm, FEWEST_UNITS, Inconclusive, Side, StudentTest, Unpaired, UnpairedPair, UnpairedTest,
};
pub use weights::Weights;

#[cfg(test)]
mod tests;
