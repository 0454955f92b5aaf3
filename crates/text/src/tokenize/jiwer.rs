//! `jiwer` and `jiwer-char`: the words and characters of word and character error rate.
//!
//! Rule of `jiwer`: drop the whitespace at both ends; split at spaces (U+0020), and at runs of two or more of Python's
//! whitespace characters. So a single tab or no-break space is part of a word. Rule of `jiwer-char`: drop the
//! whitespace at both ends; every code point is a token, spaces included.
//!
//! Singular cases: an empty or blank line has no tokens. Errors: a line of 4 GiB or more.
//! Source: jiwer 4.0.0, the default transforms of `process_words` and `process_characters`.

use super::buffer::{Spans, TokenBuffer, Tokens};
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
                if !byte_runs::try_cut::<NotSpace>(line, spans) {
                    spans.clear();
                    words(line, spans);
                }
            }),
            Jiwer::Characters => buffer.cut(line, characters),
        }
    }

    /// The id of a character is its code point.
    fn has_ids(&self) -> bool {
        matches!(self, Jiwer::Characters)
    }

    fn ids_are_tokens(&self) -> bool {
        self.has_ids()
    }

    fn ids(&self, line: &str, _: &mut TokenBuffer, ids: &mut Vec<u32>) -> Result<()> {
        match self {
            Jiwer::Words => Err(InputError::malformed("words have no ids of their own")),
            Jiwer::Characters => {
                character_ids(strip(line), ids);
                Ok(())
            }
        }
    }
}

/// Adds the code points of a line as ids.
pub(super) fn character_ids(line: &str, ids: &mut Vec<u32>) {
    let start = ids.len();
    ids.resize(start + line.len(), 0);
    // In place, since a list that grows asks for room at every character.
    let places = ids[start..].iter_mut();
    let characters = if line.is_ascii() {
        places.zip(line.bytes()).for_each(|(id, byte)| *id = u32::from(byte));
        line.len()
    } else if line.bytes().fold(0, u8::max) < FIRST_OF_THREE {
        characters_of_two_bytes(line.as_bytes(), &mut ids[start..])
    } else {
        places.zip(line.chars()).map(|(id, c)| *id = u32::from(c)).count()
    };
    ids.truncate(start + characters);
}

/// The first byte that begins a character of three bytes.
const FIRST_OF_THREE: u8 = 0xE0;

/// Writes the code points of text whose characters have at most two bytes, and returns their number. Every byte is written as
/// if it began a character, and the next one takes the place of a byte that does not: no branch has to be predicted.
fn characters_of_two_bytes(bytes: &[u8], places: &mut [u32]) -> usize {
    let mut count = 0;
    let mut write = |byte: u8, next: u8| {
        let one = u32::from(byte);
        let two = (one & 0x1F) << 6 | u32::from(next & 0x3F);
        let beyond_ascii = (one >> 7).wrapping_neg();
        places[count] = one & !beyond_ascii | two & beyond_ascii;
        count += usize::from(byte as i8 >= -0x40);
    };
    bytes.windows(2).for_each(|pair| write(pair[0], pair[1]));
    if let Some(&last) = bytes.last() {
        write(last, 0);
    }
    count
}

/// Everything but the space, in text without other whitespace.
struct NotSpace;

impl ByteClass for NotSpace {
    #[inline(always)]
    fn tokens(bytes: u8x16) -> u8x16 {
        !equal(bytes, b' ')
    }

    /// Control characters, and the lead bytes of whitespace beyond ASCII.
    #[inline(always)]
    fn doubts(bytes: u8x16) -> u8x16 {
        within(bytes, 0, 0x1F) | equal(bytes, 0xC2) | within(bytes, 0xE1, 0xE3)
    }

    fn is_beyond(code: u32) -> bool {
        char::from_u32(code).is_some_and(|c| c != ' ' && is_python_whitespace(c))
    }
}

/// Any line that begins and ends with a non-whitespace character.
fn words(line: &str, spans: &mut Spans) {
    let mut start = 0;
    // The position of a single other whitespace, part of the word unless a second one follows.
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
        }
    }
    spans.push_filled(start, line.len());
}

pub(super) fn characters(line: &str, spans: &mut Spans) {
    for (at, c) in line.char_indices() {
        spans.push(at, at + c.len_utf8());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Lines of several blocks, with the whitespace of Python and characters that share its lead bytes.
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
            let (mut fast, mut slow) = (Spans::default(), Spans::default());
            words(line, &mut slow);
            let done = byte_runs::try_cut::<NotSpace>(line, &mut fast);
            let plain = !line.chars().any(|c| c != ' ' && is_python_whitespace(c));
            done == plain && (!done || fast.iter().eq(slow.iter()))
        }
    }
}
