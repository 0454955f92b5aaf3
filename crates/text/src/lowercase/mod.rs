//! Lower-casing exactly as CPython 3.11's `str.lower` (Unicode 14.0). Scores with `case:lc` depend on it.
//!
//! Rule: each code point has its full mapping (`İ` becomes `i` + U+0307), and capital sigma becomes `ς` at
//! the end of a word. The end of a word is after a cased letter and not before one; case-ignorable code
//! points on both sides are skipped.
//!
//! The mappings come from the standard library. The set of code points with a mapping, and the context of
//! a sigma, come from fixed tables, because the standard library follows newer versions of Unicode. Rust 1.95
//! lowers 55 code points that Python 3.11 does not, and 307 code points change the context of a sigma.
//!
//! Source: CPython 3.11.7, observed for every scalar value alone and in five contexts of a sigma.
//!
//! ```
//! let mut lowered = String::new();
//! bleuprint_text::lowercase("ΑΣ Β, ΑΣΒ: İ", &mut lowered);
//! assert_eq!(lowered, "ας β, ασβ: i\u{307}");
//! ```

use wide::u8x16;

use crate::char_table::{CharTable, decode};
use crate::unicode;

/// Bit of a character class: set for code points that Python's `str.lower` changes.
const LOWERED: u8 = 1;
/// Bit of a character class: set for letters that have case (upper, lower or title) and are not
/// case-ignorable. Letters that `str.lower` changes also have the bit [`LOWERED`].
const CASED: u8 = 2;
/// Bit of a character class: set for case-ignorable code points, which are skipped when the end of a word is
/// searched for a capital sigma.
const IGNORABLE: u8 = 4;
const BLOCKS: usize = 120;
const CAPITAL_SIGMA: u32 = 0x3A3;

static TABLE: CharTable<BLOCKS> = build();

const fn build() -> CharTable<BLOCKS> {
    let mut table = CharTable::new()
        .fill_ranges(unicode::CASED, CASED)
        .fill_ranges(unicode::IGNORABLE, IGNORABLE)
        .fill_ranges(unicode::NONSPACING, IGNORABLE);
    // Every code point with a lower case is cased, and none is case-ignorable, so one class can hold both
    // bits. A test asserts it.
    let mut i = 0;
    while i < unicode::LOWERED.len() {
        let (first, last, step) = unicode::LOWERED[i];
        table = table.fill(first, last, step as u32, LOWERED | CASED);
        i += 1;
    }
    table
}

/// Writes `line` in lower case to `out`, replacing its content.
pub fn lowercase(line: &str, out: &mut String) {
    lower(line, out, true);
}

/// Writes `line` in lower case to `out`, replacing its content; every capital sigma becomes `σ`, as in Perl's
/// `lc`, which ignores the context.
pub(crate) fn lowercase_without_context(line: &str, out: &mut String) {
    lower(line, out, false);
}

fn lower(line: &str, out: &mut String, final_sigma: bool) {
    out.clear();
    out.reserve(line.len());
    let bytes = line.as_bytes();
    // Few letters beyond ASCII are capitals, so the text between two of them is copied and lowered as one
    // piece.
    let piece = |text: &str, out: &mut String| {
        let written = out.len();
        out.push_str(text);
        out[written..].make_ascii_lowercase();
    };
    let mut start = 0;
    for (block, sixteen) in (0..).step_by(16).zip(bytes.chunks(16)) {
        let mut padded = [0; 16];
        padded[..sixteen.len()].copy_from_slice(sixteen);
        let padded = u8x16::new(padded);
        // Lead bytes of characters beyond ASCII are at least 0xC0. Lead bytes 0xE3 to 0xE9 start U+3000 to
        // U+9FFF, which have no case and are skipped.
        let begins = padded.max(u8x16::splat(0xC0)).cmp_eq(padded);
        // The subtraction wraps, so that one unsigned comparison tests both ends of the range.
        let from_e3 = padded - u8x16::splat(0xE3);
        let caseless = from_e3.min(u8x16::splat(0xE9 - 0xE3)).cmp_eq(from_e3);
        let mut leads = (begins & !caseless).move_mask() & 0xFFFF;
        while leads != 0 {
            let at = block + leads.trailing_zeros() as usize;
            // Clears the lowest set bit.
            leads &= leads - 1;
            let (code, len) = decode(bytes, at);
            if TABLE.class(code) & LOWERED != 0 {
                piece(&line[start..at], out);
                let last = final_sigma && code == CAPITAL_SIGMA && ends_a_word(line, at, len);
                push_lowered(code, last, out);
                start = at + len;
            }
        }
    }
    piece(&line[start..], out);
}

