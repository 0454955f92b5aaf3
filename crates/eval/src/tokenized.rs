//! [`Tokenized`]: a metric over tokens and a tokenizer are a metric over text.

use core::marker::PhantomData;
use std::collections::HashMap;

use bleuprint_core::{
    Case, ConfigError, Identity, InputError, Metric, Observe, Scale, Segment, SegmentCounts, SinglePrecision,
    StateKey, TokenSpace, serves_over,
};
use bleuprint_text::Tokenizer;
use smallvec::SmallVec;

use crate::encoder::{TextScratch, Texts};
use crate::{Encoder, EncoderScratch};

/// A metric that observes `str`. Its counts and scores are labelled with the tokenizer and the case.
///
/// The metric is given ids that stand for tokens within one segment. One that remembers tokens would be misled by
/// them, and is refused when the program is compiled: it is made by [`Tokenized::with_tokens`].
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

/// The metric looks at ids that stand for tokens: see [`Tokenized`].
#[derive(Debug, Clone, Copy)]
pub struct AsIds;
/// The metric looks at the tokens themselves: see [`Tokenized`].
#[derive(Debug, Clone, Copy)]
pub struct AsTokens;

/// Scratch of [`Tokenized`].
pub struct TokenizedScratch<T> {
    pub(crate) encoder: EncoderScratch,
    pub(crate) metric: T,
    /// For hypotheses against prepared references: where they are cut, their ids, and the ids of tokens that no
    /// reference has.
    pub(crate) cutter: TextScratch,
    pub(crate) ids: Vec<u32>,
    pub(crate) others: HashMap<Box<str>, u32>,
}

impl<M: Metric, K: Tokenizer> Tokenized<M, K> {
    /// `metric` over the tokens of `tokenizer`, lower-cased first or not. A metric that remembers tokens is refused
    /// when the program is compiled:
    ///
    /// ```compile_fail
    /// # use bleuprint_core::*;
    /// # struct M;
    /// # impl Metric for M {
    /// #     type Stats = [u64; 1]; type Score = f64; type Scratch = ();
    /// #     const REMEMBERS_TOKENS: bool = true;
    /// #     fn identity(&self) -> Identity { Identity::new("m", 1) }
    /// #     fn scale(&self) -> Scale { Scale::UNIT }
    /// #     fn scratch(&self) {}
    /// #     fn zero(&self) -> [u64; 1] { [0] }
    /// #     fn finalize(&self, _: &[u64; 1], _: &SegmentCounts) -> Result<f64, InputError> { Ok(0.0) }
    /// # }
    /// use bleuprint_eval::Tokenized;
    /// use bleuprint_text::{TokenizerOptions, tokenizer};
    ///
    /// let tokenizer = tokenizer("13a", &TokenizerOptions::default()).unwrap();
    /// // `M` has `const REMEMBERS_TOKENS: bool = true`; `Tokenized::with_tokens` takes it.
    /// let refused = Tokenized::new(M, tokenizer, Case::Mixed);
    /// ```
    ///
    /// # Errors
    /// Those of [`Encoder::new`].
    pub fn new(metric: M, tokenizer: K, case: Case) -> Result<Self, ConfigError> {
        const {
            assert!(!M::REMEMBERS_TOKENS, "this metric remembers tokens: use `Tokenized::with_tokens`");
        }
        Ok(Tokenized { metric, encoder: Encoder::new(tokenizer, case)?, view: PhantomData })
    }

    /// `metric` over the tokens of `tokenizer`, which it is given as they are: for metrics that remember them.
    ///
    /// ```
    /// # use bleuprint_core::*;
    /// # struct M;
    /// # impl Metric for M {
    /// #     type Stats = [u64; 1]; type Score = f64; type Scratch = ();
    /// #     const REMEMBERS_TOKENS: bool = true;
    /// #     fn identity(&self) -> Identity { Identity::new("m", 1) }
    /// #     fn scale(&self) -> Scale { Scale::UNIT }
    /// #     fn scratch(&self) {}
    /// #     fn zero(&self) -> [u64; 1] { [0] }
    /// #     fn finalize(&self, _: &[u64; 1], _: &SegmentCounts) -> Result<f64, InputError> { Ok(0.0) }
    /// # }
    /// use bleuprint_eval::Tokenized;
    /// use bleuprint_text::{TokenizerOptions, tokenizer};
    ///
    /// let tokenizer = tokenizer("13a", &TokenizerOptions::default()).unwrap();
    /// let accepted = Tokenized::with_tokens(M, tokenizer, Case::Mixed).unwrap();
    /// assert_eq!(accepted.signature().get("tok"), Some("13a"));
    /// ```
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
    /// The metric over tokens.
    pub fn metric(&self) -> &M {
        &self.metric
    }

