//! Exact sums, keys and signatures, and the laws.

mod exact_sum;
mod identities;
#[cfg(feature = "laws")]
mod planted;
