//! `bytes`: the bytes of the line, written in hexadecimal; they are ids as well.
//!
//! Rule: every byte of the UTF-8 form of the right-stripped line is a token, the spaces between words included. As
//! text a token is two hexadecimal digits, as id it is the byte.
//!
//! Singular cases: an empty or blank line has no tokens. Errors: a line of 4 GiB or more.
//! Source: its own definition; sacreBLEU has no such tokenizer.

use super::buffer::{TokenBuffer, Tokens};
use super::{Tokenizer, TokenizerEntry};
use crate::whitespace::rstrip;
use bleuprint_core::Result;

pub(super) const ENTRY: TokenizerEntry =
    TokenizerEntry::new("bytes", "the bytes of the line, spaces included; has ids", |_| Ok(Box::new(Bytes)))
        .aliases(&["byte"])
        .agrees_with("this crate");

struct Bytes;

/// `000102..ff`: every token is a span of it.
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
                spans.push(2 * usize::from(byte), 2 * usize::from(byte) + 2);
            }
        })?;
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
