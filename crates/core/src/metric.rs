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
//! reference order    stats(h, r₁ r₂) = stats(h, r₂ r₁)          unless the identity says that it matters
//! relabelling        stats(f(a)) = stats(a)                      for every injective renaming f of tokens,
//!                                                                unless the metric remembers tokens
//! purity             finalize(s) = finalize(s), and s is unchanged
//! ```
//!
//! together with those of [`Stats`]. They are why the score of a corpus does not depend on how the corpus is cut
//! over batches, threads or machines. [`crate::laws`] proves them for any metric in one line.
//!
//! A complete metric, observed over any sequences that can be compared:
//!
//! ```
//! use bleuprint_core::*;
//!
//! columns! {
//!     /// What is counted.
//!     pub struct Matched { matched }
//! }
//!
//! /// The share of hypotheses that equal a reference.
//! struct ExactMatch;
//!
//! impl Metric for ExactMatch {
//!     type Stats = Matched;
//!     type Score = f64;
//!     type Scratch = ();
//!     fn identity(&self) -> Identity { Identity::new("exact_match", 1).named("EM") }
//!     fn scale(&self) -> Scale { Scale::PERCENT }
//!     fn scratch(&self) {}
//!     fn zero(&self) -> Matched { Matched::default() }
//!     fn finalize(&self, stats: &Matched, counts: &SegmentCounts) -> Result<f64, InputError> {
//!         Ok(100.0 * stats.matched as f64 / counts.segments.max(1) as f64)
//!     }
//! }
//!
//! impl<S: PartialEq + ?Sized> Observe<S> for ExactMatch {
//!     fn observe(&self, _: &mut (), stats: &mut Matched, segment: Segment<'_, S>) -> Result<(), InputError> {
//!         let matched = u64::from(segment.references()?.contains(&segment.hypothesis()));
//!         stats.merge(&Matched { matched })
//!     }
//! }
//!
//! let mut matches = Accumulator::<_, str>::new(ExactMatch);
//! matches.push("1869", &["1869", "in 1869"]).unwrap();
//! matches.push("Paris", &["Lyon"]).unwrap();
//! assert_eq!(matches.score().unwrap().score, 50.0);
//! ```

use alloc::boxed::Box;
use alloc::vec::Vec;

use crate::{
    Identity, InputError, Labelled, PairScorer, Scale, Segment, SegmentCounts, Signature, SinglePrecision,
    StateKey, Stats, TokenSpace,
};

/// A metric's configuration; it knows no token type and holds no state.
pub trait Metric: Send + Sync {
    /// What is counted and merged.
    type Stats: Stats;
    /// What comes out.
    type Score;
    /// Tables that are reused from segment to segment, one per thread. What is in them never changes a result.
    type Scratch: Send + 'static;

    /// Whether the statistics hold tokens or anything made of them, such as a set of n-grams. Such a metric is
    /// given the tokens themselves, never numbers that stand for them within one segment or one run.
    const REMEMBERS_TOKENS: bool = false;

    /// What this metric is, in this configuration: its state key and its signature follow.
    fn identity(&self) -> Identity;

    /// The range of the score, and which end is the good one.
    fn scale(&self) -> Scale;

    /// Fresh tables; they may depend on the configuration.
    fn scratch(&self) -> Self::Scratch;

    /// The identity of merging, for this configuration.
    fn zero(&self) -> Self::Stats;

    /// The score of what was observed in segments of these counts: pure, repeatable, changes nothing.
    ///
    /// # Errors
    /// [`NoScore`](crate::InputErrorKind::NoScore) where the definition gives none, and
    /// [`CannotFinish`](crate::InputErrorKind::CannotFinish) where the statistics lack what this configuration
    /// needs.
    fn finalize(&self, stats: &Self::Stats, counts: &SegmentCounts) -> Result<Self::Score, InputError>;

    /// Whether these statistics can have been observed with this configuration, in segments of these counts.
    /// Called on everything that comes from outside (files, other programs) and after every subtraction.
    ///
    /// # Errors
    /// [`MalformedState`](crate::InputErrorKind::MalformedState), saying what does not fit.
    fn check(&self, stats: &Self::Stats, counts: &SegmentCounts) -> Result<(), InputError> {
        let _ = (stats, counts);
        Ok(())
    }

    /// Whether a state of this key can be finished here. A metric whose states also serve other configurations
    /// (those of BLEU serve all lower orders) widens it.
    ///
    /// # Errors
    /// [`UnlikeStates`](crate::InputErrorKind::UnlikeStates), naming the field that differs.
    fn serves(&self, key: &StateKey) -> Result<(), InputError> {
        self.state_key().require_serves(key)
    }

    /// How sacreBLEU resamples this metric, where it has it.
    fn single_precision(&self) -> Option<&dyn SinglePrecision> {
        None
    }

    /// What must agree before states may merge.
    fn state_key(&self) -> StateKey {
        self.identity().key()
    }

