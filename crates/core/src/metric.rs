//! The contract: [`Metric`] is a configuration; [`Observe`](crate::Observe) says which sequences it can look at.
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
//!     pub struct Matched { matched <= segments }
//! }
//!
//! /// The share of hypotheses that equal a reference.
//! struct ExactMatch;
//!
//! impl Metric for ExactMatch {
//!     type Stats = Matched;
//!     type Score = f64;
//!     type Scratch = ();
//!     fn identity(&self) -> Identity { Identity::new("exact_match", 1, Scale::PERCENT).named("EM") }
//!     fn finalize(&self, stats: &Matched, counts: &SegmentCounts) -> Result<f64> {
//!         Ok(100.0 * stats.matched as f64 / counts.segments.max(1) as f64)
//!     }
//! }
//!
//! impl<S: PartialEq + ?Sized> Observe<S> for ExactMatch {
//!     fn observe(&self, _: &mut (), stats: &mut Matched, segment: Segment<'_, S>) -> Result<()> {
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

use alloc::borrow::Cow;
use alloc::sync::Arc;
use alloc::vec::Vec;

use crate::{
    Identity, InputErrorKind, Labelled, Result, Scale, Score, SegmentCounts, Signature, SinglePrecision,
    StateKey, Stats, TokenSpace,
};

/// A metric's configuration; it knows no token type and holds no state.
pub trait Metric: Send + Sync {
    /// What is counted and merged.
    type Stats: Stats;
    /// What comes out.
    type Score: Score;
    /// Tables that are reused from segment to segment, one per thread. What is in them never changes a result.
    type Scratch: Default + Send + 'static;

    /// What this metric is, in this configuration: its scale, its state key and its signature follow.
    fn identity(&self) -> Identity;

    /// The score of what was observed in segments of these counts: pure, repeatable, changes nothing.
    ///
    /// # Errors
    /// [`NoScore`](InputErrorKind::NoScore) where the definition gives none, and
    /// [`CannotFinish`](InputErrorKind::CannotFinish) where the statistics lack what this configuration needs.
    fn finalize(&self, stats: &Self::Stats, counts: &SegmentCounts) -> Result<Self::Score>;

    /// The identity of merging, for this configuration. To be said where its shape depends on the configuration.
    fn zero(&self) -> Self::Stats {
        Self::Stats::default()
    }

    /// Whether these statistics can have been observed with this configuration, in segments of these counts.
    /// Called on everything that comes from outside (files, other programs) and after every subtraction. The default
    /// is [`Stats::check`].
    ///
    /// # Errors
    /// [`MalformedState`](InputErrorKind::MalformedState), saying what does not fit.
    fn check(&self, stats: &Self::Stats, counts: &SegmentCounts) -> Result<()> {
        stats.check(counts)
    }

    /// The names of the headline numbers, in the order of [`Score::headlines`].
    fn headline_names(&self) -> Vec<Cow<'static, str>> {
        alloc::vec![Cow::Borrowed("score")]
    }

    /// The (first) headline number: [`Score::value`] of [`Metric::finalize`], which resampling asks for very often.
    ///
    /// # Errors
    /// Those of [`Metric::finalize`].
    fn number(&self, stats: &Self::Stats, counts: &SegmentCounts) -> Result<f64> {
        Ok(self.finalize(stats, counts)?.value())
    }

    /// Whether a state of this key can be finished here. A metric whose states also serve other configurations
    /// (those of BLEU serve all lower orders) widens it.
    ///
    /// # Errors
    /// [`UnlikeStates`](InputErrorKind::UnlikeStates), naming the field that differs.
    fn serves(&self, key: &StateKey) -> Result<()> {
        self.state_key().require_serves(key)
    }

    /// The number of segments that are best observed at once: 1, but for a metric whose
    /// [`observe_each`](crate::Observe::observe_each) is faster on many. Doors that read a corpus hand over such batches.
    fn batch(&self) -> usize {
        1
    }

    /// How sacreBLEU resamples this metric, where it has it.
    fn single_precision(&self) -> Option<&dyn SinglePrecision> {
        None
    }

    /// What must agree before states may merge.
    fn state_key(&self) -> Arc<StateKey> {
        Arc::new(self.identity().key())
    }

    /// The identity of this metric over the tokens of a state, where it was told nothing of its own tokens.
    fn identity_over(&self, state: &StateKey) -> Identity {
        self.identity().over_state(state)
    }

    /// The range of the score, and which end is the good one.
    fn scale(&self) -> Scale {
        self.identity().scale()
    }

    /// What must agree before scores may be compared, without the number of references, which is data.
    fn signature(&self) -> Signature {
        self.identity().signature(&SegmentCounts::default())
    }

    /// Whether statistics are rows of counts, or an error that says what cannot be done with them.
    ///
    /// # Errors
    /// [`NotLinear`](InputErrorKind::NotLinear).
    fn require_rows(&self, operation: &'static str) -> Result<()> {
        if self.zero().is_row() {
            return Ok(());
        }
        Err(InputErrorKind::NotLinear { metric: self.identity().name(), operation }.into())
    }

    /// The same metric, its counts and scores labelled with the tokens they are over.
    fn over(self, space: TokenSpace) -> Labelled<Self>
    where
        Self: Sized,
    {
        Labelled::new(self, space)
    }
}

/// The verbs of `Metric` for a wrapper that changes nothing of them: `$inner` is the wrapped metric.
macro_rules! metric_through {
    ($this:ident => $inner:expr) => {
        fn identity(&$this) -> $crate::Identity {
            ($inner).identity()
        }
        fn identity_over(&$this, state: &$crate::StateKey) -> $crate::Identity {
            ($inner).identity_over(state)
        }
        fn state_key(&$this) -> alloc::sync::Arc<$crate::StateKey> {
            ($inner).state_key()
        }
        fn serves(&$this, key: &$crate::StateKey) -> $crate::Result<()> {
            ($inner).serves(key)
        }
        $crate::metric::metric_through!(counts $this => $inner);
    };
    // All but what names the metric and its tokens.
    (counts $this:ident => $inner:expr) => {
        fn zero(&$this) -> Self::Stats {
            ($inner).zero()
        }
        fn finalize(&$this, stats: &Self::Stats, counts: &$crate::SegmentCounts) -> $crate::Result<Self::Score> {
            ($inner).finalize(stats, counts)
        }
        fn number(&$this, stats: &Self::Stats, counts: &$crate::SegmentCounts) -> $crate::Result<f64> {
            ($inner).number(stats, counts)
        }
        fn check(&$this, stats: &Self::Stats, counts: &$crate::SegmentCounts) -> $crate::Result<()> {
            ($inner).check(stats, counts)
        }
        fn headline_names(&$this) -> alloc::vec::Vec<alloc::borrow::Cow<'static, str>> {
            ($inner).headline_names()
        }
        fn batch(&$this) -> usize {
            ($inner).batch()
        }
        fn single_precision(&$this) -> Option<&dyn $crate::SinglePrecision> {
            ($inner).single_precision()
        }
    };
}
pub(crate) use metric_through;
