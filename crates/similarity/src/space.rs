//! White space as Python has it: that of Unicode, and the four separators from U+001C.

use bleuprint_core::{InputErrorKind, Result};

pub(crate) fn is_space(c: char) -> bool {
    c.is_whitespace() || ('\u{1c}'..='\u{1f}').contains(&c)
}

/// The pieces between white space.
pub(crate) fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(is_space).filter(|word| !word.is_empty())
}

/// Numbers of tokens are kept in 32 bits.
pub(crate) fn require_few<T>(hypothesis: &[T], references: &[&[T]]) -> Result<()> {
    const LIMIT: usize = (1 << 31) - 1;
    let lengths = references.iter().map(|reference| reference.len());
    let total = lengths.fold(hypothesis.len(), usize::saturating_add);
    if total <= LIMIT {
        return Ok(());
    }
    let (what, given) = ("the number of tokens of a segment".to_owned(), total.to_string());
    Err(InputErrorKind::Limit { what, given, limit: "below 2^31".to_owned() }.into())
}
