//! [`TokenSpace`]: the name of the tokens that are counted. [`Case`]: the case of the text before.

use alloc::borrow::Cow;
use alloc::string::String;
use core::str::FromStr;

use crate::ConfigError;

/// Whether the text was lower-cased before it was cut into tokens.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub enum Case {
    /// As written; `case:mixed`.
    #[default]
    Mixed,
    /// Lower-cased; `case:lc`.
    Lower,
    /// The letters A to Z lower-cased and no others, as Perl's scripts over bytes do; `case:lc-ascii`.
    LowerAscii,
}

impl Case {
    /// Every case.
    pub const ALL: [Case; 3] = [Case::Mixed, Case::Lower, Case::LowerAscii];

    /// The value of `case:` in signatures and state keys.
    pub fn as_str(self) -> &'static str {
        match self {
            Case::Mixed => "mixed",
            Case::Lower => "lc",
            Case::LowerAscii => "lc-ascii",
        }
    }
}

impl FromStr for Case {
    type Err = ConfigError;

    fn from_str(text: &str) -> Result<Self, ConfigError> {
        let known = Case::ALL.into_iter().find(|case| case.as_str() == text);
        known.ok_or_else(|| ConfigError::unknown_name("case", text, Case::ALL.map(Case::as_str)))
    }
}

/// The name of the tokens: a label from the caller, and the case. Counts of different token spaces never merge.
///
/// The label is a tokenizer's name (`13a`, `char`), that of a vocabulary (`hf:5f2c..`), or the caller's own; the
/// default is `unspecified`. Text that is not cut into tokens at all is [`TokenSpace::text`].
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct TokenSpace {
    label: Cow<'static, str>,
    case: Case,
}

/// The label of text that is not cut into tokens.
const TEXT: &str = "text";
/// The label of tokens without a name.
const UNSPECIFIED: &str = "unspecified";
/// What separates the parts of a composite key or signature.
pub(crate) const PART_SEPARATOR: &str = " + ";

impl TokenSpace {
    /// Tokens without a name.
    pub(crate) const UNSPECIFIED: TokenSpace =
        TokenSpace { label: Cow::Borrowed(UNSPECIFIED), case: Case::Mixed };

    /// A token space with this label.
    ///
    /// # Errors
    /// [`ConfigError::OutOfRange`] when the label is empty, `text`, or has a `|`, a `+` between spaces, or a control
    /// character, which would break the printed form of keys and signatures.
    pub fn new(label: impl Into<String>, case: Case) -> Result<Self, ConfigError> {
        let label = label.into();
        let limit = if label.is_empty() {
            "not empty"
        } else if label == TEXT {
            "another word than `text`, which stands for text without tokens"
        } else if label.contains('|') || label.contains(PART_SEPARATOR) || label.chars().any(char::is_control)
        {
            "free of `|`, ` + ` and control characters"
        } else {
            return Ok(TokenSpace { label: Cow::Owned(label), case });
        };
        Err(ConfigError::out_of_range("token space", alloc::format!("{label:?}"), limit))
    }

    /// Text without tokens, for metrics over text. Signatures then have no `tok`.
    pub const fn text(case: Case) -> Self {
        TokenSpace { label: Cow::Borrowed(TEXT), case }
    }

    /// As printed in a key: the label may be that of text.
    pub(crate) fn of_key(label: &str, case: Case) -> Result<Self, ConfigError> {
        if label == TEXT { Ok(TokenSpace::text(case)) } else { TokenSpace::new(label, case) }
    }

    /// The label: `tok:` in signatures and state keys.
    pub fn label(&self) -> &str {
        &self.label
    }

    /// The case.
    pub fn case(&self) -> Case {
        self.case
    }

    /// Whether this is text that is not cut into tokens.
    pub fn is_text(&self) -> bool {
        self.label == TEXT
    }

    /// The token space of two nested doors, of which `inner` is nearer to the metric.
    ///
    /// The outer door names the tokens, unless it has text only: a metric that cuts text itself keeps its tokens, and
    /// lower-casing by either door counts.
    pub(crate) fn around(&self, inner: &TokenSpace) -> TokenSpace {
        if !self.is_text() || inner.is_text() || inner.is_unspecified() {
            return self.clone();
        }
        let case = match (self.case, inner.case) {
            (Case::Lower, _) | (_, Case::Lower) => Case::Lower,
            (Case::LowerAscii, _) | (_, Case::LowerAscii) => Case::LowerAscii,
            (Case::Mixed, Case::Mixed) => Case::Mixed,
        };
        TokenSpace { label: inner.label.clone(), case }
    }

    /// Whether these are the tokens of this tokenizer, or of one with its name, `-` and a suffix.
    pub(crate) fn is_variant_of(&self, tokenizer: &str) -> bool {
        self.label.strip_prefix(tokenizer).is_some_and(|rest| rest.is_empty() || rest.starts_with('-'))
    }

    /// Whether the tokens have no name.
    pub(crate) fn is_unspecified(&self) -> bool {
        *self == TokenSpace::UNSPECIFIED
    }
}

impl Default for TokenSpace {
    fn default() -> Self {
        TokenSpace::UNSPECIFIED
    }
}
