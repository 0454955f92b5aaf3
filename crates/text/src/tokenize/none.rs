//! `none`: a tokenizer for text that is tokenized already; tokens are the pieces between whitespace.
//!
//! Rule: the line is split at Python's whitespace (see [`crate::whitespace`]), so a no-break space separates
//! tokens too.
//!
//! Singular cases: an empty or blank line has no tokens. Errors: Returns an error for a line of 4 GiB or
//! more.
//! Source: sacreBLEU 2.6.0, `-tok none`.

use super::runs::{self, RunRules, SPACE, WIDE, WORD};
use super::{PieceCutter, TokenizerEntry};
use crate::whitespace::is_whitespace_code;

pub(super) const ENTRY: TokenizerEntry =
    TokenizerEntry::new("none", "whitespace only, for text that is tokenized already", |_| {
        PieceCutter::boxed("none", |line| line, runs::cut::<WhitespaceRules>)
    })
    .aliases(&["split"])
    .agrees_with("sacreBLEU 2.6.0");

pub(super) struct WhitespaceRules;

impl RunRules for WhitespaceRules {
    const BYTES: &'static [u8; 256] = &bytes();
    const EDGE_IS_NUMBER: bool = false;

    #[inline(always)]
    fn wide(code: u32) -> u8 {
        if is_whitespace_code(code) { SPACE } else { WORD }
    }
}

const fn bytes() -> [u8; 256] {
    let mut bytes = [WORD; 256];
    let mut byte = 0;
    while byte < 0x80 {
        if is_whitespace_code(byte as u32) {
            bytes[byte] = SPACE;
        }
        byte += 1;
    }
    // The lead bytes of all whitespace beyond ASCII.
    bytes[0xC2] = WIDE;
    bytes[0xE1] = WIDE;
    bytes[0xE2] = WIDE;
    bytes[0xE3] = WIDE;
    bytes
}
