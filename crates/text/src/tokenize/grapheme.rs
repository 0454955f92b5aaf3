//! `grapheme`: user-perceived characters.
//!
//! Rule: the extended grapheme clusters of Unicode Standard Annex 29, without those of whitespace only. `e` with a
//! combining accent is one token, and so is a family emoji; `char` is the other choice.
//!
//! Singular cases: an empty or blank line has no tokens. Errors: a line of 4 GiB or more. The token space names the
//! version of Unicode, since clusters change with it. Source: the `unicode-segmentation` crate; sacreBLEU has no such
//! tokenizer.

use super::buffer::Spans;
use super::word::unicode_space;
use super::{Cutter, TokenizerEntry};
use crate::whitespace::{is_blank, is_python_whitespace};
use unicode_segmentation::UnicodeSegmentation;

pub(super) const ENTRY: TokenizerEntry =
    TokenizerEntry::new("grapheme", "user-perceived characters, by Unicode's rules", |_| {
        Cutter::boxed(unicode_space("grapheme"), |line| line, cut)
    })
    .aliases(&["graphemes"])
    .agrees_with("Unicode Standard Annex 29");

fn cut(line: &str, spans: &mut Spans) {
    match line.is_ascii() {
        true => cut_ascii(line, spans),
        false => spans.push_pieces(line, line.graphemes(true).filter(|cluster| !is_blank(cluster))),
    }
}

/// In ASCII only CR LF is a cluster of two, and it is whitespace.
fn cut_ascii(line: &str, spans: &mut Spans) {
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
        let mut short = Spans::default();
        cut_ascii(&ascii, &mut short);
        let clusters = ascii.grapheme_indices(true).filter(|(_, cluster)| !is_blank(cluster));
        assert!(clusters.map(|(at, cluster)| (at, at + cluster.len())).eq(short.iter()));
    }
}
