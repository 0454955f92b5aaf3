//! [`Systems`]: what a metric has observed of several systems, with one scratch.

use alloc::vec::Vec;
use core::fmt;
use core::marker::PhantomData;

use crate::{InputError, Linear as _, Observe, Result, Segment, SegmentCounts, State, Stats as _};

/// A metric, and what it has observed of each of several systems. Systems that share their references share the work on
/// them, where the metric can.
///
/// ```
/// # use bleuprint_core::*;
/// # struct Matches;
/// # impl Metric for Matches {
/// #     type Stats = [u64; 1]; type Score = f64; type Scratch = ();
/// #     fn identity(&self) -> Identity { Identity::new("matches", 1, Scale::UNBOUNDED) }
/// #     fn finalize(&self, s: &[u64; 1], _: &SegmentCounts) -> Result<f64> { Ok(s[0] as f64) }
/// # }
/// # impl Observe<str> for Matches {
/// #     fn observe(&self, _: &mut (), stats: &mut [u64; 1], segment: Segment<'_, str>) -> Result<()> {
/// #         stats.merge(&[u64::from(segment.references()?.contains(&segment.hypothesis()))])
/// #     }
/// # }
/// let mut systems = Systems::<_, str>::new(Matches);
/// let references = ["Paris"];
/// let segment = |hypothesis| Segment::new(hypothesis, &references);
/// systems.add(0, &[segment("Paris"), segment("Lyon")]).unwrap();
/// let states = systems.states().unwrap();
/// assert_eq!(states[0].score(&Matches).unwrap().value(), 1.0);
/// assert_eq!(states[1].score(&Matches).unwrap().value(), 0.0);
/// ```
pub struct Systems<M: Observe<S>, S: ?Sized> {
    metric: M,
    scratch: M::Scratch,
    stats: Vec<M::Stats>,
    counts: Vec<SegmentCounts>,
    /// The error after which the statistics are without meaning.
    failed: Option<InputError>,
    sequence: PhantomData<fn(&S)>,
}

impl<S: ?Sized, M: Observe<S>> Systems<M, S> {
    /// No systems yet.
    pub fn new(metric: M) -> Self {
        let scratch = M::Scratch::default();
        Systems {
            metric,
            scratch,
            stats: Vec::new(),
            counts: Vec::new(),
            failed: None,
            sequence: PhantomData,
        }
    }

    /// Adds a segment to each of some systems: `segments[i]` to number `first + i`, from 0.
    ///
    /// # Errors
    /// Those of [`Observe::observe`], with the number of the segment among these. After the error of one segment nothing
    /// was added; after that of several, [`Systems::states`] gives the error.
    pub fn add(&mut self, first: usize, segments: &[Segment<'_, S>]) -> Result<()> {
        let end = first + segments.len();
        self.make_room(end);
        for (counts, segment) in self.counts[first..end].iter_mut().zip(segments) {
            counts.add(&SegmentCounts::of_segment(segment.references_or_none().len()))?;
        }
        let stats = &mut self.stats[first..end];
        if let ([stats], [segment]) = (&mut *stats, segments) {
            let observed = self.metric.observe(&mut self.scratch, stats, *segment);
            if observed.is_err() {
                let one = SegmentCounts::of_segment(segment.references_or_none().len());
                self.counts[first].retract(&one)?;
            }
            return observed;
        }
        let observed = self.metric.observe_each(&mut self.scratch, stats, segments);
        self.failed = self.failed.take().or(observed.as_ref().err().cloned());
        observed
    }

    /// Merges a state of this metric into each of some systems: `states[i]` into number `first + i`, from 0.
    ///
    /// # Errors
    /// Those of [`State::merge`].
    pub fn merge(&mut self, first: usize, states: &[State<M::Stats>]) -> Result<()> {
        self.make_room(first + states.len());
        let own = self.stats[first..].iter_mut().zip(&mut self.counts[first..]);
        for ((stats, counts), state) in own.zip(states) {
            counts.check_merge(state.counts())?;
            stats.merge(state.stats())?;
            counts.add(state.counts())?;
        }
        Ok(())
    }

    fn make_room(&mut self, systems: usize) {
        if self.stats.len() < systems {
            let metric = &self.metric;
            self.stats.resize_with(systems, || metric.zero());
            self.counts.resize_with(systems, SegmentCounts::default);
        }
    }

    /// What was observed of each system.
    ///
    /// # Errors
    /// The first error of [`Systems::add`] for several segments.
    pub fn states(self) -> Result<Vec<State<M::Stats>>> {
        let Systems { metric, stats, counts, failed, .. } = self;
        failed.map_or(Ok(()), Err)?;
        stats.into_iter().zip(counts).map(|(stats, counts)| State::of(&metric, counts, stats)).collect()
    }
}

impl<S: ?Sized, M: Observe<S> + fmt::Debug> fmt::Debug for Systems<M, S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Systems").field("metric", &self.metric).finish_non_exhaustive()
    }
}
