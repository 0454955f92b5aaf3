//! [`PerSegment`]: a metric whose score is the mean over segments of a number that a closure computes.

use crate::{
    Composition, ExactSum, Identity, InputError, Metric, Observe, PlainScore, Result, Segment, SegmentCounts,
    Stats,
};

/// A metric whose score is the mean over segments of a number that a closure computes.
///
/// ```text
/// PerSegment(f) = ( Σ over segments:  f(segment) ) / segments
/// ```
///
/// The sum is exact ([`ExactSum`]), so the mean merges, subtracts and resamples like counts. The scale of the
/// identity gives the range and direction of the score.
///
/// | singular case | result |
/// |---|---|
/// | a number beyond the scale, infinite, not a number | error, naming number and scale |
/// | an error of the closure | that error |
/// | a number between 0 and `2^-140` | rounded to a multiple of `2^-192` |
///
/// A mean squared error over numbers, and an accuracy over text:
///
/// ```
/// use bleuprint_core::*;
///
/// let error = Identity::new("mse", 1, Scale::lower_is_better(0.0, f64::INFINITY));
/// let mse = PerSegment::new(error, |segment: Segment<'_, f64>| {
///     Ok((segment.hypothesis - segment.one_reference("mse")?).powi(2))
/// });
/// let mut all = Accumulator::<_, f64>::new(mse);
/// all.push(&2.0, &[&2.5]).unwrap();
/// all.push(&1.0, &[&2.0]).unwrap();
/// assert_eq!(all.score().unwrap().value(), 0.625);
///
/// let accuracy = PerSegment::new(Identity::new("accuracy", 1, Scale::PERCENT), |segment: Segment<'_, str>| {
///     Ok(if segment.references()?.contains(&segment.hypothesis) { 100.0 } else { 0.0 })
/// });
/// let mut all = Accumulator::<_, str>::new(&accuracy);
/// all.push("Paris", &["Paris", "paris"]).unwrap();
/// all.push("Lyon", &["Paris"]).unwrap();
/// assert_eq!(all.score().unwrap().value(), 50.0);
///
/// let wrong = PerSegment::new(Identity::new("wrong", 1, Scale::UNIT), |_: Segment<'_, str>| Ok(1.5));
/// let error = Accumulator::<_, str>::new(wrong).push("", &[]).unwrap_err().to_string();
/// assert!(error.contains("wrong is 1.5, but must be from 0 to 1"), "{error}");
/// ```
#[derive(Debug, Clone)]
pub struct PerSegment<F> {
    identity: Identity,
    value: F,
}

impl<F> PerSegment<F> {
    /// Creates a metric with the name and settings `identity` that averages the closure's numbers over
    /// segments.
    pub fn new<S: ?Sized, R: ?Sized, C: ?Sized>(identity: Identity, value: F) -> Self
    where
        F: Fn(Segment<'_, S, R, C>) -> Result<f64>,
    {
        let declared = identity.composition() != Composition::Other;
        let identity = if declared { identity } else { identity.composed(Composition::Mean) };
        PerSegment { identity, value }
    }
}

impl<F: Send + Sync> Metric for PerSegment<F> {
    type Stats = ExactSum;
    type Score = PlainScore;
    type Scratch = ();

    fn identity(&self) -> Identity {
        self.identity.clone()
    }
    fn finalize(&self, sum: &ExactSum, counts: &SegmentCounts) -> Result<PlainScore> {
        Ok(PlainScore::new(sum.mean(sum.count().max(1))).with_count("segments", counts.segments))
    }
    fn check(&self, sum: &ExactSum, counts: &SegmentCounts) -> Result<()> {
        self.scale().check_mean(sum, counts.segments)
    }
}

impl<S, R, C, F> Observe<S, R, C> for PerSegment<F>
where
    S: ?Sized,
    R: ?Sized,
    C: ?Sized,
    F: Fn(Segment<'_, S, R, C>) -> Result<f64> + Send + Sync,
{
    fn observe(&self, (): &mut (), sum: &mut ExactSum, segment: Segment<'_, S, R, C>) -> Result<()> {
        let value = (self.value)(segment)?;
        let scale = self.identity.scale();
        // Checked here and not only when a state is read: the number may come from the user's closure, and
        // the error can still name it.
        if !scale.contains(value) {
            let limit = format!("from {} to {}", scale.min, scale.max);
            return Err(InputError::limit(self.identity.metric(), value, limit));
        }
        sum.merge(&ExactSum::from_value(value)?)
    }
}
