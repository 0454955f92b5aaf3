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

use super::runs::{self, Rules, SPACE, SYMBOL, WIDE, WORD};
use super::sets::{self, SetRules};
use super::{Cutter, TokenizerEntry};
use crate::char_table::CharTable;
use crate::unicode;
use crate::whitespace::strip;

pub(super) const ENTRY: TokenizerEntry =
    TokenizerEntry::new("zh", "Chinese characters one by one, the rest as 13a", |_| {
        Cutter::boxed("zh", strip, sets::cut::<ChineseRules>)
    })
    .aliases(&["chinese"])
    .agrees_with("sacreBLEU 2.6.0");

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
    CharTable::new().fill_ranges(unicode::CHINESE, SYMBOL).fill_whitespace(SPACE)
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
