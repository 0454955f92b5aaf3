//! [`View`]: the form of the data that a metric chosen at run time observes.

use core::fmt;

use bleuprint_core::{Case, TokenSpace};

use super::AnyForm;
use crate::prelude::*;

/// The form of the data that a metric observes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[expect(clippy::exhaustive_enums, reason = "closed: every door handles each")]
pub enum ViewKind {
    /// Ids in place of tokens: equal for equal tokens within a segment, without meaning beyond it.
    Ids,
    /// The tokens themselves.
    Tokens,
    /// The text itself.
    Text,
    /// Numbers in place of text, which other programs computed.
    Numbers,
    /// Vectors in place of text, which a model computed.
    Vectors,
    /// Data of the metric's own: see [`Form`](bleuprint_core::Form).
    Own,
}

/// The numbers of a segment: the view of metrics over values that other programs computed.
///
/// They stand in the order in which the metric names its columns ([`View::numbers`]). A missing one is NaN; without any
/// number the list may be empty.
pub type Numbers = [f64];

/// The numbers that a metric asks for, for doors that find them in files.
#[derive(Debug, Clone, Default, PartialEq)]
#[expect(clippy::exhaustive_structs, reason = "built with `..Default::default()`")]
pub struct NumberColumns {
    /// The columns, in the order of [`Numbers`].
    pub columns: Vec<String>,
    /// Words in place of numbers, as `PASS` for 1.
    pub words: Vec<(String, f64)>,
    /// A doubt about the numbers, for users to read once.
    pub note: Option<String>,
}

impl ViewKind {
    /// Whether the data come from outside the text: numbers or vectors computed elsewhere, or data of the metric's own.
    pub fn is_beside_text(self) -> bool {
        matches!(self, ViewKind::Numbers | ViewKind::Vectors | ViewKind::Own)
    }

    /// The data in a word, for messages.
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

    /// The token space of a metric until it is given one; a metric over a form names that itself.
    pub(super) fn space(self) -> TokenSpace {
        match self {
            ViewKind::Ids | ViewKind::Tokens | ViewKind::Own => TokenSpace::default(),
            ViewKind::Text => TokenSpace::text(Case::Mixed),
            ViewKind::Numbers => TokenSpace::NUMBERS,
            ViewKind::Vectors => TokenSpace::VECTORS,
        }
    }
}

/// The data that a metric asks for: the form and, where its definition has them, the tokenizer and the case.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct View {
    /// Ids, tokens, text, numbers, vectors or own data.
    pub kind: ViewKind,
    /// The tokenizer of the metric's definition; without one, its user chooses.
    pub tokenizer: Option<String>,
    /// The case of the metric's definition; without one, its user chooses.
    pub case: Option<Case>,
    /// The lower case of the program whose numbers the metric gives.
    pub lower_case: Case,
    /// Whether the definition fixes these tokens. Otherwise they are defaults, which give way to the user's choice for all
    /// metrics.
    pub fixed: bool,
    /// The numbers that a metric over numbers asks for.
    pub numbers: NumberColumns,
    /// The kind of texts with parts, as `sessions`, whose tokens the metric observes; a family brings it to the tokenizers.
    pub parted: Option<&'static str>,
    /// The form of the data, for a metric over data of its own.
    pub form: Option<AnyForm>,
}

impl View {
    /// A view whose tokenizer and case the user chooses.
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

/// The data in words, for messages: `text`, or `ranking` data with its fields.
impl fmt::Display for View {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.form {
            Some(form) => form.fmt(f),
            None => f.write_str(self.kind.in_words()),
        }
    }
}
