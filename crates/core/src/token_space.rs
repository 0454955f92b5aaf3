//! [`TokenSpace`]: the name of the counted tokens and the changes made to the text before. [`Case`]: its
//! lower-casing.

use core::str::FromStr;

use crate::prelude::*;
use crate::{Choice, ConfigError};

/// The lower-casing of a text before it is split into tokens. Its names are the values of `case:` in
/// signatures and state keys.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
#[expect(clippy::exhaustive_enums, reason = "closed: every tokenizer has each")]
pub enum Case {
    /// The letters of the text are unchanged; printed as `case:mixed`.
    #[default]
    Mixed,
    /// All letters are lower-cased; printed as `case:lc`.
    Lower,
    /// The letters A to Z alone are lower-cased, as in Perl scripts that work on bytes; printed as
    /// `case:lc-ascii`.
    LowerAscii,
}

crate::choice!(Case: Mixed "mixed", Lower "lc", LowerAscii "lc-ascii");

impl FromStr for Case {
    type Err = ConfigError;

    fn from_str(text: &str) -> Result<Self, ConfigError> {
        Case::by_name("case", text)
    }
}

/// A name for the tokens that are counted: a label, the case and the normalizer of the text. Counts of
/// different token spaces never merge.
///
/// The label is the name of a tokenizer (`13a`, `char`), a fingerprint of a vocabulary (`hf:5f2c..`), or any
/// word of the caller; the default is `unspecified`. [`TokenSpace::text`] is text that is not split into
/// tokens. [`TokenSpace::NUMBERS`] and [`TokenSpace::VECTORS`] are numbers and vectors instead of text.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct TokenSpace {
    label: Cow<'static, str>,
    case: Case,
    /// Name of the normalizer of the text; empty for none.
    normalizer: Cow<'static, str>,
    /// `true` if the data has a metric's own form ([`Form`](crate::Form)), whose name is the label.
    pub(crate) own: bool,
}

/// Label of the token space of text that is not split into tokens.
const TEXT: &str = "text";
/// Label of the token space of numbers that other programs computed.
const NUMBERS: &str = "numbers";
/// Label of the token space of vectors that a model computed.
const VECTORS: &str = "vectors";
/// Label of the token space of tokens whose tokenizer is not named.
const UNSPECIFIED: &str = "unspecified";
/// Separator between the metrics in the key or signature of several metrics.
pub(crate) const PART_SEPARATOR: &str = " + ";

impl TokenSpace {
    pub(crate) const UNSPECIFIED: TokenSpace = TokenSpace::plain(UNSPECIFIED, Case::Mixed);

    /// Numbers instead of text. Signatures then have neither `tok` nor `case`.
    pub const NUMBERS: TokenSpace = TokenSpace::plain(NUMBERS, Case::Mixed);

    /// Vectors instead of text. Signatures then have neither `tok` nor `case`.
    pub const VECTORS: TokenSpace = TokenSpace::plain(VECTORS, Case::Mixed);

    const fn plain(label: &'static str, case: Case) -> Self {
        TokenSpace { label: Cow::Borrowed(label), case, normalizer: Cow::Borrowed(""), own: false }
    }

    /// Creates the space of data of a metric's own form ([`Form`](crate::Form)) with this name. Keys then
    /// have `data:NAME` instead of `case` and `tok`, and signatures have neither.
    pub(crate) fn data(form: impl Into<Cow<'static, str>>) -> Self {
        TokenSpace { label: form.into(), own: true, ..TokenSpace::UNSPECIFIED }
    }

    /// Creates a token space with this label.
    ///
    /// # Errors
    /// Returns [`ConfigError::OutOfRange`] if the label is empty, `text`, `numbers` or `vectors`, or if it
    /// contains `|`, ` + ` or a control character, which would break the printed form of keys and signatures.
    pub fn new(label: impl Into<String>, case: Case) -> Result<Self, ConfigError> {
        let label = label.into();
        let words = [
            (TEXT, "text without tokens"),
            (NUMBERS, "numbers without text"),
            (VECTORS, "vectors without text"),
        ];
        if let Some((word, meaning)) = words.iter().find(|(word, _)| *word == label) {
            let limit = format!("a word other than `{word}`, which means {meaning}");
            return Err(ConfigError::out_of_range("token space", format!("{label:?}"), &limit));
        }
        require_printable("token space", &label)?;
        Ok(TokenSpace { label: Cow::Owned(label), ..TokenSpace::text(case) })
    }

