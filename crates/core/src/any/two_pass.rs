//! [`TwoPass`]: a metric at the run-time door whose configuration is learned from the data in a first pass.

use alloc::boxed::Box;

use super::{AnyMetric, AnyScratch, AnySegment, AnyState, View};
use crate::{AnyScore, Identity, InputError, InputErrorKind, Scale, Scored, StateKey, TokenSpace};

/// A metric that must see all data once before it can observe: the first pass is a metric of its own, whose state
/// (document frequencies, information weights) configures the second.
///
/// Whoever holds it asks for [`AnyMetric::first_pass`], observes the whole corpus with that, and goes on with
/// [`AnyMetric::second_pass`]. To observe or finish without is an error, not a guess.
pub struct TwoPass<B> {
    /// Says what the second pass is and looks at; it observes nothing.
    like: Box<dyn AnyMetric>,
    first: Box<dyn AnyMetric>,
    build: B,
}

impl<B> TwoPass<B>
where
    B: Fn(&AnyState) -> Result<Box<dyn AnyMetric>, InputError> + Send + Sync + 'static,
{
    /// `build` makes the second pass from the state of `first`; `like` is a second pass with nothing learned, which
    /// says what the metric is.
    pub fn new(first: impl AnyMetric + 'static, like: impl AnyMetric + 'static, build: B) -> Self {
        TwoPass { like: Box::new(like), first: Box::new(first), build }
    }

    fn not_yet<T>(&self) -> Result<T, InputError> {
        Err(InputErrorKind::CannotFinish {
            metric: self.identity().name(),
            reason: "it needs a first pass over the data, or what such a pass has learned".into(),
        }
        .into())
    }
}

impl<B> AnyMetric for TwoPass<B>
where
    B: Fn(&AnyState) -> Result<Box<dyn AnyMetric>, InputError> + Send + Sync + 'static,
{
    fn view(&self) -> View {
        self.like.view()
    }
    fn identity(&self) -> Identity {
        self.like.identity()
    }
    fn scale(&self) -> Scale {
        self.like.scale()
    }
    fn over(self: Box<Self>, space: TokenSpace) -> Box<dyn AnyMetric> {
        let TwoPass { like, first, build } = *self;
        Box::new(TwoPass { like: like.over(space.clone()), first: first.over(space), build })
    }
    fn state_key(&self) -> &StateKey {
        self.like.state_key()
    }
    fn zero(&self) -> AnyState {
        self.like.zero()
    }
    fn scratch(&self) -> AnyScratch {
        self.like.scratch()
    }
    fn observe(&self, _: &mut AnyScratch, _: &mut AnyState, _: AnySegment<'_>) -> Result<(), InputError> {
        self.not_yet()
    }
    fn merge(&self, _: &mut AnyState, _: &AnyState) -> Result<(), InputError> {
        self.not_yet()
    }
    fn check_merge(&self, _: &AnyState, _: &AnyState) -> Result<(), InputError> {
        self.not_yet()
    }
    fn score(&self, _: &AnyState) -> Result<Scored<AnyScore>, InputError> {
        self.not_yet()
    }
    fn serves(&self, _: &StateKey) -> Result<(), InputError> {
        self.not_yet()
    }
    fn restore(&self, _: &mut dyn erased_serde::Deserializer<'_>) -> Result<AnyState, InputError> {
        self.not_yet()
    }
    fn first_pass(&self) -> Option<&dyn AnyMetric> {
        Some(&*self.first)
    }
    fn second_pass(&self, first: &AnyState) -> Result<Box<dyn AnyMetric>, InputError> {
        self.first.state_key().require_equal(first.key())?;
        let space = self.first.state_key().token_spaces().next().cloned().unwrap_or_default();
        Ok((self.build)(first)?.over(space))
    }
}
