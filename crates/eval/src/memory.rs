//! Memory that segments of many megabytes need, asked for before it is used.

use bleuprint_core::{InputError, Result};

/// Segments of fewer tokens or bytes than this need no question: whoever has no memory for these has none for anything.
const MANY: usize = 1 << 20;

/// What interning and counting take for each token: its id, two numbers on either side, a key.
const BYTES_PER_TOKEN: usize = 20;

/// Refuses tokens for whose counting there is no memory, where that can be foreseen: under a limit of the process. What the
/// operating system promises and cannot give is beyond our reach.
///
/// # Errors
/// How many tokens there are, and how many bytes they take.
#[inline]
pub(crate) fn require_for_tokens(tokens: usize) -> Result<()> {
    let bytes = tokens.saturating_mul(BYTES_PER_TOKEN);
    if tokens < MANY || is_there(bytes) {
        return Ok(());
    }
    let message = format!("there is no memory to count its {tokens} tokens, which takes about {bytes} bytes");
    Err(InputError::malformed(message))
}

/// The same for copies of text.
///
/// # Errors
/// How many bytes it takes.
#[inline]
pub(crate) fn require_for_text(bytes: usize) -> Result<()> {
    if bytes < MANY || is_there(bytes) {
        return Ok(());
    }
    Err(InputError::malformed(format!("there is no memory for its text, which takes about {bytes} bytes")))
}

/// Asks for the memory, and gives it back.
fn is_there(bytes: usize) -> bool {
    Vec::<u8>::new().try_reserve_exact(bytes).is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn more_than_there_can_be_is_refused_with_what_it_takes() {
        assert_eq!(require_for_tokens(1000), Ok(()));
        let error = require_for_tokens(usize::MAX / 2).unwrap_err().to_string();
        assert!(error.contains("no memory to count its 9223372036854775807 tokens"), "{error}");
        let error = require_for_text(usize::MAX).unwrap_err().to_string();
        assert!(error.contains("no memory for its text"), "{error}");
    }
}
