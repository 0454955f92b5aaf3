//! Counts of prose: how many function docs begin with a verb, how many docs are fragments, and odd phrases.
//!
//! The counts find the worst places. They do not judge: a reader does.

use super::docs::{DocComment, comments, is_counted, reasons};
use crate::tidy::tree::TreeFile;

/// Plural nouns that look like verbs in the third person.
const PLURAL_NOUNS: &[&str] = &[
    "Always",
    "Bytes",
    "Characters",
    "Columns",
    "Counts",
    "Differences",
    "Edges",
    "Entries",
    "Errors",
    "Fields",
    "Files",
    "Groups",
    "Ids",
    "Items",
    "Its",
    "Keys",
    "Labels",
    "Lines",
    "Metrics",
    "Names",
    "Numbers",
    "Options",
    "Pairs",
    "Parts",
    "Positions",
    "Rows",
    "Samples",
    "Scores",
    "Segments",
    "Series",
    "Settings",
    "Speakers",
    "Statistics",
    "Steps",
    "Systems",
    "Tags",
    "Texts",
    "This",
    "Tokens",
    "Turns",
    "Units",
    "Values",
    "Weights",
    "Words",
];

/// A plural noun is a verb in front of one of these: "Counts the words", but "Counts of words".
const BEHIND_VERBS: &[&str] = &["the", "a", "an", "each", "every", "all", "how"];

/// First words of a sentence without a subject.
const FRAGMENTS: &[&str] = &[
    "As", "At", "Beside", "Beyond", "By", "For", "From", "If", "In", "Not", "Of", "On", "Only", "That",
    "Those", "To", "What", "Where", "Whether", "Which", "With", "Without",
];

/// Phrases that a reader stops at, in lower case.
const ODD_PHRASES: &[&str] = &[
    "that is none",
    "of its own",
    "of their own",
    "is of no",
    "are as many",
    "as many as there",
    "has the bits",
    "have the bits",
    "stand for",
    "stands for",
    "stand in",
    "stands in",
    "stand at",
    "stands at",
    "stand beside",
    "stands beside",
    "stand alone",
    "stands alone",
    "lie in",
    "lies in",
    "lie at",
    "lies at",
    "lie beside",
    "lies beside",
    "lie side",
    "lies side",
    "is told",
    "are told",
    "is asked",
    "are asked",
    "is said",
    "are said",
    "the one of",
    "those of",
    "that of",
    "go to",
    "goes to",
    "go into",
    "goes into",
    "go through",
    "goes through",
    "go over",
    "goes over",
    "go with",
    "goes with",
    "which is its",
    "which is their",
    "which are its",
    "which are their",
    "what is",
    "what are",
    "what it",
    "what they",
    "what a",
    "what the",
];

/// Counts of some files.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub(crate) struct ProseCounts {
    pub(crate) docs: usize,
    pub(crate) functions: usize,
    /// Docs of functions that begin with a verb.
    pub(crate) verbs: usize,
    /// Docs that begin as a fragment.
    pub(crate) fragments: usize,
    pub(crate) odd_phrases: usize,
    pub(crate) lines_of_code: usize,
    /// Lines of comments between lines of code.
    pub(crate) reasons: usize,
}

impl ProseCounts {
    /// Adds the comments of a file, unless they are not counted.
    pub(crate) fn add(&mut self, file: &TreeFile) {
        if !is_counted(file) {
            return;
        }
        for comment in comments(file) {
            let text = comment.text();
            self.docs += 1;
            self.fragments += usize::from(is_fragment(&text));
            self.odd_phrases += odd_phrases(&text);
            if comment.is_of_function() {
                self.functions += 1;
                self.verbs += usize::from(begins_with_verb(&text));
            }
        }
        let (code, comments) = reasons(file);
        self.lines_of_code += code;
        self.reasons += comments;
    }

