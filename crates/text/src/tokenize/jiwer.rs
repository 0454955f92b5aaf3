//! `jiwer` and `jiwer-char`: tokenizers with the words and characters that word and character error rates
//! count.
//!
//! Rule of `jiwer`: whitespace at both ends is dropped, and the line is split at spaces (U+0020) and at runs
//! of two or more of Python's whitespace characters. A single tab or no-break space is therefore part of a
//! word.
//!
//! Rule of `jiwer-char`: whitespace at both ends is dropped, and every code point is a token, spaces
//! included.
//!
//! Singular cases: an empty or blank line has no tokens. Errors: Returns an error for a line of 4 GiB or
//! more.
//! Source: jiwer 4.0.0, the default transforms of `process_words` and `process_characters`.

use super::buffer::{TokenBuffer, TokenSpans, Tokens};
use super::byte_runs::{self, ByteClass};
use super::sets::{equal, within};
use super::{Tokenizer, TokenizerEntry};
use crate::whitespace::{is_python_whitespace, strip};
use bleuprint_core::{InputError, Result};
use wide::u8x16;

pub(super) const WORDS: TokenizerEntry = TokenizerEntry::new(
    "jiwer",
    "words as jiwer splits them: at spaces, and at runs of other whitespace",
    |_| Ok(Box::new(Jiwer::Words)),
)
.aliases(&["jiwer-words"])
.agrees_with("jiwer 4.0.0");

pub(super) const CHARACTERS: TokenizerEntry = TokenizerEntry::new(
    "jiwer-char",
    "every code point, inner spaces included, as jiwer's character error rate",
    |_| Ok(Box::new(Jiwer::Characters)),
)
.aliases(&["jiwer-characters"])
.agrees_with("jiwer 4.0.0");

enum Jiwer {
    Words,
    Characters,
}

impl Tokenizer for Jiwer {
    fn token_space(&self) -> &str {
        match self {
            Jiwer::Words => WORDS.name,
            Jiwer::Characters => CHARACTERS.name,
        }
    }

    fn tokenize<'a>(&self, line: &'a str, buffer: &'a mut TokenBuffer) -> Result<Tokens<'a>> {
        let line = strip(line);
        match self {
            Jiwer::Words => buffer.cut(line, |line, spans| {
                // The fast path handles spaces only; a line with other whitespace is cut again, character by
                // character.
                if !byte_runs::try_cut::<NotSpace>(line, spans) {
                    spans.clear();
                    words(line, spans);
                }
            }),
            Jiwer::Characters => buffer.cut(line, characters),
        }
    }

    /// Returns `true` if the tokenizer can return numeric token ids instead of texts. Only `jiwer-char` can:
    /// the id of a character is its code point.
    fn has_ids(&self) -> bool {
        matches!(self, Jiwer::Characters)
    }

    fn ids_are_tokens(&self) -> bool {
        self.has_ids()
    }

    fn ids(&self, line: &str, _: &mut TokenBuffer, ids: &mut Vec<u32>) -> Result<()> {
        match self {
            Jiwer::Words => Err(InputError::malformed("the tokenizer `jiwer` has no ids")),
            Jiwer::Characters => {
                character_ids(strip(line), ids);
                Ok(())
            }
        }
    }
}

/// Appends the code points of a line to `ids`, as token ids.
pub(super) fn character_ids(line: &str, ids: &mut Vec<u32>) {
    let start = ids.len();
    ids.resize(start + line.len(), 0);
    // The ids are written in place, since a growing vector would check its capacity at every character.
    let places = ids[start..].iter_mut();
    let characters = if line.is_ascii() {
        places.zip(line.bytes()).for_each(|(id, byte)| *id = u32::from(byte));
        line.len()
    // The maximum is taken over all bytes without an early exit, so that the loop is vectorized.
    } else if line.bytes().fold(0, u8::max) < FIRST_OF_THREE {
        characters_of_two_bytes(line.as_bytes(), &mut ids[start..])
    } else {
        places.zip(line.chars()).map(|(id, c)| *id = u32::from(c)).count()
    };
    ids.truncate(start + characters);
}

/// The smallest first byte of a three-byte character in UTF-8.
const FIRST_OF_THREE: u8 = 0xE0;

/// Number of bytes that [`characters_of_two_bytes`] decodes side by side.
const BLOCK: usize = 32;

/// Decodes UTF-8 whose characters have at most two bytes. Writes the code points to `places` and returns
/// their number.
fn characters_of_two_bytes(bytes: &[u8], places: &mut [u32]) -> usize {
    let mut count = 0;
    let mut rest = bytes;
    // Every byte is decoded as if it began a character; the next one overwrites the code of a continuation
    // byte. No branch has to be predicted.
    while let Some(block) = rest.first_chunk::<{ BLOCK + 1 }>()
        && let Some(places) = places[count..].first_chunk_mut::<BLOCK>()
    {
        let mut codes = [0; BLOCK];
        let mut starts = [0; BLOCK];
        // Two loops, so that the compiler turns the first into vectors.
        for (at, code) in codes.iter_mut().enumerate() {
            *code = code_of_two_bytes(block[at], block[at + 1]);
        }
        for (start, &byte) in starts.iter_mut().zip(block) {
            *start = begins_character(byte);
        }
        let mut written = 0;
        for (&code, &start) in codes.iter().zip(&starts) {
            // The remainder changes nothing, but shows the compiler that the index is in bounds.
            places[written % BLOCK] = u32::from(code);
            written += usize::from(start);
        }
        count += written;
        rest = &rest[BLOCK..];
    }
    for (at, &byte) in rest.iter().enumerate() {
        places[count] = u32::from(code_of_two_bytes(byte, rest.get(at + 1).copied().unwrap_or_default()));
        count += usize::from(begins_character(byte));
    }
    count
}

