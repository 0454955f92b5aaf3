//! `squad` and `squad-cjk`: the words of an answer as the SQuAD scripts compare them.
//!
//! Rule of `squad`: lower case; delete the 32 ASCII punctuation marks (`A-B` becomes `ab`); take out every `a`, `an`
//! and `the` that no letter, digit or other word character touches; split at whitespace. Punctuation beyond ASCII stays
//! and counts as a boundary: `“the” cat` leaves `“`, `”`, `cat`, because two quotes remain around the place of `the`.
//!
//! `squad-cjk` makes answers comparable in Chinese, Japanese and other scripts without spaces, which `squad` takes for
//! one word: it also deletes all punctuation beyond ASCII (general category P), and every character of the scripts Han,
//! Hiragana, Katakana, Thai, Lao, Khmer and Burmese is a separate word. The definition is ours, after the practice of
//! CMRC 2018 and MLQA; for other scripts it is `squad` without Unicode punctuation.
//!
//! Singular cases: an answer of punctuation and articles only has no words. Errors: a line of 4 GiB or more.
//! Source: SQuAD's evaluation script v1.1 (Rajpurkar et al. 2016) under CPython 3.11, compared on random text.

use super::buffer::{Spans, TokenBuffer, Tokens};
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
            spans.rewrite(|start, end| (!is_article(&text[start..end])).then_some((start, end)));
            return buffer.own_tokens();
        }
        let TokenBuffer { text, spare, .. } = &mut *buffer;
        lowercase(line, spare);
        text.clear();
        let deleted = |c: char| c.is_ascii_punctuation() || self.cjk && is_punctuation(c as u32);
        text.extend(spare.split(deleted));
        buffer.cut_own(|text, spans| cut(text, self.cjk, spans))
    }
}

/// Writes a line of ASCII without control characters, in lower case and without punctuation; `false` for others.
///
/// Letters, digits and whitespace are left, so articles can only be whole words.
fn write_plain(line: &str, text: &mut String) -> bool {
    if !line.is_ascii() {
        return false;
    }
    let mut bytes = std::mem::take(text).into_bytes();
    bytes.clear();
    bytes.resize(line.len(), 0);
    let (mut len, mut plain) = (0, true);
    for byte in line.bytes() {
        let written = PLAIN[usize::from(byte)];
        bytes[len] = written;
        len += usize::from(written != DELETED);
        plain &= written != CONTROL;
    }
    bytes.truncate(len);
    match String::from_utf8(bytes) {
        Ok(written) => *text = written,
        Err(_) => return false,
    }
    plain
}

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

/// The role of a character in words.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// Part of no token.
    Space,
    /// Possibly part of an article.
    Word,
    /// Part of a token, and a boundary for articles.
    Other,
    /// A token by itself.
    Alone,
}

/// Pieces between whitespace and articles, which count as whitespace.
fn cut(text: &str, cjk: bool, spans: &mut Spans) {
    let kind = |c: char| match c {
        'a'..='z' | '0'..='9' => Kind::Word,
        c if is_python_whitespace(c) => Kind::Space,
        c if cjk && has_no_spaces(c) => Kind::Alone,
        c if is_word(c) => Kind::Word,
        _ => Kind::Other,
    };
    // The current token starts at `start`; its current run of word characters starts at `run`.
    let (mut start, mut run) = (0, 0);
    let mut before = Kind::Space;
    let mut at = 0;
    let end_run = |start: &mut usize, run: usize, at: usize, spans: &mut Spans| {
        if is_article(&text[run..at]) {
            spans.push_filled(*start, run);
            *start = at;
        }
    };
    for c in text.chars() {
        let now = kind(c);
        if before == Kind::Word && now != Kind::Word {
            end_run(&mut start, run, at, spans);
        }
        match now {
            Kind::Word if before != Kind::Word => run = at,
            Kind::Word | Kind::Other => {}
            Kind::Space => {
                spans.push_filled(start, at);
                start = at + c.len_utf8();
            }
            Kind::Alone => {
                spans.push_filled(start, at);
                start = at + c.len_utf8();
                spans.push(at, start);
            }
        }
        at += c.len_utf8();
        before = now;
    }
    if before == Kind::Word {
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
