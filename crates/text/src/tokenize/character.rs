//! `char`: every code point but whitespace is a token.
//!
//! Rule: the code points of the line, without Python's whitespace. Code points, not user-perceived characters: `e`
//! with a combining accent gives two tokens, a family emoji five; `grapheme` is the other choice.
//!
//! Singular cases: an empty or blank line has no tokens. Errors: a line of 4 GiB or more.
//! Source: sacreBLEU 2.6.0, `-tok char`.

use super::buffer::Spans;
use super::{Cutter, TokenizerEntry};
use crate::char_table::decode;
use crate::whitespace::is_whitespace_code;

pub(super) const ENTRY: TokenizerEntry =
    TokenizerEntry::new("char", "every code point but whitespace", |_| {
        Cutter::boxed("char", |line| line, cut)
    })
    .aliases(&["character"])
    .agrees_with("sacreBLEU 2.6.0");

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
