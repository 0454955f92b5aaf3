//! [`Encoder`]: the texts of one segment, lower-cased if asked for, tokenized, as ids that stand for the tokens.
//!
//! Metrics only ask whether tokens are equal, so small integers serve them as well as words (the relabelling law),
//! and one encoding serves every metric and every system of a segment.

use bleuprint_core::{Case, ConfigError, InputError, TokenSpace};
use bleuprint_ngram::Interner;
use bleuprint_text::{TokenBuffer, Tokenizer, lowercase, lowercase_ascii};
use smallvec::SmallVec;

/// A tokenizer and a case.
#[derive(Debug, Clone)]
pub struct Encoder<K> {
    tokenizer: K,
    space: TokenSpace,
    own_ids: bool,
}

/// Buffers that are reused from segment to segment.
#[derive(Default)]
pub struct EncoderScratch {
    texts: Vec<TextScratch>,
    /// Empty between calls; only the allocation is kept.
    tokens: Vec<&'static str>,
    interner: Interner,
    /// Ids that the tokenizer gave itself, of all texts, and where each text ends.
    ids: Vec<u32>,
    ends: Vec<usize>,
    own_ids: bool,
}

#[derive(Default)]
struct TextScratch {
    lowered: String,
    buffer: TokenBuffer,
}

/// The texts of one segment as ids, in the order in which they were given.
#[derive(Clone, Copy)]
pub struct Sequences<'s> {
    scratch: &'s EncoderScratch,
}

impl<'s> Sequences<'s> {
    /// The ids of the text at `index`; of no tokens beyond the last.
    pub fn get(&self, index: usize) -> &'s [u32] {
        let scratch = self.scratch;
        if index >= scratch.ends.len() {
            return &[];
        }
        if scratch.own_ids {
            let start = index.checked_sub(1).map_or(0, |before| scratch.ends[before]);
            return &scratch.ids[start..scratch.ends[index]];
        }
        match index.checked_sub(1) {
            None => scratch.interner.hypothesis(),
            Some(other) => scratch.interner.reference(other),
        }
    }
}

impl<K: Tokenizer> Encoder<K> {
    /// An encoder that lower-cases first, or not.
    ///
    /// # Errors
    /// [`ConfigError::OutOfRange`] when the tokenizer's name cannot be printed in a signature;
    /// [`ConfigError::Conflict`] when it makes the case itself, and was built to make another.
    pub fn new(tokenizer: K, case: Case) -> Result<Self, ConfigError> {
        if let Some(own) = tokenizer.case().filter(|own| *own != case) {
            let (name, own, case) = (tokenizer.token_space(), own.as_str(), case.as_str());
            let message =
                format!("the tokenizer `{name}` makes `case:{own}`, but `case:{case}` is asked for");
            return Err(ConfigError::Conflict(message));
        }
        let space = TokenSpace::new(tokenizer.token_space(), case)?;
        // A tokenizer has ids of its own or has none, whatever the line: asked once, not for every segment.
        let own_ids = tokenizer.ids("", &mut Vec::new()).is_some();
        Ok(Encoder { tokenizer, space, own_ids })
    }

    /// What the tokens are: the tokenizer's name, and the case.
    pub fn token_space(&self) -> &TokenSpace {
        &self.space
    }

    /// The ids of the texts of one segment: equal ids for equal tokens.
    ///
    /// # Errors
    /// Those of [`Tokenizer::tokenize`].
    pub fn encode<'s>(
        &self,
        scratch: &'s mut EncoderScratch,
        texts: &[&str],
    ) -> Result<Sequences<'s>, InputError> {
        if scratch.texts.len() < texts.len() {
            scratch.texts.resize_with(texts.len(), TextScratch::default);
        }
        scratch.ends.clear();
        scratch.own_ids = self.own_ids;
        if self.own_ids {
            self.take_own_ids(scratch, texts)?;
        } else {
            self.intern(scratch, texts)?;
        }
        Ok(Sequences { scratch })
    }

    /// With the ids of a tokenizer that has its own.
    fn take_own_ids(&self, scratch: &mut EncoderScratch, texts: &[&str]) -> Result<(), InputError> {
        scratch.ids.clear();
        for (text, text_scratch) in texts.iter().zip(&mut scratch.texts) {
            let line = self.cased(text, &mut text_scratch.lowered);
            let without =
                || InputError::malformed("the tokenizer has ids for some lines, and none for this one");
            self.tokenizer.ids(line, &mut scratch.ids).ok_or_else(without)??;
            scratch.ends.push(scratch.ids.len());
        }
        Ok(())
    }

    fn intern(&self, scratch: &mut EncoderScratch, texts: &[&str]) -> Result<(), InputError> {
        let mut tokens = recycle(core::mem::take(&mut scratch.tokens));
        for (text, TextScratch { lowered, buffer }) in texts.iter().zip(&mut scratch.texts) {
            let line = self.cased(text, lowered);
            tokens.extend(self.tokenizer.tokenize(line, buffer)?.iter());
            scratch.ends.push(tokens.len());
        }
        let first = scratch.ends.first().copied().unwrap_or(0);
        let others: SmallVec<[&[&str]; 8]> =
            scratch.ends.windows(2).map(|ends| &tokens[ends[0]..ends[1]]).collect();
        scratch.interner.intern_segment(&tokens[..first], &others);
        drop(others);
        scratch.tokens = recycle(tokens);
        Ok(())
    }

    fn cased<'t>(&self, text: &'t str, lowered: &'t mut String) -> &'t str {
        match self.space.case() {
            _ if self.tokenizer.case().is_some() => text,
            Case::Mixed => text,
            Case::Lower => {
                lowercase(text, lowered);
                lowered
            }
            Case::LowerAscii => {
                lowercase_ascii(text, lowered);
                lowered
            }
        }
    }
}

/// The same allocation for tokens of another life: the standard library collects a mapped vector in place.
fn recycle<'b>(mut tokens: Vec<&str>) -> Vec<&'b str> {
    tokens.clear();
    tokens.into_iter().map(|_| "").collect()
}
