//! The scanner behind `13a`, `zh`, `intl` and `tercom`: their regular expressions as one pass over the bytes.
//!
//! The expressions isolate punctuation unless it stands between numbers. Applied one after the other, left to
//! right, without overlaps, they amount to a rule about maximal runs of k punctuation characters; with L and R
//! saying whether a number stands directly before and after the run:
//!
//! * L and R and k = 1: the character stays glued to both sides (`1,000`).
//! * Otherwise every character of the run is a token, except that the last one stays glued to the number that
//!   follows when R and (L and k odd, or not L and k even).
//!
//! Symbols are always tokens of their own; a dash is one directly after a number; whitespace separates.
//! The tests compare with the expressions as written, on every short string over the classes and on random ones.

use super::buffer::Spans;
use crate::char_table::{decode, decode_before};

/// Part of a token, and nothing more. Continuation bytes of UTF-8 are of this class too.
pub(super) const WORD: u8 = 0;
/// Part of a token, and a number to the punctuation beside it.
pub(super) const NUMBER: u8 = 1;
/// Separates tokens.
pub(super) const SPACE: u8 = 2;
/// Punctuation that the run rule is about.
pub(super) const PUNCT: u8 = 3;
/// A token of its own, always.
pub(super) const SYMBOL: u8 = 4;
/// A token of its own directly after a number.
pub(super) const DASH: u8 = 5;
/// A lead byte of UTF-8 whose code points are not all of class [`WORD`]: ask [`Rules::wide`].
pub(super) const WIDE: u8 = 6;

/// What tells one tokenizer of the family from another.
pub(super) trait Rules {
    /// The class of every byte: ASCII characters, and [`WORD`] or [`WIDE`] for lead bytes.
    const BYTES: &'static [u8; 256];
    /// Whether the start and the end of the text count as numbers.
    const EDGE_IS_NUMBER: bool;
    /// The class of a code point beyond ASCII.
    fn wide(code: u32) -> u8;

    /// Whether the token that starts at `token` is cut before `at`, a byte of class [`WORD`] that the rules marked
    /// as special; see [`MARK`].
    #[inline(always)]
    fn cut_before(_bytes: &[u8], _at: usize) -> bool {
        false
    }
}

/// As [`WORD`], but [`Rules::cut_before`] is asked.
pub(super) const MARK: u8 = 7;

/// Pushes the tokens of `text`.
#[inline]
pub(super) fn cut<R: Rules>(text: &str, spans: &mut Spans) {
    let bytes = text.as_bytes();
    let mut start = 0;
    let mut at = 0;
    while let Some(&byte) = bytes.get(at) {
        let mut class = R::BYTES[byte as usize];
        if class <= NUMBER {
            at += 1;
            continue;
        }
        let mut len = 1;
        if class == WIDE {
            let code;
            (code, len) = decode(bytes, at);
            class = R::wide(code);
        }
        match class {
            SPACE => {
                spans.push_filled(start, at);
                start = at + len;
            }
            SYMBOL => {
                spans.push_filled(start, at);
                spans.push(at, at + len);
                start = at + len;
            }
            PUNCT => {
                (start, at) = cut_run::<R>(bytes, start, at, len, spans);
                continue;
            }
            DASH if at > 0 && bytes[at - 1].is_ascii_digit() => {
                spans.push_filled(start, at);
                spans.push(at, at + 1);
                start = at + 1;
            }
            MARK if R::cut_before(bytes, at) => {
                spans.push_filled(start, at);
                start = at;
            }
            _ => {}
        }
        at += len;
    }
    spans.push_filled(start, at);
}

/// Applies the rule to the run that begins at `at` with a character of `len` bytes; `start` is where the token
/// before it begins. Returns where the token after it begins, and where the run ends.
#[inline]
fn cut_run<R: Rules>(bytes: &[u8], start: usize, at: usize, len: usize, spans: &mut Spans) -> (usize, usize) {
    let mut last = at;
    let mut end = at + len;
    let mut count = 1_usize;
    let after = loop {
        let Some(&byte) = bytes.get(end) else { break R::EDGE_IS_NUMBER };
        let (class, len) = classify::<R>(bytes, end, byte);
        if class != PUNCT {
            break class == NUMBER;
        }
        last = end;
        end += len;
        count += 1;
    };
    let before = match decode_before(bytes, at) {
        None => R::EDGE_IS_NUMBER,
        Some(code) if code < 0x80 => R::BYTES[code as usize] == NUMBER,
        Some(code) => R::wide(code) == NUMBER,
    };
    if before && after && count == 1 {
        return (start, end);
    }
    spans.push_filled(start, at);
    let mut next = at;
    while next < last {
        let (_, len) = decode(bytes, next);
        spans.push(next, next + len);
        next += len;
    }
    if after && before == (count % 2 == 1) {
        return (last, end);
    }
    spans.push(last, end);
    (end, end)
}

#[inline(always)]
fn classify<R: Rules>(bytes: &[u8], at: usize, byte: u8) -> (u8, usize) {
    match R::BYTES[byte as usize] {
        WIDE => {
            let (code, len) = decode(bytes, at);
            (R::wide(code), len)
        }
        class => (class, 1),
    }
}

/// The byte classes of `13a` and those that share its expressions: ASCII symbols, `.` and `,`, digits, the dash;
/// the lead bytes of whitespace are wide.
pub(super) const fn bytes_of_13a() -> [u8; 256] {
    let mut bytes = [WORD; 256];
    let mut byte = 0;
    while byte < 0x80 {
        bytes[byte] = match byte as u8 {
            b'{'..=b'~' | b'['..=b'`' | b'!'..=b'&' | b'('..=b'+' | b':'..=b'@' | b'/' => SYMBOL,
            b'.' | b',' => PUNCT,
            b'0'..=b'9' => NUMBER,
            b'-' => DASH,
            b'\t'..=b'\r' | 0x1C..=b' ' => SPACE,
            _ => WORD,
        };
        byte += 1;
    }
    bytes[0xC2] = WIDE;
    bytes[0xE1] = WIDE;
    bytes[0xE2] = WIDE;
    bytes[0xE3] = WIDE;
    bytes
}
