//! `mixed`: characters of scripts without spaces between words, and words of all others, for code-switched speech.
//!
//! Rule: white space ends a token. A *unit* is a code point of Han, Hiragana, Katakana, Bopomofo, Thai, Lao, Khmer or Myanmar, digits
//! and marks of these scripts included, or a letter that they share, as U+30FC. Every unit is a token. A code point of the script
//! Inherited, such as a combining accent or a variation selector, joins the token directly before it, and begins a word if there is none.
//! All else forms words: runs between white space and units. With `mixed-hangul` Hangul is units too; with `mixed-marks` a unit of
//! category M joins the unit directly before it; `mixed-hangul-marks` has both.
//!
//! The error rate over these tokens is called the mixed error rate: `wer:tokenize=mixed`. It is not `mer`, the match error rate.
//!
//! Singular cases: an empty or blank line has no tokens; ideographic punctuation is a word, which a normalizer removes. On unspaced
//! text of one of the scripts the tokens are those of `char`. Errors: a line of 4 GiB or more. Scripts are those of Unicode 16.0.
//! Source: the definition, by `\p{sc=..}` of regex 2026.11.15. wenet's compute-wer cuts words at any code point beyond ASCII.

use super::buffer::Spans;
use super::{Cutter, Takes, Tokenizer, TokenizerEntry, TokenizerRequest};
use crate::char_table::CharTable;
use crate::unicode::MIXED;
use bleuprint_core::ConfigError;

pub(super) const ENTRY: TokenizerEntry = TokenizerEntry::new(
    "mixed",
    "characters of scripts without spaces, words of others; mixed-hangul-marks, or one of these",
    build,
)
.agrees_with("scripts of Unicode 16.0")
.takes(&[Takes::OptionsInName]);

fn build(request: &TokenizerRequest<'_>) -> Result<Box<dyn Tokenizer>, ConfigError> {
    let whole: fn(&str) -> &str = |line| line;
    match request.argument {
        None => Cutter::boxed("mixed", whole, cut::<false, false>),
        Some("hangul") => Cutter::boxed("mixed-hangul", whole, cut::<true, false>),
        Some("marks") => Cutter::boxed("mixed-marks", whole, cut::<false, true>),
        Some("hangul-marks") => Cutter::boxed("mixed-hangul-marks", whole, cut::<true, true>),
        Some(other) => Err(request.tokenizers.unknown(&format!("mixed-{other}"))),
    }
}

/// Classes of the ranges; 0 is a letter of a word.
const UNIT: u8 = 1;
const MARK: u8 = 2;
const HANGUL: u8 = 3;
const HANGUL_MARK: u8 = 4;
const JOINS: u8 = 5;
const SPACE: u8 = 6;

static CLASSES: CharTable<64> = {
    let (mut table, mut at) = (CharTable::new().fill_whitespace(SPACE), 0);
    while at < MIXED.len() {
        let (first, last, class) = MIXED[at];
        table = table.fill(first, last, 1, class);
        at += 1;
    }
    table
};

#[derive(Clone, Copy, PartialEq)]
enum Open {
    Nothing,
    Word,
    Unit,
}

fn cut<const HANGUL_UNITS: bool, const MARKS_JOIN: bool>(line: &str, spans: &mut Spans) {
    let (mut open, mut start) = (Open::Nothing, 0);
    for (at, c) in line.char_indices() {
        let class = match CLASSES.class(c as u32) {
            HANGUL | HANGUL_MARK if !HANGUL_UNITS => 0,
            HANGUL => UNIT,
            HANGUL_MARK => MARK,
            class => class,
        };
        let next = match class {
            SPACE => Open::Nothing,
            UNIT | MARK => Open::Unit,
            JOINS if open != Open::Nothing => continue,
            _ => Open::Word,
        };
        let joins = match next {
            Open::Nothing => false,
            Open::Word => open == Open::Word,
            Open::Unit => MARKS_JOIN && class == MARK && open == Open::Unit,
        };
        if joins {
            continue;
        }
        if open != Open::Nothing {
            spans.push(start, at);
        }
        (open, start) = (next, at);
    }
    if open != Open::Nothing {
        spans.push(start, line.len());
    }
}
