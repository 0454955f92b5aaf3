//! [`View`]: the kind of input that a metric chosen at run time observes, such as text, tokens or numbers.

use core::fmt;

use bleuprint_core::{Case, TokenSpace};

use super::AnyForm;
use crate::prelude::*;

/// The kind of input that a metric observes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[expect(clippy::exhaustive_enums, reason = "closed: every interface handles each")]
pub enum ViewKind {
    /// The metric observes tokens as numeric ids. Equal tokens of a segment have equal ids; ids of different
    /// segments are unrelated.
    Ids,
    /// The metric observes the tokens of texts, as strings.
    Tokens,
    /// The metric observes whole texts, not split into tokens.
    Text,
    /// The metric observes numbers that other programs computed, without any text.
    Numbers,
    /// The metric observes embedding vectors that a model computed, without any text.
    Vectors,
    /// The metric observes structured data of a type that it defines, such as a ranking: see
    /// [`Form`](bleuprint_core::Form).
    Own,
}

/// Input numbers of one segment, for metrics over values that other programs computed.
///
/// They are in the order of the metric's columns ([`View::numbers`]). A missing number is NaN. The slice may
/// be empty if no number is known.
pub type Numbers = [f64];

/// Description of the input numbers that a metric needs, for code that reads them from files.
#[derive(Debug, Clone, Default, PartialEq)]
#[expect(clippy::exhaustive_structs, reason = "built with `..Default::default()`")]
pub struct NumberColumns {
    /// Names of the input columns that hold the numbers, in the order of [`Numbers`].
    pub columns: Vec<String>,
    /// Words in the input that are read as numbers, such as `PASS` for 1.
    pub words: Vec<(String, f64)>,
    /// Caveat about the input numbers, to be shown to users once.
    pub note: Option<String>,
}

impl ViewKind {
    /// Returns `true` if the input is not text: numbers, vectors, or structured data that the metric defines.
    pub fn is_beside_text(self) -> bool {
        matches!(self, ViewKind::Numbers | ViewKind::Vectors | ViewKind::Own)
    }

    /// Returns a short name of the kind of input for messages, such as "ids of tokens".
    pub(super) fn in_words(self) -> &'static str {
        match self {
            ViewKind::Ids => "ids of tokens",
            ViewKind::Tokens => "tokens",
            ViewKind::Text => "text",
            ViewKind::Numbers => "numbers",
            ViewKind::Vectors => "vectors",
            ViewKind::Own => "data of a form",
        }
    }

    /// Returns the default name of the tokenization (token space) of metrics with this kind of input. A
    /// metric over structured data sets the name itself.
    pub(super) fn space(self) -> TokenSpace {
        match self {
            ViewKind::Ids | ViewKind::Tokens | ViewKind::Own => TokenSpace::default(),
            ViewKind::Text => TokenSpace::text(Case::Mixed),
            ViewKind::Numbers => TokenSpace::NUMBERS,
            ViewKind::Vectors => TokenSpace::VECTORS,
        }
    }
}

/// Input that a metric needs: its kind and, if the metric's definition fixes them, tokenizer and
/// lower-casing.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct View {
    /// Kind of input that the metric observes, such as text or tokens.
    pub kind: ViewKind,
    /// Name of the tokenizer that the metric's definition requires or uses by default; `None` lets the user
    /// choose.
    pub tokenizer: Option<String>,
    /// Lower-casing that the metric's definition requires or uses by default; `None` lets the user choose.
    pub case: Option<Case>,
    /// Kind of lower-casing (all letters, or A to Z) in the program whose scores the metric reproduces.
    pub lower_case: Case,
    /// `true` if the metric's definition fixes tokenizer and lower-casing. Otherwise they are defaults, which
    /// a user's choice for all metrics overrides.
    pub fixed: bool,
    /// Input columns that a metric over numbers needs.
    pub numbers: NumberColumns,
    /// Kind of multi-part text whose tokens the metric observes, such as `sessions`. The crate that defines
    /// the metric provides a tokenizer for it.
    pub parted: Option<&'static str>,
    /// Reader of the structured input, for a metric that defines the type of its input.
    pub form: Option<AnyForm>,
    /// Likely mistakes in the data that the metric has observed.
    pub remarks: DataRemarks,
}

