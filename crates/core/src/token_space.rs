//! [`TokenSpace`]: the name of the tokens that are counted, with what was done to the text before. [`Case`]: its case.

use core::str::FromStr;

use crate::prelude::*;
use crate::{Choice, ConfigError};

/// Whether the text was lower-cased before it was cut into tokens. Its names are the values of `case:` in signatures and
/// state keys.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
#[expect(clippy::exhaustive_enums, reason = "closed: every tokenizer has each")]
pub enum Case {
    /// As written; `case:mixed`.
    #[default]
    Mixed,
    /// Lower-cased; `case:lc`.
    Lower,
    /// The letters A to Z lower-cased and no others, as Perl's scripts over bytes do; `case:lc-ascii`.
    LowerAscii,
}

crate::choice!(Case: Mixed "mixed", Lower "lc", LowerAscii "lc-ascii");

impl FromStr for Case {
    type Err = ConfigError;

    fn from_str(text: &str) -> Result<Self, ConfigError> {
        Case::by_name("case", text)
    }
}

/// The name of the tokens: a label from the caller, the case, and the normalizer of the text, if any. Counts of different
/// token spaces never merge.
///
/// The label is a tokenizer's name (`13a`, `char`), that of a vocabulary (`hf:5f2c..`), or the caller's own; the
/// default is `unspecified`. Text that is not cut into tokens at all is [`TokenSpace::text`], and numbers or vectors in
/// place of text are [`TokenSpace::NUMBERS`] and [`TokenSpace::VECTORS`].
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct TokenSpace {
    label: Cow<'static, str>,
    case: Case,
    /// Empty for none.
    normalizer: Cow<'static, str>,
    /// Whether these are a metric's own data, of the form that the label names.
    pub(crate) own: bool,
}

/// The label of text that is not cut into tokens.
const TEXT: &str = "text";
/// The label of numbers that other programs computed.
const NUMBERS: &str = "numbers";
/// The label of vectors that a model computed.
const VECTORS: &str = "vectors";
/// The label of tokens without a name.
const UNSPECIFIED: &str = "unspecified";
/// What separates the parts of a composite key or signature.
pub(crate) const PART_SEPARATOR: &str = " + ";

impl TokenSpace {
    pub(crate) const UNSPECIFIED: TokenSpace = TokenSpace::plain(UNSPECIFIED, Case::Mixed);

    /// Numbers without any text, for metrics over numbers. Signatures then have neither `tok` nor `case`.
    pub const NUMBERS: TokenSpace = TokenSpace::plain(NUMBERS, Case::Mixed);

    /// Vectors without any text, for metrics over vectors. Signatures then have neither `tok` nor `case`.
    pub const VECTORS: TokenSpace = TokenSpace::plain(VECTORS, Case::Mixed);

    const fn plain(label: &'static str, case: Case) -> Self {
        TokenSpace { label: Cow::Borrowed(label), case, normalizer: Cow::Borrowed(""), own: false }
    }

    /// A metric's own data, of the form of this name ([`Form`](crate::Form)). Keys then have `data:NAME` in place of `case`
    /// and `tok`, and signatures neither.
    pub(crate) fn data(form: impl Into<Cow<'static, str>>) -> Self {
        TokenSpace { label: form.into(), own: true, ..TokenSpace::UNSPECIFIED }
    }

    /// A token space with this label.
    ///
    /// # Errors
    /// [`ConfigError::OutOfRange`] when the label is empty, `text`, `numbers`, `vectors`, or has a `|`, a `+` between spaces, or a control
    /// character, which would break the printed form of keys and signatures.
    pub fn new(label: impl Into<String>, case: Case) -> Result<Self, ConfigError> {
        let label = label.into();
        let words = [
            (TEXT, "text without tokens"),
            (NUMBERS, "numbers without text"),
            (VECTORS, "vectors without text"),
        ];
        if let Some((word, meaning)) = words.iter().find(|(word, _)| *word == label) {
            let limit = format!("another word than `{word}`, which stands for {meaning}");
            return Err(ConfigError::out_of_range("token space", format!("{label:?}"), &limit));
        }
        require_printable("token space", &label)?;
        Ok(TokenSpace { label: Cow::Owned(label), ..TokenSpace::text(case) })
    }

    /// The same tokens of text that a normalizer of this name rewrote first; `norm:` in keys and signatures.
    ///
    /// # Errors
    /// [`ConfigError::OutOfRange`] for a name that is empty or would break the printed form of keys and signatures.
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

    /// Text without tokens, for metrics over text. Signatures then have no `tok`.
    pub const fn text(case: Case) -> Self {
        TokenSpace::plain(TEXT, case)
    }

    /// As printed in a key: the label may be that of text.
    pub(crate) fn of_key(label: &str, case: Case) -> Result<Self, ConfigError> {
        match label {
            TEXT => Ok(TokenSpace::text(case)),
            NUMBERS if case == Case::Mixed => Ok(TokenSpace::NUMBERS),
            VECTORS if case == Case::Mixed => Ok(TokenSpace::VECTORS),
            _ => TokenSpace::new(label, case),
        }
    }

    /// The label: `tok:` in signatures and state keys, or the name of a [`Form`](crate::Form).
    pub fn label(&self) -> &str {
        &self.label
    }

    /// The case.
    pub fn case(&self) -> Case {
        self.case
    }

    /// The normalizer of the text, if any: `norm:` in signatures and state keys.
    pub fn normalizer(&self) -> Option<&str> {
        Some(&*self.normalizer).filter(|name| !name.is_empty())
    }

    /// Whether this is text that is not cut into tokens.
    pub fn is_text(&self) -> bool {
        self.label == TEXT && !self.own
    }

    /// Whether these are numbers, vectors or a metric's own data, without text.
    pub(crate) fn is_beside_text(&self) -> bool {
        self.own || self.label == NUMBERS || self.label == VECTORS
    }

    /// The token space of two nested doors, of which `inner` is nearer to the metric.
    ///
    /// The outer door names the tokens, unless it has text only: a metric that cuts text itself keeps its tokens, and
    /// lower-casing and normalizers of either door count.
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

    /// Whether these are the tokens of this tokenizer, or of one with its name, `-` and a suffix.
    pub(crate) fn is_variant_of(&self, tokenizer: &str) -> bool {
        self.label.strip_prefix(tokenizer).is_some_and(|rest| rest.is_empty() || rest.starts_with('-'))
    }

    pub(crate) fn is_unspecified(&self) -> bool {
        *self == TokenSpace::UNSPECIFIED
    }
}

/// Refuses what would break the printed form of keys and signatures.
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
