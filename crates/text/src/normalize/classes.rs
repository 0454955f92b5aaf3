//! Tables of the character classes that normalizers use, such as letters, marks and punctuation, of Unicode
//! 14.0.0.

use crate::char_table::CharTable;
use crate::unicode;
use crate::whitespace::is_whitespace_code;

const BLOCKS: usize = 152;
const WORD: u8 = 1;
const UNASSIGNED: u8 = 2;
const SYMBOL: u8 = 3;
const MARK: u8 = 4;
const NONSPACING: u8 = 5;
const PUNCTUATION: u8 = 6;
const DIGIT: u8 = 7;

/// The code point ranges of each character class, such as marks or punctuation. The classes do not overlap,
/// so their order does not matter.
const RANGES: [(u8, &[(u32, u32)]); 7] = [
    (WORD, unicode::WORD),
    (UNASSIGNED, unicode::UNASSIGNED),
    (SYMBOL, unicode::SYMBOL),
    (MARK, unicode::MARK),
    (NONSPACING, unicode::NONSPACING),
    (PUNCTUATION, unicode::PUNCTUATION),
    (DIGIT, unicode::DIGIT),
];

static TABLE: CharTable<BLOCKS> = build();

const fn build() -> CharTable<BLOCKS> {
    let mut table = CharTable::new();
    let mut at = 0;
    while at < RANGES.len() {
        table = table.fill_ranges(RANGES[at].1, RANGES[at].0);
        at += 1;
    }
    table
}

#[inline(always)]
fn class(c: char) -> u8 {
    TABLE.class(c as u32)
}

/// Returns `true` for the characters of Python's `\w`: letters, numbers and the low line, but not marks.
#[inline(always)]
pub(super) fn is_word(c: char) -> bool {
    matches!(class(c), WORD | DIGIT) || c == '_'
}

/// Returns `true` for the characters of Python's `\s`.
#[inline(always)]
pub(super) fn is_space(c: char) -> bool {
    is_whitespace_code(c as u32)
}

#[inline(always)]
pub(super) fn is_mark(c: char) -> bool {
    matches!(class(c), MARK | NONSPACING)
}

/// Returns `true` for a nonspacing mark: category Mn of Unicode 14.0.0.
#[inline(always)]
pub fn is_nonspacing(c: char) -> bool {
    class(c) == NONSPACING
}

/// Returns `true` for punctuation: the characters of Unicode category P.
#[inline(always)]
pub(super) fn is_punctuation(c: char) -> bool {
    // The table has one class for each code point, and the low line is also a word character, so it is tested
    // separately.
    class(c) == PUNCTUATION || c == '_'
}

/// Returns `true` for punctuation and symbols: the characters of Unicode categories P and S.
#[inline(always)]
pub(super) fn is_sign(c: char) -> bool {
    matches!(class(c), PUNCTUATION | SYMBOL) || c == '_'
}

/// Returns `true` for code points without a character in Unicode 14.0.0: category Cn.
#[inline(always)]
pub(super) fn is_unassigned(c: char) -> bool {
    class(c) == UNASSIGNED
}

/// Returns the value of a decimal digit of any script, or `None` for any other character.
pub(super) fn digit(c: char) -> Option<u8> {
    if c.is_ascii_digit() {
        return Some(c as u8 - b'0');
    }
    let code = c as u32;
    let range = unicode::DIGIT.iter().find(|(first, last)| (*first..=*last).contains(&code))?;
    // Each range consists of whole runs from 0 to 9, so the remainder is the value of the digit.
    Some(((code - range.0) % 10) as u8)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_ranges_are_apart_and_found_again() {
        let mut expected = vec![0; 0x11_0000];
        for (class, ranges) in RANGES {
            for code in ranges.iter().flat_map(|&(first, last)| first..=last) {
                assert_eq!(std::mem::replace(&mut expected[code as usize], class), 0, "{code:04X}");
            }
        }
        for c in (0..=0x10_FFFF).filter_map(char::from_u32) {
            assert_eq!(class(c), expected[c as usize], "{c:?}");
        }
    }

    #[test]
    fn there_are_as_many_as_in_the_database() {
        let count =
            |is: fn(char) -> bool| (0..=0x10_FFFF).filter_map(char::from_u32).filter(|&c| is(c)).count();
        assert_eq!(count(is_punctuation), 819);
        assert_eq!(count(is_space), 29);
        assert_eq!(count(|c| digit(c).is_some()), 660);
        assert_eq!((digit('९'), digit('𝟙'), digit('²')), (Some(9), Some(1), None));
    }
}
