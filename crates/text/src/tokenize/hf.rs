//! `hf:PATH`: a tokenizer that applies any Hugging Face `tokenizer.json`, with the token ids of the file.
//!
//! Rule: trailing whitespace of the line is dropped, and the `tokenizers` library tokenizes the rest. Special
//! tokens are not added, and special tokens that the text itself contains are dropped. The file's truncation
//! and padding are off.
//!
//! Tokens are the strings of the vocabulary (`Ġthe`). An unknown token is replaced by its own normalized
//! text: two texts outside the vocabulary are not equal just because the model knows neither. Both have the
//! id of the unknown token, so ids are not compared.
//!
//! The token space, the tokenizer's name in signatures, is `hf:` and a hash of the file.
//!
//! Singular cases: an empty or blank line has no tokens, unless the tokenizer produces some.
//!
//! Errors: Creating the tokenizer fails if the file is missing or the library cannot read it. Tokenizing
//! fails if the library fails. The crate feature `hf` is required. Source: `tokenizers` 0.23.

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
    use tokenizers::models::ModelWrapper;
    use tokenizers::{NormalizedString, Normalizer as _};

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
        // A truncated line would lose tokens, and padding would add some: a score must see the whole line and
        // nothing else.
        tokenizer.with_truncation(None).map_err(|error| in_file(error.to_string()))?;
        tokenizer.with_padding(None);
        let added = tokenizer.get_added_tokens_decoder();
        let special = added.into_iter().filter(|(_, token)| token.special).map(|(id, _)| id).collect();
        let unknown = match tokenizer.get_model() {
            ModelWrapper::BPE(model) => model.get_unk_token().clone(),
            ModelWrapper::WordPiece(model) => Some(model.unk_token.clone()),
            ModelWrapper::WordLevel(model) => Some(model.unk_token.clone()),
            // A Unigram model gives unknown pieces their own text already.
            ModelWrapper::Unigram(_) => None,
        };
        let token_space = format!("hf:{:016x}", hash(&bytes));
        Ok(Box::new(HuggingFace { tokenizer, special, unknown, token_space }))
    }

    struct HuggingFace {
        tokenizer: tokenizers::Tokenizer,
        special: Vec<u32>,
        /// The model's token for text outside its vocabulary, such as `[UNK]`.
        unknown: Option<String>,
        token_space: String,
    }

    impl HuggingFace {
        /// Returns the ids and texts of a line's tokens, without special tokens such as `[CLS]`.
        fn encode(&self, line: &str) -> Result<Vec<(u32, String)>> {
            let line = rstrip(line);
            let encoding = self.tokenizer.encode(line, false).map_err(refused)?;
            let tokens = encoding.get_tokens().iter().zip(encoding.get_ids()).zip(encoding.get_offsets());
            let mut counted = Vec::with_capacity(encoding.len());
            for ((token, &id), &(start, end)) in tokens {
                let written = line.get(start..end).unwrap_or_default();
                // An unknown token that is written out in the text is an ordinary token. The model may also
                // mark its unknown token as special, so this test comes first.
                if self.unknown.as_ref() == Some(token) && written.trim() != token {
                    counted.push((id, self.normalized(written)?));
                // A model may give an id of a special token to other text; the text of the token decides.
                } else if !self.special.contains(&id)
                    || self.tokenizer.id_to_token(id).as_ref() != Some(token)
                {
                    counted.push((id, token.clone()));
                }
            }
            Ok(counted)
        }

        fn normalized(&self, written: &str) -> Result<String> {
            let mut text = NormalizedString::from(written);
            if let Some(normalizer) = self.tokenizer.get_normalizer() {
                normalizer.normalize(&mut text).map_err(refused)?;
            }
            Ok(text.get().to_owned())
        }
    }

    fn refused(error: tokenizers::Error) -> InputError {
        InputError::malformed(error.to_string())
    }

    impl Tokenizer for HuggingFace {
        fn token_space(&self) -> &str {
            &self.token_space
        }

        fn tokenize<'a>(&self, line: &'a str, buffer: &'a mut TokenBuffer) -> Result<Tokens<'a>> {
            let tokens = self.encode(line)?;
            buffer.collect(tokens.iter().map(|(_, token)| token.as_str()))
        }

        fn has_ids(&self) -> bool {
            true
        }

        fn ids(&self, line: &str, _: &mut TokenBuffer, ids: &mut Vec<u32>) -> Result<()> {
            ids.extend(self.encode(line)?.iter().map(|(id, _)| *id));
            Ok(())
        }
    }
}
