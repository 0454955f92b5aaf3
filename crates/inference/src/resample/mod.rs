//! Bootstrap resampling: random draws of segments, sums and scores of the draws, and the resulting confidence
//! intervals.

pub(crate) mod bootstrap;
pub(crate) mod draws;
pub(crate) mod interval;
mod lanes;
pub(crate) mod mean;
pub(crate) mod plan;
pub(crate) mod random;
pub(crate) mod sums;
pub(crate) mod weights;
