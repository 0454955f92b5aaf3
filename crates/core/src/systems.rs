//! [`Systems`]: what a metric has observed of several systems, with one scratch.

use alloc::vec::Vec;
use core::fmt;
use core::marker::PhantomData;

use crate::{Linear as _, Observe, Result, Segment, SegmentCounts, State, Stats as _};

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
    sequence: PhantomData<fn(&S)>,
}

impl<S: ?Sized, M: Observe<S>> Systems<M, S> {
    /// No systems yet.
    pub fn new(metric: M) -> Self {
        let scratch = M::Scratch::default();
        Systems { metric, scratch, stats: Vec::new(), counts: Vec::new(), sequence: PhantomData }
    }

    /// Adds a segment to each of some systems: `segments[i]` to number `first + i`, from 0.
    ///
    /// # Errors
    /// Those of [`Observe::observe`], with the number of the segment among these. After an error of several segments what
    /// was observed is without meaning; after that of one, nothing was added.
    pub fn add(&mut self, first: usize, segments: &[Segment<'_, S>]) -> Result<()> {
        let end = first + segments.len();
        self.make_room(end);
        for (counts, segment) in self.counts[first..end].iter_mut().zip(segments) {
            counts.add(&SegmentCounts::of_segment(segment.references_or_none().len()))?;
        }
        let stats = &mut self.stats[first..end];
        let observed = match (&mut *stats, segments) {
            ([stats], [segment]) => self.metric.observe(&mut self.scratch, stats, *segment),
            (stats, segments) => self.metric.observe_each(&mut self.scratch, stats, segments),
        };
        if observed.is_err() {
            for (counts, segment) in self.counts[first..end].iter_mut().zip(segments) {
                let one = SegmentCounts::of_segment(segment.references_or_none().len());
                counts.retract(&one)?;
            }
        }
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
    /// Those of [`Metric::check`](crate::Metric::check), after an error of [`Systems::add`].
    pub fn states(self) -> Result<Vec<State<M::Stats>>> {
        let Systems { metric, stats, counts, .. } = self;
        stats.into_iter().zip(counts).map(|(stats, counts)| State::of(&metric, counts, stats)).collect()
    }
}

impl<S: ?Sized, M: Observe<S> + fmt::Debug> fmt::Debug for Systems<M, S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Systems").field("metric", &self.metric).finish_non_exhaustive()
    }
}
