//! Number of random draws in tests that simulate error rates.

/// Returns the number of random draws for a test that simulates an error rate.
///
/// The number is `all` under `cargo xtask ci --full`, which sets `BLEUPRINT_FULL`, and `part` otherwise. A
/// test must derive its tolerance from the returned number.
#[must_use]
pub fn draws(all: usize, part: usize) -> usize {
    if std::env::var_os("BLEUPRINT_FULL").is_some() { all } else { part }
}
