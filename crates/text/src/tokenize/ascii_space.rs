//! `ascii-space`: tokens are the pieces between ASCII whitespace.
//!
//! Rule: split at runs of space, tab, line feed, vertical tab, form feed and carriage return. A no-break space, every
//! other space of Unicode and the separators U+001C to U+001F are parts of tokens, also at the end of a line.
//!
//! Singular cases: an empty or blank line has no tokens. Errors: a line of 4 GiB or more. Source: `split(' ')` of Perl
//! 5.36 over bytes, which Moses' multi-bleu.perl uses; compared with Perl, if installed, on every scalar value and
//! random lines (`cargo xtask parity --only Perl`), and in tests with a naive twin.

use super::buffer::{TokenBuffer, Tokens};
use super::runs::{self, Rules, SPACE, WORD};
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

impl Rules for AsciiRules {
    const BYTES: &'static [u8; 256] = &bytes();
    const EDGE_IS_NUMBER: bool = false;

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
