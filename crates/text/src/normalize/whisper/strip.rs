//! Marks and signs taken off: the part that Whisper's English normalizer and the option for diacritics share.
//!
//! Rule: NFKD; then a character is kept if it is of those to keep; written with ASCII if it is a Latin letter that does not
//! decompose; deleted if it is a nonspacing mark; a space if it is another mark, punctuation or a symbol; else kept.

use crate::normalize::classes;
use crate::normalize::forms::decompose;
use crate::normalize::text::rewrite;

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Keep {
    Nothing,
    /// Those of numbers: `. % $ ¢ € £`.
    OfNumbers,
}

pub(super) fn strip(text: &mut String, spare: &mut String, keep: Keep) {
    let kept = |c: char| keep == Keep::OfNumbers && matches!(c, '.' | '%' | '$' | '¢' | '€' | '£');
    rewrite(text, spare, |text, out| {
        out.reserve(text.len());
        for c in text.chars() {
            if c.is_ascii_alphanumeric() || c == ' ' {
                out.push(c);
            } else {
                // Nothing depends on the order of marks, none of which is left.
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