/// Writes `line` to `out` with the letters A to Z in lower case and all other characters unchanged, replacing
/// the content of `out`. Perl's `lc` on bytes does the same.
///
/// ```
/// let mut lowered = String::new();
/// bleuprint_text::lowercase_ascii("AZ \u{c9}", &mut lowered);
/// assert_eq!(lowered, "az \u{c9}");
/// ```
pub fn lowercase_ascii(line: &str, out: &mut String) {
    out.clear();
    out.push_str(line);
    out.make_ascii_lowercase();
}

fn ends_a_word(line: &str, at: usize, len: usize) -> bool {
    ends_in_cased(&line[..at]) && !starts_with_cased(&line[at + len..])
}

fn push_lowered(code: u32, last: bool, out: &mut String) {
    match char::from_u32(code) {
        Some('Σ') => out.push(if last { 'ς' } else { 'σ' }),
        Some(c) => out.extend(c.to_lowercase()),
        None => {}
    }
}

fn ends_in_cased(before: &str) -> bool {
    first_that_counts(before.chars().rev())
}

fn starts_with_cased(after: &str) -> bool {
    first_that_counts(after.chars())
}

fn first_that_counts(chars: impl Iterator<Item = char>) -> bool {
    let mut classes = chars.map(|c| TABLE.class(c as u32));
    classes.find(|class| class & IGNORABLE == 0).is_some_and(|class| class & CASED != 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lower(text: &str) -> String {
        let mut out = String::new();
        lowercase(text, &mut out);
        out
    }

    fn is_lowered(c: char) -> bool {
        let code = c as u32;
        unicode::LOWERED.iter().any(|&(first, last, step)| {
            (first..=last).contains(&code) && (code - first).is_multiple_of(step.into())
        })
    }

    #[test]
    fn every_scalar_value_lowers_as_the_tables_say() {
        let mut changed = 0;
        for c in (0..=0x10FFFF).filter_map(char::from_u32) {
            let expected = if is_lowered(c) { c.to_lowercase().collect() } else { String::from(c) };
            assert_eq!(lower(&String::from(c)), expected, "{c:?}");
            changed += usize::from(expected != String::from(c));
        }
        assert_eq!(changed, 1433, "as many as in Unicode 14.0");
    }

    #[test]
    fn what_lowers_is_cased_and_not_ignorable() {
        let within =
            |ranges: &[(u32, u32)], code| ranges.iter().any(|&(first, last)| (first..=last).contains(&code));
        for c in (0..=0x10FFFF).filter_map(char::from_u32).filter(|&c| is_lowered(c)) {
            let code = c as u32;
            assert!(within(unicode::CASED, code), "{c:?}");
            assert!(!within(unicode::IGNORABLE, code) && !within(unicode::NONSPACING, code), "{c:?}");
        }
    }

    #[test]
    fn newer_letters_keep_their_case() {
        for code in [0x1C89, 0xA7CB, 0xA7CC, 0xA7DA, 0xA7DC, 0x10D50, 0x10D65, 0x16EA0, 0x16EB8] {
            let text = String::from(char::from_u32(code).expect("a scalar value"));
            assert_eq!(lower(&text), text);
        }
    }

    #[test]
    fn sigma_looks_at_its_context() {
        let cases = [
            ("ΑΣ Β", "ας β"),
            ("ΑΣΒ", "ασβ"),
            ("ΑΣ.", "ας."),
            ("ΑΣ:Β", "ασ:β"),
            ("Σ", "σ"),
            ("ΣΣ", "σς"),
            ("Α.Σ", "α.ς"),
            (".Σ", ".σ"),
        ];
        for (text, expected) in cases {
            assert_eq!(lower(text), expected, "{text}");
        }
    }

    #[test]
    fn ascii_and_others_alternate() {
        assert_eq!(lower("ABCÄÖ-xYZ日本Q"), "abcäö-xyz日本q");
        assert_eq!(lower(""), "");
    }

    quickcheck::quickcheck! {
        fn texts_lower_letter_by_letter(letters: Vec<u8>) -> bool {
            const LETTERS: [char; 16] =
                ['A', 'b', ' ', '.', 'Č', 'ě', 'Ж', 'я', 'İ', 'ß', '中', '。', 'Ａ', 'Ⴀ', '𐐀', '😀'];
            let text: String = letters.iter().map(|&letter| LETTERS[usize::from(letter % 16)]).collect();
            lower(&text) == text.chars().map(|letter| lower(&String::from(letter))).collect::<String>()
        }
    }
}
