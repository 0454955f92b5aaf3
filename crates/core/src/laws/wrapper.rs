//! The law of wrappers: a wrapper has the speed-ups and the numbers of its metric.

use alloc::boxed::Box;
use alloc::format;
use alloc::string::String;
use alloc::vec;
use alloc::vec::Vec;
use core::any::TypeId;
use core::borrow::Borrow;
use core::fmt::Debug;

use super::broken::{Held, require, same};
use super::check_unstored;
use super::corpora::{Owned, Raw, with_references};
use super::seen::{Seen, Subject};
use super::speed_ups::Pool;
use crate::{AnyScratch, AnyStats, Metric, Observe, Result, Segment, SegmentCounts};

/// The speed-ups of [`Observe`] that a metric may have or not.
pub(super) const SPEED_UPS: [&str; 5] =
    ["prepared references", "prefixes", "pair scores", "leave-one-out statistics", "aggregate references"];

/// The law of wrappers: `wrapper` has every speed-up of `metric` and gives each segment the same number. The wrapper
/// itself obeys every law except those of storing. `inner` and `outer` make sequences for the two out of the same tokens,
/// numbers below 256.
///
/// ```
/// use bleuprint_core::*;
/// # #[derive(Clone)]
/// # struct Tokens;
/// # impl Metric for Tokens {
/// #     type Stats = [u64; 1]; type Score = f64; type Scratch = ();
/// #     fn identity(&self) -> Identity { Identity::new("tokens", 1, Scale::UNBOUNDED).reference_free() }
/// #     fn finalize(&self, stats: &[u64; 1], _: &SegmentCounts) -> Result<f64> { Ok(stats[0] as f64) }
/// # }
/// # impl<T> Observe<[T]> for Tokens {
/// #     fn observe(&self, _: &mut (), stats: &mut [u64; 1], segment: Segment<'_, [T]>) -> Result<()> {
/// #         stats.merge(&[segment.hypothesis().len() as u64])
/// #     }
/// # }
/// let bytes = |tokens: &[u8]| tokens.to_vec();
/// laws::check_wrapper::<[u8], _, _, [u8], _, _>(&Tokens, bytes, &Mean::new(Tokens), bytes);
/// ```
///
/// # Panics
/// When a law is broken.
pub fn check_wrapper<S, O, M, Z, P, W>(
    metric: &M,
    inner: impl Fn(&[u8]) -> O + Sync,
    wrapper: &W,
    outer: impl Fn(&[u8]) -> P + Sync,
) where
    S: ?Sized + 'static,
    O: Borrow<S>,
    M: Observe<S>,
    M::Stats: PartialEq + Debug,
    Z: ?Sized + 'static,
    P: Borrow<Z> + Debug,
    W: Observe<Z>,
    W::Stats: PartialEq + Debug,
{
    let same_kind = TypeId::of::<S>() == TypeId::of::<Z>();
    let (outer, show) = (&outer, |raw: &Raw| format!("{:?}", outer(raw)));
    let metric = Subject::unstored::<S, _, _>(metric, &inner);
    let wrapper = Subject { show: Box::new(show), ..Subject::unstored::<Z, _, _>(wrapper, outer) };
    check_speed_ups(&metric, &wrapper, same_kind);
}

fn check_speed_ups(metric: &Subject<'_>, wrapper: &Subject<'_>, same_kind: bool) {
    check_unstored(wrapper, |_, corpus| same_speed_ups(metric, wrapper, same_kind, corpus));
}

fn same_speed_ups(metric: &Subject<'_>, wrapper: &Subject<'_>, same_kind: bool, corpus: &[Owned]) -> Held {
    let own = metric.look_at(corpus, |seen| seen.told())?;
    let through = wrapper.look_at(corpus, |seen| seen.told())?;
    for ((name, own), through) in SPEED_UPS.iter().zip(&own.speed_ups).zip(&through.speed_ups) {
        // A prefix of a text is not a prefix of its tokens.
        if let (Ok(Some(_)), Ok(through)) = (own, through)
            && (same_kind || *name != "prefixes")
        {
            require!(LAW, through.is_some(), "{name} are lost");
        }
    }
    let (own_batch, batch) = (metric.metric.batch(), wrapper.metric.batch());
    require!(LAW, batch >= own_batch, "batches of {own_batch} become batches of {batch}");
    same(LAW, "the number of each segment", &through.numbers, &own.numbers)
}

const LAW: &str = "wrapper";

/// The results of a metric on a corpus, which its other forms must repeat.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Told {
    pub(super) stats: String,
    /// The number of every single segment, if any.
    pub(super) numbers: Vec<Option<f64>>,
    /// The results of the speed-ups, in the order of [`SPEED_UPS`]; `None` for an absent one.
    pub(super) speed_ups: [Result<Option<String>>; 5],
}

impl Seen<'_> {
    pub(super) fn told(&self) -> Held<Told> {
        let metric = &*self.subject.metric;
        let Pool { hypotheses, references } = &self.pool();
        let number = |(stats, segment): (&AnyStats, &Segment<'_, [u8]>)| {
            let counts = SegmentCounts::of_segment(segment.references_or_none().len());
            metric.number(stats, &counts).ok()
        };
        let all = self.pool().all();
        let left_out = if all.len() < 2 { Ok(None) } else { metric.leave_one_out(&all) };
        let pairs = metric.pair_scorer(hypotheses, references).map(|scorer| {
            scorer.map(|scorer| {
                let mut scores = vec![0.0; hypotheses.len() * references.len()];
                scorer.score(0..hypotheses.len(), &mut scores);
                format!("{scores:?}")
            })
        });
        Ok(Told {
            stats: format!("{:?}", self.whole.stats()),
            numbers: self.alone.iter().zip(self.segments).map(number).collect(),
            speed_ups: [
                self.each(|segment| self.with_prepared(segment)),
                self.each(|segment| self.prefixes_of(segment)),
                pairs,
                left_out.map(|all| all.map(|all| format!("{all:?}"))),
                metric.aggregate(hypotheses, references).map(|all| all.map(|all| format!("{all:?}"))),
            ],
        })
    }

    /// The result for each segment, if there is one for all.
    fn each(&self, tell: impl Fn(Segment<'_, [u8]>) -> Result<Option<String>>) -> Result<Option<String>> {
        let all: Option<Vec<String>> =
            self.segments.iter().map(|segment| tell(*segment)).collect::<Result<_>>()?;
        Ok(all.map(|all| all.join(", ")))
    }

    fn with_prepared(&self, segment: Segment<'_, [u8]>) -> Result<Option<String>> {
        let (metric, mut scratch) = (&*self.subject.metric, AnyScratch::default());
        let prepared = metric.prepare(&mut scratch, segment.references_or_none())?;
        if prepared.is_nothing() {
            return Ok(None);
        }
        let mut stats = metric.zero();
        metric.observe_prepared(&mut scratch, &mut stats, with_references(segment, &[]), &prepared)?;
        Ok(Some(format!("{stats:?}")))
    }

    fn prefixes_of(&self, segment: Segment<'_, [u8]>) -> Result<Option<String>> {
        let mut all = Vec::new();
        let told =
            self.subject.metric.observe_prefixes(&mut AnyScratch::default(), segment, &mut |stats| {
                all.push(stats.clone());
                Ok(())
            })?;
        Ok(told.then(|| format!("{all:?}")))
    }
}
