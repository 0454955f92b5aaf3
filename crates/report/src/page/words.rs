//! [`PageWords`]: aligned words and the most frequent errors, for metrics that count errors of words.

use serde::Serialize;

/// Texts as words under a metric, alignments of all systems, and the most frequent errors.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct PageWords {
    /// `true` if the words are characters, which are written without spaces.
    pub characters: bool,
    /// Words of each reference of each segment; `None` if the text was left out.
    pub references: Vec<Vec<Option<PageTokens>>>,
    /// Words of each output of each system; `None` if the text was left out.
    pub hypotheses: Vec<Vec<Option<PageTokens>>>,
    /// Alignment of each output of each system.
    pub alignments: Vec<Vec<Option<PageAlignment>>>,
    /// Errors that are listed for at least one system, ordered by kind and words.
    pub errors: Vec<PageError>,
}

/// Words of a text: one string with spaces between words, or a list if a word contains a space.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(untagged)]
pub enum PageTokens {
    /// Words separated by spaces.
    Spaced(String),
    /// Any words, as a list.
    List(Vec<String>),
}

/// Index of the reference that an output is compared with, and the edit steps from that reference. Steps are
/// runs of `=` (hits), `S` (substitutions), `D` (deletions) and `I` (insertions), each after its length, as
/// in `4=1S12=`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct PageAlignment(pub usize, pub String);

/// Kind of a word error.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
pub enum PageErrorKind {
    /// Another word in place of a reference word.
    #[serde(rename = "S")]
    Substitution,
    /// Reference word that the output lacks.
    #[serde(rename = "D")]
    Deletion,
    /// Output word that the reference lacks.
    #[serde(rename = "I")]
    Insertion,
}

/// Word error, with the number of times that each system makes it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct PageError {
    /// Kind of the error.
    pub kind: PageErrorKind,
    /// Word of the reference; `None` for an insertion.
    pub reference: Option<String>,
    /// Word of the output; `None` for a deletion.
    pub hypothesis: Option<String>,
    /// Number of times that each system makes the error.
    pub times: Vec<u64>,
    /// Counts for each system: the number of times that the reference word occurs in the references it is compared
    /// with. For an insertion, the output word is counted instead.
    pub in_references: Vec<u64>,
}

impl PageErrorKind {
    /// All kinds of errors.
    pub const ALL: [PageErrorKind; 3] =
        [PageErrorKind::Substitution, PageErrorKind::Deletion, PageErrorKind::Insertion];

    /// Returns the plural name of the kind.
    pub fn name(self) -> &'static str {
        match self {
            PageErrorKind::Substitution => "substitutions",
            PageErrorKind::Deletion => "deletions",
            PageErrorKind::Insertion => "insertions",
        }
    }
}

impl PageTokens {
    /// Creates the words of a text from its tokens.
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
    /// Number of errors of each kind that are listed for a system.
    pub const MOST: usize = 15;

    /// Returns the heading of the list of errors.
    pub fn title(&self) -> &'static str {
        if self.characters { "Errors by character" } else { "Errors by word" }
    }

    /// Returns the errors of a kind that a system makes most often, as the page lists them; ties keep their
    /// order.
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
