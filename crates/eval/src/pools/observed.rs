//! A metric as pools are scored with it: typed, or chosen at run time.

use bleuprint_core::{
    AnyMetric, AnyScratch, AnySegment, AnySequences, InputError, Metric, Observe, PairScorer, Score, Segment,
    SegmentCounts,
};

/// What the scoring of a pool asks of a metric, over sequences of kind `S`.
pub(crate) trait PoolMetric<S: ?Sized>: Sync {
    /// Tables, one per thread.
    type Scratch: Send;

    /// Fresh tables.
    fn scratch(&self) -> Self::Scratch;

    /// The score of a hypothesis with one reference.
    fn score_pair(
        &self,
        scratch: &mut Self::Scratch,
        hypothesis: &S,
        reference: &S,
    ) -> Result<f64, InputError>;

    /// The metric's shorter way, if it has one.
    fn pair_scorer<'m>(
        &'m self,
        hypotheses: &[&S],
        references: &[&S],
    ) -> Result<Option<Box<dyn PairScorer + 'm>>, InputError>;

    /// The score of each hypothesis with one reference that stands for all, if the metric has such.
    fn aggregate(&self, hypotheses: &[&S], references: &[&S]) -> Result<Option<Vec<f64>>, InputError>;

    /// What the metric is.
    fn name(&self) -> String;
}

/// A typed metric.
pub(crate) struct Typed<'m, M>(pub(crate) &'m M);

impl<S: ?Sized, M: Observe<S>> PoolMetric<S> for Typed<'_, M>
where
    M::Score: Score,
{
    type Scratch = M::Scratch;

    fn scratch(&self) -> M::Scratch {
        self.0.scratch()
    }

    fn score_pair(&self, scratch: &mut M::Scratch, hypothesis: &S, reference: &S) -> Result<f64, InputError> {
        let mut stats = self.0.zero();
        self.0.observe(scratch, &mut stats, Segment::new(hypothesis, &[reference]))?;
        finished(self.0, &stats, &SegmentCounts::of_segment(1))
    }

    fn pair_scorer<'m>(
        &'m self,
        hypotheses: &[&S],
        references: &[&S],
    ) -> Result<Option<Box<dyn PairScorer + 'm>>, InputError> {
        self.0.pair_scorer(hypotheses, references)
    }

    fn aggregate(&self, hypotheses: &[&S], references: &[&S]) -> Result<Option<Vec<f64>>, InputError> {
        let counts = SegmentCounts::of_segments(references.len(), 1);
        let Some(all) = self.0.aggregate(hypotheses, references)? else { return Ok(None) };
        all.iter().map(|stats| finished(self.0, stats, &counts)).collect::<Result<_, _>>().map(Some)
    }

    fn name(&self) -> String {
        self.0.identity().name()
    }
}

/// The score, which must be a number.
fn finished<M: Metric>(metric: &M, stats: &M::Stats, counts: &SegmentCounts) -> Result<f64, InputError>
where
    M::Score: Score,
{
    let score = metric.finalize(stats, counts)?.value();
    if score.is_finite() {
        return Ok(score);
    }
    Err(InputError::no_score(metric.identity().name(), format!("it would be {score}")))
}

/// A metric chosen at run time, which looks at sequences in the view of `S`.
pub(crate) struct Erased<'m>(pub(crate) &'m dyn AnyMetric);

/// A kind of sequence that run-time metrics look at.
pub(crate) trait Viewed: PartialEq {
    /// As a segment.
    fn segment<'a>(segment: Segment<'a, Self>) -> AnySegment<'a>;
    /// As sequences.
    fn sequences<'a>(sequences: &'a [&'a Self]) -> AnySequences<'a>;
}

impl Viewed for [u32] {
    fn segment<'a>(segment: Segment<'a, Self>) -> AnySegment<'a> {
        AnySegment::Ids(segment)
    }
    fn sequences<'a>(sequences: &'a [&'a Self]) -> AnySequences<'a> {
        AnySequences::Ids(sequences)
    }
}

impl Viewed for [&str] {
    fn segment<'a>(segment: Segment<'a, Self>) -> AnySegment<'a> {
        AnySegment::Tokens(segment)
    }
    fn sequences<'a>(sequences: &'a [&'a Self]) -> AnySequences<'a> {
        AnySequences::Tokens(sequences)
    }
}

impl Viewed for str {
    fn segment<'a>(segment: Segment<'a, Self>) -> AnySegment<'a> {
        AnySegment::Text(segment)
    }
    fn sequences<'a>(sequences: &'a [&'a Self]) -> AnySequences<'a> {
        AnySequences::Text(sequences)
    }
}

impl<S: Viewed + ?Sized> PoolMetric<S> for Erased<'_> {
    type Scratch = AnyScratch;

    fn scratch(&self) -> AnyScratch {
        self.0.scratch()
    }

    fn score_pair(&self, scratch: &mut AnyScratch, hypothesis: &S, reference: &S) -> Result<f64, InputError> {
        let references = [reference];
        let state = self.0.observe_one(scratch, S::segment(Segment::new(hypothesis, &references)))?;
        Ok(self.0.score(&state)?.score.value)
    }

    fn pair_scorer<'m>(
        &'m self,
        hypotheses: &[&S],
        references: &[&S],
    ) -> Result<Option<Box<dyn PairScorer + 'm>>, InputError> {
        self.0.pair_scorer(S::sequences(hypotheses), S::sequences(references))
    }

    fn aggregate(&self, hypotheses: &[&S], references: &[&S]) -> Result<Option<Vec<f64>>, InputError> {
        let all = self.0.aggregate(S::sequences(hypotheses), S::sequences(references))?;
        let Some(all) = all else { return Ok(None) };
        all.iter().map(|state| Ok(self.0.score(state)?.score.value)).collect::<Result<_, _>>().map(Some)
    }

    fn name(&self) -> String {
        self.0.identity().name()
    }
}
