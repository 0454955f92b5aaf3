//! The normalizers `ascii-punct`, `visible` and `arabic-letters`. They make texts equal that look alike but
//! differ in their characters, for example in the kind of apostrophe. Unicode's normalization forms keep such
//! differences.
//!
//! | name | rule |
//! |---|---|
//! | `ascii-punct` | quotation marks, apostrophes and primes become `'` or `"`, hyphens, dashes and the minus sign become `-`, the ellipsis becomes `...` |
//! | `visible` | joiners, zero-width spaces, direction marks, soft hyphens and the byte order mark are deleted |
//! | `arabic-letters` | Persian yeh and kaf become the Arabic letters, and tatweel is deleted |
//!
//! `ascii-punct` keeps guillemets (`«»`) and East Asian quotation marks, because they are the usual quotation
//! marks of their languages. The rules are defined by this crate; the code points are those of Unicode
//! 14.0.0.

use super::text::rewrite;
use super::{NormalizerEntry, step};

pub(super) const ASCII_PUNCT: NormalizerEntry = step!(
    "ascii-punct",
    "typographic quotes, apostrophes, dashes and the ellipsis as ASCII",
    |text, spare| {
        replace(text, spare, ascii);
    }
);
pub(super) const VISIBLE: NormalizerEntry =
    step!("visible", "without zero-width characters, direction marks and soft hyphens", |text, spare| {
        replace(text, spare, |c| is_invisible(c).then_some(""));
    });
pub(super) const ARABIC_LETTERS: NormalizerEntry =
    step!("arabic-letters", "Persian yeh and kaf as the Arabic letters, without tatweel", |text, spare| {
        replace(text, spare, arabic);
    });

/// Replaces each character of `text` for which `replacement` returns `Some`. `spare` is a scratch buffer.
fn replace(text: &mut String, spare: &mut String, replacement: impl Fn(char) -> Option<&'static str>) {
    // None of these characters is ASCII, so that most texts stay as they are.
    if text.is_ascii() {
        return;
    }
    rewrite(text, spare, |text, out| {
        for c in text.chars() {
            match replacement(c) {
                Some(new) => out.push_str(new),
                None => out.push(c),
            }
        }
    });
}

fn ascii(c: char) -> Option<&'static str> {
    Some(match c {
        '\u{2018}'..='\u{201B}' | '\u{2BC}' | '\u{2032}' => "'",
        '\u{201C}'..='\u{201F}' | '\u{2033}' => "\"",
        '\u{2010}'..='\u{2015}' | '\u{2212}' => "-",
        '\u{2026}' => "...",
        _ => return None,
    })
}

fn arabic(c: char) -> Option<&'static str> {
    Some(match c {
        '\u{6CC}' => "\u{64A}",
        '\u{6A9}' => "\u{643}",
        '\u{640}' => "",
        _ => return None,
    })
}

/// Returns `true` for invisible characters, which the normalizer `visible` deletes: joiners, zero-width
/// spaces, direction marks, soft hyphens and the byte order mark.
pub fn is_invisible(c: char) -> bool {
    matches!(
        u32::from(c),
        0xAD | 0x61C | 0x180E | 0x200B..=0x200F | 0x202A..=0x202E | 0x2060..=0x2064 | 0x2066..=0x2069 | 0xFEFF
    )
}

#[cfg(test)]
mod tests {
    use crate::normalize::Normalizers;

    #[test]
    fn characters_that_look_alike_become_equal() {
        let cases = [
            (
                "ascii-punct",
                "it\u{2019}s \u{201C}well\u{2011}known\u{201D} \u{2013} yes\u{2026}",
                "it's \"well-known\" - yes...",
            ),
            ("ascii-punct", "«a» 「b」 don't", "«a» 「b」 don't"),
            ("visible", "\u{FEFF}a\u{200B}b\u{200F} \u{AD}c\u{200D}\u{2066}", "ab c"),
            ("visible", "e\u{301} \u{A0}", "e\u{301} \u{A0}"),
            (
                "arabic-letters",
                "\u{6A9}\u{62A}\u{640}\u{640}\u{627}\u{628}\u{6CC}",
                "\u{643}\u{62A}\u{627}\u{628}\u{64A}",
            ),
            ("arabic-letters", "plain", "plain"),
        ];
        for (name, text, expected) in cases {
            let chain = Normalizers::default().build(name).unwrap();
            assert_eq!(chain.apply(text), expected, "{name}: {text}");
            assert_eq!(chain.apply(expected), expected, "{name} is not stable");
        }
    }
}
