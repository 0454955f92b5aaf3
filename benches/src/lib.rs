//! What the benchmarks share: inputs, the rivals that the kernel is compared with, and a clock for ratios.
//!
//! See `README.md` beside this package for the method, and for where we lose.

pub mod clock;
pub mod expected;
pub mod input;
pub mod rival;
mod zipf;
