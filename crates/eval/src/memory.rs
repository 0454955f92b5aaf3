//! Checks that memory suffices for segments of many megabytes before it is used.

use bleuprint_core::{InputError, Result};

/// Number of tokens or bytes of a segment below which memory is not checked, because so little is needed.
const MANY: usize = 1 << 20;

/// Measured memory of interning and counting, in bytes for each token: its id, and the counts of both sides.
const BYTES_PER_TOKEN: usize = 16;

/// Returns an error if memory for counting this number of tokens cannot be reserved. A limit of the process
/// makes this fail; memory that the operating system overcommits cannot be checked.
#[inline]
pub(crate) fn require_for_tokens(tokens: usize) -> Result<()> {
    let bytes = tokens.saturating_mul(BYTES_PER_TOKEN);
    if tokens < MANY || is_there(bytes) {
        return Ok(());
    }
    let message = format!("there is no memory to count its {tokens} tokens, which takes about {bytes} bytes");
    Err(InputError::malformed(message))
}

/// Returns an error if memory for this number of bytes of text cannot be reserved.
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
