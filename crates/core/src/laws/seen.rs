//! The subject of the laws: a metric ([`Subject`]), and a corpus in its view with the metric's states ([`Seen`]).

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use core::borrow::Borrow;
use core::fmt::Debug;

use serde::Serialize;

use super::Equality;
use super::broken::{Held, fine, require, same, same_results, same_states};
use super::corpora::{Owned, Raw, another, with_segments};
use crate::{Metric, Observe, Restore, Result, Score, Segment, State, Stats};

/// Statistics with equality and `Debug`, for all laws.
pub(super) trait Checked: Stats + PartialEq + Debug {}
impl<S: Stats + PartialEq + Debug> Checked for S {}

/// Statistics for the laws of storing.
pub(super) trait Stored: Checked + Serialize + Restore {}
impl<S: Checked + Serialize + Restore> Stored for S {}

/// The way from bytes to the sequences of a metric.
pub(super) struct View<'v, O> {
    pub(super) make: &'v dyn Fn(&[u8]) -> O,
    /// Whether every byte becomes one token, which makes the prefixes of a sequence known.
    pub(super) tokens: bool,
}

impl<O: Debug> View<'_, O> {
    pub(super) fn show(&self, raw: &Raw) -> String {
        format!("{:?}", (self.make)(raw))
    }
}

/// A metric under test, and its zero before any observation.
pub(super) struct Subject<'m, M: Metric> {
    pub(super) metric: &'m M,
    pub(super) zero: M::Stats,
    /// The default of the statistics, where it is not the metric's zero.
    pub(super) nobodys: Option<M::Stats>,
    pub(super) equality: Equality,
}

impl<'m, M: Metric> Subject<'m, M>
where
    M::Stats: Checked,
{
    pub(super) fn new(metric: &'m M, equality: Equality) -> Self {
        let zero = metric.zero();
        let nobodys = Some(M::Stats::default()).filter(|default| *default != zero);
        Subject { metric, zero, nobodys, equality }
    }

    /// The headline numbers.
    pub(super) fn finish(&self, state: &State<M::Stats>) -> Result<Vec<f64>> {
        Ok(self.metric.finalize(state.stats(), state.counts())?.headlines())
    }

    /// The state of these segments, observed in one pass with fresh scratch.
    pub(super) fn state<S: ?Sized>(&self, segments: &[Segment<'_, S>]) -> Held<State<M::Stats>>
    where
        M: Observe<S>,
    {
        let mut state = State::zero(self.metric);
        self.observe_into(&mut state, &mut M::Scratch::default(), segments)?;
        Ok(state)
    }

    pub(super) fn observe_into<S: ?Sized>(
        &self,
        state: &mut State<M::Stats>,
        scratch: &mut M::Scratch,
        segments: &[Segment<'_, S>],
    ) -> Held
    where
        M: Observe<S>,
    {
        segments.iter().try_for_each(|segment| {
            fine("observing", "a segment", state.observe(self.metric, scratch, *segment))
        })
    }

    /// Requires equal states: equal statistics or, where these hold floats, near scores.
    pub(super) fn same(
        &self,
        law: &'static str,
        what: &str,
        left: &State<M::Stats>,
        right: &State<M::Stats>,
    ) -> Held {
        let Equality::ScoresWithin(tolerance) = self.equality else {
            return same_states(law, what, left, right);
        };
        same(law, &format!("{what}, counts of segments"), left.counts(), right.counts())?;
        match (self.finish(left), self.finish(right)) {
            (Ok(left), Ok(right)) => {
                let near = |(left, right): (&f64, &f64)| {
                    (left - right).abs() <= tolerance * left.abs().max(right.abs()).max(1.0)
                };
                let near = left.len() == right.len() && left.iter().zip(&right).all(near);
                require!(law, near, "{what}: {left:?}, but expected {right:?} within {tolerance}");
                Ok(())
            }
            (left, right) => same_results(law, what, &left, &right),
        }
    }

    /// Checks every law of a corpus, and `more` before those of speed-ups.
    pub(super) fn hold_on<S, O>(
        &self,
        view: &View<'_, O>,
        corpus: &[Owned<Raw>],
        more: impl Fn(&Seen<'_, S, M>) -> Held,
    ) -> Held
    where
        S: ?Sized,
        O: Borrow<S>,
        M: Observe<S>,
    {
        self.look_at(view, corpus, |seen| {
            seen.scratch()?;
            seen.merging()?;
            seen.reference_order()?;
            seen.what_is_missing()?;
            seen.finishing()?;
            seen.rows()?;
            more(seen)?;
            seen.speed_ups()
        })?;
        self.prefixes(view, corpus)
    }

    pub(super) fn look_at<S, O, R>(
        &self,
        view: &View<'_, O>,
        corpus: &[Owned<Raw>],
        look: impl FnOnce(&Seen<'_, S, M>) -> Held<R>,
    ) -> Held<R>
    where
        S: ?Sized,
        O: Borrow<S>,
        M: Observe<S>,
    {
        let other = another();
        let all = corpus.iter().chain([&other]).map(|owned| owned.map(|raw| (view.make)(raw)));
        let mut all: Vec<_> = all.collect();
        if self.metric.identity().is_for_one_reference() {
            all.iter_mut().for_each(|owned| owned.references.truncate(1));
        }
        with_segments(&all, |all| look(&Seen::new(self, all)?))
    }
}

/// A corpus and the metric's states of it.
pub(super) struct Seen<'c, S: ?Sized, M: Metric> {
    pub(super) subject: &'c Subject<'c, M>,
    pub(super) segments: &'c [Segment<'c, S>],
    /// A segment outside the corpus.
    pub(super) other: &'c [Segment<'c, S>],
    /// The states of the first 0, 1, .., all segments.
    pub(super) firsts: Vec<State<M::Stats>>,
    /// The state of all.
    pub(super) whole: State<M::Stats>,
    /// The statistics of each segment.
    pub(super) alone: Vec<M::Stats>,
}

impl<'c, S: ?Sized, M: Observe<S>> Seen<'c, S, M>
where
    M::Stats: Checked,
{
    fn new(subject: &'c Subject<'c, M>, all: &'c [Segment<'c, S>]) -> Held<Self> {
        let (segments, other) = all.split_at(all.len().saturating_sub(1));
        let mut scratch = M::Scratch::default();
        subject.observe_into(&mut State::zero(subject.metric), &mut scratch, other)?;
        let mut whole = State::zero(subject.metric);
        same("fresh zero", "zero after something was observed", whole.stats(), &subject.zero)?;
        let mut firsts = alloc::vec![whole.clone()];
        for segment in segments {
            subject.observe_into(&mut whole, &mut scratch, &[*segment])?;
            firsts.push(whole.clone());
        }
        let mut seen = Seen { subject, segments, other, firsts, whole, alone: Vec::new() };
        seen.alone = segments.iter().map(|segment| seen.observed(*segment)).collect::<Held<_>>()?;
        Ok(seen)
    }

    /// The statistics of one segment, observed with fresh scratch.
    pub(super) fn observe(&self, segment: Segment<'_, S>) -> Result<M::Stats> {
        let mut stats = self.subject.metric.zero();
        self.subject.metric.observe(&mut M::Scratch::default(), &mut stats, segment)?;
        Ok(stats)
    }

    pub(super) fn observed(&self, segment: Segment<'_, S>) -> Held<M::Stats> {
        fine("observing", "a segment", self.observe(segment))
    }
}
