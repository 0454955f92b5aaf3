//! [`Accumulator`]: push segments, merge with others, ask for the score at any time.

use core::fmt;
use core::marker::PhantomData;

use crate::prelude::*;
use crate::signed::Signed;
use crate::{InputError, Location, Observe, Result, Scored, Segment, SegmentCounts, State};

/// A metric, its observations so far, and its scratch, for training loops and services.
///
/// `S` is the kind of sequence that is pushed: `[u32]`, `[char]`, `str`, ..; `R` and `C` are those of references and
/// source, where they differ from it.
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

/// The copy has the same metric and observations, and scratch of its own: scratch never changes a result.
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
    /// Nothing observed yet.
    pub fn new(metric: M) -> Self {
        let (total, scratch) = (State::zero(&metric), M::Scratch::default());
        Accumulator { metric, total, scratch, signed: Signed::default(), kinds: PhantomData }
    }

    /// Observes one segment, and returns its own state.
    ///
    /// # Errors
    /// Those of [`Observe::observe`], with the number of the segment; nothing is added then.
    pub fn push(&mut self, hypothesis: &S, references: &[&R]) -> Result<State<M::Stats>> {
        self.push_segment(Segment::of(hypothesis, references, None))
    }

    /// [`Accumulator::push`] for a segment with more than references, such as its source.
    ///
    /// # Errors
    /// As for [`Accumulator::push`].
    pub fn push_segment(&mut self, segment: Segment<'_, S, R, C>) -> Result<State<M::Stats>> {
        let mut state = self.total.filled(SegmentCounts::default(), self.metric.zero());
        state.observe(&self.metric, &mut self.scratch, segment).map_err(|error| self.behind(error))?;
        self.total.merge(&state)?;
        Ok(state)
    }

    /// Observes one segment without a state of its own, with a little less work than [`Accumulator::push`].
    ///
    /// # Errors
    /// As for [`Accumulator::push`].
    pub fn add(&mut self, segment: Segment<'_, S, R, C>) -> Result<()> {
        let done = self.total.observe(&self.metric, &mut self.scratch, segment);
        done.map_err(|error| self.behind(error))
    }

    /// Observes several segments at once, which some metrics do faster, and returns the state of each.
    ///
    /// # Errors
    /// Those of [`Accumulator::push`]; the whole batch is then left out.
    pub fn push_each(&mut self, segments: &[Segment<'_, S, R, C>]) -> Result<Vec<State<M::Stats>>> {
        let mut stats: Vec<M::Stats> = segments.iter().map(|_| self.metric.zero()).collect();
        self.metric
            .observe_each(&mut self.scratch, &mut stats, segments)
            .map_err(|error| self.behind(error))?;
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

    /// An error whose segment is counted from the next one.
    fn behind(&self, error: InputError) -> InputError {
        let segment = error.location().segment.unwrap_or(1);
        error.renumbered(Location::segment(self.total.counts().segments.saturating_add(segment)))
    }

    /// Adds a state of the same metric, or all of another accumulator.
    ///
    /// # Errors
    /// Those of [`State::merge`].
    pub fn merge(&mut self, other: &impl AsRef<State<M::Stats>>) -> Result<()> {
        self.total.merge(other.as_ref())
    }

    /// The score of all observations, with its signature.
    ///
    /// # Errors
    /// Those of [`State::score`].
    pub fn score(&self) -> Result<Scored<M::Score>> {
        self.score_of(&self.total)
    }

    /// The score of a state that [`Accumulator::push`] returned.
    ///
    /// # Errors
    /// Those of [`State::score`].
    pub fn score_of(&self, state: &State<M::Stats>) -> Result<Scored<M::Score>> {
        if state.is_kin(&self.total) {
            return state.score_signed(&self.metric, &self.signed);
        }
        state.score(&self.metric)
    }

    /// All observations.
    pub fn total(&self) -> &State<M::Stats> {
        &self.total
    }
}

/// All observations, without the accumulator.
impl<S: ?Sized, R: ?Sized, C: ?Sized, M: Observe<S, R, C>> From<Accumulator<M, S, R, C>> for State<M::Stats> {
    fn from(accumulator: Accumulator<M, S, R, C>) -> Self {
        accumulator.total
    }
}

/// All observations.
impl<S: ?Sized, R: ?Sized, C: ?Sized, M: Observe<S, R, C>> AsRef<State<M::Stats>>
    for Accumulator<M, S, R, C>
{
    fn as_ref(&self) -> &State<M::Stats> {
        &self.total
    }
}
