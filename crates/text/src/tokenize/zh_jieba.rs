//! `zh-jieba`: a tokenizer that returns Chinese words, as the segmenter jieba finds them.
//!
//! Rule: jieba's exact mode with its hidden Markov model for unknown words; words that consist only of
//! whitespace are dropped. The dictionary is the `dict.txt` of the PyPI package `jieba`, or another file in
//! its format. The tokenizer's name in signatures contains a hash of the dictionary.
//!
//! Singular cases: an empty or blank line has no tokens. Errors: Creating the tokenizer fails without the
//! dictionary; the error names the place searched first. Tokenizing fails for a line of 4 GiB or more. The crate
//! feature `jieba` is required.
//!
//! Source: the `jieba-rs` 0.11 crate; sacreBLEU has no such tokenizer. The tokens differ from the Python
//! program in rare cases. On 8,296 Chinese lines of WMT23 with the same dictionary, 163 lines differ from
//! jieba 0.42.1. All examined differences are in Latin words with dots or dashes, which jieba-rs keeps whole.

use super::{Takes, TokenizerEntry};

pub(super) const ENTRY: TokenizerEntry = TokenizerEntry::new("zh-jieba", "Chinese words, by jieba", build)
    .aliases(&["jieba"])
    .agrees_with("jieba-rs 0.11")
    .takes(&[Takes::Dictionary])
    .needs("jieba", cfg!(feature = "jieba"));

#[cfg(not(feature = "jieba"))]
fn build(_: &super::TokenizerRequest<'_>) -> Result<Box<dyn super::Tokenizer>, bleuprint_core::ConfigError> {
    Err(super::entry::feature_missing("`zh-jieba`", "jieba"))
}

#[cfg(feature = "jieba")]
use enabled::build;

#[cfg(feature = "jieba")]
mod enabled {
    use super::super::buffer::{TokenBuffer, Tokens};
    use super::super::hash::hash;
    use super::super::python::{install_or_give, not_found, package_paths};
    use super::super::{Tokenizer, TokenizerRequest};
    use crate::whitespace::is_blank;
    use bleuprint_core::{ConfigError, Result};
    use jieba_rs::Jieba;

    pub(super) fn build(request: &TokenizerRequest<'_>) -> Result<Box<dyn Tokenizer>, ConfigError> {
        let unusable = |reason: String| ConfigError::Resource {
            what: "the dictionary for `zh-jieba`".to_owned(),
            reason,
            hint: install_or_give("`pip install jieba`", "its `dict.txt`"),
        };
        let places = request
            .options
            .dictionary
            .clone()
            .map_or_else(|| package_paths("jieba/dict.txt"), |path| vec![path]);
        let Some(path) = places.iter().find(|path| path.is_file()) else {
            return Err(unusable(not_found(&places)));
        };
        let in_file = |reason: String| unusable(format!("{}: {reason}", path.display()));
        let bytes = std::fs::read(path).map_err(|error| in_file(error.to_string()))?;
        let jieba = Jieba::with_dict(&mut bytes.as_slice()).map_err(|error| in_file(error.to_string()))?;
        Ok(Box::new(JiebaWords { jieba, token_space: format!("zh-jieba#{:016x}", hash(&bytes)) }))
    }

    struct JiebaWords {
        jieba: Jieba,
        token_space: String,
    }

    impl Tokenizer for JiebaWords {
        fn token_space(&self) -> &str {
            &self.token_space
        }

        fn tokenize<'a>(&self, line: &'a str, buffer: &'a mut TokenBuffer) -> Result<Tokens<'a>> {
            // jieba returns whitespace as words, which are no tokens here.
            buffer.cut(line, |line, spans| {
                let words = self.jieba.cut(line, true).into_iter().map(|token| token.word);
                spans.push_pieces(line, words.filter(|word| !is_blank(word)));
            })
        }
    }
}
