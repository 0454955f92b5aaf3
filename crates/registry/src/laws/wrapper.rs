//! Property test of a wrapper, a metric that computes its results by an inner metric. The wrapper must offer
//! all faster methods of the inner metric, and both must return the same numbers.

use core::any::TypeId;
use core::borrow::Borrow;
use core::fmt::Debug;

use super::check_subject;
use super::prelude::*;
use super::seen::{LawSubject, SeenScores};
use super::speed_ups::LawPool;

/// Tests that `wrapper`, which computes its results by `metric`, offers all faster methods of `metric` and
/// obeys every law. Both must give each segment the same number, or both none.
///
/// `inner` and `outer` make sequences for `metric` and `wrapper` from the same tokens, which are numbers
/// below 256.
///
/// ```
/// use bleuprint_core::*;
/// use bleuprint_registry::*;
/// let tokens = Identity::new("tokens", 1, Scale::UNBOUNDED).reference_free();
/// let tokens = PerSegment::new(tokens, |segment: Segment<'_, [u8]>| Ok(segment.hypothesis.len() as f64));
/// let bytes = |tokens: &[u8]| tokens.to_vec();
/// laws::check_wrapper::<[u8], _, _, [u8], _, _>(&tokens, bytes, &Mean::new(&tokens), bytes);
/// ```
///
/// # Panics
/// Panics if the wrapper breaks a law.
pub fn check_wrapper<S, O, M, Z, P, W>(
    metric: &M,
    inner: impl Fn(&[u8]) -> O + Sync,
    wrapper: &W,
    outer: impl Fn(&[u8]) -> P + Sync,
) where
    S: ?Sized + 'static,
    O: Borrow<S> + Debug,
    M: Observe<S, Stats: Storable>,
    Z: ?Sized + 'static,
    P: Borrow<Z> + Debug,
    W: Observe<Z, Stats: Storable>,
{
    let same_kind = TypeId::of::<S>() == TypeId::of::<Z>();
    let metric = LawSubject::new::<S, _, _>(metric, &inner, false);
    let wrapper = LawSubject::new::<Z, _, _>(wrapper, &outer, false);
    check_subject(&wrapper, |corpus| same_speed_ups(&metric, &wrapper, same_kind, corpus));
}

fn same_speed_ups(
    metric: &LawSubject<'_>,
    wrapper: &LawSubject<'_>,
    same_kind: bool,
    corpus: &[OwnedSegment],
) -> Held {
    let own = metric.look_at(corpus, |seen| seen.told())?;
    let through = wrapper.look_at(corpus, |seen| seen.told())?;
    for ((name, own), (_, through)) in own.speed_ups.iter().zip(&through.speed_ups) {
        // A prefix of a text need not be a prefix of its tokens, so prefixes are compared only if both kinds
        // agree.
        if let (Ok(Some(own)), Ok(through)) = (own, through)
            && (same_kind || *name != "prefixes")
        {
            let Some(through) = through else {
                return Err(Broken { law: LAW, shown: format!("{name} are lost") });
            };
            own.same_numbers(through, name)?;
        }
    }
    let own_batch = metric.metric.batch();
    let batch = wrapper.metric.batch();
    require!(LAW, batch >= own_batch, "batches of {own_batch} become batches of {batch}");
    same(LAW, "the number of each segment", &through.numbers, &own.numbers)?;
    same(LAW, "segments without a number", &through.missing, &own.missing)
}

const LAW: &str = "wrapper";

/// The results of a metric on a test corpus, which every wrapper of the metric must give too.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Told {
    pub(super) stats: String,
    /// Score of each segment by itself; `None` if it has no score.
    pub(super) numbers: Vec<Option<f64>>,
    /// Number of missing scores of each segment: 1 if its statistics report that it has no score, else 0.
    pub(super) missing: Vec<u64>,
    /// Name and result of each optional faster method of [`Observe`] and of each kind of request
    /// ([`Wanted`]); the result is `None` if the metric lacks it.
    pub(super) speed_ups: Vec<(&'static str, Result<Option<ShownAnswer>>)>,
}

/// Result of a metric's faster method: its debug text, and its numbers if it has any.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct ShownAnswer {
    shown: String,
    numbers: Option<Vec<Option<f64>>>,
}

impl ShownAnswer {
    /// Compares the results of a faster method, called on a metric (`self`) and on its wrapper (`through`).
    /// Returns an error unless their numbers are equal, or their debug texts if one has no numbers.
    fn same_numbers(&self, through: &ShownAnswer, name: &str) -> Held {
        let (Some(own), Some(through)) = (&self.numbers, &through.numbers) else {
            return same(LAW, name, &through.shown, &self.shown);
        };
        same(LAW, &format!("the number of {name}"), &through.len(), &own.len())?;
        let both = through.iter().zip(own).filter(|(through, own)| through.is_some() && own.is_some());
        for (through, own) in both {
            same(LAW, &format!("the numbers of {name}"), through, own)?;
        }
        Ok(())
    }
}

