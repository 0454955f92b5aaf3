//! Map from n-grams to counts, with its stored form and look-up, for metrics that keep n-grams of many
//! segments.

mod counts;
mod fingerprint;
mod found;
mod stored;
#[cfg(test)]
mod tests;

pub(crate) use counts::NgramCounts;
pub use fingerprint::mixed;
pub(crate) use found::FoundNgrams;
pub(crate) use stored::StoredSet;

use bleuprint_core::InputError;
use bleuprint_ngram::Full;

/// Highest order of n-grams in tables that metrics keep: memory grows with it, and no published metric uses
/// an order above 9.
pub(crate) const MAX_ORDER: usize = 100;

pub(crate) fn full(_: Full) -> InputError {
    InputError::limit(
        "the number of distinct n-grams",
        "larger",
        format!("at most {} of each order", u32::MAX),
    )
}
