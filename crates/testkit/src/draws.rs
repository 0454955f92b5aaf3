//! The number of draws of a simulation.

/// The number of draws of a simulation that claims a rate: `all` under `cargo xtask ci --full`, which sets `BLEUPRINT_FULL`,
/// and else `part` of them. A test takes its tolerance from the number that it gets here.
#[must_use]
pub fn draws(all: usize, part: usize) -> usize {
    if std::env::var_os("BLEUPRINT_FULL").is_some() { all } else { part }
}
