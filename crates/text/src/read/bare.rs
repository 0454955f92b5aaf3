//! Words that some programs write as numbers although JSON does not have them: `NaN`, `Infinity` and
//! `-Infinity`. This module finds them, and whole numbers beyond 64 bits, which a parser would round.

use memchr::memmem;

/// Words that some programs write as numbers, although JSON does not allow them. `-Infinity` precedes
/// `Infinity`, which it contains.
const WORDS: [&str; 3] = ["NaN", "-Infinity", "Infinity"];

/// Minimum number of digits of a whole number that may not fit into 64 bits.
const LONG: usize = 19;

/// Returns the words `NaN`, `Infinity` and `-Infinity` outside of the JSON strings of a text, each with its
/// byte offset.
pub(super) fn bare_words(text: &str) -> Vec<(usize, &'static str)> {
    let bytes = text.as_bytes();
    // Most files have neither word; two searches are much faster than the loop below.
    if memmem::find(bytes, b"NaN").is_none() && memmem::find(bytes, b"Infinity").is_none() {
        return Vec::new();
    }
    let known = |(at, word): (usize, &str)| Some((at, *WORDS.iter().find(|known| **known == word)?));
    words_and_numbers(text).into_iter().filter_map(known).collect()
}

/// Returns the words `NaN`, `Infinity` and `-Infinity`, and the whole numbers that do not fit into 64 bits,
/// each with its byte offset. The content of JSON strings is skipped.
pub(super) fn bare_words_and_numbers(text: &str) -> Vec<(usize, &str)> {
    let bytes = text.as_bytes();
    let has = |word: &[u8]| memmem::find(bytes, word).is_some();
    // Most files have none of them; searches are much faster than the loop below.
    if has(b"NaN") || has(b"Infinity") || has_long_number(bytes) {
        words_and_numbers(text)
    } else {
        Vec::new()
    }
}

fn words_and_numbers(text: &str) -> Vec<(usize, &str)> {
    let bytes = text.as_bytes();
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
            (b'-' | b'0'..=b'9', None) if !quoted => {
                let is_part = |byte: &&u8| byte.is_ascii_digit() || b"+-.eE".contains(byte);
                let number = &text[at..at + bytes[at..].iter().take_while(is_part).count()];
                found.extend(is_beyond_64_bits(number).then_some((at, number)));
                number.len()
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

/// Returns `true` if the text has so many digits in a row that they may be a whole number beyond 64 bits.
fn has_long_number(text: &[u8]) -> bool {
    // A row of digits covers one of these places, so most bytes are not looked at.
    let mut at = LONG - 1;
    while at < text.len() {
        if text[at].is_ascii_digit() {
            let before = text[..at].iter().rev().take_while(|byte| byte.is_ascii_digit()).count();
            let behind = text[at..].iter().take_while(|byte| byte.is_ascii_digit()).count();
            if before + behind >= LONG {
                return true;
            }
            // The next row begins behind this one, so a long text of digits is looked at once.
            at += behind;
        }
        at += LONG;
    }
    false
}

fn is_beyond_64_bits(number: &str) -> bool {
    let digits = number.strip_prefix('-').unwrap_or(number);
    let is_whole = digits.bytes().all(|byte| byte.is_ascii_digit());
    // Zeros in front are an error of JSON, which the parser reports.
    let is_long = is_whole && digits.len() >= LONG && !digits.starts_with('0');
    is_long && number.parse::<u64>().is_err() && number.parse::<i64>().is_err()
}

/// Returns `text` with each of the given words replaced by the result of `other`. `words` are the byte
/// offsets and texts of these words, such as `NaN` in a JSON text, in ascending order.
pub(super) fn replaced<'t>(
    text: &'t str,
    words: &[(usize, &'t str)],
    other: impl Fn(&'t str) -> String,
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
            ("[18446744073709551615, -9223372036854775808]", "[18446744073709551615, -9223372036854775808]"),
            (
                r#"{"a":18446744073709551616,"b":"18446744073709551616"}"#,
                r#"{"a":<18446744073709551616>,"b":"18446744073709551616"}"#,
            ),
            (
                "[-9223372036854775809,1e30,0.1234567890123456789012]",
                "[<-9223372036854775809>,1e30,0.1234567890123456789012]",
            ),
        ] {
            let words = bare_words_and_numbers(given);
            assert_eq!(replaced(given, &words, |word| format!("<{word}>")), expected);
        }
    }
}
