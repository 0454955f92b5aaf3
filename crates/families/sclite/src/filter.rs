//! The normalizers of GLM files: rfilter1's rules alone, and the whole of csrfilt.sh.

use bleuprint_core::ConfigError;
use bleuprint_text::{Normalizer, NormalizerEntry};

use crate::glm::Glm;

/// A filter with the rules of its file.
struct Filter {
    name: String,
    glm: Glm,
    rewrite: fn(&Glm, &str) -> String,
}

impl Normalizer for Filter {
    fn name(&self) -> &str {
        &self.name
    }

    fn normalize(&self, text: &mut String, _: &mut String) {
        *text = (self.rewrite)(&self.glm, text);
    }
}

fn filter(
    rewrite: fn(&Glm, &str) -> String,
    [name, path, text]: [&str; 3],
) -> Result<Box<dyn Normalizer>, ConfigError> {
    let glm = Glm::read(path, text).map_err(|error| ConfigError::Conflict(error.to_string()))?;
    Ok(Box::new(Filter { name: name.to_owned(), glm, rewrite }))
}

const fn agreeing(program: &'static str, mut entry: NormalizerEntry) -> NormalizerEntry {
    entry.agrees_with = program;
    entry
}

/// `glm=FILE`.
pub(crate) const RFILTER: NormalizerEntry = agreeing(
    "rfilter1 of sctk 2.4.10",
    NormalizerEntry::of_file("glm", "the rules of a GLM file (glm=FILE), and nothing else", |file| {
        filter(Glm::apply, file)
    }),
);

/// `csrfilt=FILE`.
pub(crate) const CSRFILT: NormalizerEntry = agreeing(
    "csrfilt.sh 1.17 of sctk 2.4.10",
    NormalizerEntry::of_file(
        "csrfilt",
        "upper case, then the rules of a GLM file (csrfilt=FILE), at the ends of a text and in parentheses too",
        |file| filter(|glm, text| csrfilt(glm, text, false), file),
    ),
);

/// `csrfilt-dh=FILE`.
pub(crate) const HYPHENS: NormalizerEntry = agreeing(
    "csrfilt.sh -dh 1.17 of sctk 2.4.10",
    NormalizerEntry::of_file("csrfilt-dh", "csrfilt=FILE with hyphens within words as spaces", |file| {
        filter(|glm, text| csrfilt(glm, text, true), file)
    }),
);

/// Pieces between white space of ASCII, with one space between them.
fn spaced(text: &str) -> String {
    text.split_ascii_whitespace().collect::<Vec<_>>().join(" ")
}

fn csrfilt(glm: &Glm, text: &str, hyphens: bool) -> String {
    let upper = spaced(text).to_ascii_uppercase();
    let padded = format!(" {} ", upper.replace('(', "( ").replace(')', " )"));
    let mut filtered = glm.apply(&padded);
    if hyphens {
        filtered = without_hyphens(&filtered);
    }
    spaced(&closed(&filtered))
}

/// Hyphens between two characters that are no spaces as spaces, from left to right.
fn without_hyphens(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text.chars().peekable();
    while let Some(c) = rest.next() {
        let within = c == '-' && !out.is_empty() && !out.ends_with(' ');
        out.push(if within && rest.peek().is_some_and(|next| *next != ' ') { ' ' } else { c });
    }
    out
}

/// Parentheses without the spaces in them. Several words behind one that opens have a pair each; the last of them keeps what
/// is open if another parenthesis follows.
fn closed(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, after)) = rest.split_once("( ") {
        let (inside, left) = after.split_at(after.find(['(', ')']).unwrap_or(after.len()));
        let words: Vec<&str> = inside.split_ascii_whitespace().collect();
        out.push_str(before);
        out.push('(');
        out.push_str(&words.join(") ("));
        if !words.is_empty() && inside.ends_with(' ') {
            out.push(' ');
        }
        rest = left;
    }
    out.push_str(rest);
    while let Some(space) = out.find(" )") {
        out.remove(space);
    }
    out
}
