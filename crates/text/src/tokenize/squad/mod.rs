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
use crate::char_table::{CharTable, decode};
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
            return cut_words(buffer);
        }
        let TokenBuffer { text, spare, .. } = &mut *buffer;
        lowercase(line, spare);
        if !self.cjk && write_words(spare, text) {
            return cut_words(buffer);
        }
        text.clear();
        let deleted = |c: char| c.is_ascii_punctuation() || self.cjk && is_punctuation(c as u32);
        // Deleting before the search for articles is the script's order: `t-h-e` becomes an article.
        text.extend(spare.split(deleted));
        buffer.cut_own(|text, spans| cut(text, self.cjk, spans))
    }
}

/// Tokenizes the text that is stored in the buffer, which consists of word characters and whitespace only: an
/// article is always a whole word here.
fn cut_words(buffer: &mut TokenBuffer) -> Result<Tokens<'_>> {
    buffer.cut_own(runs::cut::<WhitespaceRules>)?;
    let TokenBuffer { text, spans, .. } = &mut *buffer;
    spans.rewrite(|start, end| (!is_article(&text[start..end])).then_some((start, end)));
    buffer.own_tokens()
}

/// Writes a line in lower case to `text` without ASCII punctuation. Returns `false` if anything but word
/// characters and whitespace is left, such as `“`.
fn write_words(lowered: &str, text: &mut String) -> bool {
    let mut written = std::mem::take(text).into_bytes();
    written.clear();
    written.resize(lowered.len(), 0);
    let bytes = lowered.as_bytes();
    let mut len = 0;
    let mut only_words = true;
    for (at, &byte) in bytes.iter().enumerate() {
        let class = PLAIN[usize::from(byte)];
        written[len] = byte;
        len += usize::from(class != DELETED);
        // Bytes beyond ASCII have the class of control characters. A continuation byte belongs to a character
        // that was looked at already.
        if class == CONTROL && byte & 0xC0 != 0x80 {
            let (code, _) = decode(bytes, at);
            only_words &= TABLE.class(code) == WORD || is_whitespace_code(code);
        }
    }
    written.truncate(len);
    // Only whole characters are deleted, so the conversion cannot fail.
    match String::from_utf8(written) {
        Ok(words) => *text = words,
        Err(_) => return false,
    }
    only_words
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

#[cfg(test)]
mod tests {
    use super::*;

    const PARTS: [&str; 20] = [
        "a", "the", "THE", "an", "Ř", "ě", "\u{212A}", "İ", "ΑΣ", "“", "–", "-", "'", "_", " ", "\u{2003}",
        "\u{85}", "\u{7F}", "漢", "e\u{301}",
    ];

    quickcheck::quickcheck! {
        fn lines_of_words_are_cut_as_any_line(parts: Vec<u8>, cjk: bool) -> bool {
            let line: String = parts.iter().map(|&part| PARTS[part as usize % PARTS.len()]).collect();
            let mut lowered = String::new();
            lowercase(&line, &mut lowered);
            lowered.retain(|c| !(c.is_ascii_punctuation() || cjk && is_punctuation(c as u32)));
            let mut naive = TokenSpans::default();
            cut(&lowered, cjk, &mut naive);
            let mut buffer = TokenBuffer::default();
            let tokens: Vec<String> =
                Squad { cjk }.tokenize(&line, &mut buffer).unwrap().iter().map(str::to_owned).collect();
            let expected = Tokens::new(&lowered, &naive).unwrap();
            tokens.iter().eq(expected.iter())
        }
    }

    #[test]
    fn words_beyond_ascii_take_the_short_way() {
        let mut text = String::new();
        assert!(write_words("v\u{11b}ta, t-h-e\u{2003}konec", &mut text));
        assert_eq!(text, "v\u{11b}ta the\u{2003}konec");
        assert!(!write_words("“v\u{11b}ta”", &mut text));
        assert!(!write_words("v\u{11b}ta\u{7f}", &mut text));
    }
}
