//! The contract: [`Metric`] is a configuration, [`Observe`] says which sequences it can look at.
//!
//! You need these traits to write a metric or to be generic over metrics; to score something, an
//! [`Accumulator`](crate::Accumulator) is more comfortable.
//!
//! Three kinds of value are kept apart: the *configuration* (the metric itself, immutable), the *statistics*
//! (plain data, [`Stats`]), and the *score*. Four verbs lead from one to the next:
//!
//! ```text
//! zero ──▶ observe ──▶ merge ──▶ finalize
//! ```
//!
//! Laws, for a metric `m`, segment lists `a` and `b`, and `stats(a)` = observing `a` from `m.zero()`:
//!
//! ```text
//! homomorphism       stats(a ++ b) = stats(a) ⊕ stats(b)         for every cut
//! reference order    stats(h, r₁ r₂) = stats(h, r₂ r₁)
//! relabelling        stats(f(a)) = stats(a)                      for every injective renaming f of tokens
//! purity             finalize(s) = finalize(s), and s is unchanged
//! ```
//!
//! together with those of [`Stats`]. They are why the score of a corpus does not depend on how the corpus is cut
//! over batches, threads or machines.
//!
//! The smallest complete metric, observed over any token that can be compared:
//!
//! ```
//! use bleuprint_core::*;
//!
//! /// The mean length of the hypotheses, in tokens.
//! struct MeanLength;
//!
//! #[derive(Clone, Default, PartialEq, Debug)]
//! struct Lengths { tokens: u64, segments: u64 }
//!
//! impl Stats for Lengths {
//!     fn merge(&mut self, other: &Self) {
//!         self.tokens += other.tokens;
//!         self.segments += other.segments;
//!     }
//! }
//!
//! impl Metric for MeanLength {
//!     type Stats = Lengths;
//!     type Score = f64;
//!     fn zero(&self) -> Lengths { Lengths::default() }
//!     fn finalize(&self, stats: &Lengths) -> f64 { stats.tokens as f64 / stats.segments.max(1) as f64 }
//!     fn state_key(&self) -> StateKey { StateKey::new("mean_length", 1) }
//!     fn signature(&self) -> Signature { Signature::new("mean length") }
//! }
//!
//! impl<T> Observe<[T]> for MeanLength {
//!     type Scratch = ();
//!     fn observe(&self, _: &mut (), stats: &mut Lengths, hypothesis: &[T], _: &[&[T]]) -> Result<(), InputError> {
//!         stats.merge(&Lengths { tokens: hypothesis.len() as u64, segments: 1 });
//!         Ok(())
//!     }
//! }
//!
//! let mut lengths = Accumulator::<_, [char]>::new(MeanLength);
//! lengths.push(&['a', 'b', 'c'], &[&['a']]).unwrap();
//! lengths.push(&['a'], &[&['a']]).unwrap();
//! assert_eq!(lengths.score().unwrap().score, 2.0);
//! ```

use crate::{InputError, Labelled, Signature, StateKey, Stats, TokenSpace};

/// A metric's configuration; it knows no token type and holds no state.
pub trait Metric: Send + Sync {
    /// What is counted and merged.
    type Stats: Stats;
    /// What comes out.
    type Score;

    /// The identity of merging, for this configuration.
    fn zero(&self) -> Self::Stats;

    /// The score of what was observed: pure, repeatable, changes nothing. It is total: the definition says what
    /// the score of `zero()` is.
    fn finalize(&self, stats: &Self::Stats) -> Self::Score;

    /// What must agree before states may merge.
    fn state_key(&self) -> StateKey;

    /// What must agree before scores may be compared, without the number of references, which is data.
    fn signature(&self) -> Signature;

    /// Whether these statistics can have been observed with this configuration. Called on everything that
    /// comes from outside (files, other programs), never on the way of observed segments.
    ///
    /// # Errors
    /// [`MalformedState`](crate::InputErrorKind::MalformedState), saying what does not fit.
    fn check(&self, stats: &Self::Stats) -> Result<(), InputError> {
        let _ = stats;
        Ok(())
    }

    /// The same metric, its counts and scores labelled with the tokens they are over.
    fn over(self, space: TokenSpace) -> Labelled<Self>
    where
        Self: Sized,
    {
        Labelled::new(self, space)
    }
}

/// A metric that can look at segments whose hypothesis and references are sequences of kind `S`: `[T]` for any
/// tokens, `str` for text.
pub trait Observe<S: ?Sized>: Metric {
    /// Tables that are reused from segment to segment: one per thread, holding no tokens and no lifetimes.
    /// What is in them never changes a result.
    type Scratch: Default + Send;

    /// Adds one segment to `stats`.
    ///
    /// The references are those of this segment; an empty reference is a real one, of length 0.
    ///
    /// # Errors
    /// [`NoReferences`](crate::InputErrorKind::NoReferences) when there are none and the metric needs one. After
    /// an error `stats` is unchanged.
    fn observe(
        &self,
        scratch: &mut Self::Scratch,
        stats: &mut Self::Stats,
        hypothesis: &S,
        references: &[&S],
    ) -> Result<(), InputError>;
}

impl<M: Metric> Metric for &M {
    type Stats = M::Stats;
    type Score = M::Score;

    fn zero(&self) -> Self::Stats {
        (**self).zero()
    }
    fn finalize(&self, stats: &Self::Stats) -> Self::Score {
        (**self).finalize(stats)
    }
    fn state_key(&self) -> StateKey {
        (**self).state_key()
    }
    fn signature(&self) -> Signature {
        (**self).signature()
    }
    fn check(&self, stats: &Self::Stats) -> Result<(), InputError> {
        (**self).check(stats)
    }
}

impl<S: ?Sized, M: Observe<S>> Observe<S> for &M {
    type Scratch = M::Scratch;

    fn observe(
        &self,
        scratch: &mut Self::Scratch,
        stats: &mut Self::Stats,
        hypothesis: &S,
        references: &[&S],
    ) -> Result<(), InputError> {
        (**self).observe(scratch, stats, hypothesis, references)
    }
}
