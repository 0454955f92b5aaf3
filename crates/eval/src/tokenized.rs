//! [`Tokenized`]: a metric over text, made from a metric over tokens and a tokenizer.

use core::slice;

use bleuprint_core::{
    Answer, Ask, Case, ConfigError, Identity, Metric, Observe, Prepared, Result, Segment, StateKey,
    metric_through,
};
use bleuprint_text::{Chain, Tokenizer};

use crate::batches::batch_of;
use crate::encoder::EncoderTexts;
use crate::pools::encoded::{self, IdCopies, texts_of};
use crate::{Encoder, EncoderScratch};

/// Metric over text, made from a metric over token ids and a tokenizer. The signature of its scores names the
/// tokenizer and the case.
///
/// The metric sees integer ids in place of tokens; within a segment, equal tokens have equal ids. A metric
/// that stores tokens cannot use such ids: make it a member of a [`Panel`](crate::Panel) by
/// [`AnyMetric::for_tokens`]. Pools, batches of systems and prepared references are tokenized once, and the
/// metric's own faster methods are used.
///
/// [`AnyMetric::for_tokens`]: bleuprint_registry::AnyMetric::for_tokens
///
/// ```
/// use bleuprint_core::{Accumulator, Case};
/// use bleuprint_eval::Tokenized;
/// use bleuprint_metrics::Bleu;
/// use bleuprint_text::{TokenizerOptions, tokenizer};
///
/// let tokenizer = tokenizer("13a", &TokenizerOptions::default()).unwrap();
/// let bleu = Tokenized::new(Bleu::default(), tokenizer, Case::Mixed).unwrap();
/// let mut corpus = Accumulator::<_, str>::new(bleu);
/// corpus.push("The dog bit the man.", &["The dog bit the man.", "The dog had bit the man."]).unwrap();
/// let scored = corpus.score().unwrap();
/// assert_eq!(scored.score.score, 100.00000000000004);
/// assert!(scored.signature.body().starts_with("nrefs:2|case:mixed|eff:no|tok:13a|smooth:exp|version:"));
/// ```
#[derive(Debug, Clone)]
pub struct Tokenized<M, K> {
    metric: M,
    encoder: Encoder<K>,
}

impl<M: Metric, K: Tokenizer> Tokenized<M, K> {
    /// Creates a metric over text from a metric over token ids and a tokenizer. Texts are lower-cased before
    /// tokenization if `case` requires it.
    ///
    /// # Errors
    /// Returns [`ConfigError::Conflict`] if the metric [stores tokens](bleuprint_core::Needs::tokens), and
    /// the errors of [`Encoder::new`].
    ///
    /// ```
    /// # use bleuprint_core::*;
    /// use bleuprint_eval::Tokenized;
    /// use bleuprint_text::{TokenizerOptions, tokenizer};
    ///
    /// let thirteen_a = tokenizer("13a", &TokenizerOptions::default()).unwrap();
    /// let words = Identity::new("words", 1, Scale::UNIT).needing(|needs| needs.tokens = true);
    /// let words = PerSegment::new(words, |_: Segment<'_, [u32]>| Ok(0.0));
    /// let refused = Tokenized::new(words, thirteen_a, Case::Mixed).err().unwrap();
    /// assert_eq!(refused.to_string(), "words remembers tokens: make it a member of a `Panel` by `AnyMetric::for_tokens`");
    /// ```
    pub fn new(metric: M, tokenizer: K, case: Case) -> Result<Self, ConfigError> {
        let identity = metric.identity();
        if identity.needs().tokens {
            let name = identity.name();
            let message =
                format!("{name} remembers tokens: make it a member of a `Panel` by `AnyMetric::for_tokens`");
            return Err(ConfigError::Conflict(message));
        }
        Ok(Tokenized { metric, encoder: Encoder::new(tokenizer, case)? })
    }
}

