//! `char`: every code point but whitespace is a token.
//!
//! Rule: the code points of the line, without Python's whitespace. Code points, not user-perceived characters: `e`
//! with a combining accent gives two tokens, a family emoji five; `grapheme` is the other choice.
//!
//! Singular cases: an empty or blank line has no tokens. Errors: a line of 4 GiB or more.
//! Source: sacreBLEU 2.6.0, `-tok char`.

use super::buffer::{Spans, TokenBuffer, Tokens};
use super::{Tokenizer, TokenizerEntry};
use crate::char_table::decode;
use crate::whitespace::is_whitespace_code;
use bleuprint_core::Result;

pub(super) const ENTRY: TokenizerEntry =
    TokenizerEntry::new("char", "every code point but whitespace", |_| Ok(Box::new(Character)))
        .aliases(&["character"])
        .agrees_with("sacreBLEU 2.6.0");

struct Character;

impl Tokenizer for Character {
    fn token_space(&self) -> &str {
        "char"
    }

    fn tokenize<'a>(&self, line: &'a str, buffer: &'a mut TokenBuffer) -> Result<Tokens<'a>> {
        buffer.cut(line, cut)
    }
}

fn cut(line: &str, spans: &mut Spans) {
    let bytes = line.as_bytes();
    let mut at = 0;
    while at < bytes.len() {
        let (code, len) = decode(bytes, at);
        if !is_whitespace_code(code) {
            spans.push(at, at + len);
        }
        at += len;
    }
}
