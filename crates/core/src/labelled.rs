//! [`Labelled`]: a metric whose counts and scores say which tokens they are over.

use alloc::boxed::Box;
use alloc::vec::Vec;

use crate::{
    Identity, InputError, Metric, Observe, PairScorer, Scale, Segment, SegmentCounts, SinglePrecision,
    StateKey, TokenSpace,
};

/// A metric with the label of its token space, made by [`Metric::over`].
///
/// ```
/// # use bleuprint_core::*;
/// # struct M;
/// # impl Metric for M {
/// #     type Stats = [u64; 1]; type Score = f64; type Scratch = ();
/// #     fn identity(&self) -> Identity { Identity::new("m", 1) }
/// #     fn scale(&self) -> Scale { Scale::UNIT }
/// #     fn scratch(&self) {}
/// #     fn zero(&self) -> [u64; 1] { [0] }
/// #     fn finalize(&self, _: &[u64; 1], _: &SegmentCounts) -> Result<f64, InputError> { Ok(0.0) }
/// # }
/// let labelled = M.over(TokenSpace::new("hf:5f2c", Case::Mixed).unwrap());
/// assert_eq!(labelled.state_key().to_string(), "m/1|case:mixed|tok:hf:5f2c");
/// assert_eq!(labelled.signature().get("tok"), Some("hf:5f2c"));
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Labelled<M> {
    metric: M,
    space: TokenSpace,
}

impl<M> Labelled<M> {
    /// `metric` over tokens of `space`.
    pub fn new(metric: M, space: TokenSpace) -> Self {
        Labelled { metric, space }
    }

    /// The metric without the label.
    pub fn metric(&self) -> &M {
        &self.metric
    }
}

/// Passes everything but the identity on to the inner metric.
impl<M: Metric> Metric for Labelled<M> {
    type Stats = M::Stats;
    type Score = M::Score;
    type Scratch = M::Scratch;

    const REMEMBERS_TOKENS: bool = M::REMEMBERS_TOKENS;

    fn identity(&self) -> Identity {
        self.metric.identity().over(&self.space)
    }
    fn scale(&self) -> Scale {
        self.metric.scale()
    }
    fn scratch(&self) -> Self::Scratch {
        self.metric.scratch()
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
        serves_over(&self.metric, &self.space, key)
    }
    fn single_precision(&self) -> Option<&dyn SinglePrecision> {
        self.metric.single_precision()
    }
}

/// Whether `metric`, labelled with `space`, can finish states of `key`: the tokens agree, and the metric without its
/// label can.
///
/// # Errors
/// [`UnlikeStates`](crate::InputErrorKind::UnlikeStates).
pub fn serves_over<M: Metric>(metric: &M, space: &TokenSpace, key: &StateKey) -> Result<(), InputError> {
    // With its own tokens unspecified the metric judges the rest; the tokens are judged here.
    metric.serves(key)?;
    key.clone().over(space).require_equal(key)
}

impl<S: ?Sized, M: Observe<S>> Observe<S> for Labelled<M> {
    fn observe(
        &self,
        scratch: &mut Self::Scratch,
        stats: &mut Self::Stats,
        segment: Segment<'_, S>,
    ) -> Result<(), InputError> {
        self.metric.observe(scratch, stats, segment)
    }

    fn observe_each(
        &self,
        scratch: &mut Self::Scratch,
        stats: &mut [Self::Stats],
        segments: &[Segment<'_, S>],
    ) -> Result<(), (usize, InputError)> {
        self.metric.observe_each(scratch, stats, segments)
    }

    fn pair_scorer<'m>(
        &'m self,
        hypotheses: &[&S],
        references: &[&S],
    ) -> Result<Option<Box<dyn PairScorer + 'm>>, InputError> {
        self.metric.pair_scorer(hypotheses, references)
    }

    fn leave_one_out(&self, sequences: &[&S]) -> Result<Option<Vec<Self::Stats>>, InputError> {
        self.metric.leave_one_out(sequences)
    }

    fn aggregate(
        &self,
        hypotheses: &[&S],
        references: &[&S],
    ) -> Result<Option<Vec<Self::Stats>>, InputError> {
        self.metric.aggregate(hypotheses, references)
    }
}
