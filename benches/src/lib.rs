//! Shared part of the benchmarks: inputs, the rivals of the kernel, and a clock for ratios.
//!
//! See `README.md` in this package for the method, and for the cases where peers are faster.
#![allow(clippy::exhaustive_structs, reason = "nobody outside depends on it")]

pub mod clock;
pub mod expected;
pub mod input;
pub mod peer_inputs;
pub mod rival;
pub mod sessions;
mod zipf;
