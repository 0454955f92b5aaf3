//! The scanner behind `13a`, `zh`, `intl` and `tercom`: their regular expressions as one pass over the bytes.
//!
//! The expressions isolate punctuation unless it is between numbers. Applied one after the other, left to
//! right, without overlaps, they amount to a rule about maximal runs of k punctuation characters; with L and R
//! for a number directly before and after the run:
//!
//! * L and R and k = 1: the character stays glued to both sides (`1,000`).
//! * Else every character of the run is a token, except that the last one stays glued to the following number if R
//!   and (L and k odd, or not L and k even).
//!
//! Symbols are always tokens of their own; a dash is one directly after a number; whitespace separates.
//! The tests compare with the expressions as written, on every short string over the classes and on random ones.

use super::buffer::Spans;
use crate::char_table::{decode, decode_before};

/// Part of a token, and nothing more. Continuation bytes of UTF-8 are of this class too.
pub(super) const WORD: u8 = 0;
/// Part of a token, and a number to the punctuation next to it.
pub(super) const NUMBER: u8 = 1;
/// Separates tokens.
pub(super) const SPACE: u8 = 2;
/// Punctuation subject to the run rule.
pub(super) const PUNCT: u8 = 3;
/// Always a separate token.
pub(super) const SYMBOL: u8 = 4;
/// A separate token directly after a number.
pub(super) const DASH: u8 = 5;
/// A lead byte of UTF-8 whose code points are not all of class [`WORD`]: ask [`Rules::wide`].
pub(super) const WIDE: u8 = 6;

/// The differences between the tokenizers of the family.
pub(super) trait Rules {
    /// The class of every byte: ASCII characters, and [`WORD`] or [`WIDE`] for lead bytes.
    const BYTES: &'static [u8; 256];
    /// The start and the end of the text count as numbers.
    const EDGE_IS_NUMBER: bool;
    /// The class of a code point beyond ASCII.
    fn wide(code: u32) -> u8;

    /// `true` if the token that starts at `token` is cut before `at`, a byte of class [`WORD`] that the rules marked
    /// as special; see [`MARK`].
    #[inline(always)]
    fn cut_before(_bytes: &[u8], _at: usize) -> bool {
        false
    }
}

/// As [`WORD`], but [`Rules::cut_before`] is asked.
pub(super) const MARK: u8 = 7;
/// The text must be rewritten before the cut: see [`try_cut`].
pub(super) const REWRITE: u8 = 8;

/// Pushes the tokens of `text`.
///
/// Most bytes are inside words, and word ends are unpredictable: so a block of bytes is classified at once, in loops
/// that the compiler vectorizes, and then only the bytes that may end a token are visited.
#[inline]
pub(super) fn cut<R: Rules>(text: &str, spans: &mut Spans) {
    let cut = try_cut::<R>(text, spans);
    debug_assert!(cut, "only rules with a class of bytes to stop at stop");
}

/// As [`cut`]; `false`, with some tokens pushed, at a byte of the class [`REWRITE`].
#[inline]
pub(super) fn try_cut<R: Rules>(text: &str, spans: &mut Spans) -> bool {
    let bytes = text.as_bytes();
    let mut scan = Scan { start: 0, resume: 0 };
    let (blocks, rest) = bytes.as_chunks::<BLOCK>();
    for (number, block) in blocks.iter().enumerate() {
        if !scan.visit::<R>(bytes, number * BLOCK, stops::<R>(block), spans) {
            return false;
        }
    }
    if !rest.is_empty() {
        let stops = match bytes.last_chunk() {
            Some(last) => stops::<R>(last) >> (BLOCK - rest.len()),
            None => {
                let mut block = [b'a'; BLOCK];
                block[..rest.len()].copy_from_slice(rest);
                stops::<R>(&block)
            }
        };
        if !scan.visit::<R>(bytes, bytes.len() - rest.len(), stops, spans) {
            return false;
        }
    }
    spans.push_filled(scan.start, bytes.len());
    true
}

const BLOCK: usize = u64::BITS as usize;

/// The start of the current token, and the byte up to which everything has been visited.
struct Scan {
    start: usize,
    resume: usize,
}

