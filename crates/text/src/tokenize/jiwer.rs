//! `jiwer` and `jiwer-char`: the words and characters of word and character error rate.
//!
//! Rule of `jiwer`: drop the whitespace at both ends; split at spaces (U+0020), and at runs of two or more of Python's
//! whitespace characters. So a single tab or no-break space is part of a word. Rule of `jiwer-char`: drop the
//! whitespace at both ends; every code point is a token, spaces included.
//!
//! Singular cases: an empty or blank line has no tokens. Errors: a line of 4 GiB or more.
//! Source: jiwer 4.0.0, the default transforms of `process_words` and `process_characters`.
//!
//! ```
//! use bleuprint_text::{TokenBuffer, TokenizerOptions, tokenizer};
//! let mut buffer = TokenBuffer::default();
//! let words = tokenizer("jiwer", &TokenizerOptions::default())?;
//! assert_eq!(words.tokenize(" a\tb  c\u{a0}\u{a0}d ", &mut buffer)?.iter().collect::<Vec<_>>(), ["a\tb", "c", "d"]);
//! let characters = tokenizer("jiwer-char", &TokenizerOptions::default())?;
//! assert_eq!(characters.tokenize(" a 我\n", &mut buffer)?.iter().collect::<Vec<_>>(), ["a", " ", "我"]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use super::buffer::{Spans, TokenBuffer, Tokens};
use super::{Tokenizer, TokenizerEntry};
use crate::whitespace::{is_python_whitespace, strip};
use bleuprint_core::{InputError, Result};

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
            Jiwer::Words => buffer.cut(line, words),
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
                ids.extend(strip(line).chars().map(u32::from));
                Ok(())
            }
        }
    }
}

/// The line begins and ends with a non-whitespace character.
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

fn characters(line: &str, spans: &mut Spans) {
    for (at, c) in line.char_indices() {
        spans.push(at, at + c.len_utf8());
    }
}
