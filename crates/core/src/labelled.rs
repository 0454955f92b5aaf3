//! [`Labelled`]: a metric whose counts and scores say which tokens they are over.

use crate::{InputError, Metric, Observe, Signature, StateKey, TokenSpace};

/// A metric with the label of its token space, made by [`Metric::over`].
///
/// ```
/// # use bleuprint_core::*;
/// # struct M;
/// # impl Metric for M {
/// #     type Stats = References; type Score = ();
/// #     fn zero(&self) -> References { References::default() }
/// #     fn finalize(&self, _: &References) {}
/// #     fn state_key(&self) -> StateKey { StateKey::new("m", 1) }
/// #     fn signature(&self) -> Signature { Signature::new("M").with("tok", "tok", "unspecified") }
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

impl<M: Metric> Metric for Labelled<M> {
    type Stats = M::Stats;
    type Score = M::Score;

    fn zero(&self) -> Self::Stats {
        self.metric.zero()
    }
    fn finalize(&self, stats: &Self::Stats) -> Self::Score {
        self.metric.finalize(stats)
    }
    fn state_key(&self) -> StateKey {
        self.metric.state_key().over(&self.space)
    }
    fn signature(&self) -> Signature {
        self.metric.signature().over(&self.space)
    }
    fn check(&self, stats: &Self::Stats) -> Result<(), InputError> {
        self.metric.check(stats)
    }
}

impl<S: ?Sized, M: Observe<S>> Observe<S> for Labelled<M> {
    type Scratch = M::Scratch;

    fn observe(
        &self,
        scratch: &mut Self::Scratch,
        stats: &mut Self::Stats,
        hypothesis: &S,
        references: &[&S],
    ) -> Result<(), InputError> {
        self.metric.observe(scratch, stats, hypothesis, references)
    }
}
