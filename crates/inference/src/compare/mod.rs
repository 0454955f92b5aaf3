//! Systems on the same segments: tests of pairs, every pair at once, ranks.

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