/// Likely mistakes in the data that a metric has observed, such as an option that names an absent label. They
/// change no number; interfaces show them after counting.
///
/// ```
/// use bleuprint_registry::DataRemarks;
/// let remarks = DataRemarks::new(|| vec!["no label `a` occurs".to_owned()]);
/// assert_eq!(remarks.sentences(), ["no label `a` occurs"]);
/// assert!(DataRemarks::default().sentences().is_empty());
/// ```
#[derive(Clone, Default)]
pub struct DataRemarks(Option<Arc<dyn Fn() -> Vec<String> + Send + Sync>>);

impl DataRemarks {
    /// Creates remarks that a function makes when interfaces ask for them.
    pub fn new(sentences: impl Fn() -> Vec<String> + Send + Sync + 'static) -> Self {
        DataRemarks(Some(Arc::new(sentences)))
    }

    /// Returns `true` if the metric makes remarks about its data; most metrics do not.
    pub fn is_made(&self) -> bool {
        self.0.is_some()
    }

    /// Returns the remarks about all data that was observed so far, each a sentence.
    pub fn sentences(&self) -> Vec<String> {
        self.0.as_ref().map(|sentences| sentences()).unwrap_or_default()
    }
}

impl fmt::Debug for DataRemarks {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("DataRemarks")
    }
}

/// Any two values are equal, because remarks do not belong to a metric's input.
impl PartialEq for DataRemarks {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

/// A choice about the text that a user can make for all metrics at once.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[expect(clippy::exhaustive_enums, reason = "closed: the steps from text to tokens")]
pub enum TextChoice {
    /// The tokenizer, which splits the text.
    Tokenizer,
    /// The case, which changes the letters of the text.
    Case,
    /// The normalizer, which rewrites the text.
    Normalizer,
}

impl View {
    /// Returns `true` if a tokenizer, case or normalizer that the user chooses for all metrics at once
    /// changes the input of this metric. Returns `false` for metrics over data other than text, for a
    /// tokenizer if the metric takes whole texts, and for a tokenizer or case that the metric's definition
    /// fixes.
    pub fn follows(&self, choice: TextChoice) -> bool {
        !self.kind.is_beside_text()
            && match choice {
                TextChoice::Tokenizer => {
                    self.kind != ViewKind::Text && !(self.fixed && self.tokenizer.is_some())
                }
                TextChoice::Case => !(self.fixed && self.case.is_some()),
                TextChoice::Normalizer => true,
            }
    }

    /// Returns `true` if metrics with the views `self` and `other` observe the same input: the same kind of
    /// data and, for text, the same tokens. Statistics that one observed are then suitable for the other.
    pub fn observes_like(&self, other: &Self) -> bool {
        let numbers = NumberColumns { note: other.numbers.note.clone(), ..self.numbers.clone() };
        *other == View { numbers, ..self.clone() }
    }

    /// Creates the description of a metric's input; the user chooses tokenizer and lower-casing.
    pub(super) fn new(kind: ViewKind) -> Self {
        View {
            kind,
            tokenizer: None,
            case: None,
            lower_case: Case::Lower,
            fixed: false,
            numbers: NumberColumns::default(),
            parted: None,
            form: None,
            remarks: DataRemarks::default(),
        }
    }
}

/// Prints the kind of input for messages: `text`, or the name of a structured input type with its fields.
impl fmt::Display for View {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.form {
            Some(form) => form.fmt(f),
            None => f.write_str(self.kind.in_words()),
        }
    }
}
