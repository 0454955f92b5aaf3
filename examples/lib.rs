//! Examples of bleuprint, each a program that asserts its results. `run_all.rs` runs them as tests.
