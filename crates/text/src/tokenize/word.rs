//! `word`: the words between Unicode's word boundaries, punctuation included.
//!
//! Rule: the pieces between the word boundaries of Unicode Standard Annex 29, without those of whitespace only. `can't`
//! and `3.14` are one token each, punctuation marks are tokens of their own. Han and Hiragana are cut character by
//! character, Thai, Lao, Khmer and Burmese hardly at all: this is not a segmenter for them.
//!
//! Singular cases: an empty or blank line has no tokens. Errors: a line of 4 GiB or more. The token space names the
//! version of Unicode, since boundaries change with it. Source: the `unicode-segmentation` crate; sacreBLEU has no such
//! tokenizer.

use super::{Cutter, TokenizerEntry};
use crate::whitespace::is_blank;
use unicode_segmentation::{UNICODE_VERSION, UnicodeSegmentation};

pub(super) const ENTRY: TokenizerEntry =
    TokenizerEntry::new("word", "words and punctuation, by Unicode's word boundaries", |_| {
        Cutter::boxed(
            unicode_space("word"),
            |line| line,
            |line, spans| {
                spans.push_pieces(line, line.split_word_bounds().filter(|piece| !is_blank(piece)));
            },
        )
    })
    .aliases(&["words"])
    .agrees_with("Unicode Standard Annex 29");

/// `name` and the version of Unicode whose boundaries are used.
pub(super) fn unicode_space(name: &str) -> String {
    let (major, minor, _) = UNICODE_VERSION;
    format!("{name}-{major}.{minor}")
}