impl SeenScores<'_> {
    pub(super) fn told(&self) -> Held<Told> {
        let counts = |segment: &Segment<'_, [u8]>| SegmentCounts::of_segment(segment.references.len());
        let both = || self.alone.iter().zip(self.segments);
        let LawPool { hypotheses, references } = &self.pool();
        let all = self.pool().all();
        let ask = |wanted| match wanted {
            Wanted::LeaveOneOut if all.len() < 2 => Ok(None),
            Wanted::LeaveOneOut => self.answered(Ask::new(wanted, &all, &all)),
            Wanted::Pairing | Wanted::Picture => self.each(|segment| {
                let mut ask = Ask::new(wanted, &[], segment.references);
                let hypothesis = [segment.hypothesis];
                (ask.hypotheses, ask.source) = (&hypothesis, segment.source);
                self.answered(ask)
            }),
            _ => self.answered(Ask::new(wanted, hypotheses, references)),
        };
        Ok(Told {
            stats: format!("{:?}", self.whole.stats()),
            numbers: both().map(|(stats, segment)| self.number(stats, &counts(segment))).collect(),
            missing: both().map(|(stats, segment)| stats.missing(&counts(segment))).collect(),
            speed_ups: vec![
                ("prepared references", self.each(|segment| self.with_prepared(segment))),
                ("prefixes", self.each(|segment| self.prefixes_of(segment))),
                ("pair scores", ask(Wanted::Pairs)),
                ("leave-one-out statistics", ask(Wanted::LeaveOneOut)),
                ("aggregate references", ask(Wanted::Aggregate)),
                ("pairings", ask(Wanted::Pairing)),
                ("pictures", ask(Wanted::Picture)),
            ],
        })
    }

    fn number(&self, stats: &AnyStats, counts: &SegmentCounts) -> Option<f64> {
        self.subject.metric.number(stats, counts).ok().filter(|number| !number.is_nan())
    }

    fn of_stats(&self, all: &[AnyStats], counts: &SegmentCounts) -> ShownAnswer {
        let numbers = all.iter().map(|stats| self.number(stats, counts)).collect();
        ShownAnswer { shown: format!("{all:?}"), numbers: Some(numbers) }
    }

    fn answered(&self, ask: Ask<'_, [u8]>) -> Result<Option<ShownAnswer>> {
        let answer = self.subject.metric.ask(&mut AnyScratch::default(), ask)?;
        Ok(answer.map(|answer| match answer {
            Answer::Stats(all) => self.of_stats(&all, &ask.counts()),
            Answer::Pairing(pairing) => ShownAnswer { shown: format!("{pairing:?}"), numbers: None },
            Answer::Picture(rows) => ShownAnswer { shown: format!("{rows:?}"), numbers: None },
            Answer::Scores(scorer) => {
                let mut scores = vec![0.0; ask.hypotheses.len() * ask.references.len()];
                scorer.score(0..ask.hypotheses.len(), &mut scores);
                let numbers = scores.iter().map(|score| Some(*score).filter(|score| !score.is_nan()));
                ShownAnswer { shown: format!("{scores:?}"), numbers: Some(numbers.collect()) }
            }
            _ => ShownAnswer { shown: String::from("an answer of a form without a law"), numbers: None },
        }))
    }

    /// Calls `tell` for each segment and returns all results together; `None` if a segment has no result.
    fn each(
        &self,
        tell: impl Fn(Segment<'_, [u8]>) -> Result<Option<ShownAnswer>>,
    ) -> Result<Option<ShownAnswer>> {
        let all: Option<Vec<ShownAnswer>> =
            self.segments.iter().map(|segment| tell(*segment)).collect::<Result<_>>()?;
        let Some(all) = all else { return Ok(None) };
        let shown: Vec<&str> = all.iter().map(|answered| &*answered.shown).collect();
        let numbers: Option<Vec<_>> = all.iter().map(|answered| answered.numbers.clone()).collect();
        Ok(Some(ShownAnswer { shown: shown.join(", "), numbers: numbers.map(|numbers| numbers.concat()) }))
    }

    fn with_prepared(&self, segment: Segment<'_, [u8]>) -> Result<Option<ShownAnswer>> {
        let metric = &*self.subject.metric;
        let mut scratch = AnyScratch::default();
        let references = segment.references;
        let prepared = metric.prepare(&mut scratch, references)?;
        if prepared.references().is_none() {
            return Ok(None);
        }
        let mut stats = metric.zero();
        metric.observe_prepared(&mut scratch, &mut stats, with_references(segment, &[]), &prepared)?;
        Ok(Some(self.of_stats(&[stats], &SegmentCounts::of_segment(references.len()))))
    }

    fn prefixes_of(&self, segment: Segment<'_, [u8]>) -> Result<Option<ShownAnswer>> {
        let mut all = Vec::new();
        let told =
            self.subject.metric.observe_prefixes(&mut AnyScratch::default(), segment, &mut |stats| {
                all.push(stats.clone());
                Ok(())
            })?;
        let counts = SegmentCounts::of_segment(segment.references.len());
        Ok(told.then(|| self.of_stats(&all, &counts)))
    }
}
