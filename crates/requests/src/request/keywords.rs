//! [`in_keywords`]: messages that name options as keywords, for interfaces without a command line.
//!
//! Readers and tokenizers write options as the program does, such as `--missing empty`. This module knows the options
//! of all formats, and writes the same options as Python's `from_files` takes them: `missing="empty"`.

use bleuprint::text::{Families, ReaderOption};

use crate::request::forms::FileForm;

/// Options of the tokens that `from_files` takes for every format.
const OF_TOKENS: [&str; 2] = ["tokenize", "norm"];

/// Replaces the options of the program in a message by keywords. Other words stay, also options of the program that
/// are not options of a format.
pub(crate) fn in_keywords(message: &str, families: &Families) -> String {
    let forms = FileForm::all(families);
    let mut written = String::new();
    let mut rest = message;
    while let Some(at) = rest.find("--") {
        let before = &rest[..at];
        written.push_str(before);
        let after = &rest[at + 2..];
        let begins_word =
            !before.ends_with(|character: char| character.is_alphanumeric() || character == '-');
        let end = after.find(|character: char| !(character.is_ascii_lowercase() || character == '-'));
        let name = &after[..end.unwrap_or(after.len())];
        let values = &after[name.len()..];
        match keyword(name, values, &forms).filter(|_| begins_word) {
            Some((keyword, value)) => {
                written.push_str(&keyword);
                rest = &values[value.len()..];
            }
            None => {
                written.push_str("--");
                rest = after;
            }
        }
    }
    written.push_str(rest);
    written
}

/// Returns the keyword for an option, and the part of `after` that is the option's value.
fn keyword<'m>(name: &str, after: &'m str, forms: &[FileForm]) -> Option<(String, &'m str)> {
    let word = after.strip_prefix(' ').unwrap_or_default();
    let word = word.split(|end: char| end.is_whitespace() || ",;)`".contains(end)).next().unwrap_or_default();
    let word = word.trim_end_matches([':', '.']);
    let with_word = &after[..word.len() + usize::from(!word.is_empty())];
    let is_placeholder = word.len() > 1 && word.chars().all(|character| character.is_ascii_uppercase());
    if forms.iter().any(|form| form.name == name) {
        let skipped = if is_placeholder { with_word } else { "" };
        return Some((format!("form=\"{name}\""), skipped));
    }
    let keyword = name.replace('-', "_");
    if OF_TOKENS.contains(&name) {
        return Some(if is_placeholder {
            (format!("{keyword}={word}"), with_word)
        } else {
            (format!("`{keyword}`"), "")
        });
    }
    let known: Vec<&ReaderOption> = forms
        .iter()
        .flat_map(|form| form.options.iter().copied())
        .filter(|option| option.name == name)
        .collect();
    let option = known.first()?;
    if option.value.is_none() {
        return Some((format!("{keyword}=True"), ""));
    }
    let is_choice = known.iter().any(|option| option.choices.contains(&word));
    Some(if is_choice || word.contains('=') {
        (format!("{keyword}=\"{word}\""), with_word)
    } else if is_placeholder {
        (format!("{keyword}={word}"), with_word)
    } else {
        (format!("`{keyword}`"), "")
    })
}

#[cfg(test)]
#[test]
fn options_of_formats_become_keywords() {
    let families = bleuprint::families();
    for (message, wanted) in [
        ("nobody speaks with --missing empty", "nobody speaks with missing=\"empty\""),
        ("--columns reference=b: there is no column", "columns=\"reference=b\": there is no column"),
        ("--columns names several", "`columns` names several"),
        (
            "the option --segments reads it; --plain reads",
            "the option form=\"segments\" reads it; plain=True reads",
        ),
        ("give --segments FILE, or", "give form=\"segments\", or"),
        ("with --encoding utf-8-sig it is", "with encoding=\"utf-8-sig\" it is"),
        ("score ids with --tokenize NAME.", "score ids with tokenize=NAME."),
        ("--bad-lines skip leaves out", "bad_lines=\"skip\" leaves out"),
        ("dict with `--dictionary`", "dict with `--dictionary`"),
        ("a--plain and --plain", "a--plain and plain=True"),
        ("--", "--"),
    ] {
        assert_eq!(in_keywords(message, &families), wanted);
    }
}