impl<M, K: Tokenizer> Tokenized<M, K> {
    /// Adds a text normalizer, which rewrites every text before the change of case and tokenization.
    ///
    /// ```
    /// use bleuprint_core::{Accumulator, Case};
    /// use bleuprint_eval::Tokenized;
    /// use bleuprint_metrics::EditRate;
    /// use bleuprint_text::{Normalizers, TokenizerOptions, tokenizer};
    ///
    /// let words = tokenizer("jiwer", &TokenizerOptions::default()).unwrap();
    /// let whisper = Normalizers::default().build("whisper-en").unwrap();
    /// let wer = Tokenized::new(EditRate::WER, words, Case::Mixed).unwrap().with_normalizer(whisper).unwrap();
    /// let mut corpus = Accumulator::<_, str>::new(wer);
    /// corpus.push("mister brown paid $20", &["Mr. Brown paid twenty dollars."]).unwrap();
    /// let scored = corpus.score().unwrap();
    /// assert_eq!((scored.value(), scored.signature.get("norm")), (0.0, Some("whisper-en")));
    /// ```
    ///
    /// # Errors
    /// Returns the errors of [`Encoder::with_normalizer`].
    pub fn with_normalizer(self, chain: Chain) -> Result<Self, ConfigError> {
        Ok(Tokenized { encoder: self.encoder.with_normalizer(chain)?, ..self })
    }
}

impl<M: Metric, K: Tokenizer> Metric for Tokenized<M, K> {
    type Stats = M::Stats;
    type Score = M::Score;
    type Scratch = (EncoderScratch, M::Scratch);

    fn identity(&self) -> Identity {
        self.metric.identity().over(self.encoder.token_space())
    }
    fn serves(&self, key: &StateKey) -> Result<()> {
        (&self.metric).over(self.encoder.token_space().clone()).serves(key)
    }
    metric_through!(all but identity, self => self.metric);
}

impl<M: Observe<[u32]>, K: Tokenizer> Observe<str> for Tokenized<M, K> {
    fn observe(
        &self,
        (encoder, scratch): &mut Self::Scratch,
        stats: &mut Self::Stats,
        segment: Segment<'_, str>,
    ) -> Result<()> {
        let texts = texts_of(&[segment]);
        let texts = EncoderTexts::new(&texts, 1, segment.references.len());
        let ids = self.encoder.encode(encoder, texts)?;
        encoded::observe_group(&self.metric, scratch, slice::from_mut(stats), &[segment], |at| ids.get(at))
    }

    /// Computes the statistics of each segment. Hypotheses that share references, such as hypotheses of
    /// several systems, are tokenized together.
    fn observe_each(
        &self,
        (encoder, scratch): &mut Self::Scratch,
        stats: &mut [Self::Stats],
        segments: &[Segment<'_, str>],
    ) -> Result<()> {
        // A metric with batches gets segments of several groups, so their ids are copied until all groups are
        // encoded.
        let mut copies = (batch_of(&self.metric) > 1).then(IdCopies::new);
        encoded::each_group(stats, segments, |stats, group| {
            let texts = texts_of(group);
            let references = group[0].references.len();
            let ids = self.encoder.encode(encoder, EncoderTexts::new(&texts, group.len(), references))?;
            match &mut copies {
                Some(copies) => {
                    copies.push(group, (0..texts.len()).map(|at| ids.get(at)));
                    Ok(())
                }
                None => encoded::observe_group(&self.metric, scratch, stats, group, |at| ids.get(at)),
            }
        })?;
        copies.map_or(Ok(()), |copies| copies.observe(&self.metric, scratch, stats))
    }

    fn prepare(&self, (encoder, scratch): &mut Self::Scratch, references: &[&str]) -> Result<Prepared> {
        self.encoder.prepare(&self.metric, encoder, scratch, references)
    }

    fn observe_prepared(
        &self,
        scratch: &mut Self::Scratch,
        stats: &mut Self::Stats,
        segment: Segment<'_, str>,
        prepared: &Prepared,
    ) -> Result<()> {
        let (encoder, own) = scratch;
        let observed =
            self.encoder.observe_prepared(&self.metric, encoder, own, stats, segment.hypothesis, prepared);
        observed.unwrap_or_else(|| self.observe(scratch, stats, segment))
    }

    /// Answers a request for results over many texts at once, such as the scores of all pairs, by the
    /// metric's own method. Without such a method, every pair is scored as a segment. The texts are tokenized
    /// once.
    fn ask(
        &self,
        (encoder, scratch): &mut Self::Scratch,
        ask: Ask<'_, str>,
    ) -> Result<Option<Answer<'_, Self::Stats>>> {
        let texts = encoded::texts_of_ask(&ask);
        let ids = self
            .encoder
            .encode(encoder, EncoderTexts::new(&texts, ask.hypotheses.len(), ask.references.len()))?;
        let all: Vec<&[u32]> = (0..texts.len()).map(|at| ids.get(at)).collect();
        encoded::answer_ids(&self.metric, scratch, encoded::recoded(&ask, &all))
    }
}
