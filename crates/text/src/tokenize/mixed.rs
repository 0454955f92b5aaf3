//! `mixed`: a tokenizer for code-switched speech. Tokens are characters in scripts without spaces between
//! words, and words in all other scripts.
//!
//! Rule:
//!
//! - Whitespace ends a token.
//! - A *unit* is a code point of Han, Hiragana, Katakana, Bopomofo, Thai, Lao, Khmer or Myanmar, including
//!   their digits and marks. A letter that these scripts share, such as U+30FC, is a unit too. Every unit is
//!   a token.
//! - A code point of the script Inherited, such as a combining accent or a variation selector, joins the
//!   token directly before it. Without such a token it begins a word.
//! - Everything else forms words: runs between whitespace and units.
//!
//! With `mixed-hangul`, Hangul characters are units too. With `mixed-marks`, a unit of category M joins the
//! unit directly before it. `mixed-hangul-marks` has both options.
//!
//! The error rate over these tokens is called the mixed error rate: `wer:tokenize=mixed`. It is not `mer`,
//! the match error rate.
//!
//! Singular cases: an empty or blank line has no tokens; ideographic punctuation is a word, which a
//! normalizer can remove. On unspaced text of one of these scripts, the tokens are the same as with `char`.
//! Errors: Returns an error for a line of 4 GiB or more. The scripts are taken from Unicode 16.0.
//!
//! Source: the definition, as `\p{sc=..}` of regex 2026.11.15. The program compute-wer of wenet differs: it
//! ends words at any code point beyond ASCII.

use super::buffer::TokenSpans;
use super::{PieceCutter, Takes, Tokenizer, TokenizerEntry, TokenizerRequest};
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
        None => PieceCutter::boxed("mixed", whole, cut::<false, false>),
        Some("hangul") => PieceCutter::boxed("mixed-hangul", whole, cut::<true, false>),
        Some("marks") => PieceCutter::boxed("mixed-marks", whole, cut::<false, true>),
        Some("hangul-marks") => PieceCutter::boxed("mixed-hangul-marks", whole, cut::<true, true>),
        Some(other) => Err(request.tokenizers.unknown(&format!("mixed-{other}"))),
    }
}

/// Class of code points that are a token each, such as Chinese characters. The table `mixed.txt` has the
/// classes; class 0 is a letter of a word.
const UNIT: u8 = 1;
const MARK: u8 = 2;
const HANGUL: u8 = 3;
const HANGUL_MARK: u8 = 4;
const JOINS: u8 = 5;
const SPACE: u8 = 6;

static CLASSES: CharTable<64> = {
    let mut table = CharTable::new().fill_whitespace(SPACE);
    let mut at = 0;
    while at < MIXED.len() {
        let (first, last, class) = MIXED[at];
        table = table.fill(first, last, 1, class);
        at += 1;
    }
    table
};

/// The kind of the token that the scanner is inside of, or `Nothing` after whitespace.
#[derive(Clone, Copy, PartialEq)]
enum OpenRun {
    Nothing,
    Word,
    Unit,
}

fn cut<const HANGUL_UNITS: bool, const MARKS_JOIN: bool>(line: &str, spans: &mut TokenSpans) {
    let mut open = OpenRun::Nothing;
    let mut start = 0;
    for (at, c) in line.char_indices() {
        let class = match CLASSES.class(c as u32) {
            HANGUL | HANGUL_MARK if !HANGUL_UNITS => 0,
            HANGUL => UNIT,
            HANGUL_MARK => MARK,
            class => class,
        };
        let next = match class {
            SPACE => OpenRun::Nothing,
            UNIT | MARK => OpenRun::Unit,
            // A combining accent without a token before it falls through to the next arm and begins a word.
            JOINS if open != OpenRun::Nothing => continue,
            _ => OpenRun::Word,
        };
        let joins = match next {
            OpenRun::Nothing => false,
            OpenRun::Word => open == OpenRun::Word,
            // Two units are two tokens; only a mark after a unit stays with it, under `mixed-marks`.
            OpenRun::Unit => MARKS_JOIN && class == MARK && open == OpenRun::Unit,
        };
        if joins {
            continue;
        }
        if open != OpenRun::Nothing {
            spans.push(start, at);
        }
        (open, start) = (next, at);
    }
    if open != OpenRun::Nothing {
        spans.push(start, line.len());
    }
}
