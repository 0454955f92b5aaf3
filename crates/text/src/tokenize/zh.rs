//! `zh`: a tokenizer in which Chinese characters are separate tokens; all other text is tokenized as in
//! `13a`.
//!
//! Rule: both ends are stripped, and every code point of the table below is a separate token. Then the
//! symbol, punctuation and dash rules of `13a` apply, without its unescaping and deletions. The start and the
//! end of the line count as numbers, so `in 2019.` keeps its full stop.
//!
//! The table follows sacreBLEU's behaviour, including a mistake: two rows meant for Chinese characters above
//! U+FFFF have the effect of the range U+2001..U+2A6D. Therefore dashes, curly quotes, arrows and
//! mathematical signs are separate tokens, but Chinese characters above U+FFFF are not. The table contains
//! full-width and half-width forms, but neither Kana nor Hangul.
//!
//! Singular cases: an empty or blank line has no tokens; Chinese characters that Unicode added later, such as
//! `龼` (U+9FFC), are not separated.
//! Errors: Returns an error for a line of 4 GiB or more.
//!
//! Source: `-tok zh` of sacreBLEU 2.6.0, compared on every scalar value and on real and random text.

use super::runs::{self, RunRules, SPACE, SYMBOL, WIDE, WORD};
use super::sets::{self, SetRules};
use super::{PieceCutter, TokenizerEntry};
use crate::char_table::CharTable;
use crate::unicode;
use crate::whitespace::strip;

pub(super) const ENTRY: TokenizerEntry =
    TokenizerEntry::new("zh", "Chinese characters one by one, the rest as 13a", |_| {
        PieceCutter::boxed("zh", strip, sets::cut::<ChineseRules>)
    })
    .aliases(&["chinese"])
    .agrees_with("sacreBLEU 2.6.0");

pub(super) struct ChineseRules;

impl RunRules for ChineseRules {
    const BYTES: &'static [u8; 256] = &bytes();
    const EDGE_IS_NUMBER: bool = true;

    #[inline(always)]
    fn wide(code: u32) -> u8 {
        TABLE.class(code)
    }
}

impl SetRules for ChineseRules {
    const REWRITES: bool = false;
    /// The range of UTF-8 lead bytes of U+5000 to U+8FFF, all of which are Chinese characters.
    const SYMBOL_LEADS: (u8, u8) = (0xE5, 0xE8);
    const OTHER_LEADS: [(u8, u8); 3] = [(0xC2, 0xC2), (0xE1, 0xE4), (0xE9, 0xEF)];
}

const BLOCKS: usize = 32;
static TABLE: CharTable<BLOCKS> = table();

/// Builds the table of character classes. A character that is both whitespace and in the table of Chinese
/// characters counts as whitespace, because whitespace is never a token.
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
