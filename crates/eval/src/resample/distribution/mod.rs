//! Distributions that tests need: normal, Student's, the incomplete beta function.

mod beta;
mod normal;
mod student;

pub(crate) use beta::binomial;
pub use beta::{beta_incomplete, beta_quantile};
pub use normal::{normal_quantile, normal_tail};
pub use student::{student_quantile, student_tail, tail_of_percentile};
