//! [`View`]: what a metric chosen at run time looks at.

use alloc::string::String;

use crate::{Case, TokenSpace};

/// What a metric looks at.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ViewKind {
    /// Numbers in place of tokens: equal for equal tokens within a segment, without meaning beyond it.
    Ids,
    /// The tokens themselves.
    Tokens,
    /// The text itself.
    Text,
}

impl ViewKind {
    /// The tokens of a metric that was told of none.
    pub(super) fn space(self) -> TokenSpace {
        match self {
            ViewKind::Ids | ViewKind::Tokens => TokenSpace::UNSPECIFIED,
            ViewKind::Text => TokenSpace::text(Case::Mixed),
        }
    }
}

/// What a metric wants to look at: the kind, and where it cares, the tokenizer and the case.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct View {
    /// Ids, tokens or text.
    pub kind: ViewKind,
    /// The tokenizer the metric is defined over; where there is none, its user chooses.
    pub tokenizer: Option<String>,
    /// The case the metric is defined over; where there is none, its user chooses.
    pub case: Option<Case>,
    /// Whether the metric is defined over just these tokens. Else they are its defaults, and a choice that its user makes
    /// for all metrics is taken instead.
    pub fixed: bool,
}

impl View {
    /// A view whose tokenizer and case the user chooses.
    pub(super) fn new(kind: ViewKind) -> Self {
        View { kind, tokenizer: None, case: None, fixed: false }
    }
}
