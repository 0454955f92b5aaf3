//! Tail probabilities and quantiles of the normal, Student and beta distributions, for significance tests.

pub(crate) mod beta;
pub(crate) mod normal;
pub(crate) mod student;

pub(crate) use beta::{beta_incomplete, binomial};
pub(crate) use normal::{normal_quantile, normal_tail};
pub(crate) use student::student_tail;
