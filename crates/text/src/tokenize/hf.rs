//! `hf:PATH`: any Hugging Face `tokenizer.json`, with its own ids.
//!
//! Rule: the output of the `tokenizers` library for the right-stripped line without special tokens: none are added,
//! those spelled out in the text are dropped, and the file's truncation and padding are off. Tokens are the strings of
//! the vocabulary (`Ġthe`), in one-to-one correspondence with the ids.
//!
//! The token space is `hf:` and a hash of the file. Singular cases: an empty or blank line has no tokens, unless the
//! tokenizer produces some. Errors: configuring fails without the file or with one that the library cannot read;
//! tokenizing fails if the tokenizer itself fails. Needs the feature `hf` of this crate. Source: `tokenizers` 0.23.
//!
//! ```
//! use bleuprint_text::{TokenizerOptions, tokenizer};
//! let error = tokenizer("hf:/no/such/tokenizer.json", &TokenizerOptions::default()).err().unwrap();
//! assert!(error.to_string().contains("the Hugging Face tokenizer"));
//! ```

use super::{Takes, TokenizerEntry};

pub(super) const ENTRY: TokenizerEntry =
    TokenizerEntry::new("hf", "any Hugging Face tokenizer.json, written hf:PATH; has ids", build)
        .aliases(&["huggingface"])
        .agrees_with("tokenizers 0.23")
        .takes(&[Takes::Model, Takes::ModelInName])
        .needs("hf", cfg!(feature = "hf"));

#[cfg(not(feature = "hf"))]
fn build(_: &super::TokenizerRequest<'_>) -> Result<Box<dyn super::Tokenizer>, bleuprint_core::ConfigError> {
    Err(super::entry::feature_missing("the Hugging Face tokenizer", "hf"))
}

#[cfg(feature = "hf")]
use enabled::build;

#[cfg(feature = "hf")]
mod enabled {
    use super::super::buffer::{TokenBuffer, Tokens};
    use super::super::hash::hash;
    use super::super::{Tokenizer, TokenizerRequest};
    use crate::whitespace::rstrip;
    use bleuprint_core::{ConfigError, InputError, Result};

    pub(super) fn build(request: &TokenizerRequest<'_>) -> Result<Box<dyn Tokenizer>, ConfigError> {
        let unusable = |reason: String| ConfigError::Resource {
            what: "the Hugging Face tokenizer".to_owned(),
            reason,
            hint: "write `hf:` and the path of its `tokenizer.json`".to_owned(),
        };
        let path =
            request.options.model.as_deref().ok_or_else(|| unusable("no path was given".to_owned()))?;
        let in_file = |reason: String| unusable(format!("{}: {reason}", path.display()));
        let bytes = std::fs::read(path).map_err(|error| in_file(error.to_string()))?;
        let mut tokenizer =
            tokenizers::Tokenizer::from_bytes(&bytes).map_err(|error| in_file(error.to_string()))?;
        tokenizer.with_truncation(None).map_err(|error| in_file(error.to_string()))?;
        tokenizer.with_padding(None);
        let added = tokenizer.get_added_tokens_decoder();
        let special = added.into_iter().filter(|(_, token)| token.special).map(|(id, _)| id).collect();
        Ok(Box::new(HuggingFace { tokenizer, special, token_space: format!("hf:{:016x}", hash(&bytes)) }))
    }

    struct HuggingFace {
        tokenizer: tokenizers::Tokenizer,
        special: Vec<u32>,
        token_space: String,
    }

    fn refused(error: tokenizers::Error) -> InputError {
        InputError::malformed(error.to_string())
    }

    impl Tokenizer for HuggingFace {
        fn token_space(&self) -> &str {
            &self.token_space
        }

        fn tokenize<'a>(&self, line: &'a str, buffer: &'a mut TokenBuffer) -> Result<Tokens<'a>> {
            // The faster way to encode, below, leaves the strings empty.
            let encoding = self.tokenizer.encode(rstrip(line), false).map_err(refused)?;
            let tokens = encoding.get_tokens().iter().zip(encoding.get_ids());
            let tokens = tokens.filter(|(_, id)| !self.special.contains(id));
            buffer.collect(tokens.map(|(token, _)| token.as_str()))
        }

        fn has_ids(&self) -> bool {
            true
        }

        fn ids(&self, line: &str, _: &mut TokenBuffer, ids: &mut Vec<u32>) -> Result<()> {
            let encoding = self.tokenizer.encode_fast(rstrip(line), false).map_err(refused)?;
            ids.extend(encoding.get_ids().iter().filter(|id| !self.special.contains(id)));
            Ok(())
        }
    }
}
