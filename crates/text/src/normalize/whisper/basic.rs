//! The normalizer `whisper-basic` and its options: Whisper's normalizer for languages other than English.
//!
//! Rule, in this order:
//!
//! 1. The text becomes lower case.
//! 2. `<..>` and `[..]` are deleted, then `(..)`.
//! 3. The text becomes NFKC.
//! 4. Marks, punctuation and symbols become spaces.
//! 5. The text becomes lower case again.
//! 6. Each run of whitespace becomes one space.

use super::strip::{KeptMarks, strip};
use crate::normalize::forms::NormalizationForm;
use crate::normalize::letters::lower;
use crate::normalize::text::{collapse, delete_brackets, delete_parentheses, rewrite};
use crate::normalize::{NormalizerEntry, classes, step};
use unicode_segmentation::UnicodeSegmentation as _;

const PROGRAM: &str = "openai-whisper 20250625";

pub(in crate::normalize) const BASIC: NormalizerEntry = step!(
    "whisper-basic",
    "Whisper's normalizer for other languages: marks, vowel signs among them, become spaces",
    |text, spare| { basic(text, spare, WhisperMarks::ToSpaces) }
)
.agrees_with(PROGRAM);
pub(in crate::normalize) const BASIC_MARKS: NormalizerEntry = step!(
    "whisper-basic-marks",
    "whisper-basic, with marks kept",
    |text, spare| basic(text, spare, WhisperMarks::Kept)
)
.agrees_with("whisper-normalizer 0.1.15 with preserve_marks");
pub(in crate::normalize) const BASIC_ASCII: NormalizerEntry =
    step!("whisper-basic-ascii", "whisper-basic, with Latin letters stripped to ASCII", |text, spare| {
        basic(text, spare, WhisperMarks::Stripped)
    })
    .agrees_with("openai-whisper 20250625 with remove_diacritics");
pub(in crate::normalize) const BASIC_LETTERS: NormalizerEntry =
    step!("whisper-basic-letters", "whisper-basic, with a space between letters", |text, spare| {
        basic(text, spare, WhisperMarks::ToSpaces);
        split_letters(text, spare);
    })
    .agrees_with("openai-whisper 20250625 with split_letters");

#[derive(Clone, Copy)]
pub(super) enum WhisperMarks {
    ToSpaces,
    Kept,
    Stripped,
}

pub(super) fn basic(text: &mut String, spare: &mut String, marks: WhisperMarks) {
    lower(text, spare);
    delete_brackets(text, spare);
    delete_parentheses(text, spare);
    match marks {
        WhisperMarks::Stripped => {
            strip(text, spare, KeptMarks::Nothing);
            // Decomposition may give capitals, such as the letters of `℡`.
            lower(text, spare);
        }
        WhisperMarks::ToSpaces | WhisperMarks::Kept => {
            let changed = NormalizationForm::Nfkc.rewrite(text, spare);
            let becomes_space = match marks {
                WhisperMarks::Kept => classes::is_sign,
                _ => |c| classes::is_sign(c) || classes::is_mark(c),
            };
            replace_by_spaces(text, spare, becomes_space);
            // NFKC may give capitals, such as the letters of `℡`. If it changed nothing, the text is still in
            // lower case.
            if changed {
                lower(text, spare);
            }
        }
    }
    collapse(text, spare);
}

fn replace_by_spaces(text: &mut String, spare: &mut String, becomes_space: fn(char) -> bool) {
    rewrite(text, spare, |text, out| {
        out.reserve(text.len());
        let mut copied = 0;
        for (at, c) in text.char_indices() {
            // Letters, digits and spaces of ASCII never change; this test keeps them from the look-up in the
            // table.
            if !c.is_ascii_alphanumeric() && c != ' ' && becomes_space(c) {
                out.push_str(&text[copied..at]);
                out.push(' ');
                copied = at + c.len_utf8();
            }
        }
        out.push_str(&text[copied..]);
    });
}

/// Writes a space between the grapheme clusters of the text, then reduces each run of whitespace to one
/// space.
fn split_letters(text: &mut String, spare: &mut String) {
    rewrite(text, spare, |text, out| {
        for (index, cluster) in text.graphemes(true).enumerate() {
            if index > 0 {
                out.push(' ');
            }
            out.push_str(cluster);
        }
    });
    collapse(text, spare);
}
