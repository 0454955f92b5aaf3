//! [`TokenizerEntry`]: the description of a tokenizer, with its constructor.

use super::{Tokenizer, Tokenizers};
use crate::read::IdFilter;
use bleuprint_core::{Case, ConfigError, Result};
use std::path::PathBuf;

pub(crate) type BuildTokenizer = fn(&TokenizerRequest<'_>) -> Result<Box<dyn Tokenizer>, ConfigError>;

/// Options of tokenizers. Most tokenizers ignore them, so the defaults suit them.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[expect(clippy::exhaustive_structs, reason = "built with `..Default::default()`")]
pub struct TokenizerOptions {
    /// The model file of `spm` and its variants, or the `tokenizer.json` of `hf`.
    pub model: Option<PathBuf>,
    /// The folder of the compiled dictionary of `ja-mecab` and `ko-mecab`, or the `dict.txt` file of
    /// `zh-jieba`.
    pub dictionary: Option<PathBuf>,
    /// The token ids that the tokenizer `ids` leaves out.
    pub ids: IdFilter,
    /// The case that `mteval` and `mteval-intl` apply between their steps. For all other tokenizers, the
    /// caller changes the case.
    pub case: Case,
}

/// The input of a tokenizer's constructor.
#[derive(Debug, Clone, Copy)]
#[non_exhaustive]
pub struct TokenizerRequest<'a> {
    /// The suffix of the name, for tokenizers that have one, such as `rouge` in `lines:rouge`.
    pub argument: Option<&'a str>,
    /// The options of the tokenizer.
    pub options: &'a TokenizerOptions,
    /// The list of tokenizers, from which the constructor can build inner tokenizers.
    pub tokenizers: &'a Tokenizers,
}

/// A parameter that a tokenizer takes in addition to its name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Takes {
    /// A model file: [`TokenizerOptions::model`].
    Model,
    /// A dictionary: [`TokenizerOptions::dictionary`].
    Dictionary,
    /// The path of a model, written after the name and a colon (`hf:PATH`). It replaces the model of the
    /// options.
    ModelInName,
    /// The name of another tokenizer, written after the name and a colon (`lines:rouge`).
    TokenizerInName,
    /// Options, written after the name and a dash (`tercom-norm`). Every name of this form is reserved for
    /// the tokenizer.
    OptionsInName,
}

/// The description of a tokenizer, which the command line, Python and other interfaces read.
///
/// ```
/// use bleuprint_core::Result;
/// use bleuprint_text::{TokenBuffer, Tokenizer, TokenizerEntry, TokenizerOptions, Tokenizers, Tokens};
///
/// struct FieldReader;
/// impl Tokenizer for FieldReader {
///     fn token_space(&self) -> &str {
///         "fields"
///     }
///     fn tokenize<'a>(&self, line: &'a str, buffer: &'a mut TokenBuffer) -> Result<Tokens<'a>> {
///         buffer.cut(line, |line, spans| spans.push_pieces(line, line.split(',')))
///     }
/// }
/// const ENTRY: TokenizerEntry =
///     TokenizerEntry::new("fields", "one token per comma-separated field", |_| Ok(Box::new(FieldReader)));
///
/// let mut tokenizers = Tokenizers::default();
/// tokenizers.add(ENTRY)?;
/// let lines = tokenizers.build("lines:fields", &TokenizerOptions::default())?;
/// assert_eq!(lines.token_space(), "lines:fields");
/// # Ok::<(), bleuprint_core::ConfigError>(())
/// ```
#[derive(Clone, Copy)]
#[non_exhaustive]
pub struct TokenizerEntry {
    /// The name of the tokenizer in options and signatures.
    pub name: &'static str,
    /// Other accepted names of the tokenizer.
    pub aliases: &'static [&'static str],
    /// A one-line description for lists and help.
    pub summary: &'static str,
    /// The program and version whose output the tokenizer reproduces.
    pub agrees_with: &'static str,
    /// The parameters that the tokenizer takes in addition to its name.
    pub takes: &'static [Takes],
    /// The meaning of lower case for these tokens under any metric, if the reproduced program has a special
    /// rule.
    pub lower_case: Option<Case>,
    /// The Cargo feature that the tokenizer needs and this build lacks. Building the tokenizer then fails
    /// with the name of the feature.
    pub missing_feature: Option<&'static str>,
    build: BuildTokenizer,
}

impl TokenizerEntry {
    /// Creates an entry of a tokenizer without parameters.
    pub const fn new(name: &'static str, summary: &'static str, build: BuildTokenizer) -> Self {
        let agrees_with = "its definition";
        let lower_case = None;
        let missing_feature = None;
        TokenizerEntry {
            name,
            aliases: &[],
            summary,
            agrees_with,
            takes: &[],
            lower_case,
            missing_feature,
            build,
        }
    }

    /// Sets the parameters that the tokenizer takes in addition to its name.
    #[must_use]
    pub const fn takes(self, takes: &'static [Takes]) -> Self {
        TokenizerEntry { takes, ..self }
    }

    #[must_use]
    pub(crate) const fn lower_case(self, case: Case) -> Self {
        TokenizerEntry { lower_case: Some(case), ..self }
    }

    /// Sets the Cargo feature that the tokenizer needs; `enabled` is whether this build has it.
    #[must_use]
    pub(crate) const fn needs(self, feature: &'static str, enabled: bool) -> Self {
        TokenizerEntry { missing_feature: if enabled { None } else { Some(feature) }, ..self }
    }

    /// Returns the part of `name` after the entry's name and separator, or `None` if `name` has no such form.
    pub(super) fn argument<'n>(&self, name: &'n str) -> Option<&'n str> {
        let takes = |wanted| self.takes.contains(&wanted);
        let separator = match () {
            () if takes(Takes::ModelInName) || takes(Takes::TokenizerInName) => ':',
            () if takes(Takes::OptionsInName) => '-',
            () => return None,
        };
        name.strip_prefix(self.name)?.strip_prefix(separator)
    }

    pub(super) fn build(&self, request: &TokenizerRequest<'_>) -> Result<Box<dyn Tokenizer>, ConfigError> {
        (self.build)(request)
    }
}

crate::names::named_entry!(TokenizerEntry);

/// Returns the error of a tokenizer whose Cargo feature is disabled.
#[allow(dead_code, reason = "with all features enabled there is none")]
pub(crate) fn feature_missing(what: &str, feature: &str) -> ConfigError {
    ConfigError::missing_feature(what, feature, "bleuprint-text")
}
