//! Bare words that some programs write although JSON does not have them: `NaN`, `Infinity` and `-Infinity`.

use memchr::memmem;

/// The bare words. `-Infinity` precedes `Infinity`, which it contains.
const WORDS: [&str; 3] = ["NaN", "-Infinity", "Infinity"];

/// Returns the places of the bare words outside of texts, in bytes, with the words.
pub(super) fn bare_words(text: &str) -> Vec<(usize, &'static str)> {
    let bytes = text.as_bytes();
    // Most files have neither word; two searches are much faster than the loop below.
    if memmem::find(bytes, b"NaN").is_none() && memmem::find(bytes, b"Infinity").is_none() {
        return Vec::new();
    }
    let mut found = Vec::new();
    let mut quoted = false;
    let mut at = 0;
    while let Some(byte) = bytes.get(at) {
        let word = WORDS.iter().find(|word| !quoted && bytes[at..].starts_with(word.as_bytes()));
        at += match (byte, word) {
            (_, Some(word)) => {
                found.push((at, *word));
                word.len()
            }
            // An escaped quote does not end a text.
            (b'\\', None) if quoted => 2,
            (b'"', None) => {
                quoted = !quoted;
                1
            }
            _ => 1,
        };
    }
    found
}

/// Returns the text with other words in place of the bare words.
pub(super) fn replaced(
    text: &str,
    words: &[(usize, &'static str)],
    other: impl Fn(&'static str) -> String,
) -> String {
    let mut whole = String::with_capacity(text.len() + 32 * words.len());
    let mut behind = 0;
    for (at, word) in words {
        whole.push_str(&text[behind..*at]);
        whole.push_str(&other(word));
        behind = at + word.len();
    }
    whole.push_str(&text[behind..]);
    whole
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bare_words_are_found_outside_of_texts() {
        for (given, expected) in [
            (r#"{"a":NaN,"b":-Infinity}"#, r#"{"a":<NaN>,"b":<-Infinity>}"#),
            (r#"{"NaN \" NaN":"Infinity","é\\":NaN}"#, r#"{"NaN \" NaN":"Infinity","é\\":<NaN>}"#),
            (r#"[Infinity, 1]"#, r#"[<Infinity>, 1]"#),
            (r#""NaN\"#, r#""NaN\"#),
        ] {
            let words = bare_words(given);
            assert_eq!(replaced(given, &words, |word| format!("<{word}>")), expected);
        }
    }
}
