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

/// The number of pieces of [`split`].
pub(crate) fn count(text: &str) -> usize {
    let starts = |(after_space, count): (bool, usize), code: u32| {
        let space = is_whitespace_code(code);
        (space, count + usize::from(after_space & !space))
    };
    let start = (true, 0);
    let (_, count) = match text.is_ascii() {
        true => text.bytes().map(u32::from).fold(start, starts),
        false => text.chars().map(u32::from).fold(start, starts),
    };
    count
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
        fn pieces_are_counted_as_they_are_split(codes: Vec<(u8, bool)>, far: bool) -> bool {
            let white = |(at, _): &(u8, bool)| ["\t", "\u{1c}", " ", "a", "\u{a0}", "é"][usize::from(at % if far { 6 } else { 4 })];
            let text: String = codes.iter().map(white).collect();
            count(&text) == split(&text).count()
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
