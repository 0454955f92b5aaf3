//! Tests of exact sums, keys and signatures, and of data with several types.

mod identities;
mod three_types;
