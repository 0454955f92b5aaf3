//! The units of a text: bytes, code points, words. The text is as it was given, without a normalizer.

use bleuprint_text::whitespace;

/// The number of pieces of a split at every run of white space: one more than there are runs.
///
/// ```
/// // An empty text has one word, and a line break at the end is one more.
/// assert_eq!([bleuprint_likelihood::pieces(""), bleuprint_likelihood::pieces("a b\n"), bleuprint_likelihood::pieces(" a")], [1, 3, 2]);
/// ```
pub fn pieces(text: &str) -> u64 {
    let white = whitespace::is_python_whitespace;
    match words(text) {
        0 => 1 + u64::from(!text.is_empty()),
        full => full + u64::from(text.starts_with(white)) + u64::from(text.ends_with(white)),
    }
}

/// The number of pieces that are not empty.
pub(crate) fn words(text: &str) -> u64 {
    if text.is_ascii() { words_of_ascii(text.as_bytes()) } else { whitespace::split(text).count() as u64 }
}

/// Places of a byte that is not white behind one that is, or behind nothing; without a branch, so that the loop is of vectors.
fn words_of_ascii(text: &[u8]) -> u64 {
    let full = |byte: u8| u8::from(!matches!(byte, 0x09..=0x0D | 0x1C..=0x20));
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

    quickcheck::quickcheck! {
        fn words_of_ascii_are_those_of_a_split(raw: Vec<u8>, repeats: u8) -> bool {
            const BYTES: &[u8] = b"\0\x08\t\x0d\x0e\x1b\x1c\x1f !a\x7f  b";
            let text: String = raw.iter().map(|byte| char::from(BYTES[usize::from(*byte) % BYTES.len()])).collect();
            let text = text.repeat(usize::from(repeats));
            words(&text) == whitespace::split(&text).count() as u64
        }
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
