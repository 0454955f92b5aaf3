//! [`PageWords`]: aligned words and the most frequent word errors, for metrics such as WER.

use serde::Serialize;

/// Words of all texts as a metric splits them, their alignments, and the most frequent word errors.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct PageWords {
    /// `true` if each "word" is a single character, so that texts are shown without spaces between words.
    pub characters: bool,
    /// Words of each reference, in one list for each segment; `None` if the text was left out of the report.
    pub references: Vec<Vec<Option<PageTokens>>>,
    /// Words of the outputs for all segments, in one list for each system; `None` if the text was left out of
    /// the report.
    pub hypotheses: Vec<Vec<Option<PageTokens>>>,
    /// Alignments of the outputs with references: one list for each system, with one alignment for each
    /// segment.
    pub alignments: Vec<Vec<Option<PageAlignment>>>,
    /// Word errors that are listed for at least one system, sorted by kind and words.
    pub errors: Vec<PageError>,
}

/// Words of a text, stored as one string with spaces between words, or as a list if a word contains a space.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(untagged)]
pub enum PageTokens {
    /// Words joined by spaces in one string; no word contains a space.
    Spaced(String),
    /// List of words, any of which may contain spaces.
    List(Vec<String>),
}

/// Index of the reference that an output is compared with, and the edits that turn this reference into the
/// output. Edits are runs of `=` (hits), `S` (substitutions), `D` (deletions) and `I` (insertions), each
/// after its length, as in `4=1S12=`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct PageAlignment(pub usize, pub String);

/// Kind of a word error: substitution, deletion or insertion.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
pub enum PageErrorKind {
    /// Output word that replaces a different reference word.
    #[serde(rename = "S")]
    Substitution,
    /// Reference word that is missing from the output.
    #[serde(rename = "D")]
    Deletion,
    /// Output word that is missing from the reference.
    #[serde(rename = "I")]
    Insertion,
}

/// Word error of one kind, with the number of times that each system makes it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct PageError {
    /// Kind of the error: substitution, deletion or insertion.
    pub kind: PageErrorKind,
    /// Reference word that the output gets wrong; `None` for an insertion.
    pub reference: Option<String>,
    /// Wrong word in the output; `None` for a deletion.
    pub hypothesis: Option<String>,
    /// Number of times that each system makes this word error.
    pub times: Vec<u64>,
    /// Number of times that the reference word occurs, for each system, in the references with which its
    /// outputs are aligned. For an insertion, the occurrences of the inserted word are counted.
    pub in_references: Vec<u64>,
}

impl PageErrorKind {
    /// All kinds of word errors, in the order in which reports list them.
    pub const ALL: [PageErrorKind; 3] =
        [PageErrorKind::Substitution, PageErrorKind::Deletion, PageErrorKind::Insertion];

    /// Returns the plural name of this kind of error, such as `substitutions`.
    pub fn name(self) -> &'static str {
        match self {
            PageErrorKind::Substitution => "substitutions",
            PageErrorKind::Deletion => "deletions",
            PageErrorKind::Insertion => "insertions",
        }
    }
}

impl PageTokens {
    /// Creates the stored words of a text from its tokens: one string if no token contains a space, otherwise
    /// a list.
    pub fn from_tokens(tokens: &[&str]) -> Self {
        // No words and one empty word would give the same string.
        let plain = tokens.iter().all(|token| !token.is_empty() && !token.contains(' '));
        if plain {
            PageTokens::Spaced(tokens.join(" "))
        } else {
            PageTokens::List(tokens.iter().map(|&token| token.to_owned()).collect())
        }
    }
}

impl PageWords {
    /// Largest number of word errors of each kind listed for a system.
    pub const MOST: usize = 15;

    /// Returns the heading of the report's list of word errors.
    pub fn title(&self) -> &'static str {
        if self.characters { "Errors by character" } else { "Errors by word" }
    }

    /// Returns the indices of the errors of one kind that a system makes most often. Ties keep the order of
    /// `errors`.
    ///
    /// ```
    /// use bleuprint_report::page::{PageError, PageErrorKind, PageWords};
    /// let deleted = |word: &str, times| PageError {
    ///     kind: PageErrorKind::Deletion,
    ///     reference: Some(word.to_owned()),
    ///     hypothesis: None,
    ///     times: vec![times],
    ///     in_references: vec![9],
    /// };
    /// let errors = vec![deleted("a", 1), deleted("an", 0), deleted("the", 2)];
    /// let (references, hypotheses, alignments) = (Vec::new(), Vec::new(), Vec::new());
    /// let words = PageWords { characters: false, references, hypotheses, alignments, errors };
    /// assert_eq!(words.listed(0, PageErrorKind::Deletion), [2, 0]);
    /// ```
    pub fn listed(&self, system: usize, kind: PageErrorKind) -> Vec<usize> {
        let times = |error: usize| self.errors[error].times.get(system).copied().unwrap_or(0);
        let of_kind = |error: &usize| self.errors[*error].kind == kind && times(*error) > 0;
        let mut all: Vec<usize> = (0..self.errors.len()).filter(of_kind).collect();
        all.sort_by_key(|&error| std::cmp::Reverse(times(error)));
        all.truncate(Self::MOST);
        all
    }
}
