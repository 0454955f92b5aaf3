//! [`PageWords`]: aligned words, and the errors that are made most often, of metrics that count errors of words.

use serde::Serialize;

/// The texts as words under a metric, the alignments of all systems, and the most frequent errors.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct PageWords {
    /// The words are characters, written without spaces.
    pub characters: bool,
    /// Each reference of each segment; `None` if the text was left out.
    pub references: Vec<Vec<Option<PageTokens>>>,
    /// Each output of each system.
    pub hypotheses: Vec<Vec<Option<PageTokens>>>,
    /// The alignment of each output of each system.
    pub alignments: Vec<Vec<Option<PageAlignment>>>,
    /// The errors that are listed for some system, by kind and words.
    pub errors: Vec<PageError>,
}

/// The words of a text: one string with a space between words, or a list if words hold spaces.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(untagged)]
pub enum PageTokens {
    /// Words with a space between.
    Spaced(String),
    /// Any words.
    List(Vec<String>),
}

/// The number of the reference that an output is counted against, and the steps from there: runs of `=` (hits), `S`
/// (substitutions), `D` (deletions) and `I` (insertions), each after its length, as in `4=1S12=`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct PageAlignment(pub usize, pub String);

/// The kinds of errors.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
pub enum PageErrorKind {
    /// Another word in the place of one of the reference.
    #[serde(rename = "S")]
    Substitution,
    /// A word that the output lacks.
    #[serde(rename = "D")]
    Deletion,
    /// A word that the reference has not.
    #[serde(rename = "I")]
    Insertion,
}

/// An error of words, with its number in each system.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct PageError {
    /// Its kind.
    pub kind: PageErrorKind,
    /// The word of the reference; none of an insertion.
    pub reference: Option<String>,
    /// The word of the output; none of a deletion.
    pub hypothesis: Option<String>,
    /// Its count in each system.
    pub times: Vec<u64>,
    /// For each system, the count of the reference's word in the references that it is counted against; for an
    /// insertion, of the output's word.
    pub in_references: Vec<u64>,
}

impl PageErrorKind {
    /// Every kind.
    pub const ALL: [PageErrorKind; 3] =
        [PageErrorKind::Substitution, PageErrorKind::Deletion, PageErrorKind::Insertion];

    /// Its name, of several.
    pub fn name(self) -> &'static str {
        match self {
            PageErrorKind::Substitution => "substitutions",
            PageErrorKind::Deletion => "deletions",
            PageErrorKind::Insertion => "insertions",
        }
    }
}

impl PageTokens {
    /// The words of a text.
    pub fn from_tokens(tokens: &[&str]) -> Self {
        // Of no words and of one empty word the string would be the same.
        let plain = tokens.iter().all(|token| !token.is_empty() && !token.contains(' '));
        if plain {
            PageTokens::Spaced(tokens.join(" "))
        } else {
            PageTokens::List(tokens.iter().map(|&token| token.to_owned()).collect())
        }
    }
}

impl PageWords {
    /// The number of errors of each kind listed for a system.
    pub const MOST: usize = 15;

    /// The heading of the errors.
    pub fn title(&self) -> &'static str {
        if self.characters { "Errors by character" } else { "Errors by word" }
    }

    /// The errors of a kind that a system makes most often, as the page lists them; of equal ones the first.
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
