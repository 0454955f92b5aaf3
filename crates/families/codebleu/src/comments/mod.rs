//! Removes comments from programs before CodeBLEU compares syntax and data flow; n-grams keep comments.

mod c_like;
#[cfg(feature = "python")]
mod python;

use std::borrow::Cow;

use crate::Language;

pub(crate) fn strip(language: Language, text: &str) -> Cow<'_, str> {
    match language {
        #[cfg(feature = "ruby")]
        Language::Ruby => Cow::Borrowed(text),
        #[cfg(feature = "python")]
        Language::Python => python::strip(text),
        #[allow(unreachable_patterns)]
        _ => Cow::Owned(without_blank_lines(&c_like::strip(text))),
    }
}

/// Returns `true` for white space as Python defines it: Unicode's white space and four separators of ASCII.
pub(crate) fn is_space(c: char) -> bool {
    c.is_whitespace() || matches!(c, '\u{1c}'..='\u{1f}')
}

fn without_blank_lines(text: &str) -> String {
    let lines: Vec<&str> = text.split('\n').filter(|line| !line.chars().all(is_space)).collect();
    lines.join("\n")
}
