//! `squad` and `squad-cjk`: tokenizers that return the words of an answer, as the SQuAD scripts compare them.
//!
//! Rule of `squad`: the answer is lower-cased, and the 32 ASCII punctuation marks are deleted (`A-B` becomes
//! `ab`). Every `a`, `an` and `the` without an adjacent word character is removed. The rest is split at
//! whitespace. Punctuation beyond ASCII is kept: `“cat”` is one word. It still separates articles:
//! `“the” cat` gives `“`, `”` and `cat`.
//!
//! `squad-cjk` makes answers comparable in Chinese, Japanese and other scripts without spaces, where `squad`
//! sees one word. It also deletes all punctuation beyond ASCII (general category P), and every character of
//! Han, Hiragana, Katakana, Thai, Lao, Khmer and Burmese is a separate word. This crate defines it, following
//! the practice of CMRC 2018 and MLQA. For other scripts it is `squad` without Unicode punctuation.
//!
//! Singular cases: an answer that consists only of ASCII punctuation and articles has no words. Errors:
//! Returns an error for a line of 4 GiB or more.
//! Source: SQuAD's evaluation script v1.1 (Rajpurkar et al. 2016) under CPython 3.11, compared on random
//! text.

use super::buffer::{TokenBuffer, TokenSpans, Tokens};
use super::intl::is_punctuation;
use super::none::WhitespaceRules;
use super::runs;
use super::{Tokenizer, TokenizerEntry};
use crate::char_table::CharTable;
use crate::lowercase::lowercase;
use crate::script::has_no_spaces;
use crate::unicode;
use crate::whitespace::{is_python_whitespace, is_whitespace_code};
use bleuprint_core::Result;

pub(super) const ENTRY: TokenizerEntry = TokenizerEntry::new(
    "squad",
    "words in lower case without ASCII punctuation and articles, as SQuAD compares answers",
    |_| Ok(Box::new(Squad { cjk: false })),
)
.agrees_with("SQuAD evaluation script v1.1");

pub(super) const CJK: TokenizerEntry = TokenizerEntry::new(
    "squad-cjk",
    "as squad, without any punctuation, and characters of scripts without spaces one by one",
    |_| Ok(Box::new(Squad { cjk: true })),
)
.agrees_with("its definition");

struct Squad {
    cjk: bool,
}

impl Tokenizer for Squad {
    fn token_space(&self) -> &str {
        if self.cjk { CJK.name } else { ENTRY.name }
    }

    fn tokenize<'a>(&self, line: &'a str, buffer: &'a mut TokenBuffer) -> Result<Tokens<'a>> {
        if write_plain(line, &mut buffer.text) {
            buffer.cut_own(runs::cut::<WhitespaceRules>)?;
            let TokenBuffer { text, spans, .. } = &mut *buffer;
            // Plain text has only letters, digits and spaces, so an article is always a whole word here.
            spans.rewrite(|start, end| (!is_article(&text[start..end])).then_some((start, end)));
            return buffer.own_tokens();
        }
        let TokenBuffer { text, spare, .. } = &mut *buffer;
        lowercase(line, spare);
        text.clear();
        let deleted = |c: char| c.is_ascii_punctuation() || self.cjk && is_punctuation(c as u32);
        // Deleting before the search for articles is the script's order: `t-h-e` becomes an article.
        text.extend(spare.split(deleted));
        buffer.cut_own(|text, spans| cut(text, self.cjk, spans))
    }
}

/// Writes an ASCII line to `text` in lower case and without punctuation. Returns `false` for a line that is
/// not ASCII or has control characters.
fn write_plain(line: &str, text: &mut String) -> bool {
    if !line.is_ascii() {
        return false;
    }
    let mut bytes = std::mem::take(text).into_bytes();
    bytes.clear();
    bytes.resize(line.len(), 0);
    let mut len = 0;
    let mut plain = true;
    for byte in line.bytes() {
        let written = PLAIN[usize::from(byte)];
        // Every byte is written, and only the length depends on its class: no branch has to be predicted.
        bytes[len] = written;
        len += usize::from(written != DELETED);
        plain &= written != CONTROL;
    }
    bytes.truncate(len);
    // All values of the table are ASCII, so the conversion cannot fail.
    match String::from_utf8(bytes) {
        Ok(written) => *text = written,
        Err(_) => return false,
    }
    plain
}

