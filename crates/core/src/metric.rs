//! The contract: [`Metric`] is a configuration; [`Observe`](crate::Observe) adds sequences to its statistics.

use core::any::{Any, TypeId};

use crate::prelude::*;
use crate::{
    Identity, Labelled, Result, Scale, Score, SegmentCounts, Signature, StateKey, Stats, TokenSpace,
};

/// A metric's configuration; it knows no token type and holds no state.
///
/// These traits are for authors of metrics and for generic code; for scoring, take an
/// [`Accumulator`](crate::Accumulator).
///
/// Three kinds of value are kept apart: the *configuration* (the metric itself, immutable), the *statistics*
/// (plain data, [`Stats`]), and the *score*. Four verbs lead from one to the next:
///
/// ```text
/// zero ──▶ observe ──▶ merge ──▶ finalize
/// ```
///
/// Laws, for a metric `m`, segment lists `a` and `b`, and `stats(a)` = observing `a` from `m.zero()`:
///
/// ```text
/// homomorphism       stats(a ++ b) = stats(a) ⊕ stats(b)         for every cut
/// reference order    stats(h, r₁ r₂) = stats(h, r₂ r₁)          unless the identity declares that it matters
/// relabelling        stats(f(a)) = stats(a)                      for every injective renaming f of tokens,
///                                                                unless the metric remembers tokens
/// purity             finalize(s) = finalize(s), and s is unchanged
/// ```
///
/// together with those of [`Stats`]. They are why the score of a corpus does not depend on how the corpus is cut
/// over batches, threads or machines. `laws` of `bleuprint-registry` prove them for any metric in one line.
///
/// A complete metric, observed over any sequences that can be compared:
///
/// ```
/// use bleuprint_core::*;
///
/// columns! {
///     /// What is counted.
///     pub struct Matched { matched <= segments }
/// }
///
/// /// The share of hypotheses that equal a reference.
/// struct ExactMatch;
///
/// impl Metric for ExactMatch {
///     type Stats = Matched;
///     type Score = f64;
///     type Scratch = ();
///     fn identity(&self) -> Identity { Identity::new("exact_match", 1, Scale::PERCENT).named("EM") }
///     fn finalize(&self, stats: &Matched, counts: &SegmentCounts) -> Result<f64> {
///         Ok(100.0 * stats.matched as f64 / counts.segments.max(1) as f64)
///     }
/// }
///
/// impl<S: PartialEq + ?Sized> Observe<S> for ExactMatch {
///     fn observe(&self, _: &mut (), stats: &mut Matched, segment: Segment<'_, S>) -> Result<()> {
///         let matched = u64::from(segment.references()?.contains(&segment.hypothesis));
///         stats.merge(&Matched { matched })
///     }
/// }
///
/// let mut matches = Accumulator::<_, str>::new(ExactMatch);
/// matches.push("1869", &["1869", "in 1869"]).unwrap();
/// matches.push("Paris", &["Lyon"]).unwrap();
/// assert_eq!(matches.score().unwrap().score, 50.0);
/// ```
pub trait Metric: Send + Sync {
    /// The statistics, which merge.
    type Stats: Stats;
    /// The score.
    type Score: Score;
    /// Buffers reused from segment to segment, one per thread. Their content never changes a result.
    type Scratch: Default + Send + Sync + 'static;

    /// The identity of this configuration; scale, state key and signature follow from it.
    fn identity(&self) -> Identity;

    /// The score of statistics observed in segments of these counts: pure, repeatable, changes nothing.
    ///
    /// # Errors
    /// [`NoScore`](crate::InputErrorKind::NoScore) where the definition gives none, and
    /// [`CannotFinish`](crate::InputErrorKind::CannotFinish) where the statistics lack what this configuration needs.
    fn finalize(&self, stats: &Self::Stats, counts: &SegmentCounts) -> Result<Self::Score>;

    /// The identity of merging. To be implemented where its shape depends on the configuration.
    fn zero(&self) -> Self::Stats {
        Self::Stats::default()
    }

    /// Whether this configuration can have observed these statistics in segments of these counts. Called on all foreign
    /// statistics (files, other programs) and after every subtraction. The default is [`Stats::check`].
    ///
    /// # Errors
    /// [`MalformedState`](crate::InputErrorKind::MalformedState), naming the conflict.
    fn check(&self, stats: &Self::Stats, counts: &SegmentCounts) -> Result<()> {
        stats.check(counts)
    }

