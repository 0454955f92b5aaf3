//! `intl`: a tokenizer that makes punctuation and symbols of every script separate tokens, as mteval's
//! international tokenization does.
//!
//! Rule, with the general categories of Unicode: every symbol (S) becomes a token, punctuation (P) becomes a
//! token unless it is between numbers (N), and the rest is split at whitespace. The start and the end of the
//! line count as numbers, so a full stop after a final number stays attached. Entities such as `&quot;` are
//! not unescaped.
//!
//! Singular cases: an empty or blank line has no tokens; `.` alone stays `.`; `...5` gives `. . .5`.
//! Errors: Returns an error for a line of 4 GiB or more.
//! Source: `-tok intl` of sacreBLEU 2.6.0 with the Unicode 18.0 tables of `regex` 2026.11.15, compared on
//! every scalar value and on real and random text.

use super::runs::{self, NUMBER, PUNCT, RunRules, SPACE, SYMBOL, WIDE, WORD};
use super::{PieceCutter, TokenizerEntry};
use crate::char_table::CharTable;
use crate::unicode;
use crate::whitespace::{is_whitespace_code, rstrip};

pub(super) const ENTRY: TokenizerEntry = TokenizerEntry::new(
    "intl",
    "punctuation and symbols of all scripts cut off, by Unicode category",
    // Trailing whitespace would hide the end of the line, which counts as a number.
    |_| PieceCutter::boxed("intl", rstrip, runs::cut::<InternationalRules>),
)
.aliases(&["international"])
.agrees_with("sacreBLEU 2.6.0");

pub(super) struct InternationalRules;

impl RunRules for InternationalRules {
    const BYTES: &'static [u8; 256] = &bytes();
    const EDGE_IS_NUMBER: bool = true;

    #[inline(always)]
    fn wide(code: u32) -> u8 {
        TABLE.class(code)
    }
}

/// Returns `true` if the Unicode general category of the code point is P (punctuation).
pub(super) fn is_punctuation(code: u32) -> bool {
    TABLE.class(code) == PUNCT
}

/// The code points that are punctuation in Unicode 18.0: the ranges of Unicode 14.0 and the later additions.
const PUNCTUATION: [&[(u32, u32)]; 2] = [unicode::PUNCTUATION, unicode::LATER_PUNCTUATION];
const SYMBOLS: [&[(u32, u32)]; 2] = [unicode::SYMBOL, unicode::LATER_SYMBOLS];
const NUMBERS: [&[(u32, u32)]; 2] = [unicode::DIGIT, unicode::NUMBERS];

const BLOCKS: usize = 140;
static TABLE: CharTable<BLOCKS> = table();

const fn table() -> CharTable<BLOCKS> {
    fill(fill(fill(CharTable::new(), PUNCTUATION, PUNCT), SYMBOLS, SYMBOL), NUMBERS, NUMBER)
        .fill_whitespace(SPACE)
}

const fn fill(table: CharTable<BLOCKS>, [old, new]: [&[(u32, u32)]; 2], class: u8) -> CharTable<BLOCKS> {
    table.fill_ranges(old, class).fill_ranges(new, class)
}

const fn bytes() -> [u8; 256] {
    let mut bytes = [WORD; 256];
    let mut code = 0;
    while code < 0x80 {
        bytes[code as usize] = class_of_ascii(code);
        code += 1;
    }
    // 0xC2 to 0xF4 are the lead bytes of characters beyond ASCII in valid UTF-8.
    let mut lead = 0xC2;
    while lead < 0xF5 {
        // Bytes E5 to E8 begin most Chinese characters and nothing but letters, so they need no look-up in
        // the table.
        if begins_special(lead as u32) {
            bytes[lead] = WIDE;
        }
        lead += 1;
    }
    bytes
}

const fn class_of_ascii(code: u32) -> u8 {
    if is_whitespace_code(code) {
        SPACE
    } else if contains(PUNCTUATION, code, code) {
        PUNCT
    } else if contains(SYMBOLS, code, code) {
        SYMBOL
    } else if contains(NUMBERS, code, code) {
        NUMBER
    } else {
        WORD
    }
}

/// Returns `true` if a UTF-8 sequence with this lead byte can encode whitespace, punctuation, a symbol or a
/// number.
const fn begins_special(lead: u32) -> bool {
    let (first, last) = match lead {
        0..=0xDF => ((lead & 0x1F) << 6, (lead & 0x1F) << 6 | 0x3F),
        0xE0..=0xEF => ((lead & 0x0F) << 12, (lead & 0x0F) << 12 | 0xFFF),
        _ => ((lead & 0x07) << 18, (lead & 0x07) << 18 | 0x3FFFF),
    };
    // Whitespace beyond ASCII ends at U+3000, so its lead bytes are C2, E1, E2 and E3.
    matches!(lead, 0xC2 | 0xE1..=0xE3)
        || contains(PUNCTUATION, first, last)
        || contains(SYMBOLS, first, last)
        || contains(NUMBERS, first, last)
}

/// Returns `true` if one of the ranges in the two lists overlaps `first..=last`.
const fn contains([old, new]: [&[(u32, u32)]; 2], first: u32, last: u32) -> bool {
    reach(old, first, last) || reach(new, first, last)
}

const fn reach(ranges: &[(u32, u32)], first: u32, last: u32) -> bool {
    let mut i = 0;
    while i < ranges.len() {
        if ranges[i].0 <= last && first <= ranges[i].1 {
            return true;
        }
        i += 1;
    }
    false
}
