//! The number of draws of a simulation.

/// Returns the number of draws of a simulation that tests a rate.
///
/// It is `all` under `cargo xtask ci --full`, which sets `BLEUPRINT_FULL`, and `part` otherwise. A test must
/// derive its tolerance from the number that it gets here.
#[must_use]
pub fn draws(all: usize, part: usize) -> usize {
    if std::env::var_os("BLEUPRINT_FULL").is_some() { all } else { part }
}
