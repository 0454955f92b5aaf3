//! `ascii-space`: a tokenizer that splits a line at ASCII whitespace only.
//!
//! Rule: the line is split at runs of space, tab, line feed, vertical tab, form feed and carriage return.
//! No-break spaces, all other Unicode spaces and the separators U+001C to U+001F are parts of tokens, even at
//! the end of a line.
//!
//! Singular cases: an empty or blank line has no tokens. Errors: Returns an error for a line of 4 GiB or
//! more.
//!
//! Source: `split(' ')` of Perl 5.36 over bytes, which Moses' multi-bleu.perl uses. If Perl is installed,
//! `cargo xtask parity --only Perl` compares both on every scalar value and on random lines. Tests compare
//! with a simple reference implementation.

use super::buffer::{TokenBuffer, Tokens};
use super::runs::{self, RunRules, SPACE, WORD};
use super::{Tokenizer, TokenizerEntry};
use bleuprint_core::Result;

pub(super) const ENTRY: TokenizerEntry = TokenizerEntry::new(
    "ascii-space",
    "ASCII whitespace only, as Perl's split(' ') over bytes; the tokens of multi-bleu.perl",
    |_| Ok(Box::new(AsciiSpace)),
)
.aliases(&["perl"])
.agrees_with("Perl 5.36");

struct AsciiSpace;

impl Tokenizer for AsciiSpace {
    fn token_space(&self) -> &str {
        "ascii-space"
    }

    fn raw_lines(&self) -> bool {
        true
    }

    fn tokenize<'a>(&self, line: &'a str, buffer: &'a mut TokenBuffer) -> Result<Tokens<'a>> {
        buffer.cut(line, runs::cut::<AsciiRules>)
    }
}

struct AsciiRules;

impl RunRules for AsciiRules {
    const BYTES: &'static [u8; 256] = &bytes();
    const EDGE_IS_NUMBER: bool = false;

    // Every byte from 0x80 on is part of a word in the table, so Unicode whitespace never separates tokens.
    #[inline(always)]
    fn wide(_: u32) -> u8 {
        WORD
    }
}

const fn bytes() -> [u8; 256] {
    let mut bytes = [WORD; 256];
    let spaces = [b' ', b'\t', b'\n', 0x0B, 0x0C, b'\r'];
    let mut i = 0;
    while i < spaces.len() {
        bytes[spaces[i] as usize] = SPACE;
        i += 1;
    }
    bytes
}
