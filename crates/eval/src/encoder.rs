//! [`Encoder`]: normalizes, lower-cases and tokenizes the texts of one segment, and maps tokens to integer
//! ids.
//!
//! Most metrics only compare tokens, so integer ids serve as well as words. Metrics that learn from tokens
//! get the token texts. One encoding of a segment serves every metric and every system.

use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use bleuprint_core::{Case, Choice as _, ConfigError, Observe, Prepared, Result, Segment, TokenSpace};
use bleuprint_ngram::ByteInterner;
use bleuprint_text::{Chain, Normalizer as _, NormalizerFindings, TokenBuffer, Tokenizer, Tokens};
use smallvec::SmallVec;

use crate::memory::{require_for_text, require_for_tokens};
use crate::text_steps::{Rewritten, TextSteps};

/// Text preparation of a metric: a tokenizer, a case and an optional normalizer.
#[derive(Debug, Clone)]
pub struct Encoder<K> {
    tokenizer: K,
    space: TokenSpace,
    /// Normalizer and change of case, which run before the tokenizer. The case is not changed here if the
    /// tokenizer changes it itself.
    steps: TextSteps,
    /// Normalizer that the tokenizer itself applies to parts of the text, with counts of its changes; `None`
    /// if there is no such normalizer.
    within: Option<(Chain, NormalizerFindings)>,
    own_ids: bool,
    emptied: Emptied,
}

/// Shared counter of texts that contain letters or digits but for which the tokenizer found no tokens.
///
/// Such texts match nothing, not even themselves. Their score of 0 does not mean that they differ.
#[derive(Debug, Clone, Default)]
pub struct Emptied(Arc<AtomicU64>);

impl Emptied {
    /// Returns the number of texts with letters or digits but no tokens since the last call, and resets the
    /// counter. A text counts each time that it is tokenized.
    pub fn take(&self) -> u64 {
        self.0.swap(0, Ordering::Relaxed)
    }

    pub(crate) fn is_above_zero(&self) -> bool {
        self.0.load(Ordering::Relaxed) > 0
    }

    fn look_at(&self, text: &str, tokens: usize) {
        if tokens == 0 && text.chars().any(char::is_alphanumeric) {
            self.0.fetch_add(1, Ordering::Relaxed);
        }
    }
}

/// Working memory of an [`Encoder`] (text preparation and tokenization), which is reused from segment to
/// segment.
#[derive(Default)]
pub struct EncoderScratch {
    texts: Vec<TextScratch>,
    /// End index of each text's tokens in the list of all tokens of the segment.
    token_ends: Vec<usize>,
    interner: ByteInterner,
    /// Token ids of all texts of the segment, if the tokenizer assigns ids itself; `id_ends` holds the end of
    /// each text.
    ids: Vec<u32>,
    id_ends: Vec<usize>,
    own_ids: bool,
    /// Token ids of a hypothesis that is compared with prepared references. `others` holds new ids for tokens
    /// that no reference contains.
    prepared_ids: Vec<u32>,
    others: HashMap<Box<str>, u32>,
}

#[derive(Default)]
struct TextScratch {
    rewritten: Rewritten,
    buffer: TokenBuffer,
}

/// Texts of one segment: hypotheses of one or several systems, then references, then other texts.
#[derive(Debug, Clone, Copy)]
pub struct EncoderTexts<'t> {
    texts: &'t [&'t str],
    hypotheses: usize,
    references: usize,
}

impl<'t> EncoderTexts<'t> {
    /// Creates the list of a segment's texts: `hypotheses` hypotheses, then `references` references, then
    /// other texts.
    pub fn new(texts: &'t [&'t str], hypotheses: usize, references: usize) -> Self {
        EncoderTexts { texts, hypotheses, references }
    }

    fn is_reference(&self, index: usize) -> bool {
        (self.hypotheses..self.hypotheses + self.references).contains(&index)
    }

    pub(crate) fn after(
        self,
        steps: &TextSteps,
        memory: &'t mut [Rewritten],
    ) -> impl Iterator<Item = &'t str> {
        let texts = self.texts.iter().zip(memory).enumerate();
        texts.map(move |(index, (text, memory))| steps.apply(text, self.is_reference(index), memory))
    }
}

/// Texts of one segment as lists of token ids, in the order of [`EncoderTexts`].
#[derive(Clone, Copy)]
pub(crate) struct EncodedSequences<'s> {
    scratch: &'s EncoderScratch,
}

