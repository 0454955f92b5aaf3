//! Checks that enough memory is available before very long segments (many megabytes) are tokenized and
//! counted.

use bleuprint_core::{InputError, Result};

/// Number of tokens or bytes of a segment below which available memory is not checked, because little is
/// needed.
const MANY: usize = 1 << 20;

/// Measured memory for tokenizing and counting a segment, in bytes for each token: the token's id, and counts
/// of hypothesis and references.
const BYTES_PER_TOKEN: usize = 16;

/// Returns an error if the memory for counting this number of tokens cannot be allocated, for example because
/// of a limit of the process. Memory that the operating system overcommits cannot be checked.
#[inline]
pub(crate) fn require_for_tokens(tokens: usize) -> Result<()> {
    let bytes = tokens.saturating_mul(BYTES_PER_TOKEN);
    if tokens < MANY || is_there(bytes) {
        return Ok(());
    }
    let message = format!("there is no memory to count its {tokens} tokens, which takes about {bytes} bytes");
    Err(InputError::malformed(message))
}

/// Returns an error if memory for this number of bytes of text cannot be allocated.
#[inline]
pub(crate) fn require_for_text(bytes: usize) -> Result<()> {
    if bytes < MANY || is_there(bytes) {
        return Ok(());
    }
    Err(InputError::malformed(format!("there is no memory for its text, which takes about {bytes} bytes")))
}

// The reservation is dropped at once: the allocator's answer is all that is needed.
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
