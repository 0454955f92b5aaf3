//! [`Encoding`]: UTF-8 that keeps, or UTF-8 that skips, a byte order mark at the start of a file. This module
//! also detects files that are not UTF-8.

use bleuprint_core::{ConfigError, Result};
use std::str::FromStr;

/// The byte order mark of UTF-8, U+FEFF.
pub(super) const MARK: &[u8] = b"\xEF\xBB\xBF";

/// The encoding of a text. Both variants are strict UTF-8; they differ in the treatment of a leading byte
/// order mark.
///
/// ```
/// use bleuprint_text::Encoding;
/// assert_eq!("utf-8-sig".parse(), Ok(Encoding::Utf8Sig));
/// assert_eq!("UTF8".parse(), Ok(Encoding::Utf8));
/// assert!("latin-1".parse::<Encoding>().is_err());
/// ```
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Encoding {
    /// `utf-8`: a byte order mark at the start of the file is kept as a character of the first line, as in
    /// sacreBLEU.
    #[default]
    Utf8,
    /// `utf-8-sig`: a byte order mark at the start of the file is skipped.
    Utf8Sig,
}

impl Encoding {
    /// The names of the encodings, as in Python.
    pub const NAMES: [&str; 2] = ["utf-8", "utf-8-sig"];
}

impl FromStr for Encoding {
    type Err = ConfigError;

    fn from_str(name: &str) -> Result<Self, ConfigError> {
        match name.to_ascii_lowercase().replace('_', "-").as_str() {
            "utf-8" | "utf8" | "ascii" => Ok(Encoding::Utf8),
            "utf-8-sig" | "utf8-sig" => Ok(Encoding::Utf8Sig),
            _ => Err(ConfigError::unknown_name("encoding", name, Self::NAMES)),
        }
    }
}

/// Returns an error message if the first bytes of a file show that it is not UTF-8, otherwise `None`. UTF-16
/// or UTF-32 without a byte order mark has NUL in every second byte if it begins with Latin script. A single
/// NUL among bytes of UTF-8 is accepted as text.
pub(super) fn not_utf8(head: &[u8]) -> Option<String> {
    let marked = |name: &str| Some(format!("{name}, as its byte order mark says; convert it to UTF-8"));
    let unmarked =
        |name: &str| Some(format!("{name} without a byte order mark, by its NUL bytes; convert it to UTF-8"));
    // A single NUL in a text is another fault, which `Findings` reports; so a second NUL, or bytes that are
    // not UTF-8, are required here.
    let again = |at: usize| {
        let broken = std::str::from_utf8(head).is_err_and(|error| error.error_len().is_some());
        broken || head.get(at).is_none_or(|&byte| byte == 0)
    };
    match head {
        // The marks of UTF-32 come first, since the one in little-endian order starts with the mark of
        // UTF-16.
        [0xFF, 0xFE, 0, 0, ..] => marked("UTF-32"),
        [0, 0, 0xFE, 0xFF, ..] => marked("UTF-32"),
        [0xFF, 0xFE, ..] | [0xFE, 0xFF, ..] => marked("UTF-16"),
        [0] | [0, 0] | [0, 0, 0] | [0, 0, 0, 0, ..] => {
            Some("begins with NUL bytes and is therefore not text".into())
        }
        [0, 0, _, _, ..] | [_, _, 0, 0, ..] => unmarked("UTF-32"),
        [0, _, ..] if again(2) => unmarked("UTF-16"),
        [_, 0, ..] if again(3) => unmarked("UTF-16"),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wide_encodings_are_told_by_their_first_bytes() {
        let little = |text: &str| text.encode_utf16().flat_map(u16::to_le_bytes).collect::<Vec<u8>>();
        let big = |text: &str| text.encode_utf16().flat_map(u16::to_be_bytes).collect::<Vec<u8>>();
        let wide = |text: &str| text.chars().flat_map(|c| u32::from(c).to_le_bytes()).collect::<Vec<u8>>();
        let wide_big =
            |text: &str| text.chars().flat_map(|c| u32::from(c).to_be_bytes()).collect::<Vec<u8>>();
        for text in ["ab", "a\n", "a"] {
            for (bytes, name) in [(little(text), "UTF-16"), (big(text), "UTF-16"), (wide(text), "UTF-32")] {
                assert!(not_utf8(&bytes).is_some_and(|fault| fault.starts_with(name)), "{bytes:?}");
                let fault = not_utf8(
                    &[&b"\xFF\xFE"[..], &[0, 0][..if name == "UTF-32" { 2 } else { 0 }], &bytes].concat(),
                );
                assert!(
                    fault.is_some_and(|fault| fault.ends_with("mark says; convert it to UTF-8")),
                    "{bytes:?}"
                );
            }
            assert!(not_utf8(&wide_big(text)).is_some_and(|fault| fault.starts_with("UTF-32 without")));
        }
        assert!(not_utf8(&wide_big("\u{4e2d}")).is_some_and(|fault| fault.starts_with("UTF-32 without")));
        for text in ["", "a", "ab", "a b\0", "a\0bcdef", "\0bcdef", "\u{feff}a", "\u{4e2d}"] {
            assert_eq!(not_utf8(text.as_bytes()), None, "{text}");
        }
        for bytes in [&b"\0"[..], b"\0\0\0\0\0"] {
            assert!(not_utf8(bytes).is_some_and(|fault| fault.contains("NUL bytes")));
        }
    }
}