    /// Returns the counts as shares: function docs with a verb in %, fragments in %, odd phrases a thousand docs, and reasons a
    /// thousand lines of code.
    pub(crate) fn shares(&self) -> [f64; 4] {
        // An empty folder has shares of 0, not NaN: the divisor is at least 1.
        let share = |part: usize, whole: usize, scale: f64| scale * part as f64 / whole.max(1) as f64;
        [
            share(self.verbs, self.functions, 100.0),
            share(self.fragments, self.docs, 100.0),
            share(self.odd_phrases, self.docs, 1000.0),
            share(self.reasons, self.lines_of_code, 1000.0),
        ]
    }
}

/// Returns how odd a comment is: its odd phrases, one for a fragment, and one for a function doc without a verb.
pub(crate) fn oddity(comment: &DocComment<'_>) -> usize {
    let text = comment.text();
    let silent = comment.is_of_function() && !begins_with_verb(&text);
    odd_phrases(&text) + usize::from(is_fragment(&text)) + usize::from(silent)
}

fn begins_with_verb(text: &str) -> bool {
    let stripped = text.trim_start_matches(['`', '[', '(']);
    let word = first_word(stripped);
    let mut letters = word.chars();
    let capital = letters.next().is_some_and(|c| c.is_ascii_uppercase());
    let rest = letters.as_str();
    let lower = rest.len() > 1 && rest.chars().all(|c| c.is_ascii_lowercase());
    if !capital || !lower || !word.ends_with('s') {
        return false;
    }
    let next = stripped[word.len()..].split_whitespace().next().unwrap_or("");
    let spaced = stripped[word.len()..].starts_with(' ');
    if spaced && first_word(next) == "of" {
        return false;
    }
    !PLURAL_NOUNS.contains(&word) || spaced && BEHIND_VERBS.contains(&next)
}

fn is_fragment(text: &str) -> bool {
    FRAGMENTS.contains(&first_word(text))
}

fn odd_phrases(text: &str) -> usize {
    let text = text.to_ascii_lowercase();
    ODD_PHRASES
        .iter()
        .map(|phrase| text.match_indices(phrase).filter(|(at, _)| is_whole(&text, *at, phrase)).count())
        .sum()
}

fn is_whole(text: &str, at: usize, phrase: &str) -> bool {
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    let before = text[..at].chars().next_back();
    let behind = text[at + phrase.len()..].chars().next();
    !before.is_some_and(is_word) && !behind.is_some_and(is_word)
}

fn first_word(text: &str) -> &str {
    let end = text.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(text.len());
    &text[..end]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn verbs_are_told_from_plural_nouns() {
        for text in ["Returns x.", "Counts the words.", "`Reads` x", "Passes"] {
            assert!(begins_with_verb(text), "{text}");
        }
        for text in
            ["Counts of words.", "Words.", "Rows in a table", "The sum", "Return x", "Passes of x", "ASCIIs"]
        {
            assert!(!begins_with_verb(text), "{text}");
        }
    }

    #[test]
    fn fragments_and_odd_phrases_are_whole_words() {
        assert!(is_fragment("Of work") && is_fragment("As, so") && !is_fragment("Offsets of"));
        assert_eq!(odd_phrases("What is told stands for those of others; somewhat is"), 4);
    }

    #[test]
    fn a_file_is_counted_once_a_comment() {
        let text = "//! A file.\n\n/// Of x.\nfn a() {}\n/// Returns x.\nfn b() {}\n// Why.\nfn c() {}\n";
        let mut counts = ProseCounts::default();
        counts.add(&TreeFile { path: "src/a.rs".to_owned(), text: text.to_owned() });
        let wanted = ProseCounts {
            docs: 3,
            functions: 2,
            verbs: 1,
            fragments: 1,
            odd_phrases: 0,
            lines_of_code: 3,
            reasons: 1,
        };
        assert_eq!(counts, wanted);
        assert_eq!(counts.shares()[0], 50.0);
    }
}
