//! `word`: a tokenizer that splits a line at Unicode's word boundaries and keeps punctuation as tokens.
//!
//! Rule: the tokens are the pieces between the word boundaries of Unicode Standard Annex 29, except pieces
//! that consist only of whitespace. `can't` and `3.14` are one token each; punctuation marks are separate
//! tokens. Han and Hiragana are split into characters, and Thai, Lao, Khmer and Burmese are hardly split at
//! all: this tokenizer does not segment those languages.
//!
//! Singular cases: an empty or blank line has no tokens. Errors: Returns an error for a line of 4 GiB or
//! more. The token space, the tokenizer's name in signatures, contains the version of Unicode, since
//! boundaries change with it.
//!
//! Source: the `unicode-segmentation` crate; sacreBLEU has no such tokenizer.

use super::{PieceCutter, TokenizerEntry};
use crate::whitespace::is_blank;
use unicode_segmentation::{UNICODE_VERSION, UnicodeSegmentation};

pub(super) const ENTRY: TokenizerEntry =
    TokenizerEntry::new("word", "words and punctuation, by Unicode's word boundaries", |_| {
        PieceCutter::boxed(
            unicode_space("word"),
            |line| line,
            |line, spans| {
                spans.push_pieces(line, line.split_word_bounds().filter(|piece| !is_blank(piece)));
            },
        )
    })
    .aliases(&["words"])
    .agrees_with("Unicode Standard Annex 29");

/// Returns the identifier of the tokenizer (its token space): `name`, a dash, and the version of Unicode
/// whose boundaries are used.
pub(super) fn unicode_space(name: &str) -> String {
    let (major, minor, _) = UNICODE_VERSION;
    format!("{name}-{major}.{minor}")
}
