//! [`Accumulator`]: a metric with its running total. Segments can be added and the score read at any time.

use core::fmt;
use core::marker::PhantomData;

use crate::prelude::*;
use crate::signed::Signed;
use crate::{InputError, Location, Observe, Result, Scored, Segment, SegmentCounts, State};

/// A metric with the running total of all segments it has observed, for training loops and services.
///
/// A segment is a hypothesis with its references and, for some metrics, a source. `S` is the type of the
/// hypothesis: `[u32]`, `[char]`, `str`, ... `R` and `C` are the types of a reference and of the source, if
/// they differ from `S`.
///
/// | method | adds | returns |
/// |---|---|---|
/// | [`push`](Accumulator::push) | a hypothesis with its references | the state of the segment |
/// | [`push_segment`](Accumulator::push_segment) | a segment, which can have a source | the state of the segment |
/// | [`push_each`](Accumulator::push_each) | a batch of segments | the state of each segment |
/// | [`add`](Accumulator::add) | a segment | nothing, which is the fastest |
/// | [`merge`](Accumulator::merge) | a state, such as the total of another process | nothing |
///
/// ```
/// use bleuprint_core::*;
/// let matches = PerSegment::new(Identity::new("matches", 1, Scale::UNIT), |segment: Segment<'_, str>| {
///     Ok(if segment.references()?.contains(&segment.hypothesis) { 1.0 } else { 0.0 })
/// });
/// let mut accumulator = Accumulator::<_, str>::new(matches);
/// let segment = accumulator.push("a", &["a", "b"]).unwrap();
/// accumulator.push("c", &["a", "b"]).unwrap();
/// assert_eq!(accumulator.score().unwrap().score.value(), 0.5);
/// assert_eq!(accumulator.score_of(&segment).unwrap().signature.get("nrefs"), Some("2"));
/// ```
pub struct Accumulator<M: Observe<S, R, C>, S: ?Sized, R: ?Sized = S, C: ?Sized = S> {
    metric: M,
    total: State<M::Stats>,
    scratch: M::Scratch,
    signed: Signed,
    kinds: PhantomData<fn(&S, &R, &C)>,
}

/// Copies the metric and its running total. Scratch buffers start empty in the copy; they never change a
/// result.
impl<S: ?Sized, R: ?Sized, C: ?Sized, M: Observe<S, R, C> + Clone> Clone for Accumulator<M, S, R, C> {
    fn clone(&self) -> Self {
        Accumulator {
            metric: self.metric.clone(),
            total: self.total.clone(),
            scratch: M::Scratch::default(),
            signed: self.signed.clone(),
            kinds: PhantomData,
        }
    }
}

impl<S: ?Sized, R: ?Sized, C: ?Sized, M: Observe<S, R, C> + fmt::Debug> fmt::Debug for Accumulator<M, S, R, C>
where
    M::Stats: fmt::Debug,
{
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Accumulator")
            .field("metric", &self.metric)
            .field("total", &self.total)
            .finish_non_exhaustive()
    }
}

impl<S: ?Sized, R: ?Sized, C: ?Sized, M: Observe<S, R, C>> Accumulator<M, S, R, C> {
    /// Creates an accumulator that has observed nothing yet.
    pub fn new(metric: M) -> Self {
        let total = State::zero(&metric);
        let scratch = M::Scratch::default();
        Accumulator { metric, total, scratch, signed: Signed::default(), kinds: PhantomData }
    }

    /// Adds a segment (a hypothesis with its references) to the running total, and returns the statistics of
    /// that segment alone.
    ///
    /// # Errors
    /// Returns the errors of [`Observe::observe`] with the number of the segment; nothing is added then.
    pub fn push(&mut self, hypothesis: &S, references: &[&R]) -> Result<State<M::Stats>> {
        self.push_segment(Segment::with_source(hypothesis, references, None))
    }

    /// Adds a segment that may have a source text to the running total, and returns the statistics of that
    /// segment alone.
    ///
    /// # Errors
    /// Returns the errors of [`Accumulator::push`].
    pub fn push_segment(&mut self, segment: Segment<'_, S, R, C>) -> Result<State<M::Stats>> {
        let mut state = self.total.filled(SegmentCounts::default(), self.metric.zero());
        state.observe(&self.metric, &mut self.scratch, segment).map_err(|error| self.behind(error))?;
        self.total.merge(&state)?;
        Ok(state)
    }

