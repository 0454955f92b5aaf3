//! Confidence intervals, significance tests, power analysis and agreement with human ratings, from the counts
//! of segments. This crate takes numbers and returns numbers; it never reads text.
//!
//! | you have | you want | look at |
//! |---|---|---|
//! | one system | an interval | [`Significance::confidence`]; [`bootstrap`], [`Interval::from_values`] |
//! | a system and a baseline | a p-value | [`Significance::paired`] |
//! | a system and a baseline | the bounds that a randomization test does not reject | [`subsets`] |
//! | several systems | every pair, ranks, clusters | [`Significance::compare_all`] |
//! | several systems, with segments that depend on each other | every pair by documents or users | [`Significance::compare_all`] with [`Units`] |
//! | systems on different segments | every pair, ranks | [`Unpaired`], [`Units`] |
//! | data that is still coming in | intervals that hold at every look | [`Sequence`] |
//! | rates of one system, of two on the same segments, or of two on different segments | intervals and tests without resampling | [`wilson`], [`PairedRates`], [`UnpairedRates`] |
//! | means of segments that belong to units | intervals and tests without resampling | [`UnitMeans`] |
//! | p-values of several tests | corrected p-values | [`Correction`] |
//! | a test set | the smallest difference it can show | [`Power`], [`standard_error`] |
//! | one system | the contribution of each segment | [`leave_one_out`], [`Significance::contributions`] |
//! | any metric, and the states of its segments | its tests, by sums of rows or by merging | [`Significance`], [`rows_of`] |
//! | scores of a metric and scores by people | how well they agree | [`agreement`] |
//! | long work that a caller may stop | an error soon after the stop | [`interruptible`] |
//! | long work that a caller waits for | its progress | [`watched`] |
//!
//! A metric is given as the counts of every segment ([`CountRows`]) with a function from their sum to a
//! score, or as the states of every segment, which can be merged.
//!
//! Resamples are drawn as NumPy's generator draws them ([`NumpyRandom`]), and scored in one of two
//! arithmetics. [`Precision::Sacrebleu`] is the arithmetic of sacreBLEU 2.6.0 with NumPy 2: statistics are
//! rounded to `float32`, added in the order of the draws, and scored in `float32`. [`Precision::Exact`] keeps
//! integers, so it is also correct if a sum exceeds 2²⁴.
//!
//! Two results of sacreBLEU are deliberately not reproduced. Seed 0 is a seed like any other (in sacreBLEU's
//! paired tests it means no seed). Systems with equal scores in every resample have p = 1 (sacreBLEU reports
//! the smallest possible p).

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
