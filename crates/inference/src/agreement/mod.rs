//! Measures how well a metric agrees with human ratings, as WMT's metrics tasks do: correlations, pairwise
//! accuracies, and tests between metrics.
//!
//! | you have | you want | look at |
//! |---|---|---|
//! | ratings of systems by items, and metrics | all of the below as one answer | [`Agreement`] |
//! | two vectors | how their pairs agree, as counts that merge | [`PairCounts`] |
//! | | correlations and their p-values | [`Statistic::value`], [`Statistic::p_value`] |
//! | people's and a metric's scores | soft pairwise accuracy | [`Statistic::Spa`] |
//!
//! Human scores and metric scores are [`Ratings`], in which a higher score is better. You must negate scores
//! for which lower is better. Human ratings may be missing; these cells are left out. A metric must have a
//! score for every rated cell.

mod calibrate;
mod coins;
mod counts;
mod grouping;
mod pairs;
mod questions;
mod ranks;
mod ratings;
mod signed;
mod soft;
mod soft_swap;
mod statistic;
mod swap;
mod test_set;
mod vectors;
mod williams;

pub use counts::PairCounts;
pub use grouping::Grouping;
pub use questions::{Agreement, AgreementLevel, AgreementQuestion, Agrees, MetaRequest};
pub use ratings::Ratings;
pub use soft::SoftTies;
pub use statistic::{NoValue, Statistic};
pub use swap::Swap;
pub use test_set::{JudgedTestSet, MetricScores};

#[cfg(test)]
mod tests;