    /// What must agree before scores may be compared, without the number of references, which is data.
    fn signature(&self) -> Signature {
        self.identity().signature(&SegmentCounts::default())
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
#[diagnostic::on_unimplemented(
    message = "`{Self}` does not observe segments of kind `{S}`",
    label = "no `Observe<{S}>` here",
    note = "a metric over tokens observes text through a tokenizer: `bleuprint::Tokenized::new(metric, tokenizer, case)`",
    note = "sequences are named without the reference: `[u32]`, `[char]`, `[String]`, `str`"
)]
pub trait Observe<S: ?Sized>: Metric {
    /// Adds one segment to `stats`.
    ///
    /// # Errors
    /// [`NoReferences`](crate::InputErrorKind::NoReferences) or [`NoSource`](crate::InputErrorKind::NoSource) when
    /// the metric needs what is not there; counts that do not fit. After an error `stats` is unchanged.
    fn observe(
        &self,
        scratch: &mut Self::Scratch,
        stats: &mut Self::Stats,
        segment: Segment<'_, S>,
    ) -> Result<(), InputError>;

    /// Observes each segment into statistics of its own: `stats[i]` for `segments[i]`. A metric that is faster on
    /// many segments at once (one that runs a model) does so here; the others have the loop.
    ///
    /// # Errors
    /// Those of [`Observe::observe`], with the index of the segment; the statistics are then without meaning.
    fn observe_each(
        &self,
        scratch: &mut Self::Scratch,
        stats: &mut [Self::Stats],
        segments: &[Segment<'_, S>],
    ) -> Result<(), (usize, InputError)> {
        for (index, (stats, segment)) in stats.iter_mut().zip(segments).enumerate() {
            self.observe(scratch, stats, *segment).map_err(|error| (index, error))?;
        }
        Ok(())
    }

    /// A shorter way to the scores of every hypothesis with every reference alone, if the metric has one for these
    /// sequences: see [`PairScorer`].
    ///
    /// # Errors
    /// Those of [`Observe::observe`] that depend on single sequences.
    fn pair_scorer<'m>(
        &'m self,
        hypotheses: &[&S],
        references: &[&S],
    ) -> Result<Option<Box<dyn PairScorer + 'm>>, InputError> {
        let _ = (hypotheses, references);
        Ok(None)
    }

    /// A shorter way to the statistics of each sequence with all the others as its references, if the metric has one
    /// for these sequences, of which there are at least two.
    ///
    /// # Errors
    /// Those of [`Observe::observe`].
    fn leave_one_out(&self, sequences: &[&S]) -> Result<Option<Vec<Self::Stats>>, InputError> {
        let _ = sequences;
        Ok(None)
    }

    /// The statistics of each hypothesis with one reference that stands for all of these, if the metric has such: an
    /// approximation of its scores with each of them, in linear time. They are those of as many segments as there are
    /// references, in which the hypothesis, so many times, is matched with all references laid together; with a single
    /// reference, those of the pair.
    ///
    /// # Errors
    /// Those of [`Observe::observe`].
    fn aggregate(
        &self,
        hypotheses: &[&S],
        references: &[&S],
    ) -> Result<Option<Vec<Self::Stats>>, InputError> {
        let _ = (hypotheses, references);
        Ok(None)
    }
}

impl<M: Metric + ?Sized> Metric for &M {
    type Stats = M::Stats;
    type Score = M::Score;
    type Scratch = M::Scratch;

    const REMEMBERS_TOKENS: bool = M::REMEMBERS_TOKENS;

    fn identity(&self) -> Identity {
        (**self).identity()
    }
    fn scale(&self) -> Scale {
        (**self).scale()
    }
    fn scratch(&self) -> Self::Scratch {
        (**self).scratch()
    }
    fn zero(&self) -> Self::Stats {
        (**self).zero()
    }
    fn finalize(&self, stats: &Self::Stats, counts: &SegmentCounts) -> Result<Self::Score, InputError> {
        (**self).finalize(stats, counts)
    }
    fn check(&self, stats: &Self::Stats, counts: &SegmentCounts) -> Result<(), InputError> {
        (**self).check(stats, counts)
    }
    fn serves(&self, key: &StateKey) -> Result<(), InputError> {
        (**self).serves(key)
    }
    fn single_precision(&self) -> Option<&dyn SinglePrecision> {
        (**self).single_precision()
    }
}

impl<S: ?Sized, M: Observe<S> + ?Sized> Observe<S> for &M {
    fn observe(
        &self,
        scratch: &mut Self::Scratch,
        stats: &mut Self::Stats,
        segment: Segment<'_, S>,
    ) -> Result<(), InputError> {
        (**self).observe(scratch, stats, segment)
    }

    fn observe_each(
        &self,
        scratch: &mut Self::Scratch,
        stats: &mut [Self::Stats],
        segments: &[Segment<'_, S>],
    ) -> Result<(), (usize, InputError)> {
        (**self).observe_each(scratch, stats, segments)
    }

    fn pair_scorer<'m>(
        &'m self,
        hypotheses: &[&S],
        references: &[&S],
    ) -> Result<Option<Box<dyn PairScorer + 'm>>, InputError> {
        (**self).pair_scorer(hypotheses, references)
    }

    fn leave_one_out(&self, sequences: &[&S]) -> Result<Option<Vec<Self::Stats>>, InputError> {
        (**self).leave_one_out(sequences)
    }

    fn aggregate(
        &self,
        hypotheses: &[&S],
        references: &[&S],
    ) -> Result<Option<Vec<Self::Stats>>, InputError> {
        (**self).aggregate(hypotheses, references)
    }
}
