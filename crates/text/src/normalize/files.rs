//! `words=FILE`, `regex=FILE`: replacements by a file of the user, jiwer's `SubstituteWords` and `SubstituteRegexes`.
//!
//! The file has a replacement a line: a text or pattern, a tab, and its replacement, a template of Python's `re.sub`
//! (`\1`, `\g<name>`, `\t`, `\\`). Empty lines are left out. Replacements are made in order, each over the whole text.
//!
//! * `words`: a literal text, with `\b` at both ends as Python has it.
//! * `regex`: a pattern of the crate `regex`, which runs in linear time. Look-around, back-references and patterns that match
//!   the empty text are refused. `\w`, `\d` and `\s` are Python's; `\b` counts marks among the letters, which
//!   Python does not, and no numbers but decimal digits, where Python counts `½`.
//!
//! The hash of the file is part of the name, as in `words#5f3a1c..`: other replacements are another normalizer.

use super::template::Template;
use super::text::{is_boundary, replace_where};
use super::{Normalizer, NormalizerEntry};
use crate::tokenize::hash;
use bleuprint_core::{ConfigError, Result};
use std::collections::HashMap;
use std::path::Path;

pub(super) const WORDS: NormalizerEntry =
    NormalizerEntry::new("words", "words replaced by those of FILE, a tab between", |file| {
        read(file, "words", word)
    })
    .takes_file()
    .aliases(&["SubstituteWords"])
    .agrees_with("jiwer 4.0.0");

pub(super) const REGEX: NormalizerEntry =
    NormalizerEntry::new("regex", "patterns replaced by templates of FILE, a tab between", build_regex)
        .takes_file()
        .aliases(&["SubstituteRegexes"])
        .agrees_with("jiwer 4.0.0")
        .needs("regex", cfg!(feature = "regex"));

pub(super) type Replace = Box<dyn Fn(&mut String, &mut String) + Send + Sync>;

struct Replacements {
    name: String,
    all: Vec<Replace>,
}

impl Normalizer for Replacements {
    fn name(&self) -> &str {
        &self.name
    }

    fn normalize(&self, text: &mut String, spare: &mut String) {
        self.all.iter().for_each(|replace| replace(text, spare));
    }
}

/// Reads a file, with a function from a pattern and its template to the replacement.
fn read(
    file: &Path,
    name: &str,
    replacement: fn(&str, &str) -> Result<Replace, String>,
) -> Result<Box<dyn Normalizer>, ConfigError> {
    let error = |reason: String| ConfigError::Resource {
        what: format!("the normalizer `{name}={}`", file.display()),
        reason,
        hint: "a file of UTF-8 with a replacement a line: what is replaced, a tab, what takes its place"
            .to_owned(),
    };
    let bytes = std::fs::read(file).map_err(|cause| error(cause.to_string()))?;
    let text = std::str::from_utf8(&bytes).map_err(|cause| error(cause.to_string()))?;
    let (mut all, mut lines) = (Vec::new(), HashMap::<&str, u64>::new());
    for (number, line) in (1..).zip(text.lines()).filter(|(_, line)| !line.is_empty()) {
        let in_line = |reason: String| error(format!("line {number}: {reason}"));
        let Some((old, new)) = line.split_once('\t').filter(|(old, _)| !old.is_empty()) else {
            return Err(in_line(format!("`{line}` is not a text, a tab and another text")));
        };
        if let Some(before) = lines.insert(old, number) {
            return Err(in_line(format!("`{old}` is replaced in line {before} already")));
        }
        all.push(replacement(old, new).map_err(in_line)?);
    }
    Ok(Box::new(Replacements { name: format!("{name}#{:016x}", hash(&bytes)), all }))
}

fn word(old: &str, new: &str) -> Result<Replace, String> {
    let new = Template::parse(new, &[])?.of_whole(old);
    let old = old.to_owned();
    Ok(Box::new(move |text, spare| {
        replace_where(text, spare, &old, &new, |text, start, end| {
            is_boundary(text, start) && is_boundary(text, end)
        });
    }))
}

#[cfg(not(feature = "regex"))]
fn build_regex(_: &Path) -> Result<Box<dyn Normalizer>, ConfigError> {
    Err(crate::tokenize::feature_missing("the normalizer `regex`", "regex"))
}

#[cfg(feature = "regex")]
fn build_regex(file: &Path) -> Result<Box<dyn Normalizer>, ConfigError> {
    read(file, "regex", super::pattern::replace)
}

#[cfg(test)]
mod tests {
    use crate::normalize::{Normalizer as _, Normalizers};

    fn build(kind: &str, content: &str) -> Result<crate::Chain, String> {
        let folder = bleuprint_testkit::Folder::new();
        let file = folder.file("steps", content);
        let built = Normalizers::default().build(&format!("{kind}={}", file.display()));
        built.map_err(|error| error.to_string())
    }

    #[test]
    fn words_are_replaced_in_order() {
        let words = build("words", "one\t1\n\nyou\ti\n're\t am\na\t(\\g<0>)\n").unwrap();
        assert_eq!(words.apply("one of you're are a done"), "1 of i am are (a) done");
        assert!(words.name().starts_with("words#") && words.name().len() == 22);
        assert_ne!(words.name(), build("words", "one\t2\n").unwrap().name());
    }

    #[test]
    fn a_word_has_one_replacement() {
        let error = build("words", "one\t1\ntwo\t2\none\t3\n").unwrap_err();
        assert!(error.contains("line 3: `one` is replaced in line 1 already"), "{error}");
    }

    #[cfg(feature = "regex")]
    #[test]
    fn patterns_are_replaced_by_templates() {
        let regex =
            build("regex", "doom\tsacr\n\\b(\\w+)ed\\b\t\\1\n(?P<a>\\d+)\\s+(\\d+)\t\\2-\\g<a>$1\n").unwrap();
        assert_eq!(regex.apply("doomed 1 2 3"), "sacr 2-1$1 3");
    }

    #[cfg(feature = "regex")]
    #[test]
    fn what_cannot_be_run_is_refused() {
        for (line, reason) in [
            ("(?<=a)b\tc", "line 1: `(?<=a)b` has look-around, which no engine of linear time runs"),
            ("(a)\\1\tc", "line 1: `(a)\\1` has a back-reference, which"),
            ("a*\tc", "line 1: `a*` matches the empty text"),
            ("(a\tc", "line 1: `(a` is no pattern: "),
            ("a\t\\1", "line 1: the template `\\1` names the group 1, which is not there"),
            ("a\t\\q", "line 1: the template `\\q` has `\\q`, which means nothing"),
            ("a", "line 1: `a` is not a text, a tab and another text"),
        ] {
            let error = build("regex", line).unwrap_err();
            assert!(error.contains(reason), "{error}");
        }
        let error = Normalizers::default().build("words=/no/such/file").unwrap_err().to_string();
        assert!(error.contains("the normalizer `words=/no/such/file`"), "{error}");
    }
}
