//! [`TokenizerEntry`]: the name, description and constructor of a tokenizer.

use super::{Tokenizer, Tokenizers};
use crate::family_tokenizer::FamilyTokenizer;
use crate::read::IdFilter;
use bleuprint_core::{Case, ConfigError, Result};
use std::path::PathBuf;

pub(crate) type BuildTokenizer = fn(&TokenizerRequest<'_>) -> Result<Box<dyn Tokenizer>, ConfigError>;

/// Options for creating a tokenizer, such as the path of a model. Most tokenizers need none of them.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[expect(clippy::exhaustive_structs, reason = "built with `..Default::default()`")]
pub struct TokenizerOptions {
    /// The path of the model file: a SentencePiece model for `spm` and its variants, or a `tokenizer.json`
    /// for `hf`.
    pub model: Option<PathBuf>,
    /// The path of the dictionary: a folder for `ja-mecab` and `ko-mecab`, or a `dict.txt` file for
    /// `zh-jieba`.
    pub dictionary: Option<PathBuf>,
    /// The token ids, such as padding, that the tokenizer `ids` drops.
    pub ids: IdFilter,
    /// The case of letters that `mteval` and `mteval-intl` apply as one of their steps. For all other
    /// tokenizers, the caller changes the case.
    pub case: Case,
}

/// The arguments of a tokenizer's constructor.
#[derive(Debug, Clone, Copy)]
#[non_exhaustive]
pub struct TokenizerRequest<'a> {
    /// The argument in the name that the user gave, such as `rouge` in `lines:rouge`, or `None`.
    pub argument: Option<&'a str>,
    /// The options for the tokenizer, such as the path of its model.
    pub options: &'a TokenizerOptions,
    /// The list of all tokenizers, from which the constructor can build a tokenizer to wrap.
    pub tokenizers: &'a Tokenizers,
}

/// A parameter that a tokenizer takes in addition to its name, and how users give it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Takes {
    /// The tokenizer takes the path of a model file, given by [`TokenizerOptions::model`].
    Model,
    /// The tokenizer takes the path of a dictionary, given by [`TokenizerOptions::dictionary`].
    Dictionary,
    /// The path of a model, written after the tokenizer's name and a colon (`hf:PATH`). It has precedence
    /// over [`TokenizerOptions::model`].
    ModelInName,
    /// The name of another tokenizer, written after the tokenizer's name and a colon (`lines:rouge`).
    TokenizerInName,
    /// Options, written after the tokenizer's name and a dash (`tercom-norm`). All names that begin with this
    /// name and a dash are reserved for the tokenizer.
    OptionsInName,
}

/// The description of a tokenizer and its constructor, which the command line, Python and other interfaces
/// read.
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
    /// The name by which users select the tokenizer. Signatures of scores contain this name.
    pub name: &'static str,
    /// Other names of the tokenizer that options accept.
    pub aliases: &'static [&'static str],
    /// A one-line description of the tokenizer for lists and help.
    pub summary: &'static str,
    /// The program and version whose output the tokenizer reproduces.
    pub agrees_with: &'static str,
    /// The parameters that the tokenizer takes in addition to its name.
    pub takes: &'static [Takes],
    /// The rule for lower-casing a text before it is tokenized, if the program that the tokenizer reproduces
    /// has a special rule; otherwise `None`.
    pub lower_case: Option<Case>,
    /// The Cargo feature that the tokenizer needs, if this build lacks it. Building the tokenizer then fails
    /// with the name of the feature.
    pub missing_feature: Option<&'static str>,
    /// The family in the name, if an earlier family has a tokenizer of the plain name.
    family: Option<&'static str>,
    build: BuildTokenizer,
}

impl TokenizerEntry {
    /// Creates an entry for a tokenizer without parameters, from its name, a one-line summary and its
    /// constructor.
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
            family: None,
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

    /// Sets the Cargo feature that the tokenizer needs; `enabled` is `true` if this build has the feature.
    #[must_use]
    pub(crate) const fn needs(self, feature: &'static str, enabled: bool) -> Self {
        TokenizerEntry { missing_feature: if enabled { None } else { Some(feature) }, ..self }
    }

    /// Returns the argument in `name`, such as `rouge` in `lines:rouge`. Returns `None` if `name` is not this
    /// tokenizer's name followed by an argument.
    pub(super) fn argument<'n>(&self, name: &'n str) -> Option<&'n str> {
        let takes = |wanted| self.takes.contains(&wanted);
        let separator = match () {
            () if takes(Takes::ModelInName) || takes(Takes::TokenizerInName) => ':',
            () if takes(Takes::OptionsInName) => '-',
            () => return None,
        };
        name.strip_prefix(self.name)?.strip_prefix(separator)
    }

    /// Returns the first of these names that is this tokenizer's name followed by an argument.
    pub(super) fn argument_of_any(
        &self,
        mut names: impl Iterator<Item = &'static str>,
    ) -> Option<&'static str> {
        names.find(|name| self.argument(name).is_some())
    }

    pub(super) fn build(&self, request: &TokenizerRequest<'_>) -> Result<Box<dyn Tokenizer>, ConfigError> {
        let built = (self.build)(request)?;
        match self.family {
            Some(family) => Ok(Box::new(FamilyTokenizer::new(family, built))),
            None => Ok(built),
        }
    }
}

crate::names::named_entry!(TokenizerEntry);

/// Returns the error for a tokenizer whose Cargo feature is disabled in this build.
#[allow(dead_code, reason = "with all features enabled there is none")]
pub(crate) fn feature_missing(what: &str, feature: &str) -> ConfigError {
    ConfigError::missing_feature(what, feature, "bleuprint-text")
}