    /// Adds the normalizer that rewrites the text before it is tokenized; printed as `norm:` in keys and
    /// signatures.
    ///
    /// # Errors
    /// Returns [`ConfigError::OutOfRange`] if the name is empty or would break the printed form of keys and
    /// signatures.
    ///
    /// ```
    /// use bleuprint_core::{Case, Identity, Scale, TokenSpace};
    /// let words = TokenSpace::new("jiwer", Case::Mixed).unwrap().with_normalizer("whisper-en").unwrap();
    /// let key = Identity::new("wer", 1, Scale::UNIT).over(&words).key();
    /// assert_eq!(key.to_string(), "wer/1|case:mixed|norm:whisper-en|tok:jiwer");
    /// ```
    pub fn with_normalizer(self, name: impl Into<String>) -> Result<Self, ConfigError> {
        let name = name.into();
        require_printable("normalizer", &name)?;
        Ok(TokenSpace { normalizer: Cow::Owned(name), ..self })
    }

    /// Creates the space of text without tokens, for metrics over text. Signatures then have no `tok`.
    pub const fn text(case: Case) -> Self {
        TokenSpace::plain(TEXT, case)
    }

    /// Creates the space of a label and case that a state key printed; unlike [`TokenSpace::new`], it accepts
    /// `text`, `numbers` and `vectors`.
    pub(crate) fn of_key(label: &str, case: Case) -> Result<Self, ConfigError> {
        match label {
            TEXT => Ok(TokenSpace::text(case)),
            NUMBERS if case == Case::Mixed => Ok(TokenSpace::NUMBERS),
            VECTORS if case == Case::Mixed => Ok(TokenSpace::VECTORS),
            _ => TokenSpace::new(label, case),
        }
    }

    /// Returns the label of the token space: `tok:` in signatures and state keys, or the name of a
    /// [`Form`](crate::Form).
    pub fn label(&self) -> &str {
        &self.label
    }

    /// Returns the case conversion of the token space.
    pub fn case(&self) -> Case {
        self.case
    }

    /// Returns the name of the normalizer, if any: `norm:` in signatures and state keys.
    pub fn normalizer(&self) -> Option<&str> {
        Some(&*self.normalizer).filter(|name| !name.is_empty())
    }

    /// Returns `true` for text that is not split into tokens.
    pub fn is_text(&self) -> bool {
        self.label == TEXT && !self.own
    }

    /// Returns `true` for numbers, vectors or data of a metric's own form, which have no text.
    pub(crate) fn is_beside_text(&self) -> bool {
        self.own || self.label == NUMBERS || self.label == VECTORS
    }

    /// Returns the token space if both an outer interface (`self`) and an inner one, nearer to the metric,
    /// set one.
    ///
    /// The outer interface names the tokens, unless it passes text: a metric that tokenizes text itself keeps
    /// its own label. Lower-casing and normalizers of both interfaces apply.
    pub(crate) fn around(&self, inner: &TokenSpace) -> TokenSpace {
        if !self.is_text() || inner.is_text() || inner.is_unspecified() {
            return self.clone();
        }
        let case = match (self.case, inner.case) {
            (Case::Lower, _) | (_, Case::Lower) => Case::Lower,
            (Case::LowerAscii, _) | (_, Case::LowerAscii) => Case::LowerAscii,
            (Case::Mixed, Case::Mixed) => Case::Mixed,
        };
        let normalizer = match (self.normalizer(), inner.normalizer()) {
            (Some(outer), Some(inner)) => Cow::Owned(format!("{outer}+{inner}")),
            (Some(_), None) => self.normalizer.clone(),
            (None, _) => inner.normalizer.clone(),
        };
        TokenSpace { label: inner.label.clone(), case, normalizer, own: inner.own }
    }

    /// Returns `true` if the label is the name of this tokenizer, or that name followed by `-` and a suffix.
    pub(crate) fn is_variant_of(&self, tokenizer: &str) -> bool {
        self.label.strip_prefix(tokenizer).is_some_and(|rest| rest.is_empty() || rest.starts_with('-'))
    }

    pub(crate) fn is_unspecified(&self) -> bool {
        *self == TokenSpace::UNSPECIFIED
    }
}

/// Rejects names that would break the printed form of keys and signatures.
fn require_printable(what: &'static str, name: &str) -> Result<(), ConfigError> {
    let limit = if name.is_empty() {
        "not empty"
    } else if name.contains('|') || name.contains(PART_SEPARATOR) || name.chars().any(char::is_control) {
        "free of `|`, ` + ` and control characters"
    } else {
        return Ok(());
    };
    Err(ConfigError::out_of_range(what, format!("{name:?}"), limit))
}

impl Default for TokenSpace {
    fn default() -> Self {
        TokenSpace::UNSPECIFIED
    }
}
