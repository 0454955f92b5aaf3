//! [`FamilyTokenizer`]: a tokenizer whose tokens are named after its family, because an earlier family has a
//! tokenizer of the same name.

use crate::{TokenBuffer, Tokenizer, Tokens};
use bleuprint_core::{Case, Result};

/// A tokenizer whose token space is `family/name`, so that its counts never merge with those of the other
/// tokenizer of this name.
pub(crate) struct FamilyTokenizer {
    token_space: String,
    tokenizer: Box<dyn Tokenizer>,
}

impl FamilyTokenizer {
    pub(crate) fn new(family: &str, tokenizer: Box<dyn Tokenizer>) -> Self {
        FamilyTokenizer { token_space: format!("{family}/{}", tokenizer.token_space()), tokenizer }
    }
}

impl Tokenizer for FamilyTokenizer {
    fn token_space(&self) -> &str {
        &self.token_space
    }

    fn tokenize<'a>(&self, line: &'a str, buffer: &'a mut TokenBuffer) -> Result<Tokens<'a>> {
        self.tokenizer.tokenize(line, buffer)
    }

    fn tokenize_reference<'a>(&self, line: &'a str, buffer: &'a mut TokenBuffer) -> Result<Tokens<'a>> {
        self.tokenizer.tokenize_reference(line, buffer)
    }

    fn case(&self) -> Option<Case> {
        self.tokenizer.case()
    }

    fn raw_lines(&self) -> bool {
        self.tokenizer.raw_lines()
    }

    fn refuses_lines(&self) -> bool {
        self.tokenizer.refuses_lines()
    }

    fn has_ids(&self) -> bool {
        self.tokenizer.has_ids()
    }

    fn ids_are_tokens(&self) -> bool {
        self.tokenizer.ids_are_tokens()
    }

    fn ids(&self, line: &str, buffer: &mut TokenBuffer, ids: &mut Vec<u32>) -> Result<()> {
        self.tokenizer.ids(line, buffer, ids)
    }
}
