//! Evaluation from the shell: intervals, paired tests, groups, comparisons, and files of statistics.

pub(crate) mod by;
pub(crate) mod commands;
pub(crate) mod compare;
pub(crate) mod corpus;
pub(crate) mod counted;
pub(crate) mod options;
pub(crate) mod show;
pub(crate) mod stats;
pub(crate) mod tests;
pub(crate) mod testset;
