//! Python's definition of whitespace: the 29 code points on which `str.split`, `str.strip` and `str.rstrip`
//! agree.
//!
//! The set is the Unicode whitespace of `char::is_whitespace` plus the four information separators
//! U+001C..U+001F. It does not include U+200B, U+FEFF, U+180E and U+2060.
//!
//! Source: CPython 3.11, as sacreBLEU 2.6.0 uses it.
//!
//! ```
//! use bleuprint_text::whitespace;
//! assert_eq!(whitespace::split("a\u{1c}b\u{a0}c\u{200b}d").collect::<Vec<_>>(), ["a", "b", "c\u{200b}d"]);
//! assert_eq!(whitespace::rstrip("  a \u{3000}\r"), "  a");
//! ```

/// Returns `true` if Python's `str.isspace` is true for this code point.
#[inline]
#[must_use]
pub const fn is_python_whitespace(c: char) -> bool {
    is_whitespace_code(c as u32)
}

#[inline]
pub(crate) const fn is_whitespace_code(code: u32) -> bool {
    match code {
        // ASCII has its own two arms in front, since most text is ASCII and needs no further comparison.
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

/// Returns the text without trailing whitespace, as Python's `str.rstrip()` does.
#[inline]
pub fn rstrip(text: &str) -> &str {
    match text.as_bytes().last() {
        // Most lines end in a printable ASCII character, so this arm avoids decoding the last character.
        Some(b'!'..=b'~') | None => text,
        Some(_) => text.trim_end_matches(is_python_whitespace),
    }
}

/// Returns the text without whitespace at both ends, as Python's `str.strip()` does.
#[inline]
pub fn strip(text: &str) -> &str {
    rstrip(text).trim_start_matches(is_python_whitespace)
}

/// Returns an iterator over the non-empty pieces between runs of whitespace, as Python's `str.split()` gives
/// them.
pub fn split(text: &str) -> impl Iterator<Item = &str> {
    text.split(is_python_whitespace).filter(|piece| !piece.is_empty())
}

/// Counts the pieces that [`split`] would yield, without splitting the text.
///
/// ```
/// assert_eq!(bleuprint_text::whitespace::count(" a b\u{a0}c\n"), 3);
/// ```
pub fn count(text: &str) -> u64 {
    if text.is_ascii() {
        return count_ascii(text.as_bytes());
    }
    // A piece starts at each character that is not whitespace and has whitespace, or the start of the text,
    // before it.
    let starts = |(after_space, count): (bool, u64), c: char| {
        let space = is_python_whitespace(c);
        (space, count + u64::from(after_space & !space))
    };
    text.chars().fold((true, 0), starts).1
}

/// Counts the words (pieces between whitespace) of an ASCII text: bytes that are not whitespace, after
/// whitespace or at the start. The loop has no branch, so that the compiler vectorizes it.
fn count_ascii(text: &[u8]) -> u64 {
    let full = |byte: u8| u8::from(!is_whitespace_code(u32::from(byte)));
    // A chunk of at most 255 bytes has at most 255 starts, so its sum fits in a `u8` and the vector lanes
    // stay one byte wide.
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
