//! The scanner of the tokenizers `13a`, `zh`, `intl` and `tercom`, which implements their regular expressions
//! in one pass over the bytes.
//!
//! The expressions isolate punctuation unless it is between numbers. They are applied one after the other,
//! from left to right, and their matches do not overlap. The result is a rule about maximal runs of k
//! punctuation characters. L means that a number is directly before the run, and R that a number is directly
//! after it:
//!
//! * If L and R hold and k = 1, the character stays attached on both sides (`1,000`).
//! * Otherwise every character of the run is a token, with one exception. The last character stays attached
//!   to the following number if R holds and either L holds and k is odd, or L does not hold and k is even.
//!
//! Symbols are always separate tokens, a dash is a separate token directly after a number, and whitespace
//! separates. The tests compare this scanner with the original expressions on every short string over the
//! classes and on random strings.

use super::buffer::TokenSpans;
use crate::char_table::{decode, decode_before};

/// Class of bytes that are an ordinary part of a word, such as letters. Continuation bytes of UTF-8 have this
/// class too.
pub(super) const WORD: u8 = 0;
/// Class of bytes that are a part of a word and keep punctuation attached, such as the digits in `1,000`.
pub(super) const NUMBER: u8 = 1;
/// Class of bytes that separate tokens and are part of no token.
pub(super) const SPACE: u8 = 2;
/// Class of punctuation that becomes a separate token unless it is between numbers, as in `1,000`.
pub(super) const PUNCT: u8 = 3;
/// Class of bytes that are always a token each, such as `$`.
pub(super) const SYMBOL: u8 = 4;
/// Class of bytes that are a separate token only directly after a number, such as `-`.
pub(super) const DASH: u8 = 5;
/// Class of UTF-8 lead bytes whose characters have several classes; [`RunRules::wide`] then returns the class
/// of the character.
pub(super) const WIDE: u8 = 6;

/// The rules in which the tokenizers `13a`, `zh`, `intl` and `tercom` differ.
pub(super) trait RunRules {
    /// The class of every byte value, such as [`WORD`]. An ASCII byte has the class of its character; a lead
    /// byte has [`WORD`] or [`WIDE`].
    const BYTES: &'static [u8; 256];
    /// `true` if the start and the end of the text count as numbers. Punctuation next to them then stays
    /// attached: the final `.` of `in 2019.` is no separate token.
    const EDGE_IS_NUMBER: bool;
    /// Returns the class, such as [`WORD`] or [`PUNCT`], of a code point beyond ASCII.
    fn wide(code: u32) -> u8;

    /// Returns `true` if the current token ends before byte `at`, which has the class [`MARK`].
    #[inline(always)]
    fn cut_before(_bytes: &[u8], _at: usize) -> bool {
        false
    }
}

/// Class of bytes that are part of a word like [`WORD`], but may start a new token; [`RunRules::cut_before`]
/// decides.
pub(super) const MARK: u8 = 7;
/// Class of bytes that may start text to be rewritten, such as `&` of `&quot;`; see [`try_cut`].
pub(super) const REWRITE: u8 = 8;

/// Tokenizes `text` by the rules `R`, which must not use the class [`REWRITE`].
///
/// Most bytes are inside words, and the ends of words are unpredictable. A block of bytes is therefore
/// classified at once, in loops that the compiler vectorizes. Then only the bytes that may end a token are
/// visited.
#[inline]
pub(super) fn cut<R: RunRules>(text: &str, spans: &mut TokenSpans) {
    let cut = try_cut::<R>(text, spans);
    debug_assert!(cut, "only rules with a class of bytes to stop at stop");
}

