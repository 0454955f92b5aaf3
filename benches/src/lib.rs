//! The common part of the benchmarks: inputs, the rivals of the kernel, and a clock for ratios.
//!
//! See `README.md` beside this package for the method and our losses.
#![allow(clippy::exhaustive_structs, reason = "nobody outside depends on it")]

pub mod clock;
pub mod expected;
pub mod given;
pub mod input;
pub mod rival;
pub mod sessions;
mod zipf;
