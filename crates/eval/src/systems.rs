//! [`SystemsSegment`]: one segment with the hypotheses of several systems. [`observe_systems`]: metric
//! statistics of every single segment, for tests and groups of segments.

use bleuprint_core::{Linear as _, Location, Observe, Result, Segment, SegmentCounts, State, Stats as _};
use bleuprint_inference::{Interrupt, map_with};
use smallvec::SmallVec;

use crate::batches::{batch_of, observe_up_to_error};

/// One segment of several systems: the hypothesis of each system, and the references and source that they
/// share. `S` is `str` for text or `[u32]` for token ids.
#[derive(Debug, PartialEq, Eq)]
#[expect(clippy::exhaustive_structs, reason = "closed: a segment needs all of it")]
pub struct SystemsSegment<'t, S: ?Sized> {
    /// Hypotheses of the segment: one for each system, in the order of the systems.
    pub hypotheses: &'t [&'t S],
    /// References of the segment; the list may be empty.
    pub references: &'t [&'t S],
    /// Source of the segment, if known.
    pub source: Option<&'t S>,
}

impl<S: ?Sized> Clone for SystemsSegment<'_, S> {
    fn clone(&self) -> Self {
        *self
    }
}
impl<S: ?Sized> Copy for SystemsSegment<'_, S> {}

impl<'t, S: ?Sized> SystemsSegment<'t, S> {
    /// Splits this segment into one segment for each system: its hypothesis with the shared references and
    /// source.
    pub fn of_each(&self) -> SmallVec<[Segment<'t, S>; 4]> {
        let SystemsSegment { hypotheses, references, source } = *self;
        hypotheses.iter().map(|hypothesis| Segment::with_source(*hypothesis, references, source)).collect()
    }

    /// Returns this segment with the hypothesis of its only system, or `None` for several systems. Unlike
    /// [`SystemsSegment::of_each`], it moves no list.
    pub(crate) fn of_only(&self) -> Option<Segment<'t, S>> {
        match self.hypotheses {
            [hypothesis] => Some(Segment::with_source(*hypothesis, self.references, self.source)),
            _ => None,
        }
    }
}

/// Computes the metric's statistics of each segment separately: for each segment, one state for each system.
/// With the feature `parallel`, all threads of the current rayon pool take part.
///
/// # Errors
/// Returns the errors of [`Observe::observe`] with the number of the segment; if several segments fail, the
/// error of the first segment.
pub fn observe_systems<M, S>(
    metric: &M,
    segments: &[SystemsSegment<'_, S>],
) -> Result<Vec<Vec<State<M::Stats>>>>
where
    M: Observe<S>,
    S: ?Sized + Sync,
{
    // A task of 16 segments keeps the cost of sharing small, and a multiple of the batch keeps batches whole.
    let batch = 16_usize.next_multiple_of(batch_of(metric));
    let interrupt = Interrupt::of_thread();
    let batches = map_with(segments.len().div_ceil(batch), M::Scratch::default, |scratch, index| {
        interrupt.check()?;
        let first = index * batch;
        let segments = &segments[first..segments.len().min(first + batch)];
        let flat: Vec<Segment<'_, S>> = segments.iter().flat_map(SystemsSegment::of_each).collect();
        let (stats, failed) = observe_up_to_error(metric, scratch, &flat);
        if let Some(error) = failed {
            // The error counts hypotheses of all systems; the number of its segment follows from the ends of
            // the segments.
            let ends = segments.iter().scan(0, |sum, segment| {
                *sum += segment.hypotheses.len();
                Some(*sum)
            });
            let number = first + ends.take_while(|&end| end <= stats.len()).count() + 1;
            return Err(error.renumbered(Location::segment(number as u64)));
        }
        let mut stats = stats.into_iter();
        let of_segment = |segment: &SystemsSegment<'_, S>| {
            let counts = SegmentCounts::of_segment(segment.references.len());
            let own = stats.by_ref().take(segment.hypotheses.len());
            own.map(|stats| State::from_stats(metric, counts, stats)).collect::<Result<Vec<_>>>()
        };
        segments.iter().map(of_segment).collect::<Result<Vec<_>>>()
    });
    let mut all = Vec::with_capacity(segments.len());
    for batch in batches {
        all.extend(batch?);
    }
    Ok(all)
}

/// Merged metric statistics of several systems, with shared working memory. A metric may share work among
/// systems with the same references. After an error the statistics are undefined.
pub(crate) struct SystemStates<'m, M: Observe<str>> {
    metric: &'m M,
    scratch: M::Scratch,
    stats: Vec<M::Stats>,
    counts: Vec<SegmentCounts>,
}

impl<'m, M: Observe<str>> SystemStates<'m, M> {
    pub(crate) fn new(metric: &'m M) -> Self {
        SystemStates { metric, scratch: M::Scratch::default(), stats: Vec::new(), counts: Vec::new() }
    }

    /// Counts one segment for some of the systems: `segments[i]` is added to the statistics of the system
    /// with index `first + i`.
    pub(crate) fn add(&mut self, first: usize, segments: &[Segment<'_, str>]) -> Result<()> {
        let end = first + segments.len();
        self.make_room(end);
        for (counts, segment) in self.counts[first..end].iter_mut().zip(segments) {
            counts.add(&SegmentCounts::of_segment(segment.references.len()))?;
        }
        let stats = &mut self.stats[first..end];
        if let ([stats], [segment]) = (&mut *stats, segments) {
            return self.metric.observe(&mut self.scratch, stats, *segment);
        }
        self.metric.observe_each(&mut self.scratch, stats, segments)
    }

    /// Merges statistics into some of the systems: `states[i]` into the statistics of the system with index
    /// `first + i`.
    pub(crate) fn merge(&mut self, first: usize, states: &[State<M::Stats>]) -> Result<()> {
        self.make_room(first + states.len());
        let own = self.stats[first..].iter_mut().zip(&mut self.counts[first..]);
        for ((stats, counts), state) in own.zip(states) {
            counts.add(state.counts())?;
            stats.merge(state.stats())?;
        }
        Ok(())
    }

    fn make_room(&mut self, systems: usize) {
        if self.stats.len() < systems {
            self.stats.resize_with(systems, || self.metric.zero());
            self.counts.resize_with(systems, SegmentCounts::default);
        }
    }

    pub(crate) fn states(self) -> Result<Vec<State<M::Stats>>> {
        let both = self.stats.into_iter().zip(self.counts);
        both.map(|(stats, counts)| State::from_stats(self.metric, counts, stats)).collect()
    }
}
