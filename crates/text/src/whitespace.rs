//! Whitespace as Python's `str` has it: the 29 code points on which `split`, `strip` and `rstrip` agree.
//!
//! They are the Unicode whitespace of `char::is_whitespace` plus the four information separators
//! U+001C..U+001F. U+200B, U+FEFF, U+180E and U+2060 are not among them.
//!
//! Source: CPython 3.11, as sacreBLEU 2.6.0 uses it.
//!
//! ```
//! use bleuprint_text::whitespace;
//! assert_eq!(whitespace::split("a\u{1c}b\u{a0}c\u{200b}d").collect::<Vec<_>>(), ["a", "b", "c\u{200b}d"]);
//! assert_eq!(whitespace::rstrip("  a \u{3000}\r"), "  a");
//! ```

/// Python's `str.isspace` holds for this code point.
#[inline]
#[must_use]
pub const fn is_python_whitespace(c: char) -> bool {
    is_whitespace_code(c as u32)
}

#[inline]
pub(crate) const fn is_whitespace_code(code: u32) -> bool {
    match code {
        0x09..=0x0D | 0x1C..=0x20 => true,
        0..=0x7F => false,
        0x85 | 0xA0 | 0x1680 | 0x2000..=0x200A | 0x2028 | 0x2029 | 0x202F | 0x205F | 0x3000 => true,
        _ => false,
    }
}

#[inline]
pub(crate) fn is_blank(text: &str) -> bool {
    text.chars().all(is_python_whitespace)
}

/// The text without trailing whitespace: `str.rstrip()`.
#[inline]
pub fn rstrip(text: &str) -> &str {
    match text.as_bytes().last() {
        // Nearly every line ends here.
        Some(b'!'..=b'~') | None => text,
        Some(_) => text.trim_end_matches(is_python_whitespace),
    }
}

/// The text without whitespace at both ends: `str.strip()`.
#[inline]
pub fn strip(text: &str) -> &str {
    rstrip(text).trim_start_matches(is_python_whitespace)
}

/// The non-empty pieces between runs of whitespace: `str.split()`.
pub fn split(text: &str) -> impl Iterator<Item = &str> {
    text.split(is_python_whitespace).filter(|piece| !piece.is_empty())
}

/// The number of pieces of [`split`], without cutting them.
///
/// ```
/// assert_eq!(bleuprint_text::whitespace::count(" a b\u{a0}c\n"), 3);
/// ```
pub fn count(text: &str) -> u64 {
    if text.is_ascii() {
        return count_ascii(text.as_bytes());
    }
    let starts = |(after_space, count): (bool, u64), c: char| {
        let space = is_python_whitespace(c);
        (space, count + u64::from(after_space & !space))
    };
    text.chars().fold((true, 0), starts).1
}

/// Places of a byte that is not white behind one that is, or behind nothing; without a branch, so that the loop is of vectors.
fn count_ascii(text: &[u8]) -> u64 {
    let full = |byte: u8| u8::from(!is_whitespace_code(u32::from(byte)));
    // No sum of a part leaves a byte.
    let parts = text.chunks(255).zip(text.get(1..).unwrap_or_default().chunks(255));
    let starts = |(before, own): (&[u8], &[u8])| {
        u64::from(before.iter().zip(own).map(|(&before, &own)| full(own) & !full(before)).sum::<u8>())
    };
    u64::from(text.first().map_or(0, |&first| full(first))) + parts.map(starts).sum::<u64>()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_are_twenty_nine() {
        let all: Vec<char> =
            (0..=0x10FFFF).filter_map(char::from_u32).filter(|&c| is_python_whitespace(c)).collect();
        assert_eq!(all.len(), 29);
        for c in (0..=0x10FFFF).filter_map(char::from_u32) {
            let separator = ('\u{1c}'..='\u{1f}').contains(&c);
            assert_eq!(is_python_whitespace(c), c.is_whitespace() || separator, "{c:?}");
        }
    }

    quickcheck::quickcheck! {
        fn pieces_are_counted_as_they_are_split(raw: Vec<u8>, repeats: u8) -> bool {
            const BYTES: &[u8] = b"\0\x08\t\x0d\x0e\x1b\x1c\x1f !a\x7f  b";
            let text: String = raw.iter().map(|byte| char::from(BYTES[usize::from(*byte) % BYTES.len()])).collect();
            let text = text.repeat(usize::from(repeats));
            let other = text.replace('!', "\u{a0}");
            [text, other].iter().all(|text| count(text) == split(text).count() as u64)
        }
    }

    #[test]
    fn stripping_takes_every_kind() {
        for c in (0..=0x10FFFF).filter_map(char::from_u32) {
            let text = format!("{c}a{c}{c}");
            let white = is_python_whitespace(c);
            assert_eq!(rstrip(&text) == format!("{c}a"), white, "{c:?}");
            assert_eq!(strip(&text) == "a", white || c == 'a' && strip(&text) == "a", "{c:?}");
        }
        assert_eq!(rstrip(""), "");
        assert_eq!(strip(" \t\u{2028}"), "");
        assert_eq!(split("  ").count(), 0);
    }
}
