//! Significance tests of systems that were scored on the same segments: pairwise tests, comparisons of all
//! pairs, and ranks.

pub(crate) mod caution;
pub(crate) mod closed;
pub(crate) mod correction;
pub(crate) mod inverted;
pub(crate) mod matrix;
pub(crate) mod mcnemar;
pub(crate) mod paired;
pub(crate) mod pairs;
pub(crate) mod randomization;
pub(crate) mod ranks;
pub(crate) mod subsets;
pub(crate) mod units;

#[cfg(test)]
pub(crate) mod plain;
#[cfg(test)]
mod tests;
