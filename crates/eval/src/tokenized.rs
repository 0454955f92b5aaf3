//! [`Tokenized`]: a metric over tokens and a tokenizer are a metric over text.

use bleuprint_core::{
    Case, ConfigError, InputError, InputErrorKind, Metric, Observe, Signature, StateKey, TokenSpace,
};
use bleuprint_text::Tokenizer;
use smallvec::SmallVec;

use crate::{Encoder, EncoderScratch};

/// A metric that observes `str`. Its counts and scores are labelled with the tokenizer and the case.
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
    /// Those of [`Encoder::new`].
    pub fn new(metric: M, tokenizer: K, case: Case) -> Result<Self, ConfigError> {
        Ok(Tokenized { metric, encoder: Encoder::new(tokenizer, case)? })
    }

    /// The metric over tokens.
    pub fn metric(&self) -> &M {
        &self.metric
    }

    /// What the tokens are.
    pub fn token_space(&self) -> &TokenSpace {
        self.encoder.token_space()
    }
}

impl<M: Metric, K: Tokenizer> Metric for Tokenized<M, K> {
    type Stats = M::Stats;
    type Score = M::Score;

    fn zero(&self) -> Self::Stats {
        self.metric.zero()
    }
    fn finalize(&self, stats: &Self::Stats) -> Self::Score {
        self.metric.finalize(stats)
    }
    fn state_key(&self) -> StateKey {
        self.metric.state_key().over(self.token_space())
    }
    fn signature(&self) -> Signature {
        self.metric.signature().over(self.token_space())
    }
    fn check(&self, stats: &Self::Stats) -> Result<(), InputError> {
        self.metric.check(stats)
    }
}

impl<M: Observe<[u32]>, K: Tokenizer> Observe<str> for Tokenized<M, K> {
    type Scratch = TokenizedScratch<M::Scratch>;

    fn observe(
        &self,
        scratch: &mut Self::Scratch,
        stats: &mut Self::Stats,
        hypothesis: &str,
        references: &[&str],
    ) -> Result<(), InputError> {
        if references.is_empty() {
            return Err(InputErrorKind::NoReferences.into());
        }
        let texts: SmallVec<[&str; 8]> =
            core::iter::once(hypothesis).chain(references.iter().copied()).collect();
        let ids = self.encoder.encode(&mut scratch.encoder, &texts)?;
        let references: SmallVec<[&[u32]; 8]> = (1..texts.len()).map(|index| ids.get(index)).collect();
        self.metric.observe(&mut scratch.metric, stats, ids.get(0), &references)
    }
}
