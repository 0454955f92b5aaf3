//! Does a metric agree with people? Correlations, pairwise accuracies, and tests between metrics, as WMT's metrics tasks have
//! them.
//!
//! | you have | you want | look at |
//! |---|---|---|
//! | ratings of systems by items, and metrics | all of the below as one answer | [`Agreement`] |
//! | two vectors | how their pairs agree, as counts that merge | [`PairCounts`] |
//! | | correlations and their p-values | [`Statistic::of`], [`Statistic::p_value`] |
//! | people's and a metric's scores | soft pairwise accuracy | [`Statistic::Spa`] |
//!
//! People's scores and a metric's are [`Ratings`], higher being better on both sides: negate scores of which lower is better. People's may be
//! missing: their cells are left out. A metric may not lack what people rated.

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
