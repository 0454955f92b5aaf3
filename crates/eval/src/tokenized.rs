//! [`Tokenized`]: a metric over tokens and a tokenizer are a metric over text.

use core::marker::PhantomData;

use bleuprint_core::{
    Case, ConfigError, Identity, Metric, Observe, PairScorer, Prepared, Result, Segment, SegmentCounts,
    SinglePrecision, StateKey, TokenSpace,
};
use bleuprint_text::{Chain, Tokenizer};
use smallvec::SmallVec;

use crate::encoder::Texts;
use crate::pools::encoded::{self, Copied as _, Copies, texts_of};
use crate::{Encoder, EncoderScratch};

/// A metric that observes `str`. Its counts and scores are labelled with the tokenizer and the case.
///
/// The metric observes ids in place of tokens, equal for equal tokens within a segment. They would mislead a metric that
/// remembers tokens: it is made by [`Tokenized::with_tokens`]. Pools, batches of systems and prepared references are
/// tokenized once, and the metric's own speed-ups work on them.
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
pub struct Tokenized<M, K, V = AsIds> {
    metric: M,
    encoder: Encoder<K>,
    view: PhantomData<V>,
}

/// The metric observes ids: see [`Tokenized`].
#[derive(Debug, Clone, Copy)]
pub struct AsIds;
/// The metric observes the tokens themselves: see [`Tokenized`].
#[derive(Debug, Clone, Copy)]
pub struct AsTokens;

/// Scratch of [`Tokenized`].
#[derive(Default)]
pub struct TokenizedScratch<T> {
    encoder: EncoderScratch,
    metric: T,
}

impl<M: Metric, K: Tokenizer> Tokenized<M, K> {
    /// `metric` over the tokens of `tokenizer`, lower-cased first or not.
    ///
    /// # Errors
    /// [`ConfigError::Conflict`] for a metric that [remembers tokens](Identity::remembers_tokens), which
    /// [`Tokenized::with_tokens`] takes; those of [`Encoder::new`].
    ///
    /// ```
    /// # use bleuprint_core::*;
    /// # struct Words;
    /// # impl Metric for Words {
    /// #     type Stats = [u64; 1]; type Score = f64; type Scratch = ();
    /// #     fn identity(&self) -> Identity { Identity::new("words", 1, Scale::UNIT).remembers_tokens() }
    /// #     fn finalize(&self, _: &[u64; 1], _: &SegmentCounts) -> Result<f64> { Ok(0.0) }
    /// # }
    /// use bleuprint_eval::Tokenized;
    /// use bleuprint_text::{TokenizerOptions, tokenizer};
    ///
    /// let thirteen_a = || tokenizer("13a", &TokenizerOptions::default()).unwrap();
    /// let refused = Tokenized::new(Words, thirteen_a(), Case::Mixed).err().unwrap();
    /// assert_eq!(refused.to_string(), "words remembers tokens, so it is made by `Tokenized::with_tokens`");
    /// let accepted = Tokenized::with_tokens(Words, thirteen_a(), Case::Mixed).unwrap();
    /// assert_eq!(accepted.signature().get("tok"), Some("13a"));
    /// ```
    pub fn new(metric: M, tokenizer: K, case: Case) -> Result<Self, ConfigError> {
        let identity = metric.identity();
        if identity.is_token_remembered() {
            let name = identity.name();
            let message = format!("{name} remembers tokens, so it is made by `Tokenized::with_tokens`");
            return Err(ConfigError::Conflict(message));
        }
        Ok(Tokenized { metric, encoder: Encoder::new(tokenizer, case)?, view: PhantomData })
    }

    /// `metric` over the tokens of `tokenizer` themselves, for metrics that remember them.
    ///
    /// # Errors
    /// Those of [`Encoder::new`].
    pub fn with_tokens(
        metric: M,
        tokenizer: K,
        case: Case,
    ) -> Result<Tokenized<M, K, AsTokens>, ConfigError> {
        Ok(Tokenized { metric, encoder: Encoder::new(tokenizer, case)?, view: PhantomData })
    }
}

impl<M, K: Tokenizer, V> Tokenized<M, K, V> {
    /// The same over text that a normalizer rewrites first.
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
    /// Those of [`Encoder::with_normalizer`].
    pub fn with_normalizer(self, chain: Chain) -> Result<Self, ConfigError> {
        Ok(Tokenized { encoder: self.encoder.with_normalizer(chain)?, ..self })
    }

    /// The token space.
    pub(crate) fn token_space(&self) -> &TokenSpace {
        self.encoder.token_space()
    }
}

impl<M: Metric, K: Tokenizer, V: Send + Sync> Metric for Tokenized<M, K, V> {
    type Stats = M::Stats;
    type Score = M::Score;
    type Scratch = TokenizedScratch<M::Scratch>;

    fn identity(&self) -> Identity {
        self.metric.identity().over(self.token_space())
    }
    fn serves(&self, key: &StateKey) -> Result<()> {
        (&self.metric).over(self.token_space().clone()).serves(key)
    }
    fn zero(&self) -> Self::Stats {
        self.metric.zero()
    }
    fn finalize(&self, stats: &Self::Stats, counts: &SegmentCounts) -> Result<Self::Score> {
        self.metric.finalize(stats, counts)
    }
    fn number(&self, stats: &Self::Stats, counts: &SegmentCounts) -> Result<f64> {
        self.metric.number(stats, counts)
    }
    fn check(&self, stats: &Self::Stats, counts: &SegmentCounts) -> Result<()> {
        self.metric.check(stats, counts)
    }
    fn headline_names(&self) -> Vec<std::borrow::Cow<'static, str>> {
        self.metric.headline_names()
    }
    fn batch(&self) -> usize {
        self.metric.batch()
    }
    fn single_precision(&self) -> Option<&dyn SinglePrecision> {
        self.metric.single_precision()
    }
}

