//! What rows of counts carry in tables of other engines, so that a plain sum of every column is a checked state.

use bleuprint_core::{InputError, Result};

use super::Fingerprint;

/// The name of the column in front of a metric's own: [`key_number`] times the number of segments.
pub const KEY_COLUMN: &str = "key";

/// The name of the entry of a table's metadata that holds the [`Header`](super::Header), as JSON.
pub const METADATA: &str = "bleuprint";

/// One more than the largest number of a state key: its sums fit 63 bits below 2³⁹ segments.
const NUMBERS: u64 = (1 << 24) - 1;

/// A number for a state key, from 1 to 2²⁴ − 1, as the value of [`KEY_COLUMN`] for one segment.
///
/// Engines drop metadata, but add columns: a sum over `n` segments of one key is `n` times its number, and a sum over
/// segments of several keys is not, but for an accident of one in 16 million. It shows mistakes, not forgeries.
///
/// ```
/// use bleuprint_eval::store::{key_number, require_key};
/// let number = key_number("bleu/1|order:4|case:mixed|tok:13a");
/// require_key("bleu/1|order:4|case:mixed|tok:13a", 3 * number, 3).unwrap();
/// assert!(require_key("bleu/1|order:4|case:mixed|tok:char", 3 * number, 3).is_err());
/// assert!(require_key("bleu/1|order:4|case:mixed|tok:13a", 3 * number, 2).is_err());
/// ```
pub fn key_number(key: &str) -> u64 {
    Fingerprint::of([key]).number() % NUMBERS + 1
}

/// Whether a sum of [`KEY_COLUMN`] is that of this many segments of this state key.
///
/// # Errors
/// [`MalformedState`](bleuprint_core::InputErrorKind::MalformedState), with the key.
pub fn require_key(key: &str, sum: u64, segments: u64) -> Result<()> {
    if u128::from(sum) == u128::from(key_number(key)) * u128::from(segments) {
        return Ok(());
    }
    Err(InputError::malformed_state(format!(
        "the counts are not, or not all, of the state key `{key}`, or of other than {segments} segments: the column \
         `{KEY_COLUMN}` is {sum}"
    )))
}
