//! Exact sums, keys and signatures, and data of several types.

mod identities;
mod three_types;
