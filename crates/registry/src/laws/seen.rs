//! The subject of the laws: a metric ([`Subject`]), a corpus in its view with the metric's states ([`Seen`]), and what all
//! corpora reached ([`Reached`]).

use core::borrow::Borrow;
use core::cell::RefCell;
use core::fmt::Debug;

use super::form::{Door, Kept, Viewed};
use super::prelude::*;
use crate::any::erased::Erased;

/// The way from a raw sequence to a segment.
type Whole<'m> = dyn Fn(&Raw) -> Owned + 'm;

/// A metric under test, and its zero before any observation.
pub(super) struct Subject<'m> {
    pub(super) metric: Box<Door<'m, [u8]>>,
    /// A segment as messages show it.
    pub(super) show: Box<dyn Fn(&Owned) -> String + 'm>,
    /// The way from the hypothesis of a drawn segment to the raw parts of the whole segment that it stands for.
    pub(super) whole: Option<Box<Whole<'m>>>,
    pub(super) zero: AnyStats,
    /// The default of the statistics, if it is not the metric's zero.
    pub(super) foreign: Option<AnyStats>,
    /// Whether every byte becomes one token, which makes the prefixes of a sequence known.
    pub(super) tokens: bool,
}

impl<'m> Subject<'m> {
    /// A metric whose statistics are stored, over the sequences that `make` makes.
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
        let show = move |owned: &Owned| owned.shown(|raw| format!("{:?}", make(raw)));
        let door: Box<Door<'m, S>> = Box::new(Erased(metric, Kept));
        let metric = Box::new(Viewed { door, make: Box::new(make) });
        Subject::of(metric, AnyStats::of(M::Stats::default()), Box::new(show), tokens)
    }

    pub(super) fn of(
        metric: Box<Door<'m, [u8]>>,
        default: AnyStats,
        show: Box<dyn Fn(&Owned) -> String + 'm>,
        tokens: bool,
    ) -> Self {
        let zero = metric.zero();
        let foreign = Some(default).filter(|default| *default != zero);
        Subject { metric, show, whole: None, zero, foreign, tokens }
    }

    pub(super) fn finish(&self, state: &State<AnyStats>) -> Result<Vec<f64>> {
        Ok(self.metric.finalize(state.stats(), state.counts())?.headlines())
    }

    /// The state of these segments, observed in one pass with fresh scratch.
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

    /// Checks every law of a corpus, and notes what it reached.
    pub(super) fn hold_on(&self, corpus: &[Owned], reached: &Reached) -> Held {
        self.look_at(corpus, |seen| {
            seen.scratch()?;
            seen.merging()?;
            seen.reference_order()?;
            seen.what_is_missing()?;
            seen.finishing()?;
            seen.composition()?;
            seen.rows()?;
            seen.storing()?;
            reached.look(seen);
            seen.speed_ups()
        })?;
        self.prefixes(&self.wholes(corpus))
    }

    fn wholes(&self, corpus: &[Owned]) -> Vec<Owned> {
        match &self.whole {
            Some(whole) => corpus.iter().map(|owned| whole(&owned.hypothesis)).collect(),
            None => corpus.to_vec(),
        }
    }

    pub(super) fn look_at<R>(&self, corpus: &[Owned], look: impl FnOnce(&Seen<'_>) -> Held<R>) -> Held<R> {
        let mut all = self.wholes(corpus);
        all.extend(self.wholes(&[another()]));
        if self.metric.identity().needs().one_reference {
            all.iter_mut().for_each(|owned| owned.references.truncate(1));
        }
        with_segments(&all, |all| look(&Seen::new(self, all)?))
    }
}

pub(super) struct Seen<'c> {
    pub(super) subject: &'c Subject<'c>,
    pub(super) segments: &'c [Segment<'c, [u8]>],
    /// A segment outside the corpus.
    pub(super) other: &'c [Segment<'c, [u8]>],
    /// The states of the first 0, 1, .., all segments.
    pub(super) firsts: Vec<State<AnyStats>>,
    pub(super) whole: State<AnyStats>,
    pub(super) alone: Vec<AnyStats>,
}

impl<'c> Seen<'c> {
    fn new(subject: &'c Subject<'_>, all: &'c [Segment<'c, [u8]>]) -> Held<Self> {
        let (segments, other) = all.split_at(all.len().saturating_sub(1));
        let mut scratch = AnyScratch::default();
        subject.observe_into(&mut State::zero(&*subject.metric), &mut scratch, other)?;
        let mut whole = State::zero(&*subject.metric);
        same("fresh zero", "zero after something was observed", whole.stats(), &subject.zero)?;
        let mut firsts = vec![whole.clone()];
        for segment in segments {
            subject.observe_into(&mut whole, &mut scratch, &[*segment])?;
            firsts.push(whole.clone());
        }
        let mut seen = Seen { subject, segments, other, firsts, whole, alone: Vec::new() };
        seen.alone = segments.iter().map(|segment| seen.observed(*segment)).collect::<Held<_>>()?;
        Ok(seen)
    }

    /// The statistics of one segment, observed with fresh scratch.
    pub(super) fn observe(&self, segment: Segment<'_, [u8]>) -> Result<AnyStats> {
        let mut stats = self.subject.metric.zero();
        self.subject.metric.observe(&mut AnyScratch::default(), &mut stats, segment)?;
        Ok(stats)
    }

    pub(super) fn observed(&self, segment: Segment<'_, [u8]>) -> Held<AnyStats> {
        fine("observing", "a segment", self.observe(segment))
    }
}

/// The law that the laws are about something: a metric that never meets what it counts keeps every other law. So among all
/// drawn corpora some statistics must differ from zero, or some scores from each other. Whether they do, and the first score or
/// its error.
#[derive(Default)]
pub(super) struct Reached(RefCell<(bool, Option<String>)>);

impl Reached {
    /// Looks at one more corpus.
    pub(super) fn look(&self, seen: &Seen<'_>) {
        let (reached, first) = &mut *self.0.borrow_mut();
        *reached |= seen.alone.iter().any(|stats| *stats != seen.subject.zero);
        let score = format!("{:?}", seen.subject.finish(&seen.whole));
        *reached |= *first.get_or_insert_with(|| score.clone()) != score;
    }

    /// # Errors
    /// No corpus changed the statistics or the score.
    pub(super) fn require(&self) -> Held {
        require!(
            "reaching",
            self.0.borrow().0,
            "the generator never reaches this metric: no segment that it draws changes its statistics or its score; give \
             data of the metric's own to `laws::check_sequences` or `laws::check_any_over`"
        );
        Ok(())
    }
}
