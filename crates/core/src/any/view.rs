//! [`View`]: the form of the data that a metric chosen at run time observes.

use alloc::string::String;

use crate::{Case, TokenSpace};

/// The form of the data that a metric observes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ViewKind {
    /// Ids in place of tokens: equal for equal tokens within a segment, without meaning beyond it.
    Ids,
    /// The tokens themselves.
    Tokens,
    /// The text itself.
    Text,
}

impl ViewKind {
    /// The token space of a metric until it is given one.
    pub(super) fn space(self) -> TokenSpace {
        match self {
            ViewKind::Ids | ViewKind::Tokens => TokenSpace::UNSPECIFIED,
            ViewKind::Text => TokenSpace::text(Case::Mixed),
        }
    }
}

/// The data that a metric asks for: the form and, where its definition has them, the tokenizer and the case.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct View {
    /// Ids, tokens or text.
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
}

impl View {
    /// A view whose tokenizer and case the user chooses.
    pub(super) fn new(kind: ViewKind) -> Self {
        View { kind, tokenizer: None, case: None, lower_case: Case::Lower, fixed: false }
    }
}
