//! The mark of text tokenized before scoring: lines that end in a space and a full stop.
//!
//! sacreBLEU 2.6.0 counts hypotheses with this ending in raw text, before any strip, and warns at 100.

/// The number of lines that triggers a warning.
pub const TOKENIZED_PERIODS_LIMIT: u64 = 100;

/// Whether a raw line ends in a space and a full stop.
///
/// ```
/// use bleuprint_text::ends_in_tokenized_period;
/// assert!(ends_in_tokenized_period("a b c ."));
/// assert!(!ends_in_tokenized_period("a b c."));
/// assert!(!ends_in_tokenized_period("a b c . "));
/// ```
pub fn ends_in_tokenized_period(line: &str) -> bool {
    line.ends_with(" .")
}
