//! `char`: a tokenizer in which every code point except whitespace is a token.
//!
//! Rule: the tokens are the code points of the line, without Python's whitespace. Code points are not
//! user-perceived characters: `e` with a combining accent gives two tokens, and a family emoji gives five.
//! The tokenizer `grapheme` gives user-perceived characters.
//!
//! Singular cases: an empty or blank line has no tokens. Errors: Returns an error for a line of 4 GiB or
//! more.
//! Source: sacreBLEU 2.6.0, `-tok char`.

use super::buffer::TokenSpans;
use super::{PieceCutter, TokenizerEntry};
use crate::char_table::decode;
use crate::whitespace::is_whitespace_code;

pub(super) const ENTRY: TokenizerEntry =
    TokenizerEntry::new("char", "every code point but whitespace", |_| {
        PieceCutter::boxed("char", |line| line, cut)
    })
    .aliases(&["character"])
    .agrees_with("sacreBLEU 2.6.0");

fn cut(line: &str, spans: &mut TokenSpans) {
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
