//! The normalizers `lower` and `upper`: lower and upper case as Python's `str.lower` and `str.upper` write it
//! (Unicode 14.0.0), including mappings to several letters.
//!
//! Source: CPython 3.11.7.

use super::{NormalizerEntry, classes, step};

pub(super) const LOWER: NormalizerEntry = step!("lower", "lower case, as Python's", lower)
    .aliases(&["ToLowerCase"])
    .agrees_with("CPython 3.11, jiwer 4.0.0 ToLowerCase");
pub(super) const UPPER: NormalizerEntry = step!("upper", "upper case, as Python's", upper)
    .aliases(&["ToUpperCase"])
    .agrees_with("CPython 3.11, jiwer 4.0.0 ToUpperCase");

pub(super) fn lower(text: &mut String, spare: &mut String) {
    crate::lowercase::lowercase(text, spare);
    std::mem::swap(text, spare);
}

/// Rewrites the text in upper case as Python 3.11 does. Letters whose upper case was assigned after Unicode
/// 14.0.0 are unchanged.
fn upper(text: &mut String, spare: &mut String) {
    spare.clear();
    for c in text.chars() {
        let later = classes::is_unassigned(c) || c.to_uppercase().any(classes::is_unassigned);
        if later {
            spare.push(c);
        } else {
            spare.extend(c.to_uppercase());
        }
    }
    std::mem::swap(text, spare);
}
