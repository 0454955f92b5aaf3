//! The text transformations of the Python package jiwer, under short names and under jiwer's names.
//!
//! | name | jiwer | rule |
//! |---|---|---|
//! | `punct` | `RemovePunctuation` | category P is deleted; symbols stay |
//! | `contractions` | `ExpandCommonEnglishContractions` | replaces `won't`, `can't`, `let's`, then endings, in lower case, anywhere in the text |
//! | `nonwords` | `RemoveKaldiNonWords` | `<..>` and `[..]` are deleted |
//! | `spaces` | `RemoveMultipleSpaces` | two or more white spaces become one space |
//! | `nospace` | `RemoveWhiteSpace` | ASCII white space is deleted |
//! | `tospace` | `RemoveWhiteSpace(replace_by_space=True)` | ASCII white space becomes spaces |
//! | `strip` | `Strip` | no white space at the ends |
//! | `jiwer-standardize` | `wer_standardize` | lower case, contractions, non-words, `tospace`, `spaces`, `strip` |
//!
//! jiwer's transformations of lists of sentences are readers and tokenizers in this crate. Source: jiwer
//! 4.0.0.

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
    step!("nonwords", "without the text in <..> or [..], brackets included", delete_brackets)
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

/// English contractions with their replacements. Each replacement is applied to the whole text before the
/// next one.
// The irregular forms are first, since `n't` would turn `won't` into `wo not`. `'t` is after `n't` for the
// same reason.
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
    // Every contraction has an apostrophe, so most texts are done after this search.
    if memchr::memchr(b'\'', text.as_bytes()).is_some() {
        for (contracted, full) in CONTRACTED {
            replace_where(text, spare, contracted, full, |_, _, _| true);
        }
    }
}

/// Replaces each run of two or more whitespace characters by one space; a single whitespace character is
/// unchanged.
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

// jiwer uses `string.whitespace` here, which is ASCII only, but the pattern `\s` in `spaces`.
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