// The marks of bytes that are deleted, and of control characters, which end the fast path.
const DELETED: u8 = 0;
const CONTROL: u8 = 0x7F;

static PLAIN: [u8; 256] = plain();

const fn plain() -> [u8; 256] {
    let mut plain = [CONTROL; 256];
    let mut byte = 0;
    while byte < 0x80_u8 {
        plain[byte as usize] = match byte {
            _ if byte.is_ascii_punctuation() => DELETED,
            _ if byte.is_ascii_alphanumeric() => byte.to_ascii_lowercase(),
            _ if is_whitespace_code(byte as u32) => b' ',
            _ => CONTROL,
        };
        byte += 1;
    }
    plain
}

fn is_article(word: &str) -> bool {
    matches!(word, "a" | "an" | "the")
}

/// The role of a character when an answer is split into words.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum CharacterKind {
    /// A whitespace character, which is not part of a token.
    Space,
    /// A letter, digit or other word character, which may be part of an article such as `the`.
    Word,
    /// Punctuation beyond ASCII, such as `“`. It is part of a token, but is a word boundary when the articles
    /// `a`, `an` and `the` are removed.
    Other,
    /// A character that is a token alone, such as a Chinese character in `squad-cjk`.
    Alone,
}

/// Adds the words of an answer as tokens. Whitespace and the articles `a`, `an` and `the` separate words and
/// are dropped.
fn cut(text: &str, cjk: bool, spans: &mut TokenSpans) {
    let kind = |c: char| match c {
        'a'..='z' | '0'..='9' => CharacterKind::Word,
        c if is_python_whitespace(c) => CharacterKind::Space,
        c if cjk && has_no_spaces(c) => CharacterKind::Alone,
        c if is_word(c) => CharacterKind::Word,
        _ => CharacterKind::Other,
    };
    // The current token starts at `start`; its current run of word characters starts at `run`.
    let mut start = 0;
    let mut run = 0;
    let mut before = CharacterKind::Space;
    let mut at = 0;
    let end_run = |start: &mut usize, run: usize, at: usize, spans: &mut TokenSpans| {
        // The script replaces an article by a space, so the token ends before it and a new one starts after
        // it.
        if is_article(&text[run..at]) {
            spans.push_filled(*start, run);
            *start = at;
        }
    };
    for c in text.chars() {
        let now = kind(c);
        if before == CharacterKind::Word && now != CharacterKind::Word {
            end_run(&mut start, run, at, spans);
        }
        match now {
            CharacterKind::Word if before != CharacterKind::Word => run = at,
            CharacterKind::Word | CharacterKind::Other => {}
            CharacterKind::Space => {
                spans.push_filled(start, at);
                start = at + c.len_utf8();
            }
            CharacterKind::Alone => {
                spans.push_filled(start, at);
                start = at + c.len_utf8();
                spans.push(at, start);
            }
        }
        at += c.len_utf8();
        before = now;
    }
    if before == CharacterKind::Word {
        end_run(&mut start, run, at, spans);
    }
    spans.push_filled(start, at);
}

fn is_word(c: char) -> bool {
    TABLE.class(c as u32) == WORD
}

const WORD: u8 = 1;
const BLOCKS: usize = 160;
static TABLE: CharTable<BLOCKS> = table();

const fn table() -> CharTable<BLOCKS> {
    let table = CharTable::new().fill_ranges(unicode::WORD, WORD).fill_ranges(unicode::DIGIT, WORD);
    table.fill('_' as u32, '_' as u32, 1, WORD)
}
