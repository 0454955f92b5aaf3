//! Exact sums, keys and signatures, the laws, and data of several types.

mod exact_sum;
mod identities;
mod own_data;
#[cfg(feature = "laws")]
mod planted;
mod three_types;
