//! jiwer's transformations, by short names and their own.
//!
//! | name | jiwer | rule |
//! |---|---|---|
//! | `punct` | `RemovePunctuation` | category P is deleted; symbols stay |
//! | `contractions` | `ExpandCommonEnglishContractions` | `won't`, `can't`, `let's`, then endings, in lower case, wherever they stand |
//! | `nonwords` | `RemoveKaldiNonWords` | `<..>` and `[..]` are deleted |
//! | `spaces` | `RemoveMultipleSpaces` | two or more white spaces become one space |
//! | `nospace` | `RemoveWhiteSpace` | ASCII white space is deleted |
//! | `tospace` | `RemoveWhiteSpace(replace_by_space=True)` | ASCII white space becomes spaces |
//! | `strip` | `Strip` | no white space at the ends |
//! | `jiwer-standardize` | `wer_standardize` | lower case, contractions, non-words, `tospace`, `spaces`, `strip` |
//!
//! Those over lists of sentences are readers and tokenizers here. Source: jiwer 4.0.0.

use super::letters::lower;
use super::text::{delete_brackets, replace_where, rewrite};
use super::{NormalizerEntry, classes, step};
use crate::whitespace;

const PROGRAM: &str = "jiwer 4.0.0";

pub(super) const PUNCT: NormalizerEntry =
    step!("punct", "without punctuation; symbols stay", |text, spare| {
        rewrite(text, spare, |text, out| out.extend(text.chars().filter(|&c| !classes::is_punctuation(c))))
    })
    .aliases(&["RemovePunctuation"])
    .agrees_with(PROGRAM);

pub(super) const CONTRACTIONS: NormalizerEntry =
    step!("contractions", "common English contractions in full, of lower case alone", contractions)
        .aliases(&["ExpandCommonEnglishContractions"])
        .agrees_with(PROGRAM);

pub(super) const NONWORDS: NormalizerEntry =
    step!("nonwords", "without what stands in <..> or [..]", delete_brackets)
        .aliases(&["RemoveKaldiNonWords"])
        .agrees_with(PROGRAM);

pub(super) const SPACES: NormalizerEntry =
    step!("spaces", "two or more white spaces become one space", spaces)
        .aliases(&["RemoveMultipleSpaces"])
        .agrees_with(PROGRAM);

pub(super) const NOSPACE: NormalizerEntry = step!("nospace", "without ASCII white space", |text, spare| {
    rewrite(text, spare, |text, out| out.extend(text.chars().filter(|&c| !is_ascii_space(c))))
})
.aliases(&["RemoveWhiteSpace"])
.agrees_with(PROGRAM);

pub(super) const TOSPACE: NormalizerEntry = step!("tospace", "ASCII white space becomes spaces", to_spaces)
    .agrees_with("jiwer 4.0.0 RemoveWhiteSpace(replace_by_space=True)");

pub(super) const STRIP: NormalizerEntry =
    step!("strip", "without white space at the ends", strip).aliases(&["Strip"]).agrees_with(PROGRAM);

pub(super) const STANDARDIZE: NormalizerEntry =
    step!("jiwer-standardize", "jiwer's wer_standardize, to be cut by its words", |text, spare| {
        lower(text, spare);
        contractions(text, spare);
        delete_brackets(text, spare);
        to_spaces(text, spare);
        spaces(text, spare);
        strip(text, spare);
    })
    .agrees_with("jiwer 4.0.0 wer_standardize");

/// In this order, each over the whole text.
const CONTRACTED: [(&str, &str); 11] = [
    ("won't", "will not"),
    ("can't", "can not"),
    ("let's", "let us"),
    ("n't", " not"),
    ("'re", " are"),
    ("'s", " is"),
    ("'d", " would"),
    ("'ll", " will"),
    ("'t", " not"),
    ("'ve", " have"),
    ("'m", " am"),
];

fn contractions(text: &mut String, spare: &mut String) {
    if memchr::memchr(b'\'', text.as_bytes()).is_some() {
        for (contracted, full) in CONTRACTED {
            replace_where(text, spare, contracted, full, |_, _, _| true);
        }
    }
}

/// One white space stays what it is.
fn spaces(text: &mut String, spare: &mut String) {
    rewrite(text, spare, |text, out| {
        let mut rest = text;
        while let Some(at) = rest.find(classes::is_space) {
            let after = rest[at..].trim_start_matches(classes::is_space);
            let gap = &rest[at..rest.len() - after.len()];
            out.push_str(&rest[..at]);
            out.push_str(if gap.chars().nth(1).is_some() { " " } else { gap });
            rest = after;
        }
        out.push_str(rest);
    });
}

fn is_ascii_space(c: char) -> bool {
    matches!(c, '\t'..='\r' | ' ')
}

fn to_spaces(text: &mut String, spare: &mut String) {
    rewrite(text, spare, |text, out| {
        out.extend(text.chars().map(|c| if is_ascii_space(c) { ' ' } else { c }));
    });
}

fn strip(text: &mut String, spare: &mut String) {
    rewrite(text, spare, |text, out| out.push_str(whitespace::strip(text)));
}
