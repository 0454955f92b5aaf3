//! `zh`: Chinese characters one by one, everything else as `13a`.
//!
//! Rule: strip both ends, isolate every code point of the table below, then the symbol, punctuation and dash rules of
//! `13a`, without its unescaping and deletions. The start and the end of the line count as numbers (`in 2019.`
//! keeps its full stop).
//!
//! The table follows sacreBLEU's actual behaviour, not its intent: two rows written for the supplementary planes take
//! effect as the one range U+2001..U+2A6D, so dashes, curly quotes, arrows and mathematics are isolated and no
//! character beyond U+FFFF is. Kana and Hangul are not in it; full- and half-width forms are.
//!
//! Singular cases: an empty or blank line has no tokens; `龼` (U+9FFC) and later additions are not isolated. Errors: a
//! line of 4 GiB or more. Source: sacreBLEU 2.6.0, `-tok zh`, compared on every scalar value and on real and random
//! text.

use super::buffer::{TokenBuffer, Tokens};
use super::runs::{self, Rules, SPACE, SYMBOL, WIDE, WORD};
use super::sets::{self, SetRules};
use super::{Tokenizer, TokenizerEntry};
use crate::char_table::CharTable;
use crate::whitespace::{is_whitespace_code, strip};
use bleuprint_core::Result;

/// The code points that sacreBLEU 2.6.0 isolates, inclusive ranges.
const CHINESE: &[(u32, u32)] = &[
    (0x2001, 0x2A6D),
    (0x2E80, 0x2FDF),
    (0x2FF0, 0x303F),
    (0x3100, 0x312F),
    (0x31A0, 0x31EF),
    (0x3200, 0x4DB5),
    (0x4E00, 0x9FBB),
    (0xF900, 0xFA2D),
    (0xFA30, 0xFA6A),
    (0xFA70, 0xFAD9),
    (0xFE10, 0xFE1F),
    (0xFE30, 0xFE4F),
    (0xFF00, 0xFFEF),
];

pub(super) const ENTRY: TokenizerEntry =
    TokenizerEntry::new("zh", "Chinese characters one by one, the rest as 13a", |_| Ok(Box::new(Chinese)))
        .aliases(&["chinese"])
        .agrees_with("sacreBLEU 2.6.0");

struct Chinese;

impl Tokenizer for Chinese {
    fn token_space(&self) -> &str {
        "zh"
    }

    fn tokenize<'a>(&self, line: &'a str, buffer: &'a mut TokenBuffer) -> Result<Tokens<'a>> {
        buffer.cut(strip(line), sets::cut::<ChineseRules>)
    }
}

pub(super) struct ChineseRules;

impl Rules for ChineseRules {
    const BYTES: &'static [u8; 256] = &bytes();
    const EDGE_IS_NUMBER: bool = true;

    #[inline(always)]
    fn wide(code: u32) -> u8 {
        TABLE.class(code)
    }
}

impl SetRules for ChineseRules {
    const REWRITES: bool = false;
    /// U+5000 to U+8FFF.
    const SYMBOL_LEADS: (u8, u8) = (0xE5, 0xE8);
    const OTHER_LEADS: [(u8, u8); 3] = [(0xC2, 0xC2), (0xE1, 0xE4), (0xE9, 0xEF)];
}

const BLOCKS: usize = 32;
static TABLE: CharTable<BLOCKS> = table();

/// Whitespace takes precedence over Chinese: isolating a space has no effect.
const fn table() -> CharTable<BLOCKS> {
    let (mut table, mut used) = (CharTable::<BLOCKS>::new(), CharTable::<BLOCKS>::FIRST_FREE);
    let mut i = 0;
    while i < CHINESE.len() {
        let (first, last) = CHINESE[i];
        (table, used) = table.fill(used, first, last, 1, SYMBOL);
        i += 1;
    }
    let mut code = 0x80;
    while code <= 0x3000 {
        if is_whitespace_code(code) {
            (table, used) = table.fill(used, code, code, 1, SPACE);
        }
        code += 1;
    }
    table
}

const fn bytes() -> [u8; 256] {
    let mut bytes = runs::bytes_of_13a();
    let mut lead = 0xE2;
    while lead < 0xF0 {
        bytes[lead] = match lead {
            0xE2..=0xE9 | 0xEF => WIDE,
            _ => WORD,
        };
        lead += 1;
    }
    bytes
}
