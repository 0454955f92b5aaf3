//! `bytes`: a tokenizer in which every byte of the line is a token, written in hexadecimal; the byte is also
//! the token id.
//!
//! Rule: trailing whitespace of the line is dropped. Every byte of the rest, in UTF-8, is a token, spaces
//! between words included. A token is written as two hexadecimal digits, and its id is the byte.
//!
//! Singular cases: an empty or blank line has no tokens. Errors: Returns an error for a line of 4 GiB or
//! more.
//! Source: defined by this crate; sacreBLEU has no such tokenizer.

use super::buffer::{TokenBuffer, Tokens};
use super::{Tokenizer, TokenizerEntry};
use crate::whitespace::rstrip;
use bleuprint_core::Result;

pub(super) const ENTRY: TokenizerEntry =
    TokenizerEntry::new("bytes", "the bytes of the line, spaces included; has ids", |_| Ok(Box::new(Bytes)))
        .aliases(&["byte"])
        .agrees_with("this crate");

struct Bytes;

/// The hexadecimal digits `000102..ff` of all bytes; every token is a slice of this text.
static HEX: [u8; 512] = hex();

const fn hex() -> [u8; 512] {
    let digits = b"0123456789abcdef";
    let mut hex = [0; 512];
    let mut byte = 0;
    while byte < 256 {
        hex[2 * byte] = digits[byte >> 4];
        hex[2 * byte + 1] = digits[byte & 0xF];
        byte += 1;
    }
    hex
}

impl Tokenizer for Bytes {
    fn token_space(&self) -> &str {
        "bytes"
    }

    fn tokenize<'a>(&self, line: &'a str, buffer: &'a mut TokenBuffer) -> Result<Tokens<'a>> {
        buffer.cut(rstrip(line), |line, spans| {
            for byte in line.bytes() {
                // Two digits a byte, so byte `b` is at position `2 * b` of the text.
                spans.push(2 * usize::from(byte), 2 * usize::from(byte) + 2);
            }
        })?;
        // The table is ASCII, so the conversion cannot fail.
        buffer.tokens_of(std::str::from_utf8(&HEX).unwrap_or_default())
    }

    fn has_ids(&self) -> bool {
        true
    }

    fn ids_are_tokens(&self) -> bool {
        self.has_ids()
    }

    fn ids(&self, line: &str, _: &mut TokenBuffer, ids: &mut Vec<u32>) -> Result<()> {
        ids.extend(rstrip(line).bytes().map(u32::from));
        Ok(())
    }
}