impl<'s> EncodedSequences<'s> {
    /// Returns the token ids of the text at `index`, or an empty slice beyond the last text.
    pub(crate) fn get(&self, index: usize) -> &'s [u32] {
        let scratch = self.scratch;
        if !scratch.own_ids {
            return scratch.interner.ids(index);
        }
        let start = index.checked_sub(1).and_then(|before| scratch.id_ends.get(before)).copied().unwrap_or(0);
        scratch.id_ends.get(index).map_or(&[], |&end| &scratch.ids[start..end])
    }
}

/// Texts of one segment as lists of token texts, in the order of [`EncoderTexts`].
#[derive(Clone)]
pub struct TokenLists<'s> {
    tokens: Vec<&'s str>,
    ends: &'s [usize],
    cuts: SmallVec<[Tokens<'s>; 4]>,
}

impl<'s> TokenLists<'s> {
    /// Returns the token texts of the text at `index`, or an empty slice beyond the last text.
    pub fn get(&self, index: usize) -> &[&'s str] {
        let start = index.checked_sub(1).and_then(|before| self.ends.get(before)).copied().unwrap_or(0);
        self.ends.get(index).map_or(&[], |&end| &self.tokens[start..end])
    }
}

impl<K: Tokenizer> Encoder<K> {
    /// Creates an encoder from a tokenizer. Texts are lower-cased before tokenization if `case` requires it.
    ///
    /// # Errors
    /// Returns [`ConfigError::OutOfRange`] if the tokenizer's name cannot be printed in a signature, and
    /// [`ConfigError::Conflict`] if the tokenizer changes the case itself but was built for another case than
    /// `case`.
    pub fn new(tokenizer: K, case: Case) -> Result<Self, ConfigError> {
        if let Some(own) = tokenizer.case().filter(|own| *own != case) {
            let name = tokenizer.token_space();
            let own = own.name();
            let case = case.name();
            let message =
                format!("the tokenizer `{name}` makes `case:{own}`, but `case:{case}` is asked for");
            return Err(ConfigError::Conflict(message));
        }
        let space = TokenSpace::new(tokenizer.token_space(), case)?;
        // A tokenizer with its own case must see the original text: its rules may depend on capital letters.
        let case = if tokenizer.case().is_some() { Case::Mixed } else { case };
        let own_ids = tokenizer.ids_are_tokens();
        let steps = TextSteps::of_case(case);
        Ok(Encoder { tokenizer, space, steps, within: None, own_ids, emptied: Emptied::default() })
    }

    /// Adds a chain of text normalizers, which is applied before the change of case.
    ///
    /// # Errors
    /// Returns [`ConfigError::OutOfRange`] if the name of the normalizer cannot be printed in a signature.
    pub fn with_normalizer(self, chain: Chain) -> Result<Self, ConfigError> {
        let steps = self.steps.after(chain);
        Ok(Encoder { space: steps.space(self.space)?, steps, ..self })
    }

    /// Adds a text normalizer that the tokenizer applies itself to parts of the text.
    pub(crate) fn normalized_within(
        self,
        chain: Chain,
        findings: NormalizerFindings,
    ) -> Result<Self, ConfigError> {
        let space = self.space.with_normalizer(chain.name())?;
        Ok(Encoder { space, within: Some((chain, findings)), ..self })
    }

    /// Returns the text normalizer's name and counts of its changes in all texts of this encoder and its
    /// clones.
    pub fn normalizer(&self) -> Option<(&str, &NormalizerFindings)> {
        let within = self.within.as_ref().map(|(chain, findings)| (chain.name(), findings));
        within.or_else(|| self.steps.findings())
    }

    /// Names the tokens by another token space than the name of the tokenizer.
    #[cfg_attr(not(feature = "store"), allow(dead_code, reason = "evaluations of ids use it"))]
    pub(crate) fn over(self, space: TokenSpace) -> Self {
        Encoder { space, ..self }
    }

    pub(crate) fn emptied(&self) -> &Emptied {
        &self.emptied
    }

    /// Returns the token space, a name for the vocabulary that tokens come from: the tokenizer, the case and
    /// the normalizer.
    pub fn token_space(&self) -> &TokenSpace {
        &self.space
    }

    pub(crate) fn tokenizer(&self) -> &K {
        &self.tokenizer
    }

