//! Examples of bleuprint, each a program that asserts what it shows. See `run_all.rs`, which runs them as tests.
