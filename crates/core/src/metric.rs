//! The trait [`Metric`], implemented by the configuration of a metric. [`Observe`](crate::Observe) adds the
//! method that counts segments.

use core::any::{Any, TypeId};

use crate::prelude::*;
use crate::{
    Identity, Labelled, Quotient, Result, Scale, Score, SegmentCounts, Signature, StateKey, Stats, TokenSpace,
};

/// Configuration of a metric, such as BLEU with its n-gram order. It is independent of token types and holds
/// no counts.
///
/// | you write | it |
/// |---|---|
/// | [`identity`](Metric::identity) | returns the name, the scale and the settings |
/// | [`observe`](crate::Observe::observe) of [`Observe`](crate::Observe) | adds the counts of a segment to the statistics |
/// | [`finalize`](Metric::finalize) | computes the score from the statistics |
/// | [`Metric::Stats`], [`Metric::Score`], [`Metric::Scratch`] | name the counts, the result, and buffers that are reused (or `()`) |
///
/// | you get | from |
/// |---|---|
/// | running totals, merging, checkpoints | [`Accumulator`](crate::Accumulator), [`State`](crate::State), [`Tagged`](crate::Tagged) |
/// | keys and signatures, which stop a wrong merge | [`Metric::state_key`], [`Metric::signature`] |
/// | tokens with a name | [`Metric::over`] |
/// | a name, files, intervals, tests, reports, gates | `AnyMetric` of `bleuprint-registry` |
/// | tests of all laws below | `laws` of `bleuprint-registry` |
///
/// All other methods have defaults; override [`Metric::zero`] and [`Metric::check`] if the configuration decides
/// the shape of the statistics. For a metric in a few lines see [`PerSegment`](crate::PerSegment) and
/// [`Totals`](crate::Totals).
///
/// Three kinds of value are separate: the *configuration* (the metric itself, immutable), the *statistics*
/// (plain data, [`Stats`]), and the *score*. Four methods lead from one to the next:
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
/// Together with the laws of [`Stats`], they make the score of a corpus independent of how it is split over
/// batches, threads or machines.
///
/// A complete metric over any sequences that can be compared:
///
/// ```
/// use bleuprint_core::*;
///
/// columns! {
///     /// Counts of exact match.
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
    /// Counts that the metric collects from segments. Counts of two sets of segments can be merged.
    type Stats: Stats;
    /// Result that the metric computes from its statistics, such as a number.
    type Score: Score;
    /// Working buffers that are reused from segment to segment, one set per thread. Their content never
    /// changes a result.
    type Scratch: Default + Send + Sync + 'static;

    /// Returns the name, scale and settings of this configured metric, from which state keys and signatures
    /// are made.
    fn identity(&self) -> Identity;

    /// Computes the score from statistics that were collected from `counts` segments. Repeated calls give
    /// equal scores.
    ///
    /// # Errors
    /// Returns [`NoScore`](crate::InputErrorKind::NoScore) if the definition gives no score, and
    /// [`CannotFinish`](crate::InputErrorKind::CannotFinish) if the statistics lack what this configuration
    /// needs.
    fn finalize(&self, stats: &Self::Stats, counts: &SegmentCounts) -> Result<Self::Score>;

    /// Returns empty statistics, before any segment. Override this method if their shape depends on the
    /// configuration.
    fn zero(&self) -> Self::Stats {
        Self::Stats::default()
    }

    /// Checks that this configuration can have produced these statistics from `counts` segments.
    ///
    /// It is called for statistics from files and other programs, and after every subtraction. The default is
    /// [`Stats::check`].
    ///
    /// # Errors
    /// Returns [`MalformedState`](crate::InputErrorKind::MalformedState) with the conflicting counts.
    fn check(&self, stats: &Self::Stats, counts: &SegmentCounts) -> Result<()> {
        stats.check(counts)
    }

    /// Returns the names of the numbers of a score, such as precision, recall and F1, in the order of
    /// [`Score::headlines`].
    fn headline_names(&self) -> Vec<Cow<'static, str>> {
        vec![Cow::Borrowed("score")]
    }

    /// Computes the first number of a score: [`Score::value`] of [`Metric::finalize`]. Resampling calls it
    /// often.
    ///
    /// # Errors
    /// Returns the errors of [`Metric::finalize`].
    fn number(&self, stats: &Self::Stats, counts: &SegmentCounts) -> Result<f64> {
        Ok(self.finalize(stats, counts)?.value())
    }

    /// Checks that this metric can compute a score from stored counts with the key `key`. The default
    /// requires the metric's own key.
    ///
    /// A metric that can score the counts of other configurations accepts more keys: BLEU counts of order 4
    /// also give scores of all lower n-gram orders.
    ///
    /// # Errors
    /// Returns [`UnlikeStates`](crate::InputErrorKind::UnlikeStates) with the field that differs.
    fn serves(&self, key: &StateKey) -> Result<()> {
        self.identity().require_serves(key)
    }

    /// Returns the formula of the metric's number if it is a quotient of summed counts, as in word error rate;
    /// `None` for most metrics. Reports compute scores of selected segments with it.
    fn quotient(&self) -> Option<Quotient> {
        None
    }

    /// Returns the number of segments that callers should pass to each call of
    /// [`observe_each`](crate::Observe::observe_each). It is 1, except for metrics that are faster on many
    /// segments at once.
    ///
    /// The command line and all other interfaces pass batches of this size. Batches of another size are
    /// valid, too.
    fn batch(&self) -> usize {
        1
    }

    /// Returns an optional interface that few metrics have, selected by its type, such as [`Box<dyn
    /// SinglePrecision>`](crate::SinglePrecision). A wrapper forwards the call if it has the statistics of
    /// the inner metric.
    fn extension(&self, kind: TypeId) -> Option<Box<dyn Any>> {
        let _ = kind;
        None
    }

    /// Returns the key of the metric's states: the settings that must agree before two states merge.
    fn state_key(&self) -> Arc<StateKey> {
        Arc::new(self.identity().key())
    }

    /// Returns the metric's identity with the tokenization name of the key `state`, unless the metric has set
    /// a tokenization itself.
    fn identity_over(&self, state: &StateKey) -> Identity {
        self.identity().over_state(state)
    }

    /// Returns the range of the metric's scores, and whether higher or lower is better.
    fn scale(&self) -> Scale {
        self.identity().scale()
    }

    /// Returns the signature (printed settings) of the metric's scores, without the number of references,
    /// which depends on the data.
    fn signature(&self) -> Signature {
        self.identity().signature(&SegmentCounts::default())
    }

    /// Returns the signature (printed settings) of a score that is computed from stored counts with the key
    /// `state`, over `counts` segments. Metrics chosen at run time cache the signature between scores.
    fn signature_over(&self, state: &Arc<StateKey>, counts: &SegmentCounts) -> Signature {
        self.identity_over(state).signature(counts)
    }

    /// Checks that the metric's statistics are a row of counts, as an `operation` such as subtraction needs.
    /// The error names the operation.
    ///
    /// # Errors
    /// Returns [`NotLinear`](crate::InputErrorKind::NotLinear) if they are not a row.
    fn require_rows(&self, operation: &'static str) -> Result<()> {
        if self.zero().is_row() {
            return Ok(());
        }
        Err(self.identity().no_rows(operation))
    }

    /// Wraps the metric so that its state keys and signatures name the tokenization `space`.
    fn over(self, space: TokenSpace) -> Labelled<Self>
    where
        Self: Sized,
    {
        Labelled { metric: self, space }
    }
}

/// Implements the methods of [`Metric`] for a wrapper by calling the methods of the inner metric. The wrapper
/// has the statistics and scores of the inner metric.
///
/// With `all but identity`, the wrapper defines its own identity; with `all but statistics`, its own
/// statistics and scores. [`observe_through!`](crate::observe_through) has an example.
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
        fn quotient(&$this) -> Option<$crate::Quotient> {
            ($inner).quotient()
        }
        fn batch(&$this) -> usize {
            ($inner).batch()
        }
        fn extension(&$this, kind: core::any::TypeId) -> Option<$crate::export::Box<dyn core::any::Any>> {
            ($inner).extension(kind)
        }
    };
}
