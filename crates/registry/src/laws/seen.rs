//! Data of a property test of a metric: the metric ([`LawSubject`]), and a random test corpus with the
//! metric's counts ([`SeenScores`]). [`Reached`] records if any test corpus changed the metric's counts or
//! score.

use core::borrow::Borrow;
use core::cell::RefCell;
use core::fmt::Debug;

use super::form::{Door, LawScores, Viewed};
use super::prelude::*;
use crate::any::erased::Erased;

/// Function that makes a whole test segment (hypothesis, references, source) from the random bytes of one
/// hypothesis.
type Whole<'m> = dyn Fn(&Raw) -> OwnedSegment + 'm;

/// A metric under test, with its empty statistics.
pub(super) struct LawSubject<'m> {
    pub(super) metric: Box<Door<'m, [u8]>>,
    /// Function that prints a test segment for the message of a failed test.
    pub(super) show: Box<dyn Fn(&OwnedSegment) -> String + 'm>,
    /// Function that makes a whole segment from one random hypothesis, for metrics whose hypothesis,
    /// references and source depend on each other.
    pub(super) whole: Option<Box<Whole<'m>>>,
    pub(super) zero: AnyStats,
    /// Statistics that do not belong to the metric, so that it must reject them: the `Default` value of its
    /// type of statistics. `None` if this value equals the metric's empty statistics.
    pub(super) foreign: Option<AnyStats>,
    /// `true` if each random byte of a test hypothesis becomes one token. Then the test of prefixes compares
    /// the statistics of every prefix; otherwise it compares only the statistics of the whole hypothesis.
    pub(super) tokens: bool,
}

impl<'m> LawSubject<'m> {
    /// Creates the metric under test, with input sequences that `make` makes from random bytes.
    pub(super) fn new<S, O, M>(
        metric: M,
        make: impl Fn(&[u8]) -> O + Copy + Send + Sync + 'm,
        tokens: bool,
    ) -> Self
    where
        S: ?Sized + 'm,
        O: Borrow<S> + Debug + 'm,
        M: Observe<S> + 'm,
        M::Stats: Storable,
    {
        let show = move |owned: &OwnedSegment| owned.shown(|raw| format!("{:?}", make(raw)));
        let door: Box<Door<'m, S>> = Box::new(Erased(metric, LawScores));
        let metric = Box::new(Viewed { door, make: Box::new(make) });
        LawSubject::before_observation(
            metric,
            AnyStats::from_stats(M::Stats::default()),
            Box::new(show),
            tokens,
        )
    }

    pub(super) fn before_observation(
        metric: Box<Door<'m, [u8]>>,
        default: AnyStats,
        show: Box<dyn Fn(&OwnedSegment) -> String + 'm>,
        tokens: bool,
    ) -> Self {
        let zero = metric.zero();
        let foreign = Some(default).filter(|default| *default != zero);
        LawSubject { metric, show, whole: None, zero, foreign, tokens }
    }

    pub(super) fn finish(&self, state: &State<AnyStats>) -> Result<Vec<f64>> {
        Ok(self.metric.finalize(state.stats(), state.counts())?.headlines())
    }