    /// Adds one segment to the running total without returning its statistics, which is a little faster than
    /// [`Accumulator::push`].
    ///
    /// # Errors
    /// Returns the errors of [`Accumulator::push`].
    pub fn add(&mut self, segment: Segment<'_, S, R, C>) -> Result<()> {
        let done = self.total.observe(&self.metric, &mut self.scratch, segment);
        done.map_err(|error| self.behind(error))
    }

    /// Adds several segments to the running total in one call, which is faster for some metrics. Returns the
    /// statistics of each segment.
    ///
    /// # Errors
    /// Returns the errors of [`Accumulator::push`]; none of the segments is added then.
    pub fn push_each(&mut self, segments: &[Segment<'_, S, R, C>]) -> Result<Vec<State<M::Stats>>> {
        let mut stats: Vec<M::Stats> = segments.iter().map(|_| self.metric.zero()).collect();
        self.metric
            .observe_each(&mut self.scratch, &mut stats, segments)
            .map_err(|error| self.behind(error))?;
        // A copy is merged first: an overflow in a late segment must leave out the whole batch.
        let mut total = self.total.clone();
        let mut states = Vec::with_capacity(segments.len());
        for (stats, segment) in stats.into_iter().zip(segments) {
            let counts = SegmentCounts::of_segment(segment.references.len());
            let state = self.total.filled(counts, stats);
            total.merge(&state)?;
            states.push(state);
        }
        self.total = total;
        Ok(states)
    }

    /// Renumbers the segment of an error from its place in a batch to its place among all segments pushed to
    /// the accumulator.
    fn behind(&self, error: InputError) -> InputError {
        let segment = error.location().segment.unwrap_or(1);
        error.renumbered(Location::segment(self.total.counts().segments.saturating_add(segment)))
    }

    /// Adds a mergeable state of the same metric, such as the total of another accumulator, to the running
    /// total.
    ///
    /// # Errors
    /// Returns the errors of [`State::merge`].
    pub fn merge(&mut self, other: &impl AsRef<State<M::Stats>>) -> Result<()> {
        self.total.merge(other.as_ref())
    }

    /// Computes the score of all observed segments, with its signature.
    ///
    /// # Errors
    /// Returns the errors of [`State::score`].
    pub fn score(&self) -> Result<Scored<M::Score>> {
        self.score_of(&self.total)
    }

    /// Computes the score of a given state, such as the state of one segment that [`Accumulator::push`]
    /// returned.
    ///
    /// # Errors
    /// Returns the errors of [`State::score`].
    pub fn score_of(&self, state: &State<M::Stats>) -> Result<Scored<M::Score>> {
        // Such a state has this metric's key, so the check is skipped and the cached signature is used.
        if state.is_kin(&self.total) {
            return state.score_signed(&self.metric, &self.signed);
        }
        state.score(&self.metric)
    }

    /// Forgets all observed segments, for the next epoch. Working memory is kept.
    ///
    /// ```
    /// # use bleuprint_core::*;
    /// # let tokens = PerSegment::new(Identity::new("tokens", 1, Scale::UNBOUNDED), |_: Segment<'_, str>| Ok(1.0));
    /// let mut all = Accumulator::<_, str>::new(tokens);
    /// all.push("a", &[]).unwrap();
    /// all.reset();
    /// assert_eq!(all.total().counts().segments, 0);
    /// assert_eq!(all.metric().identity().name(), "tokens");
    /// ```
    pub fn reset(&mut self) {
        self.total = self.total.filled(SegmentCounts::default(), self.metric.zero());
    }

    /// Returns the metric.
    pub fn metric(&self) -> &M {
        &self.metric
    }

    /// Returns the running total: the merged state of all segments observed so far.
    pub fn total(&self) -> &State<M::Stats> {
        &self.total
    }
}

/// Converts an accumulator into its running total, the merged state of all observed segments.
impl<S: ?Sized, R: ?Sized, C: ?Sized, M: Observe<S, R, C>> From<Accumulator<M, S, R, C>> for State<M::Stats> {
    fn from(accumulator: Accumulator<M, S, R, C>) -> Self {
        accumulator.total
    }
}

/// Borrows the running total, the merged state of all observed segments.
impl<S: ?Sized, R: ?Sized, C: ?Sized, M: Observe<S, R, C>> AsRef<State<M::Stats>>
    for Accumulator<M, S, R, C>
{
    fn as_ref(&self) -> &State<M::Stats> {
        &self.total
    }
}
