//! Splits an answer into words as SQuAD's scripts do before comparing answers, by the tokenizer `squad`.

use std::fmt;
use std::sync::Arc;

use bleuprint_core::{ConfigError, Result};
use bleuprint_text::{TokenBuffer, Tokenizer, TokenizerOptions, tokenizer};

/// Tokenizer that normalizes answers like SQuAD's scripts and splits them into words.
#[derive(Clone)]
pub(crate) struct AnswerWords(Arc<dyn Tokenizer>);

impl fmt::Debug for AnswerWords {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Words({})", self.0.token_space())
    }
}

impl AnswerWords {
    pub(crate) fn new() -> Result<Self, ConfigError> {
        Ok(AnswerWords(tokenizer("squad", &TokenizerOptions::default())?.into()))
    }

    /// Appends the normalized words of a text to `words`.
    pub(crate) fn append(&self, text: &str, buffer: &mut TokenBuffer, words: &mut Vec<String>) -> Result<()> {
        words.extend(self.0.tokenize(text, buffer)?.iter().map(str::to_owned));
        Ok(())
    }

    pub(crate) fn cut(&self, text: &str, buffer: &mut TokenBuffer) -> Result<Vec<String>> {
        let mut words = Vec::new();
        self.append(text, buffer, &mut words)?;
        Ok(words)
    }
}