/// Tokenizes `text` by the rules `R`. Returns `false` at the first byte of the class [`REWRITE`], such as `&`
/// of `&quot;`: the text must be rewritten first. `spans` then has only some of the tokens.
#[inline]
pub(super) fn try_cut<R: RunRules>(text: &str, spans: &mut TokenSpans) -> bool {
    let bytes = text.as_bytes();
    let mut scan = Scan { start: 0, resume: 0 };
    let (blocks, rest) = bytes.as_chunks::<BLOCK>();
    for (number, block) in blocks.iter().enumerate() {
        if !scan.visit::<R>(bytes, number * BLOCK, stops::<R>(block), spans) {
            return false;
        }
    }
    if !rest.is_empty() {
        // The last 64 bytes are classified again instead of a copy; the bits of bytes that were visited
        // already are shifted out.
        let stops = match bytes.last_chunk() {
            Some(last) => stops::<R>(last) >> (BLOCK - rest.len()),
            None => {
                // Letters fill up a short text, since they are no stops.
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

/// The position of the scanner in the text: the start of the current token, and the end of the bytes that
/// were processed.
struct Scan {
    start: usize,
    resume: usize,
}

impl Scan {
    /// Adds the tokens of a block of 64 bytes, which begins at `offset`, to `spans`. The set bits of `stops`
    /// mark the bytes that may end a token.
    ///
    /// Returns `false` at a byte of the class [`REWRITE`], such as `&` of `&quot;`: the text must be
    /// rewritten first.
    #[inline(always)]
    fn visit<R: RunRules>(
        &mut self,
        bytes: &[u8],
        offset: usize,
        mut stops: u64,
        spans: &mut TokenSpans,
    ) -> bool {
        while stops != 0 {
            let at = offset + stops.trailing_zeros() as usize;
            stops &= stops - 1;
            // A run of punctuation was handled as a whole and may reach into the next block.
            if at < self.resume {
                continue;
            }
            let class = R::BYTES[bytes[at] as usize];
            // This case is first because it covers nearly all stops: spaces and single punctuation marks.
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

/// Returns `true` if the byte at `at` ends the current token regardless of the bytes before it. Such a byte
/// is whitespace, a symbol, or punctuation without a number or further punctuation after it. If a character
/// beyond ASCII must be decoded to decide, the result is `false`.
#[inline(always)]
fn is_simple<R: RunRules>(bytes: &[u8], at: usize, class: u8) -> bool {
    // Sets of classes as bits, so that a test is one shift.
    const ALWAYS: u16 = 1 << SPACE | 1 << SYMBOL;
    const BEFORE: u16 = 1 << WORD | 1 << SPACE | 1 << SYMBOL | 1 << DASH | 1 << MARK;
    let end = if R::EDGE_IS_NUMBER { NUMBER } else { SPACE };
    let next = bytes.get(at + 1).map_or(end, |&next| R::BYTES[next as usize]);
    ALWAYS >> class & 1 != 0 || class == PUNCT && BEFORE >> next & 1 != 0
}

/// Returns a bit set of the bytes in a block that may end a token, such as whitespace and punctuation. Some
/// control characters may be included.
#[inline(always)]
fn stops<R: RunRules>(block: &[u8; BLOCK]) -> u64 {
    let ranges = const { ranges(R::BYTES) };
    let mut flags = [0_u8; BLOCK];
    for (first, last) in ranges.0.into_iter().take(ranges.1) {
        for (flag, byte) in flags.iter_mut().zip(block) {
            *flag |= u8::from(byte.wrapping_sub(first) <= last - first);
        }
    }
    // This product moves the eight flags, one in each byte, next to each other into the highest byte.
    let gather = |eight: &[u8; 8]| u64::from_le_bytes(*eight).wrapping_mul(0x0102_0408_1020_4080) >> 56;
    let (eights, _) = flags.as_chunks::<8>();
    eights.iter().rev().fold(0, |mask, eight| mask << 8 | gather(eight))
}

/// Returns ranges of the byte values that may end a token, such as whitespace and punctuation, and the number
/// of ranges. Some control characters are included only to save ranges, because they are rare in text.
const fn ranges(classes: &[u8; 256]) -> ([(u8, u8); RANGES], usize) {
    let mut ranges = [(0, 0); RANGES];
    let mut count = 0;
    let mut byte = 0;
    while byte < 256 {
        if classes[byte] > NUMBER {
            // Control characters hardly occur in text, so including them costs nothing and saves ranges.
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

/// Maximum number of ranges of byte values. If the bytes that may end a token need more ranges, the program
/// does not compile.
const RANGES: usize = 16;

/// Tokenizes a run of punctuation that begins at `at` with a character of `len` bytes. `start` is the start
/// of the token before the run. Returns the start of the token after the run, and the end of the run.
#[inline]
fn cut_run<R: RunRules>(
    bytes: &[u8],
    start: usize,
    at: usize,
    len: usize,
    spans: &mut TokenSpans,
) -> (usize, usize) {
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
    // The case of the last character that stays attached to the number after it.
    if after && before == (count % 2 == 1) {
        return (last, end);
    }
    spans.push(last, end);
    (end, end)
}

#[inline(always)]
fn classify<R: RunRules>(bytes: &[u8], at: usize, byte: u8) -> (u8, usize) {
    match R::BYTES[byte as usize] {
        WIDE => {
            let (code, len) = decode(bytes, at);
            (R::wide(code), len)
        }
        class => (class, 1),
    }
}

/// Returns the class of every byte value under the regular expressions of the tokenizer `13a`, which other
/// tokenizers share.
pub(super) const fn bytes_of_13a() -> [u8; 256] {
    let mut bytes = [WORD; 256];
    let mut byte = 0;
    while byte < 0x80 {
        // The ranges of symbols are those of the regular expression of `13a`, without the space.
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
    // Lead bytes of whitespace beyond ASCII.
    bytes[0xC2] = WIDE;
    bytes[0xE1] = WIDE;
    bytes[0xE2] = WIDE;
    bytes[0xE3] = WIDE;
    bytes
}
