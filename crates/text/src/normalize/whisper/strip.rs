//! Removal of marks, punctuation and symbols, which Whisper's English normalizer and its option for
//! diacritics share.
//!
//! Rule: the text becomes NFKD; then each character is handled by the first rule that applies.
//!
//! 1. A character in the caller's set of characters to keep is kept.
//! 2. A Latin letter without a decomposition, such as ø, is written in ASCII.
//! 3. A nonspacing mark is deleted.
//! 4. Another mark, punctuation or a symbol becomes a space.
//! 5. Any other character is kept.

use crate::normalize::classes;
use crate::normalize::forms::decompose;
use crate::normalize::text::rewrite;

/// The punctuation and symbols that are kept when a normalizer removes all others.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum KeptMarks {
    Nothing,
    /// The signs that are written with numbers, `. % $ ¢ € £`; only these are kept.
    OfNumbers,
}

pub(super) fn strip(text: &mut String, spare: &mut String, keep: KeptMarks) {
    let kept = |c: char| keep == KeptMarks::OfNumbers && matches!(c, '.' | '%' | '$' | '¢' | '€' | '£');
    rewrite(text, spare, |text, out| {
        out.reserve(text.len());
        for c in text.chars() {
            if c.is_ascii_alphanumeric() || c == ' ' {
                out.push(c);
            } else {
                // NFKD also sorts marks, but no mark is left, so decomposing one character at a time is
                // enough.
                decompose(c, |c| push(c, kept(c), out));
            }
        }
    });
}

#[inline]
fn push(c: char, kept: bool, out: &mut String) {
    if kept {
        out.push(c);
    } else if let Some(latin) = in_ascii(c) {
        out.push_str(latin);
    // A nonspacing mark is deleted: nothing is written.
    } else if classes::is_nonspacing(c) {
    } else if classes::is_mark(c) || classes::is_sign(c) {
        out.push(' ');
    } else {
        out.push(c);
    }
}

fn in_ascii(c: char) -> Option<&'static str> {
    Some(match c {
        'œ' => "oe",
        'Œ' => "OE",
        'ø' => "o",
        'Ø' => "O",
        'æ' => "ae",
        'Æ' => "AE",
        'ß' => "ss",
        'ẞ' => "SS",
        'đ' | 'ð' => "d",
        'Đ' | 'Ð' => "D",
        'þ' | 'Þ' => "th",
        'ł' => "l",
        'Ł' => "L",
        _ => return None,
    })
}
