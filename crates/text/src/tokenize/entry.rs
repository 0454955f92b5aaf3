//! [`TokenizerEntry`]: the description of a tokenizer and its constructor.

use super::{Tokenizer, Tokenizers};
use crate::read::IdFilter;
use bleuprint_core::{Case, ConfigError, Result};
use std::path::PathBuf;

pub(crate) type BuildTokenizer = fn(&TokenizerRequest<'_>) -> Result<Box<dyn Tokenizer>, ConfigError>;

/// Options of some tokenizers; the defaults suit all others.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[expect(clippy::exhaustive_structs, reason = "built with `..Default::default()`")]
pub struct TokenizerOptions {
    /// The model file of `spm` and its relatives, or the `tokenizer.json` of `hf`.
    pub model: Option<PathBuf>,
    /// The folder of the compiled dictionary of `ja-mecab` and `ko-mecab`, or the `dict.txt` of `zh-jieba`.
    pub dictionary: Option<PathBuf>,
    /// The ids that do not count, for `ids`.
    pub ids: IdFilter,
    /// The case that `mteval` and `mteval-intl` apply between their own steps. All others leave case to their callers.
    pub case: Case,
}

/// The input of a tokenizer's constructor.
#[derive(Debug, Clone, Copy)]
#[non_exhaustive]
pub struct TokenizerRequest<'a> {
    /// The suffix of the name, for tokenizers with one: `rouge` in `lines:rouge`.
    pub argument: Option<&'a str>,
    /// The options.
    pub options: &'a TokenizerOptions,
    /// The tokenizers that this one may build on.
    pub tokenizers: &'a Tokenizers,
}

/// The parameters of a tokenizer next to its name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Takes {
    /// [`TokenizerOptions::model`].
    Model,
    /// [`TokenizerOptions::dictionary`].
    Dictionary,
    /// The path of a model after its name and a colon, which becomes the model of the options: `hf:PATH`.
    ModelInName,
    /// The name of another tokenizer after its own and a colon: `lines:rouge`.
    TokenizerInName,
    /// Options after its name and a dash: `tercom-norm`. All names of this form are its own.
    OptionsInName,
}

/// Everything a door needs to know about a tokenizer.
///
/// ```
/// use bleuprint_core::Result;
/// use bleuprint_text::{TokenBuffer, Tokenizer, TokenizerEntry, TokenizerOptions, Tokenizers, Tokens};
///
/// struct Fields;
/// impl Tokenizer for Fields {
///     fn token_space(&self) -> &str {
///         "fields"
///     }
///     fn tokenize<'a>(&self, line: &'a str, buffer: &'a mut TokenBuffer) -> Result<Tokens<'a>> {
///         buffer.cut(line, |line, spans| spans.push_pieces(line, line.split(',')))
///     }
/// }
/// const ENTRY: TokenizerEntry =
///     TokenizerEntry::new("fields", "one token per comma-separated field", |_| Ok(Box::new(Fields)));
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
    /// The name in options and signatures.
    pub name: &'static str,
    /// Other accepted names.
    pub aliases: &'static [&'static str],
    /// One line for lists and help.
    pub summary: &'static str,
    /// The program and version it reproduces.
    pub agrees_with: &'static str,
    /// Its parameters next to the name.
    pub takes: &'static [Takes],
    /// The meaning of lower case for these tokens with any metric, if their program has its own rule.
    pub lower_case: Option<Case>,
    /// The required cargo feature that this build lacks, if any; building then fails with its name.
    pub missing_feature: Option<&'static str>,
    build: BuildTokenizer,
}

impl TokenizerEntry {
    /// An entry of a tokenizer without parameters.
    pub const fn new(name: &'static str, summary: &'static str, build: BuildTokenizer) -> Self {
        let (agrees_with, lower_case, missing_feature) = ("its definition", None, None);
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

    /// Its parameters next to the name.
    #[must_use]
    pub const fn takes(self, takes: &'static [Takes]) -> Self {
        TokenizerEntry { takes, ..self }
    }

    #[must_use]
    pub(crate) const fn lower_case(self, case: Case) -> Self {
        TokenizerEntry { lower_case: Some(case), ..self }
    }

    /// The required cargo feature, and whether this build has it.
    #[must_use]
    pub(crate) const fn needs(self, feature: &'static str, enabled: bool) -> Self {
        TokenizerEntry { missing_feature: if enabled { None } else { Some(feature) }, ..self }
    }

    /// The suffix after its name in a longer name.
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

/// The error of a tokenizer whose feature is disabled.
#[allow(dead_code, reason = "with all features enabled there is none")]
pub(crate) fn feature_missing(what: &str, feature: &str) -> ConfigError {
    ConfigError::missing_feature(what, feature, "bleuprint-text")
}
