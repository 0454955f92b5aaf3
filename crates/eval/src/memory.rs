//! Memory for segments of many megabytes, requested before its use.

use bleuprint_core::{InputError, Result};

/// Segments of fewer tokens or bytes are not checked: their memory is negligible.
const MANY: usize = 1 << 20;

/// The memory of interning and counting per token, as measured: its id, and the numbers of either side.
const BYTES_PER_TOKEN: usize = 16;

/// Refuses tokens that the memory does not suffice to count, where a limit of the process makes that foreseeable. Memory
/// that the operating system promises and cannot give is out of reach.
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
#[inline]
pub(crate) fn require_for_text(bytes: usize) -> Result<()> {
    if bytes < MANY || is_there(bytes) {
        return Ok(());
    }
    Err(InputError::malformed(format!("there is no memory for its text, which takes about {bytes} bytes")))
}

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
