//! [`TokenSpace`]: a name for the tokenization that counts depend on. [`Case`]: the lower-casing of the text.

use core::str::FromStr;

use crate::prelude::*;
use crate::{Choice, ConfigError};

/// Lower-casing that is applied to a text before it is split into tokens. The variant names are the values of
/// `case:` in signatures and state keys.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
#[expect(clippy::exhaustive_enums, reason = "closed: every tokenizer has each")]
pub enum Case {
    /// No change of the letters; printed as `case:mixed`.
    #[default]
    Mixed,
    /// Lower-casing of all letters; printed as `case:lc`.
    Lower,
    /// Lower-casing of the letters A to Z only, as in Perl scripts that work on bytes; printed as
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

/// A name for the tokenization of a text: a label, the lower-casing and the normalizer. Counts from different
/// tokenizations never merge.
///
/// The label is the name of a tokenizer (`13a`, `char`), a fingerprint of a vocabulary (`hf:5f2c..`), or any
/// word that the caller chooses; the default is `unspecified`. [`TokenSpace::text`] is text that is not split
/// into tokens. [`TokenSpace::NUMBERS`] and [`TokenSpace::VECTORS`] are for input that is not text.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct TokenSpace {
    label: Cow<'static, str>,
    case: Case,
    /// Name of the normalizer that is applied to the text before tokenization; empty for none.
    normalizer: Cow<'static, str>,
    /// `true` if the input is structured data that the metric defines ([`Form`](crate::Form)); the label is
    /// then the name of that type.
    pub(crate) own: bool,
}

/// Label in a [`TokenSpace`] (name of a tokenization) for text that is not split into tokens.
const TEXT: &str = "text";
/// Label in a [`TokenSpace`] (name of a tokenization) for input that is numbers, not text.
const NUMBERS: &str = "numbers";
/// Label in a [`TokenSpace`] (name of a tokenization) for input that is vectors, not text.
const VECTORS: &str = "vectors";
/// Label in a [`TokenSpace`] (name of a tokenization) for tokens whose tokenizer is not named.
const UNSPECIFIED: &str = "unspecified";
/// Separator between the metrics in the state key or signature of a tuple of metrics.
pub(crate) const PART_SEPARATOR: &str = " + ";

impl TokenSpace {
    pub(crate) const UNSPECIFIED: TokenSpace = TokenSpace::plain(UNSPECIFIED, Case::Mixed);

    /// Name of the tokenization for metrics whose input is numbers, not text. Signatures then have neither
    /// `tok` nor `case`.
    pub const NUMBERS: TokenSpace = TokenSpace::plain(NUMBERS, Case::Mixed);

    /// Name of the tokenization for metrics whose input is vectors, not text. Signatures then have neither
    /// `tok` nor `case`.
    pub const VECTORS: TokenSpace = TokenSpace::plain(VECTORS, Case::Mixed);

    const fn plain(label: &'static str, case: Case) -> Self {
        TokenSpace { label: Cow::Borrowed(label), case, normalizer: Cow::Borrowed(""), own: false }
    }

    /// Creates the token space (name of the input) for structured data ([`Form`](crate::Form)) with this type
    /// name. State keys then contain `data:NAME` in place of the fields `case` and `tok`. Signatures contain
    /// neither `case` nor `tok`.
    pub(crate) fn data(form: impl Into<Cow<'static, str>>) -> Self {
        TokenSpace { label: form.into(), own: true, ..TokenSpace::UNSPECIFIED }
    }

    /// Creates a token space, a name for a tokenization, from the label of the tokenizer and the
    /// lower-casing.
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

    /// Adds the name of the normalizer that rewrites the text before it is tokenized; keys and signatures
    /// print it as `norm:`.
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

    /// Creates the tokenization name of text that is not split into tokens; `case` is its lower-casing.
    /// Signatures then have no `tok`.
    pub const fn text(case: Case) -> Self {
        TokenSpace::plain(TEXT, case)
    }

    /// Creates a token space (a name of a tokenization) from the label and case in a printed state key. It
    /// also accepts `text`, `numbers` and `vectors`, which [`TokenSpace::new`] rejects.
    pub(crate) fn of_key(label: &str, case: Case) -> Result<Self, ConfigError> {
        match label {
            TEXT => Ok(TokenSpace::text(case)),
            NUMBERS if case == Case::Mixed => Ok(TokenSpace::NUMBERS),
            VECTORS if case == Case::Mixed => Ok(TokenSpace::VECTORS),
            _ => TokenSpace::new(label, case),
        }
    }

    /// Returns the name of the tokenizer, printed as `tok:` in signatures and state keys, or the name of a
    /// [`Form`](crate::Form).
    pub fn label(&self) -> &str {
        &self.label
    }

    /// Returns the lower-casing that is applied before tokenization.
    pub fn case(&self) -> Case {
        self.case
    }

    /// Returns the name of the text normalizer, if any, which signatures and state keys print as `norm:`.
    pub fn normalizer(&self) -> Option<&str> {
        Some(&*self.normalizer).filter(|name| !name.is_empty())
    }

    /// Returns `true` if the metric receives text that is not split into tokens.
    pub fn is_text(&self) -> bool {
        self.label == TEXT && !self.own
    }

    /// Returns `true` if the input is not text but numbers, vectors or data in a structured type of the
    /// metric.
    pub(crate) fn is_beside_text(&self) -> bool {
        self.own || self.label == NUMBERS || self.label == VECTORS
    }

    /// Returns the name of two tokenizations, one after the other: `self` is applied to the text first, then
    /// `inner`.
    ///
    /// If `self` splits the text into tokens, the result is `self`. If `self` leaves the text whole, the
    /// result has the tokenizer of `inner`, and the lower-casing and normalizers of both.
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

    /// Returns `true` if the tokenization is the given tokenizer or a variant of it: the label is the
    /// tokenizer's name, or that name followed by `-` and a suffix.
    pub(crate) fn is_variant_of(&self, tokenizer: &str) -> bool {
        self.label.strip_prefix(tokenizer).is_some_and(|rest| rest.is_empty() || rest.starts_with('-'))
    }

    pub(crate) fn is_unspecified(&self) -> bool {
        *self == TokenSpace::UNSPECIFIED
    }
}

/// Rejects names with characters that would make printed keys and signatures ambiguous.
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