/// Returns the code point of a character that begins with `byte`, followed by `next`, and has at most two
/// bytes.
#[inline(always)]
fn code_of_two_bytes(byte: u8, next: u8) -> u16 {
    let one = u16::from(byte);
    let two = (one & 0x1F) << 6 | u16::from(next & 0x3F);
    // All ones for bytes from 0x80 on, otherwise zero.
    let beyond_ascii = (one >> 7).wrapping_neg();
    one & !beyond_ascii | two & beyond_ascii
}

/// Returns 1 if a byte of UTF-8 begins a character, otherwise 0.
#[inline(always)]
fn begins_character(byte: u8) -> u8 {
    // Continuation bytes 0x80 to 0xBF are below -0x40 as signed numbers.
    u8::from(byte as i8 >= -0x40)
}

/// Rule for splitting a text byte by byte: every byte except the space is part of a token. A text with other
/// whitespace is tokenized by a slower tokenizer.
struct NotSpace;

impl ByteClass for NotSpace {
    #[inline(always)]
    fn tokens(bytes: u8x16) -> u8x16 {
        !equal(bytes, b' ')
    }

    /// Marks bytes that may be, or may start, a whitespace character other than the space: control characters
    /// and lead bytes of Unicode spaces.
    #[inline(always)]
    fn doubts(bytes: u8x16) -> u8x16 {
        within(bytes, 0, 0x1F) | equal(bytes, 0xC2) | within(bytes, 0xE1, 0xE3)
    }

    fn is_beyond(code: u32) -> bool {
        char::from_u32(code).is_some_and(|c| c != ' ' && is_python_whitespace(c))
    }
}

/// Adds the words of a line as tokens; the line must not begin or end with whitespace.
fn words(line: &str, spans: &mut TokenSpans) {
    let mut start = 0;
    // The position of a single whitespace character other than a space. It is part of the word unless more
    // whitespace follows.
    let mut alone = None;
    let mut in_gap = false;
    for (at, c) in line.char_indices() {
        if !is_python_whitespace(c) {
            if in_gap {
                start = at;
            }
            (alone, in_gap) = (None, false);
        } else if !in_gap && alone.is_none() && c != ' ' {
            alone = Some(at);
        } else if !in_gap {
            spans.push_filled(start, alone.unwrap_or(at));
            in_gap = true;
            // jiwer first replaces runs of two or more whitespace characters by a space, so such a run ends the
            // word where it starts.
        }
    }
    spans.push_filled(start, line.len());
}

pub(super) fn characters(line: &str, spans: &mut TokenSpans) {
    for (at, c) in line.char_indices() {
        spans.push(at, at + c.len_utf8());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Creates a test line of several blocks of 64 bytes, with Python's whitespace and with other characters
    /// that start with the same bytes.
    fn line(choices: &[u8]) -> String {
        const CHARS: [char; 16] = [
            'a', 'b', ' ', 'я', ' ', '«', '—', 'ง', '。', '中', 'é', '\t', '\u{a0}', '\u{2009}', '\u{3000}',
            '\u{1c}',
        ];
        // Other whitespace is rare, so that most lines are cut in blocks.
        let pick =
            |byte: u8| if byte < 250 { CHARS[usize::from(byte % 11)] } else { CHARS[usize::from(byte % 16)] };
        choices.iter().map(|&byte| pick(byte)).collect()
    }

    quickcheck::quickcheck! {
        fn ids_of_characters_are_their_code_points(one: String, known: Vec<u32>) -> bool {
            let ascii: String = one.chars().filter(char::is_ascii).collect();
            let two_bytes: String = one.chars().filter_map(|c| char::from_u32(u32::from(c) % 0x800)).collect();
            [one, ascii, two_bytes].iter().all(|line| {
                let mut ids = known.clone();
                Jiwer::Characters.ids(line, &mut TokenBuffer::default(), &mut ids).unwrap();
                ids.iter().copied().eq(known.iter().copied().chain(strip(line).chars().map(u32::from)))
            })
        }

        fn blocks_are_cut_as_characters_are(one: Vec<u8>, other: Vec<u8>) -> bool {
            let text = line(&[one.as_slice(), &other, &one].concat());
            let line = strip(&text);
            let mut fast = TokenSpans::default();
            let mut slow = TokenSpans::default();
            words(line, &mut slow);
            let done = byte_runs::try_cut::<NotSpace>(line, &mut fast);
            let plain = !line.chars().any(|c| c != ' ' && is_python_whitespace(c));
            done == plain && (!done || fast.iter().eq(slow.iter()))
        }
    }
}
