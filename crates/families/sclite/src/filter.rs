//! Text normalizers that apply a GLM file (NIST's replacement rules for transcripts): the rules alone as
//! rfilter1 applies them, or all steps of csrfilt.sh.

use bleuprint_core::ConfigError;
use bleuprint_text::{Normalizer, NormalizerEntry};

use crate::glm::Glm;

/// Text normalizer that applies the replacement rules of a GLM file, sclite's global map of spellings.
struct GlmFilter {
    name: String,
    glm: Glm,
    rewrite: fn(&Glm, &str) -> String,
}

impl Normalizer for GlmFilter {
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
    Ok(Box::new(GlmFilter { name: name.to_owned(), glm, rewrite }))
}

const fn agreeing(program: &'static str, mut entry: NormalizerEntry) -> NormalizerEntry {
    entry.agrees_with = program;
    entry
}

/// Registry entry of the text normalizer `glm=FILE`. It applies the replacement rules of a GLM file (a global
/// map of spellings), like NIST's program rfilter1.
pub(crate) const RFILTER: NormalizerEntry = agreeing(
    "rfilter1 of sctk 2.4.10",
    NormalizerEntry::of_file("glm", "the rules of a GLM file (glm=FILE), and nothing else", |file| {
        filter(Glm::apply, file)
    }),
);

/// Registry entry of the text normalizer `csrfilt=FILE`. It converts a text to upper case and applies the
/// replacement rules of a GLM file (a global map of spellings), like NIST's script csrfilt.sh.
pub(crate) const CSRFILT: NormalizerEntry = agreeing(
    "csrfilt.sh 1.17 of sctk 2.4.10",
    NormalizerEntry::of_file(
        "csrfilt",
        "upper case, then the rules of a GLM file (csrfilt=FILE), also at the ends of a text and in parentheses",
        |file| filter(|glm, text| csrfilt(glm, text, false), file),
    ),
);

/// Registry entry of the text normalizer `csrfilt-dh=FILE`, like NIST's `csrfilt.sh -dh`. It converts a text
/// to upper case, applies the replacement rules of a GLM file, and replaces hyphens within words by spaces.
pub(crate) const HYPHENS: NormalizerEntry = agreeing(
    "csrfilt.sh -dh 1.17 of sctk 2.4.10",
    NormalizerEntry::of_file(
        "csrfilt-dh",
        "like csrfilt=FILE, but hyphens within words become spaces",
        |file| filter(|glm, text| csrfilt(glm, text, true), file),
    ),
);

/// Splits a text at ASCII white space and returns the pieces joined by single spaces.
fn spaced(text: &str) -> String {
    text.split_ascii_whitespace().collect::<Vec<_>>().join(" ")
}

fn csrfilt(glm: &Glm, text: &str, hyphens: bool) -> String {
    let upper = spaced(text).to_ascii_uppercase();
    // Rules have contexts of spaces, so the text gets a space at both ends and inside parentheses.
    let padded = format!(" {} ", upper.replace('(', "( ").replace(')', " )"));
    let mut filtered = glm.apply(&padded);
    if hyphens {
        filtered = without_hyphens(&filtered);
    }
    spaced(&closed(&filtered))
}

/// Replaces each hyphen between two characters that are not spaces by a space, from left to right.
fn without_hyphens(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text.chars().peekable();
    while let Some(c) = rest.next() {
        // The output is tested, not the input: a hyphen that became a space protects the next one.
        let within = c == '-' && !out.is_empty() && !out.ends_with(' ');
        out.push(if within && rest.peek().is_some_and(|next| *next != ' ') { ' ' } else { c });
    }
    out
}

/// Removes the spaces inside parentheses, which mark optional words. Each word in parentheses gets a separate
/// pair: `( a b )` becomes `(a) (b)`. A parenthesis that is not closed before the next one opens stays open.
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