/// The verbs for ids and for tokens, which differ in the method of the encoder only.
macro_rules! observes_text {
    ($sequence:ty, $encode:ident, $pairs:ident) => {
        fn observe(
            &self,
            scratch: &mut Self::Scratch,
            stats: &mut Self::Stats,
            segment: Segment<'_, str>,
        ) -> Result<()> {
            let texts = texts_of(&[segment]);
            let references = segment.references_or_none().len();
            let encoded = self.encoder.$encode(&mut scratch.encoder, Texts::new(&texts, 1, references))?;
            let references: SmallVec<[&$sequence; 8]> =
                (1..=references).map(|index| encoded.get(index)).collect();
            let mut own = Segment::new(encoded.get(0), &references);
            if segment.source_or_none().is_some() {
                own = own.with_source(encoded.get(references.len() + 1));
            }
            self.metric.observe(&mut scratch.metric, stats, own)
        }

        /// Hypotheses that share their references, those of several systems, are encoded together.
        fn observe_each(
            &self,
            scratch: &mut Self::Scratch,
            stats: &mut [Self::Stats],
            segments: &[Segment<'_, str>],
        ) -> Result<()> {
            let TokenizedScratch { encoder, metric } = scratch;
            let mut copies = (self.metric.batch() > 1).then(Copies::new);
            encoded::each_group(stats, segments, |stats, group| {
                let texts = texts_of(group);
                let references = group[0].references_or_none().len();
                let encoded = self.encoder.$encode(encoder, Texts::new(&texts, group.len(), references))?;
                match &mut copies {
                    Some(copies) => {
                        copies.push(group, (0..texts.len()).map(|index| encoded.get(index).copied()));
                        Ok(())
                    }
                    None => {
                        encoded::observe_group(&self.metric, metric, stats, group, |index| encoded.get(index))
                    }
                }
            })?;
            copies.map_or(Ok(()), |copies| copies.observe(&self.metric, metric, stats))
        }

        /// With the metric's speed-up, or each pair observed; the texts are encoded once.
        fn pair_scorer<'m>(
            &'m self,
            hypotheses: &[&str],
            references: &[&str],
        ) -> Result<Option<Box<dyn PairScorer + 'm>>> {
            let mut scratch = EncoderScratch::default();
            let texts: Vec<&str> = hypotheses.iter().chain(references).copied().collect();
            let texts = Texts::new(&texts, hypotheses.len(), references.len());
            let encoded = self.encoder.$encode(&mut scratch, texts)?;
            let all: Vec<&$sequence> =
                (0..hypotheses.len() + references.len()).map(|index| encoded.get(index)).collect();
            let (hypotheses, references) = all.split_at(hypotheses.len());
            encoded::$pairs(&self.metric, hypotheses, references).map(Some)
        }

        fn leave_one_out(&self, sequences: &[&str]) -> Result<Option<Vec<Self::Stats>>> {
            let mut scratch = EncoderScratch::default();
            let texts: Vec<&str> = sequences.iter().chain(sequences).copied().collect();
            let texts = Texts::new(&texts, sequences.len(), sequences.len());
            let encoded = self.encoder.$encode(&mut scratch, texts)?;
            let all: Vec<&$sequence> = (0..2 * sequences.len()).map(|index| encoded.get(index)).collect();
            let (hypotheses, references) = all.split_at(sequences.len());
            encoded::leave_one_out(&self.metric, hypotheses, references).map(Some)
        }

        fn aggregate(&self, hypotheses: &[&str], references: &[&str]) -> Result<Option<Vec<Self::Stats>>> {
            let mut scratch = EncoderScratch::default();
            let texts: Vec<&str> = hypotheses.iter().chain(references).copied().collect();
            let texts = Texts::new(&texts, hypotheses.len(), references.len());
            let encoded = self.encoder.$encode(&mut scratch, texts)?;
            let all: Vec<&$sequence> =
                (0..hypotheses.len() + references.len()).map(|index| encoded.get(index)).collect();
            let (hypotheses, references) = all.split_at(hypotheses.len());
            self.metric.aggregate(hypotheses, references)
        }
    };
}

impl<M: Observe<[u32]>, K: Tokenizer> Observe<str> for Tokenized<M, K, AsIds> {
    observes_text!([u32], encode, pairs_of_ids);

    fn prepare(&self, scratch: &mut Self::Scratch, references: &[&str]) -> Result<Prepared> {
        self.encoder.prepare(&self.metric, &mut scratch.encoder, &mut scratch.metric, references)
    }

    fn observe_prepared(
        &self,
        scratch: &mut Self::Scratch,
        stats: &mut Self::Stats,
        segment: Segment<'_, str>,
        prepared: &Prepared,
    ) -> Result<()> {
        let TokenizedScratch { encoder, metric } = scratch;
        let hypothesis = segment.hypothesis();
        let observed =
            self.encoder.observe_prepared(&self.metric, encoder, metric, stats, hypothesis, prepared);
        observed.unwrap_or_else(|| self.observe(scratch, stats, segment))
    }
}

impl<M: for<'t> Observe<[&'t str]>, K: Tokenizer> Observe<str> for Tokenized<M, K, AsTokens> {
    observes_text!([&str], tokens, pairs_of_tokens);
}
