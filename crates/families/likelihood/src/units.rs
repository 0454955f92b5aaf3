//! The number of words in a text as lm-evaluation-harness counts them.

use bleuprint_text::whitespace;

/// Counts the pieces into which runs of white space split a text, including empty pieces: the number of runs
/// plus 1.
///
/// ```
/// // An empty text has one word, and a line break at the end is one more.
/// assert_eq!([bleuprint_likelihood::pieces(""), bleuprint_likelihood::pieces("a b\n"), bleuprint_likelihood::pieces(" a")], [1, 3, 2]);
/// ```
pub fn pieces(text: &str) -> u64 {
    let white = whitespace::is_python_whitespace;
    match whitespace::count(text) {
        // Without a word the text is empty, one piece, or a single run of white space, two empty pieces.
        0 => 1 + u64::from(!text.is_empty()),
        // White space at an end adds an empty piece there.
        full => full + u64::from(text.starts_with(white)) + u64::from(text.ends_with(white)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
            assert_eq!((pieces(text), whitespace::count(text)), (all, full), "{text:?}");
        }
    }
}