    /// Returns the token ids of the texts of one segment. Equal tokens have equal ids.
    pub(crate) fn encode<'s>(
        &self,
        scratch: &'s mut EncoderScratch,
        texts: EncoderTexts<'_>,
    ) -> Result<EncodedSequences<'s>> {
        scratch.own_ids = self.own_ids;
        if scratch.texts.is_empty() {
            scratch.texts.push(TextScratch::default());
        }
        if self.own_ids {
            self.take_own_ids(scratch, texts)?
        } else {
            self.intern(scratch, texts)?
        }
        Ok(EncodedSequences { scratch })
    }

    /// Returns the tokens of the texts of one segment. The tokens borrow from the texts, or from `scratch` if
    /// the text was changed before tokenization.
    ///
    /// # Errors
    /// Returns the errors of [`Tokenizer::tokenize`].
    pub fn tokens<'s>(
        &self,
        scratch: &'s mut EncoderScratch,
        texts: EncoderTexts<'s>,
    ) -> Result<TokenLists<'s>> {
        scratch.make_room(texts);
        let EncoderScratch { texts: buffers, token_ends, .. } = scratch;
        let mut tokens = Vec::new();
        let mut cuts = SmallVec::new();
        token_ends.clear();
        for (index, (text, scratch)) in texts.texts.iter().zip(buffers).enumerate() {
            let TextScratch { rewritten, buffer } = scratch;
            let is_reference = texts.is_reference(index);
            let line = self.steps.apply(text, is_reference, rewritten);
            let cut = self.tokens_of(line, is_reference, buffer)?;
            tokens.extend(cut.iter());
            token_ends.push(tokens.len());
            cuts.push(cut);
        }
        Ok(TokenLists { tokens, ends: token_ends, cuts })
    }

    /// Returns the token ids of texts whose tokens `cut` were returned by [`Encoder::tokens`].
    pub(crate) fn encode_cut<'s>(
        &self,
        scratch: &'s mut EncoderScratch,
        texts: EncoderTexts<'_>,
        cut: &TokenLists<'_>,
    ) -> Result<EncodedSequences<'s>> {
        // Ids of the tokenizer itself cannot be found from token texts, so the texts are tokenized again.
        if self.own_ids {
            return self.encode(scratch, texts);
        }
        require_for_tokens(cut.tokens.len())?;
        scratch.own_ids = false;
        scratch.interner.clear();
        cut.cuts.iter().for_each(|cut| scratch.interner.append(cut.text().as_bytes(), cut.spans()));
        Ok(EncodedSequences { scratch })
    }

    fn take_own_ids(&self, scratch: &mut EncoderScratch, texts: EncoderTexts<'_>) -> Result<()> {
        scratch.ids.clear();
        scratch.id_ends.clear();
        for (index, text) in texts.texts.iter().enumerate() {
            let TextScratch { rewritten, buffer } = &mut scratch.texts[0];
            let line = self.steps.apply(text, texts.is_reference(index), rewritten);
            self.tokenizer.ids(line, buffer, &mut scratch.ids)?;
            scratch.id_ends.push(scratch.ids.len());
        }
        Ok(())
    }

    /// Assigns an integer id to each distinct token of the segment, in the order of first occurrence.
    fn intern(&self, scratch: &mut EncoderScratch, texts: EncoderTexts<'_>) -> Result<()> {
        scratch.interner.clear();
        let mut tokens = 0;
        let TextScratch { rewritten, buffer } = &mut scratch.texts[0];
        for (index, text) in texts.texts.iter().enumerate() {
            // The normalizer, the change of case and the tokenizer may each copy the text, so memory is
            // requested for all copies.
            require_for_text(if self.normalizer().is_some() { 4 } else { 2 } * text.len())?;
            let is_reference = texts.is_reference(index);
            let line = self.steps.apply(text, is_reference, rewritten);
            let cut = self.tokens_of(line, is_reference, buffer)?;
            tokens += cut.len();
            require_for_tokens(tokens)?;
            scratch.interner.append(cut.text().as_bytes(), cut.spans());
        }
        // The metric's counting needs memory next, and the token positions are no longer needed.
        buffer.release();
        Ok(())
    }

    /// Tokenizes references and lets the metric prepare them, for comparing many hypotheses with the same
    /// references; see [`Encoder::observe_prepared`].
    pub(crate) fn prepare<M: Observe<[u32]>>(
        &self,
        metric: &M,
        scratch: &mut EncoderScratch,
        tables: &mut M::Scratch,
        references: &[&str],
    ) -> Result<Prepared> {
        let ids = self.encode(scratch, EncoderTexts::new(references, 0, references.len()))?;
        let (prepared, rows) = {
            let rows: SmallVec<[&[u32]; 8]> = (0..references.len()).map(|index| ids.get(index)).collect();
            let prepared = metric.prepare(tables, &rows)?;
            // A metric that prepares nothing looks at the references again, so a lexicon would be built in
            // vain.
            if prepared.references().is_none() {
                return Ok(prepared);
            }
            (prepared, rows.iter().map(|row| row.to_vec()).collect::<Vec<_>>())
        };
        let mut lexicon = HashMap::new();
        if !self.own_ids {
            for (reference, row) in references.iter().zip(rows) {
                // A second tokenization pairs each token with its id: the interner cannot return token texts.
                let mut ids = row.into_iter();
                self.each_token(&mut scratch.texts[0], reference, true, |token| {
                    if let Some(id) = ids.next()
                        && !lexicon.contains_key(token)
                    {
                        lexicon.insert(token.into(), id);
                    }
                })?;
            }
        }
        Ok(Prepared::new(references.len(), EncodedReferences { prepared, lexicon }))
    }

    /// Adds to `stats` the metric's counts for a hypothesis against references from [`Encoder::prepare`].
    /// Tokens of the references keep their ids, all other tokens get new ids. Returns `None` if `prepared`
    /// does not come from this encoder.
    pub(crate) fn observe_prepared<M: Observe<[u32]>>(
        &self,
        metric: &M,
        scratch: &mut EncoderScratch,
        tables: &mut M::Scratch,
        stats: &mut M::Stats,
        hypothesis: &str,
        prepared: &Prepared,
    ) -> Option<Result<()>> {
        let EncodedReferences { prepared, lexicon } = prepared.get()?;
        if self.own_ids {
            let encoded = self.encode(scratch, EncoderTexts::new(&[hypothesis], 1, 0));
            let observed = encoded.and_then(|ids| {
                metric.observe_prepared(tables, stats, Segment::new(ids.get(0), &[]), prepared)
            });
            return Some(observed);
        }
        let EncoderScratch { texts, prepared_ids: ids, others, .. } = scratch;
        if texts.is_empty() {
            texts.push(TextScratch::default());
        }
        ids.clear();
        others.clear();
        let cut = self.each_token(&mut texts[0], hypothesis, false, |token| {
            ids.push(lexicon.get(token).copied().unwrap_or_else(|| {
                // Ids of the lexicon are below its length, so a new token can never share an id with a token
                // of a reference.
                let next = (lexicon.len() + others.len()) as u32;
                match others.get(token) {
                    Some(&id) => id,
                    None => *others.entry(token.into()).or_insert(next),
                }
            }));
        });
        Some(cut.and_then(|()| metric.observe_prepared(tables, stats, Segment::new(ids, &[]), prepared)))
    }

    fn each_token(
        &self,
        scratch: &mut TextScratch,
        text: &str,
        is_reference: bool,
        each: impl FnMut(&str),
    ) -> Result<()> {
        let TextScratch { rewritten, buffer } = scratch;
        let line = self.steps.apply(text, is_reference, rewritten);
        self.tokens_of(line, is_reference, buffer)?.iter().for_each(each);
        Ok(())
    }

    fn tokens_of<'t>(
        &self,
        line: &'t str,
        is_reference: bool,
        buffer: &'t mut TokenBuffer,
    ) -> Result<Tokens<'t>> {
        let tokens = if is_reference {
            self.tokenizer.tokenize_reference(line, buffer)?
        } else {
            self.tokenizer.tokenize(line, buffer)?
        };
        self.emptied.look_at(line, tokens.len());
        Ok(tokens)
    }
}

struct EncodedReferences {
    prepared: Prepared,
    /// Id of each token in the prepared references; empty if the tokenizer assigns ids itself.
    lexicon: HashMap<Box<str>, u32>,
}

impl EncoderScratch {
    fn make_room(&mut self, texts: EncoderTexts<'_>) {
        if self.texts.len() < texts.texts.len() {
            self.texts.resize_with(texts.texts.len(), TextScratch::default);
        }
    }
}
