//! Exact sums, keys and signatures, and data of several types.

mod exact_sum;
mod identities;
mod three_types;
