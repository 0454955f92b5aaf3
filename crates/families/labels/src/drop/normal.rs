//! Splits an answer span of the DROP benchmark into words, normalized as in SQuAD, except that numbers are
//! written as Python floats.

use bleuprint_core::Result;
use bleuprint_text::{TokenBuffer, lowercase, whitespace};

use crate::words::AnswerWords;

/// Code points of the digit 0 in each script with decimal digits, as in Unicode 14 and CPython 3.11.
const ZEROS: [u32; 66] = [
    0x30, 0x660, 0x6F0, 0x7C0, 0x966, 0x9E6, 0xA66, 0xAE6, 0xB66, 0xBE6, 0xC66, 0xCE6, 0xD66, 0xDE6, 0xE50,
    0xED0, 0xF20, 0x1040, 0x1090, 0x17E0, 0x1810, 0x1946, 0x19D0, 0x1A80, 0x1A90, 0x1B50, 0x1BB0, 0x1C40,
    0x1C50, 0xA620, 0xA8D0, 0xA900, 0xA9D0, 0xA9F0, 0xAA50, 0xABF0, 0xFF10, 0x104A0, 0x10D30, 0x11066,
    0x110F0, 0x11136, 0x111D0, 0x112F0, 0x11450, 0x114D0, 0x11650, 0x116C0, 0x11730, 0x118E0, 0x11950,
    0x11C50, 0x11D50, 0x11DA0, 0x16A60, 0x16AC0, 0x16B50, 0x1D7CE, 0x1D7D8, 0x1D7E2, 0x1D7EC, 0x1D7F6,
    0x1E140, 0x1E2F0, 0x1E950, 0x1FBF0,
];

fn ascii_digit(c: char) -> char {
    // The digits 0 to 9 of a script are adjacent, so the last zero at or below `c` decides the script. If `c`
    // is more than nine places above, `from_digit` returns `None`.
    let below = ZEROS.partition_point(|zero| *zero <= c as u32);
    let zero = below.checked_sub(1).and_then(|at| ZEROS.get(at)).copied().unwrap_or(u32::MAX);
    (c as u32).checked_sub(zero).and_then(|digit| char::from_digit(digit, 10)).unwrap_or(c)
}

/// Returns the number that Python's `float` reads from a text, or `None` if Python raises an error.
pub(super) fn float(text: &str) -> Option<f64> {
    let text: String = whitespace::strip(text).chars().map(ascii_digit).collect();
    let bytes = text.as_bytes();
    let digit = |at: Option<usize>| at.and_then(|at| bytes.get(at)).is_some_and(u8::is_ascii_digit);
    // Python allows single underscores between two digits, which Rust's parser rejects: check their places,
    // then remove them.
    let misplaced =
        |(at, byte): (usize, &u8)| *byte == b'_' && !(digit(at.checked_sub(1)) && digit(Some(at + 1)));
    if bytes.iter().enumerate().any(misplaced) {
        return None;
    }
    text.replace('_', "").parse().ok()
}

/// Returns the number as Python's `repr` writes it.
fn written(number: f64) -> String {
    if number.is_nan() {
        return "nan".to_owned();
    }
    if number.is_infinite() {
        return if number > 0.0 { "inf" } else { "-inf" }.to_owned();
    }
    // Both languages print the shortest digits that read back as the same number. They differ only in the
    // exponent and in the final `.0`.
    let shortest = format!("{number:e}");
    let (digits, exponent) = shortest.split_once('e').unwrap_or((&shortest, "0"));
    match exponent.parse::<i32>() {
        // CPython switches to the exponent form from 1e16 and below 1e-4, and writes at least two digits of
        // the exponent.
        Ok(exponent @ (16.. | ..=-5)) => {
            let sign = if exponent < 0 { '-' } else { '+' };
            format!("{digits}e{sign}{:02}", exponent.unsigned_abs())
        }
        _ => {
            let fixed = number.to_string();
            if fixed.contains('.') { fixed } else { format!("{fixed}.0") }
        }
    }
}

/// Returns the normalized words of an answer span, in order.
pub(super) fn words(squad: &AnswerWords, buffer: &mut TokenBuffer, span: &str) -> Result<Vec<String>> {
    let mut words = Vec::new();
    let mut lowered = String::new();
    for piece in span.split([' ', '-']) {
        lowercase(piece, &mut lowered);
        let plain = || lowered.chars().filter(|c| !c.is_ascii_punctuation()).collect::<String>();
        // The harness tries the number before and after it removes punctuation: `$5` is a number only then,
        // and `1.5` only before.
        match float(&lowered).or_else(|| float(&plain())) {
            Some(number) => words.push(written(number)),
            // The tokenizer `squad` also removes articles and extra white space, as the harness does.
            None => squad.append(piece, buffer, &mut words)?,
        }
    }
    Ok(words)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_read_and_written_as_python_does() {
        for (text, expected) in [
            ("3", "3.0"),
            ("12.50", "12.5"),
            ("1_000", "1000.0"),
            ("\u{663}\u{664}", "34.0"),
            ("1e16", "1e+16"),
            ("1e15", "1000000000000000.0"),
            ("0.0001", "0.0001"),
            ("0.00001", "1e-05"),
            ("1.5e-7", "1.5e-07"),
            ("infinity", "inf"),
            ("nan", "nan"),
            ("+.5", "0.5"),
            ("1.", "1.0"),
            ("\t7\u{1c}", "7.0"),
            ("1e400", "inf"),
        ] {
            assert_eq!(float(text).map(written).as_deref(), Some(expected), "{text}");
        }
        for word in ["", "three", "_1", "1_", "1__0", "1_.5", "e5", ".", "1e", "0x10", "1,000", "infin"] {
            assert_eq!(float(word), None, "{word}");
        }
    }

    #[test]
    fn spans_are_cut_at_spaces_and_hyphens() {
        let squad = AnswerWords::new().unwrap();
        let words = |span: &str| words(&squad, &mut TokenBuffer::default(), span).unwrap().join(" ");
        assert_eq!(words("The New-York Giants"), "new york giants");
        assert_eq!(words("$5 and 1,000"), "5.0 and 1000.0");
        assert_eq!(words("a  -an"), "");
        assert_eq!(words("3%\tof"), "3 of", "white space within a piece is no number");
    }
}
