//! The units of a text: bytes, code points, words. The text is as it was given, without a normalizer.

/// The number of pieces of a split at every run of white space: one more than there are runs.
///
/// ```
/// // An empty text has one word, and a line break at the end is one more.
/// assert_eq!([bleuprint_likelihood::pieces(""), bleuprint_likelihood::pieces("a b\n"), bleuprint_likelihood::pieces(" a")], [1, 3, 2]);
/// ```
pub fn pieces(text: &str) -> u64 {
    let (mut runs, mut within) = (0, false);
    for c in text.chars() {
        let space = is_space(c);
        runs += u64::from(space && !within);
        within = space;
    }
    runs + 1
}

/// The number of pieces that are not empty.
pub(crate) fn words(text: &str) -> u64 {
    text.split(is_space).filter(|piece| !piece.is_empty()).count() as u64
}

/// The white space of Python's `\s` in a `str` pattern: that of Unicode and the four separators of ASCII.
fn is_space(c: char) -> bool {
    c.is_whitespace() || ('\u{1c}'..='\u{1f}').contains(&c)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn white_space_is_pythons() {
        let spaces: Vec<char> = ('\0'..=char::MAX).filter(|c| is_space(*c)).collect();
        assert_eq!(spaces.len(), 29);
        assert!(['\u{1c}', '\u{1f}', '\u{85}', '\u{a0}', '\u{3000}'].iter().all(|c| is_space(*c)));
        assert!(!['\u{200b}', '\u{feff}', '\u{180e}'].iter().any(|c| is_space(*c)));
    }

    #[test]
    fn pieces_and_words_are_counted() {
        for (text, all, full) in [
            ("", 1, 0),
            (" ", 2, 0),
            ("a", 1, 1),
            (" a", 2, 1),
            ("a \n\tb", 2, 2),
            ("a\u{1f}b\u{200b}c", 2, 2),
        ] {
            assert_eq!((pieces(text), words(text)), (all, full), "{text:?}");
        }
    }
}