    /// The names of the headline numbers, in the order of [`Score::headlines`].
    fn headline_names(&self) -> Vec<Cow<'static, str>> {
        vec![Cow::Borrowed("score")]
    }

    /// The (first) headline number, [`Score::value`] of [`Metric::finalize`]; resampling calls it often.
    ///
    /// # Errors
    /// Those of [`Metric::finalize`].
    fn number(&self, stats: &Self::Stats, counts: &SegmentCounts) -> Result<f64> {
        Ok(self.finalize(stats, counts)?.value())
    }

    /// Whether this metric can finish states of this key. A metric whose states also serve other configurations (those of
    /// BLEU serve all lower orders) widens it.
    ///
    /// # Errors
    /// [`UnlikeStates`](crate::InputErrorKind::UnlikeStates), naming the field that differs.
    fn serves(&self, key: &StateKey) -> Result<()> {
        self.identity().require_serves(key)
    }

    /// The preferred number of segments per call of [`observe_each`](crate::Observe::observe_each): 1, except for metrics
    /// that are faster on many. Every door hands over such batches, and no larger ones but those that a caller makes.
    fn batch(&self) -> usize {
        1
    }

    /// An ability that few metrics have, by its type, such as [`Box<dyn SinglePrecision>`](crate::SinglePrecision).
    /// A wrapper forwards it if its statistics are the metric's.
    fn extension(&self, kind: TypeId) -> Option<Box<dyn Any>> {
        let _ = kind;
        None
    }

    /// The key of its states.
    fn state_key(&self) -> Arc<StateKey> {
        Arc::new(self.identity().key())
    }

    /// The identity of this metric over the tokens of a state, unless its own are specified.
    fn identity_over(&self, state: &StateKey) -> Identity {
        self.identity().over_state(state)
    }

    /// The range of the score, and which end is the good one.
    fn scale(&self) -> Scale {
        self.identity().scale()
    }

    /// The signature of its scores, without the number of references, which comes from the data.
    fn signature(&self) -> Signature {
        self.identity().signature(&SegmentCounts::default())
    }

    /// The signature of its scores over states of this key and segments of these counts. Metrics chosen at run time keep it
    /// from score to score.
    fn signature_over(&self, state: &Arc<StateKey>, counts: &SegmentCounts) -> Signature {
        self.identity_over(state).signature(counts)
    }

    /// Requires statistics that are rows of counts, for an operation named in the error.
    ///
    /// # Errors
    /// [`NotLinear`](crate::InputErrorKind::NotLinear).
    fn require_rows(&self, operation: &'static str) -> Result<()> {
        if self.zero().is_row() {
            return Ok(());
        }
        Err(self.identity().no_rows(operation))
    }

    /// The same metric, its keys and signatures labelled with this token space.
    fn over(self, space: TokenSpace) -> Labelled<Self>
    where
        Self: Sized,
    {
        Labelled { metric: self, space }
    }
}

/// Writes every verb of [`Metric`] for a wrapper whose statistics and scores are the inner metric's; with `all but identity`
/// the wrapper has an identity of its own, with `all but statistics` statistics and scores. The example is that of
/// [`observe_through!`](crate::observe_through).
#[macro_export]
macro_rules! metric_through {
    ($this:ident => $inner:expr) => {
        $crate::metric_through!(@ identity $this => $inner);
        $crate::metric_through!(all but identity, $this => $inner);
    };
    (all but statistics, $this:ident => $inner:expr) => {
        $crate::metric_through!(@ identity $this => $inner);
        $crate::metric_through!(@ words $this => $inner);
    };
    (@ identity $this:ident => $inner:expr) => {
        fn identity(&$this) -> $crate::Identity {
            ($inner).identity()
        }
        fn identity_over(&$this, state: &$crate::StateKey) -> $crate::Identity {
            ($inner).identity_over(state)
        }
        fn state_key(&$this) -> $crate::export::Arc<$crate::StateKey> {
            ($inner).state_key()
        }
        fn scale(&$this) -> $crate::Scale {
            ($inner).scale()
        }
        fn signature(&$this) -> $crate::Signature {
            ($inner).signature()
        }
        fn signature_over(
            &$this,
            state: &$crate::export::Arc<$crate::StateKey>,
            counts: &$crate::SegmentCounts,
        ) -> $crate::Signature {
            ($inner).signature_over(state, counts)
        }
        fn serves(&$this, key: &$crate::StateKey) -> $crate::Result<()> {
            ($inner).serves(key)
        }
    };
    (all but identity, $this:ident => $inner:expr) => {
        $crate::metric_through!(@ words $this => $inner);
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
    };
    (@ words $this:ident => $inner:expr) => {
        fn headline_names(&$this) -> $crate::export::Vec<$crate::export::Cow<'static, str>> {
            ($inner).headline_names()
        }
        fn batch(&$this) -> usize {
            ($inner).batch()
        }
        fn extension(&$this, kind: core::any::TypeId) -> Option<$crate::export::Box<dyn core::any::Any>> {
            ($inner).extension(kind)
        }
    };
}