    /// Returns the metric's counts of these segments, observed in one pass with new working buffers.
    pub(super) fn state(&self, segments: &[Segment<'_, [u8]>]) -> Held<State<AnyStats>> {
        let mut state = State::zero(&*self.metric);
        self.observe_into(&mut state, &mut AnyScratch::default(), segments)?;
        Ok(state)
    }

    pub(super) fn observe_into(
        &self,
        state: &mut State<AnyStats>,
        scratch: &mut AnyScratch,
        segments: &[Segment<'_, [u8]>],
    ) -> Held {
        segments.iter().try_for_each(|segment| {
            fine("observing", "a segment", state.observe(&*self.metric, scratch, *segment))
        })
    }

    /// Runs every property test on one corpus, and records whether the corpus changed the metric's counts or
    /// score.
    pub(super) fn hold_on(&self, corpus: &[OwnedSegment], reached: &Reached) -> Held {
        self.look_at(corpus, |seen| {
            seen.scratch()?;
            seen.merging()?;
            seen.reference_order()?;
            seen.what_is_missing()?;
            seen.finishing()?;
            seen.composition()?;
            seen.quotient()?;
            seen.rows()?;
            seen.storing()?;
            reached.look(seen);
            seen.speed_ups()
        })?;
        // Prefixes need the raw bytes of the hypotheses, so they are checked outside `look_at`.
        self.prefixes(&self.wholes(corpus))
    }

    fn wholes(&self, corpus: &[OwnedSegment]) -> Vec<OwnedSegment> {
        match &self.whole {
            Some(whole) => corpus.iter().map(|owned| whole(&owned.hypothesis)).collect(),
            None => corpus.to_vec(),
        }
    }

    pub(super) fn look_at<R>(
        &self,
        corpus: &[OwnedSegment],
        look: impl FnOnce(&SeenScores<'_>) -> Held<R>,
    ) -> Held<R> {
        let mut all = self.wholes(corpus);
        // The segment outside the corpus comes last; `SeenScores::new` splits it off.
        all.extend(self.wholes(&[another()]));
        if self.metric.identity().needs().one_reference {
            all.iter_mut().for_each(|owned| owned.references.truncate(1));
        }
        with_segments(&all, |all| look(&SeenScores::new(self, all)?))
    }
}

pub(super) struct SeenScores<'c> {
    pub(super) subject: &'c LawSubject<'c>,
    pub(super) segments: &'c [Segment<'c, [u8]>],
    /// One test segment, in a slice, that is not in the test corpus.
    pub(super) other: &'c [Segment<'c, [u8]>],
    /// Counts of the metric after the first 0, 1, .. segments of the test corpus, up to all segments.
    pub(super) firsts: Vec<State<AnyStats>>,
    pub(super) whole: State<AnyStats>,
    pub(super) alone: Vec<AnyStats>,
}

impl<'c> SeenScores<'c> {
    fn new(subject: &'c LawSubject<'_>, all: &'c [Segment<'c, [u8]>]) -> Held<Self> {
        let (segments, other) = all.split_at(all.len().saturating_sub(1));
        // The scratch is used once before anything counts, so that leftovers in it would show in every state.
        let mut scratch = AnyScratch::default();
        subject.observe_into(&mut State::zero(&*subject.metric), &mut scratch, other)?;
        let mut whole = State::zero(&*subject.metric);
        same("fresh zero", "zero after something was observed", whole.stats(), &subject.zero)?;
        let mut firsts = vec![whole.clone()];
        for segment in segments {
            subject.observe_into(&mut whole, &mut scratch, &[*segment])?;
            firsts.push(whole.clone());
        }
        let mut seen = SeenScores { subject, segments, other, firsts, whole, alone: Vec::new() };
        seen.alone = segments.iter().map(|segment| seen.observed(*segment)).collect::<Held<_>>()?;
        Ok(seen)
    }

    /// Returns the statistics of one segment, observed with new working buffers.
    pub(super) fn observe(&self, segment: Segment<'_, [u8]>) -> Result<AnyStats> {
        let mut stats = self.subject.metric.zero();
        self.subject.metric.observe(&mut AnyScratch::default(), &mut stats, segment)?;
        Ok(stats)
    }

    pub(super) fn observed(&self, segment: Segment<'_, [u8]>) -> Held<AnyStats> {
        fine("observing", "a segment", self.observe(segment))
    }
}

/// Record of whether the random test corpora reach the metric. A metric that counts nothing in them would
/// pass all other tests.
///
/// Among all corpora, some statistics must be nonempty, or two scores must differ. The first field records
/// whether that happened; the second is the first score, or the error in its place.
#[derive(Default)]
pub(super) struct Reached(RefCell<(bool, Option<String>)>);

impl Reached {
    /// Records a reaction of the metric to a test corpus. The metric reacts if some segment has statistics
    /// that are not empty, or if the score differs from the score of the first corpus.
    pub(super) fn look(&self, seen: &SeenScores<'_>) {
        let (reached, first) = &mut *self.0.borrow_mut();
        *reached |= seen.alone.iter().any(|stats| *stats != seen.subject.zero);
        let score = format!("{:?}", seen.subject.finish(&seen.whole));
        *reached |= *first.get_or_insert_with(|| score.clone()) != score;
    }

    /// Returns an error unless some test corpus changed the metric's statistics or score.
    pub(super) fn require(&self) -> Held {
        require!(
            "reaching",
            self.0.borrow().0,
            "the generator never reaches this metric: no segment that it draws changes its statistics or its score; give \
             data of the metric's own to `laws::check_sequences` or `laws::check_any_for`"
        );
        Ok(())
    }
}