impl Scan {
    /// Visits the stops of the block that begins at `offset`; `false` for a byte of the class [`REWRITE`].
    #[inline(always)]
    fn visit<R: Rules>(&mut self, bytes: &[u8], offset: usize, mut stops: u64, spans: &mut Spans) -> bool {
        while stops != 0 {
            let at = offset + stops.trailing_zeros() as usize;
            stops &= stops - 1;
            if at < self.resume {
                continue;
            }
            let class = R::BYTES[bytes[at] as usize];
            if class != WIDE && is_simple::<R>(bytes, at, class) {
                spans.push_filled(self.start, at);
                spans.push_if(class != SPACE, at, at + 1);
                self.start = at + 1;
                continue;
            }
            let (class, len) = classify::<R>(bytes, at, bytes[at]);
            match class {
                SPACE => {
                    spans.push_filled(self.start, at);
                    self.start = at + len;
                }
                SYMBOL => {
                    spans.push_filled(self.start, at);
                    spans.push(at, at + len);
                    self.start = at + len;
                }
                PUNCT => (self.start, self.resume) = cut_run::<R>(bytes, self.start, at, len, spans),
                DASH if at > 0 && bytes[at - 1].is_ascii_digit() => {
                    spans.push_filled(self.start, at);
                    spans.push(at, at + 1);
                    self.start = at + 1;
                }
                MARK if R::cut_before(bytes, at) => {
                    spans.push_filled(self.start, at);
                    self.start = at;
                }
                REWRITE => return false,
                _ => {}
            }
        }
        true
    }
}

/// The byte separates, or is a token by itself in its context: like most punctuation, which is alone and not
/// followed by a number.
#[inline(always)]
fn is_simple<R: Rules>(bytes: &[u8], at: usize, class: u8) -> bool {
    const ALWAYS: u16 = 1 << SPACE | 1 << SYMBOL;
    const BEFORE: u16 = 1 << WORD | 1 << SPACE | 1 << SYMBOL | 1 << DASH | 1 << MARK;
    let end = if R::EDGE_IS_NUMBER { NUMBER } else { SPACE };
    let next = bytes.get(at + 1).map_or(end, |&next| R::BYTES[next as usize]);
    ALWAYS >> class & 1 != 0 || class == PUNCT && BEFORE >> next & 1 != 0
}

/// A bit for every byte of the block with a class above [`NUMBER`], and possibly for some of lower classes.
#[inline(always)]
fn stops<R: Rules>(block: &[u8; BLOCK]) -> u64 {
    let ranges = const { ranges(R::BYTES) };
    let mut flags = [0_u8; BLOCK];
    for (first, last) in ranges.0.into_iter().take(ranges.1) {
        for (flag, byte) in flags.iter_mut().zip(block) {
            *flag |= u8::from(byte.wrapping_sub(first) <= last - first);
        }
    }
    // This product moves eight flags in eight bytes side by side into the highest byte.
    let gather = |eight: &[u8; 8]| u64::from_le_bytes(*eight).wrapping_mul(0x0102_0408_1020_4080) >> 56;
    let (eights, _) = flags.as_chunks::<8>();
    eights.iter().rev().fold(0, |mask, eight| mask << 8 | gather(eight))
}

/// The ranges of bytes with classes above [`NUMBER`], and their number. They may include control characters, which
/// hardly occur in text: so there are fewer ranges.
const fn ranges(classes: &[u8; 256]) -> ([(u8, u8); RANGES], usize) {
    let (mut ranges, mut count, mut byte) = ([(0, 0); RANGES], 0, 0);
    while byte < 256 {
        if classes[byte] > NUMBER {
            let joins = count > 0 && (ranges[count - 1].1 as usize + 1 == byte || byte <= 0x20);
            if !joins {
                count += 1;
                ranges[count - 1].0 = byte as u8;
            }
            ranges[count - 1].1 = byte as u8;
        }
        byte += 1;
    }
    (ranges, count)
}

/// A table with more does not compile.
const RANGES: usize = 16;

/// Applies the rule to the run that begins at `at` with a character of `len` bytes; `start` is the start of the token
/// before it. Returns the start of the token after it, and the end of the run.
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
