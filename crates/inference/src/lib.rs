//! From the counts of segments to intervals, tests, power, and agreement with people: numbers in, numbers out, never text.
//!
//! | you have | you want | look at |
//! |---|---|---|
//! | one system | an interval | [`Significance::confidence`]; [`bootstrap`], [`Interval::from_values`] |
//! | a system and a baseline | a p-value | [`Significance::paired`] |
//! | a system and a baseline | the bounds that a randomization test does not reject | [`subsets`] |
//! | several systems | every pair, ranks, clusters | [`Significance::compare_all`] |
//! | .. whose segments depend on each other | the same by documents or users | the same with [`Units`] |
//! | systems on different segments | the same | [`Unpaired`], [`Units`] |
//! | .. while data comes in | intervals that hold at every look | [`Sequence`] |
//! | rates: of a system, of two on the same segments, of two on different ones | intervals and tests without resampling | [`wilson`], [`PairedRates`], [`UnpairedRates`] |
//! | means of segments that belong to units | the same | [`UnitMeans`] |
//! | p-values of several tests | the same, corrected | [`Correction`] |
//! | a test set | the smallest difference it can show | [`Power`], [`standard_error`] |
//! | one system | the contribution of each segment | [`leave_one_out`], [`Significance::contributions`] |
//! | any metric, and the states of its segments | its tests, by sums of rows or by merging | [`Significance`], [`rows_of`] |
//! | scores of a metric, and of people | how well they agree | [`agreement`] |
//! | long work, and a caller who may want to end it | an error soon after | [`interruptible`] |
//! | long work, and a caller who waits for it | how far it is | [`watched`] |
//!
//! A metric comes in as the counts of every segment ([`CountRows`]) and a function from their sum to a score, or as the states of
//! every segment, which merge.
//!
//! Resamples are those of NumPy's generator ([`NumpyRandom`]), in one of two arithmetics. [`Precision::Sacrebleu`] is that of
//! sacreBLEU 2.6.0 with NumPy 2: statistics are rounded to `float32`, added in the order of the draws, and finished in
//! `float32`. [`Precision::Exact`] keeps integers, and so stays right where a sum exceeds 2²⁴.
//!
//! Two of sacreBLEU's results are not reproduced: seed 0 is a seed like others (there it means no seed in paired tests), and
//! systems that score alike in every resample have p = 1 (there the smallest possible p).

pub mod agreement;
mod compare;
mod distribution;
mod groups;
mod jackknife;
mod merges;
mod power;
mod proportion;
mod rates;
mod resample;
mod rows;
mod sequence;
mod significance;
mod tested;
mod units;
mod unpaired;
mod work;

pub use compare::caution::{Caution, DifferenceMethod};
pub use compare::closed::Approach;
pub use compare::correction::Correction;
pub use compare::inverted::SwappedDifference;
pub use compare::matrix::{Inconclusive, PairMatrix, PairTest, PairedUnits, UnpairedPair};
pub use compare::mcnemar::McNemar;
pub use compare::pairs::{Design, Test};
pub use compare::ranks::SystemRank;
pub use compare::subsets::subsets;
pub use distribution::student::{student_quantile, tail_of_percentile};
pub use groups::groups;
pub use jackknife::{leave_one_out, standard_error};
pub use power::Power;
pub use proportion::wilson;
pub use rates::paired::PairedRates;
pub use rates::unit_means::{UnitMeans, UnitSums};
pub use rates::unpaired::UnpairedRates;
pub use resample::bootstrap::bootstrap;
pub use resample::interval::Interval;
pub use resample::plan::ResamplePlan;
pub use resample::random::NumpyRandom;
pub use rows::{CountRows, add_row, require_equal};
pub use sequence::{FEWEST_UNITS_OF_LOOK, Sequence, SequentialLook};
pub use significance::{Significance, rows_of};
pub use tested::{Estimate, Precision, Resamples, Tested};
pub use units::{FEWEST_UNITS, Units};
pub use unpaired::arm::Arm;
pub use unpaired::{Unpaired, UnpairedTest};
pub use work::interrupt::{Interrupt, WorkPieces, interruptible, watched};
pub use work::threads::{in_threads, join, map_mut, map_with, threads};

pub(crate) use compare::paired::{AtLeast, paired_bootstrap};
pub(crate) use compare::randomization::{SystemPair, randomization};
pub(crate) use compare::ranks::{Win, ranks};
pub(crate) use jackknife::contributions;
pub(crate) use proportion::Proportion;
pub(crate) use resample::bootstrap::{Arithmetic, bootstrap_from, resampled};
pub(crate) use resample::interval::Scores;
pub(crate) use resample::plan::Finish;
pub(crate) use resample::sums::{ExactSums, FloatSums};
pub(crate) use resample::weights::ResampleWeights;
pub(crate) use unpaired::arm::StudentTest;

#[cfg(test)]
mod tests;
