//! The sign of text that was tokenized before it was scored: lines that end in a space and a full stop.
//!
//! sacreBLEU 2.6.0 counts the hypotheses whose raw text, before any strip, ends that way, and warns at 100 of them.

/// So many lines are reason for a warning.
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
