//! [`View`]: the kind of data that a metric chosen at run time observes.

use core::fmt;

use bleuprint_core::{Case, TokenSpace};

use super::AnyForm;
use crate::prelude::*;

/// The kind of data that a metric observes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[expect(clippy::exhaustive_enums, reason = "closed: every door handles each")]
pub enum ViewKind {
    /// Token ids instead of tokens. Equal tokens of a segment have equal ids; ids of different segments are
    /// unrelated.
    Ids,
    /// The tokens of the text themselves.
    Tokens,
    /// The whole text, not split into tokens.
    Text,
    /// Numbers that other programs computed, instead of text.
    Numbers,
    /// Embedding vectors that a model computed, instead of text.
    Vectors,
    /// Data of a type that the metric defines: see [`Form`](bleuprint_core::Form).
    Own,
}

/// Numbers of a segment, for metrics over values that other programs computed.
///
/// They are in the order of the metric's columns ([`View::numbers`]). A missing number is NaN. The slice may
/// be empty if no number is known.
pub type Numbers = [f64];

/// The numbers that a metric needs, described for readers of files.
#[derive(Debug, Clone, Default, PartialEq)]
#[expect(clippy::exhaustive_structs, reason = "built with `..Default::default()`")]
pub struct NumberColumns {
    /// Names of the columns of numbers, in the order of [`Numbers`].
    pub columns: Vec<String>,
    /// Words in the input that are read as numbers, such as `PASS` for 1.
    pub words: Vec<(String, f64)>,
    /// Caveat about the numbers that users should see once.
    pub note: Option<String>,
}

impl ViewKind {
    /// Returns `true` if the data does not come from the text: numbers, vectors, or data of a metric's own
    /// form.
    pub fn is_beside_text(self) -> bool {
        matches!(self, ViewKind::Numbers | ViewKind::Vectors | ViewKind::Own)
    }

    /// Returns a short name of the data for messages.
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

    /// Returns the token space of a metric for which none was set. A metric over a form names its space
    /// itself.
    pub(super) fn space(self) -> TokenSpace {
        match self {
            ViewKind::Ids | ViewKind::Tokens | ViewKind::Own => TokenSpace::default(),
            ViewKind::Text => TokenSpace::text(Case::Mixed),
            ViewKind::Numbers => TokenSpace::NUMBERS,
            ViewKind::Vectors => TokenSpace::VECTORS,
        }
    }
}

/// The data that a metric needs: its kind and, if the definition fixes them, tokenizer and case.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct View {
    /// Kind of data that the metric observes.
    pub kind: ViewKind,
    /// Tokenizer of the metric's definition; `None` lets the user choose.
    pub tokenizer: Option<String>,
    /// Case of the metric's definition; `None` lets the user choose.
    pub case: Option<Case>,
    /// Kind of lower-casing in the program whose numbers the metric reproduces.
    pub lower_case: Case,
    /// `true` if the definition fixes tokenizer and case. Otherwise they are defaults, which a user's choice
    /// for all metrics overrides.
    pub fixed: bool,
    /// Columns that a metric over numbers needs.
    pub numbers: NumberColumns,
    /// Kind of multi-part text whose tokens the metric observes, such as `sessions`. The metric's family
    /// provides a tokenizer for it.
    pub parted: Option<&'static str>,
    /// Form of the data, for a metric that defines the type of its data.
    pub form: Option<AnyForm>,
}

impl View {
    /// Creates the description of a metric's data for which the user chooses tokenizer and case.
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
        }
    }
}

/// Prints the data for messages: `text`, or a form with its fields.
impl fmt::Display for View {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.form {
            Some(form) => form.fmt(f),
            None => f.write_str(self.kind.in_words()),
        }
    }
}