    pub(crate) fn encoder(&self) -> &Encoder<K> {
        &self.encoder
    }

    /// What the tokens are.
    pub fn token_space(&self) -> &TokenSpace {
        self.encoder.token_space()
    }
}

impl<M: Metric, K: Tokenizer, V: Send + Sync> Metric for Tokenized<M, K, V> {
    type Stats = M::Stats;
    type Score = M::Score;
    type Scratch = TokenizedScratch<M::Scratch>;

    const REMEMBERS_TOKENS: bool = M::REMEMBERS_TOKENS;

    fn identity(&self) -> Identity {
        self.metric.identity().over(self.token_space())
    }
    fn scale(&self) -> Scale {
        self.metric.scale()
    }
    fn scratch(&self) -> Self::Scratch {
        TokenizedScratch {
            encoder: EncoderScratch::default(),
            metric: self.metric.scratch(),
            cutter: TextScratch::default(),
            ids: Vec::new(),
            others: HashMap::new(),
        }
    }
    fn zero(&self) -> Self::Stats {
        self.metric.zero()
    }
    fn finalize(&self, stats: &Self::Stats, counts: &SegmentCounts) -> Result<Self::Score, InputError> {
        self.metric.finalize(stats, counts)
    }
    fn check(&self, stats: &Self::Stats, counts: &SegmentCounts) -> Result<(), InputError> {
        self.metric.check(stats, counts)
    }
    fn serves(&self, key: &StateKey) -> Result<(), InputError> {
        serves_over(&self.metric, self.token_space(), key)
    }
    fn single_precision(&self) -> Option<&dyn SinglePrecision> {
        self.metric.single_precision()
    }
}

/// The texts of a segment in the order in which they are encoded.
fn texts<'s>(segment: &Segment<'s, str>) -> SmallVec<[&'s str; 8]> {
    let first = core::iter::once(segment.hypothesis());
    first.chain(segment.references_or_none().iter().copied()).chain(segment.source_or_none()).collect()
}

/// A segment whose texts were encoded in the order of [`texts`].
fn encoded<'e, S: ?Sized>(
    segment: &Segment<'_, str>,
    references: &'e [&'e S],
    get: impl Fn(usize) -> &'e S,
) -> Segment<'e, S> {
    let encoded = Segment::new(get(0), references);
    if segment.source_or_none().is_some() { encoded.with_source(get(references.len() + 1)) } else { encoded }
}

impl<M: Observe<[u32]>, K: Tokenizer> Observe<str> for Tokenized<M, K, AsIds> {
    fn observe(
        &self,
        scratch: &mut Self::Scratch,
        stats: &mut Self::Stats,
        segment: Segment<'_, str>,
    ) -> Result<(), InputError> {
        let (texts, references) = (texts(&segment), segment.references_or_none().len());
        let ids = self.encoder.encode(&mut scratch.encoder, Texts::new(&texts, 1, references))?;
        let references: SmallVec<[&[u32]; 8]> = (1..=references).map(|index| ids.get(index)).collect();
        let segment = encoded(&segment, &references, |index| ids.get(index));
        self.metric.observe(&mut scratch.metric, stats, segment)
    }
}

impl<M: for<'t> Observe<[&'t str]>, K: Tokenizer> Observe<str> for Tokenized<M, K, AsTokens> {
    fn observe(
        &self,
        scratch: &mut Self::Scratch,
        stats: &mut Self::Stats,
        segment: Segment<'_, str>,
    ) -> Result<(), InputError> {
        let (texts, references) = (texts(&segment), segment.references_or_none().len());
        let tokens = self.encoder.tokens(&mut scratch.encoder, Texts::new(&texts, 1, references))?;
        let references: SmallVec<[&[&str]; 8]> = (1..=references).map(|index| tokens.get(index)).collect();
        let segment = encoded(&segment, &references, |index| tokens.get(index));
        self.metric.observe(&mut scratch.metric, stats, segment)
    }
}
