//! `codepoint`: a tokenizer in which every code point is a token, whitespace included.
//!
//! Rule: the tokens are the code points of the unchanged line. `char` drops whitespace, `jiwer-char` drops it
//! at both ends, and `grapheme` gives user-perceived characters.
//!
//! Singular cases: an empty line has no tokens. Errors: Returns an error for a line of 4 GiB or more.
//! Source: Python strings, as difflib and rapidfuzz compare them.

use super::buffer::{TokenBuffer, Tokens};
use super::jiwer::{character_ids, characters};
use super::{Tokenizer, TokenizerEntry};
use bleuprint_core::Result;

pub(super) const ENTRY: TokenizerEntry =
    TokenizerEntry::new("codepoint", "every code point, white space included", |_| Ok(Box::new(CodePoint)))
        .aliases(&["codepoints"])
        .agrees_with("strings of Python 3.11");

struct CodePoint;

impl Tokenizer for CodePoint {
    fn token_space(&self) -> &str {
        ENTRY.name
    }

    fn tokenize<'a>(&self, line: &'a str, buffer: &'a mut TokenBuffer) -> Result<Tokens<'a>> {
        buffer.cut(line, characters)
    }

    fn has_ids(&self) -> bool {
        true
    }

    fn ids_are_tokens(&self) -> bool {
        true
    }

    fn ids(&self, line: &str, _: &mut TokenBuffer, ids: &mut Vec<u32>) -> Result<()> {
        character_ids(line, ids);
        Ok(())
    }
}
