//! The registry of tokenizers: one line each.

use super::{TercomOptions, Tokenizer};
use super::{
    ascii_space, bytes, character, grapheme, hf, ids, intl, jiwer, lines, mecab, mteval, none, rouge, spm,
    squad,
};
use super::{tercom, v13a, word, zh, zh_jieba};
use crate::read::IdFilter;
use bleuprint_core::{Case, ConfigError};
use std::path::PathBuf;

/// Every tokenizer, in the order in which they are listed. Adding one is its file, its `mod` line and a line here.
#[rustfmt::skip]
static TOKENIZERS: &[TokenizerEntry] = &[
    none::ENTRY,
    zh::ENTRY,
    v13a::ENTRY,
    intl::ENTRY,
    character::ENTRY,
    mecab::JAPANESE,
    mecab::KOREAN,
    spm::SPM,
    spm::FLORES101,
    spm::FLORES200,
    spm::SPBLEU_1K,
    tercom::ENTRY,
    mteval::WESTERN,
    mteval::INTERNATIONAL,
    ascii_space::ENTRY,
    jiwer::WORDS,
    jiwer::CHARACTERS,
    grapheme::ENTRY,
    word::ENTRY,
    zh_jieba::ENTRY,
    bytes::ENTRY,
    rouge::ENTRY,
    rouge::STEMMED,
    squad::ENTRY,
    squad::CJK,
    lines::ENTRY,
    hf::ENTRY,
    ids::ENTRY,
];

/// What is known of a tokenizer before it is built.
#[derive(Debug, Clone, Copy)]
pub struct TokenizerEntry {
    /// The name in options and signatures.
    pub name: &'static str,
    /// Other names that are understood.
    pub aliases: &'static [&'static str],
    /// One line for lists and help.
    pub summary: &'static str,
    /// The program and version whose output it reproduces.
    pub source: &'static str,
    /// The cargo feature of this crate that it needs; without it, building fails and says so.
    pub feature: Option<&'static str>,
    /// Builds it.
    pub build: fn(&TokenizerOptions) -> Result<Box<dyn Tokenizer>, ConfigError>,
}

impl TokenizerEntry {
    /// Whether this build has it: whether the feature that it needs is enabled.
    pub fn available(&self) -> bool {
        let has = |feature: &str, enabled: bool| self.feature != Some(feature) || enabled;
        has("hf", cfg!(feature = "hf")) && has("jieba", cfg!(feature = "jieba"))
    }

    /// Whether it reads [`TokenizerOptions::model`].
    pub fn takes_model(&self) -> bool {
        matches!(self.name, "spm" | "flores101" | "flores200" | "spBLEU-1K" | "hf")
    }

    /// Whether it reads [`TokenizerOptions::dictionary`].
    pub fn takes_dictionary(&self) -> bool {
        matches!(self.name, "ja-mecab" | "ko-mecab" | "zh-jieba")
    }
}

/// The entry of the tokenizer called `name`, or with that alias; `hf:PATH` is none, as it has its model already.
pub fn tokenizer_entry(name: &str) -> Option<&'static TokenizerEntry> {
    TOKENIZERS.iter().find(|entry| entry.name == name || entry.aliases.contains(&name))
}

/// What some tokenizers need beyond their name; the defaults are right for all that need nothing.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct TokenizerOptions {
    /// The model file of `spm` and its relatives, or the `tokenizer.json` of `hf`.
    pub model: Option<PathBuf>,
    /// The folder of the compiled dictionary of `ja-mecab` and `ko-mecab`, or the `dict.txt` of `zh-jieba`.
    pub dictionary: Option<PathBuf>,
    /// The ids that do not count, for `ids`.
    pub ids: IdFilter,
    /// The case that `mteval` and `mteval-intl` make of the text between their own steps. All others leave case to
    /// whoever calls them.
    pub case: Case,
    /// The options of `tercom`.
    pub tercom: TercomOptions,
}

/// Every tokenizer this crate knows, those whose feature is disabled included.
pub fn tokenizers() -> &'static [TokenizerEntry] {
    TOKENIZERS
}

/// Builds the tokenizer called `name`, or with that alias. `hf:PATH` is `hf` with the model at that path, and
/// `tercom-norm` is `tercom` with that option, and `lines:NAME` the tokenizer `NAME` line by line.
///
/// ```
/// use bleuprint_text::{TokenizerOptions, tokenizer};
/// let error = tokenizer("13b", &TokenizerOptions::default()).err().unwrap();
/// assert!(error.to_string().starts_with("unknown tokenizer `13b`; expected one of: none, "));
/// ```
///
/// # Errors
///
/// A name that is not known, with those that are; a feature that is disabled; a model or dictionary that cannot be
/// used, with the places where it was looked for.
pub fn tokenizer(name: &str, options: &TokenizerOptions) -> Result<Box<dyn Tokenizer>, ConfigError> {
    match name.strip_prefix(lines::PREFIX) {
        Some(of_line) => Ok(Box::new(lines::Lines::new(plain(of_line, options)?))),
        None => plain(name, options),
    }
}

fn plain(name: &str, options: &TokenizerOptions) -> Result<Box<dyn Tokenizer>, ConfigError> {
    if let Some(path) = name.strip_prefix("hf:") {
        let options = TokenizerOptions { model: Some(path.into()), ..options.clone() };
        return (hf::ENTRY.build)(&options);
    }
    if let Some(tercom) = tercom::options_of(name).filter(|options| *options != TercomOptions::default()) {
        return (tercom::ENTRY.build)(&TokenizerOptions { tercom, ..options.clone() });
    }
    match tokenizer_entry(name) {
        Some(entry) => (entry.build)(options),
        None => Err(ConfigError::unknown_name("tokenizer", name, TOKENIZERS.iter().map(|entry| entry.name))),
    }
}

/// The error of a tokenizer whose feature is disabled.
#[allow(dead_code, reason = "with all features enabled there is none")]
pub(super) fn feature_missing(what: &str, feature: &str) -> ConfigError {
    ConfigError::Resource {
        what: what.to_owned(),
        reason: format!("this program was built without the feature `{feature}` of bleuprint-text"),
        hint: "enable it in Cargo.toml, or build with `--all-features`".to_owned(),
    }
}
