//! `grapheme`: a tokenizer in which every user-perceived character is a token.
//!
//! Rule: the tokens are the extended grapheme clusters of Unicode Standard Annex 29, except clusters that
//! consist only of whitespace. `e` with a combining accent is one token, and so is a family emoji. The
//! tokenizer `char` gives code points instead.
//!
//! Singular cases: an empty or blank line has no tokens. Errors: Returns an error for a line of 4 GiB or
//! more. The token space, the tokenizer's name in signatures, contains the version of Unicode, since clusters
//! change with it.
//!
//! Source: the `unicode-segmentation` crate; sacreBLEU has no such tokenizer.

use super::buffer::TokenSpans;
use super::word::unicode_space;
use super::{PieceCutter, TokenizerEntry};
use crate::whitespace::{is_blank, is_python_whitespace};
use unicode_segmentation::UnicodeSegmentation;

pub(super) const ENTRY: TokenizerEntry =
    TokenizerEntry::new("grapheme", "user-perceived characters, by Unicode's rules", |_| {
        PieceCutter::boxed(unicode_space("grapheme"), |line| line, cut)
    })
    .aliases(&["graphemes"])
    .agrees_with("Unicode Standard Annex 29");

fn cut(line: &str, spans: &mut TokenSpans) {
    if line.is_ascii() {
        cut_ascii(line, spans)
    } else {
        spans.push_pieces(line, line.graphemes(true).filter(|cluster| !is_blank(cluster)))
    }
}

/// Adds each character of an ASCII line as a token, except whitespace. CR LF, the only two ASCII characters
/// that form one grapheme cluster, is whitespace, so each byte can be treated alone.
fn cut_ascii(line: &str, spans: &mut TokenSpans) {
    for (at, byte) in line.bytes().enumerate() {
        if !is_python_whitespace(char::from(byte)) {
            spans.push(at, at + 1);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ascii_takes_the_short_way_to_the_same_place() {
        let ascii: String = (0..=0x7F).map(char::from).chain("\r\n\n\r a\r\nb".chars()).collect();
        let mut short = TokenSpans::default();
        cut_ascii(&ascii, &mut short);
        let clusters = ascii.grapheme_indices(true).filter(|(_, cluster)| !is_blank(cluster));
        assert!(clusters.map(|(at, cluster)| (at, at + cluster.len())).eq(short.iter()));
    }
}
