//! [`Labelled`]: a metric with the name of its tokenization, which its state keys and signatures then show.

use crate::{Identity, Metric, Result, StateKey, TokenSpace, metric_through};

/// A metric together with the name of its tokenization. [`Metric::over`] creates it.
///
/// ```
/// # use bleuprint_core::*;
/// let metric = PerSegment::new(Identity::new("m", 1, Scale::UNIT), |_: Segment<'_, str>| Ok(0.0));
/// let labelled = metric.over(TokenSpace::new("hf:5f2c", Case::Mixed).unwrap());
/// assert_eq!(labelled.state_key().to_string(), "m/1|case:mixed|tok:hf:5f2c");
/// assert_eq!(labelled.signature().get("tok"), Some("hf:5f2c"));
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Labelled<M> {
    pub(crate) metric: M,
    pub(crate) space: TokenSpace,
}

/// Forwards every method to the inner metric, except for the identity (name and settings), which gains the
/// name of the tokenization.
impl<M: Metric> Metric for Labelled<M> {
    type Stats = M::Stats;
    type Score = M::Score;
    type Scratch = M::Scratch;

    fn identity(&self) -> Identity {
        self.metric.identity().over(&self.space)
    }
    fn serves(&self, key: &StateKey) -> Result<()> {
        // The inner metric has no token space, so it accepts any and checks all other fields. The space is
        // checked here.
        self.metric.serves(key)?;
        // `over` combines nested spaces, so a key that already has this space is unchanged by it.
        key.clone().over(&self.space).require_equal(key)
    }
    metric_through!(all but identity, self => self.metric);
}
