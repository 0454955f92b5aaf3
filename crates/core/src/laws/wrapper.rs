//! The law of wrappers: what stands in front of a metric has its speed-ups, and tells the same number.

use alloc::vec::Vec;
use core::borrow::Borrow;
use core::fmt::Debug;

use serde::Serialize;

use super::broken::{Held, require, same};
use super::corpora::{Owned, Raw};
use super::seen::{Checked, Seen, Subject, View};
use super::{Equality, check_in_view};
use crate::{Observe, Restore, Result, State};

/// The speed-ups of [`Observe`], in the order of [`Seen::has`].
const SPEED_UPS: [&str; 5] =
    ["prepared references", "beginnings", "pair scores", "leave-one-out statistics", "aggregate references"];

/// What stands in front of a metric has every speed-up that the metric has, and gives each segment the number that
/// the metric gives it. The wrapper itself obeys every law, its speed-ups' included. `inner` and `outer` make a
/// sequence of each out of the same tokens, which are numbers below 256.
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
    inner: impl Fn(&[u8]) -> O,
    wrapper: &W,
    outer: impl Fn(&[u8]) -> P,
) where
    S: ?Sized,
    O: Borrow<S>,
    M: Observe<S>,
    M::Stats: PartialEq + Debug + Serialize + Restore,
    Z: ?Sized,
    P: Borrow<Z> + Debug,
    W: Observe<Z>,
    W::Stats: PartialEq + Debug + Serialize + Restore,
{
    let inner = View { make: &inner, tokens: false };
    let outer = View { make: &outer, tokens: false };
    let (metric, wrapper) = (Subject::new(metric, Equality::Exact), Subject::new(wrapper, Equality::Exact));
    check_in_view::<Z, P, W>(&wrapper, &outer, |corpus| {
        same_speed_ups::<S, O, M, Z, P, W>(&metric, &inner, &wrapper, &outer, corpus)
    });
}

pub(super) fn same_speed_ups<S, O, M, Z, P, W>(
    metric: &Subject<'_, M>,
    inner: &View<'_, O>,
    wrapper: &Subject<'_, W>,
    outer: &View<'_, P>,
    corpus: &[Owned<Raw>],
) -> Held
where
    S: ?Sized,
    O: Borrow<S>,
    M: Observe<S>,
    M::Stats: Checked,
    Z: ?Sized,
    P: Borrow<Z>,
    W: Observe<Z>,
    W::Stats: Checked,
{
    const LAW: &str = "wrapper";
    let (own, numbers) =
        metric.look_at(inner, corpus, |seen: &Seen<'_, S, M>| Ok((seen.has()?, seen.numbers()?)))?;
    wrapper.look_at(outer, corpus, |seen: &Seen<'_, Z, W>| {
        for ((name, own), through) in SPEED_UPS.iter().zip(own).zip(seen.has()?) {
            require!(LAW, own.is_none() || through.is_none() || own == through, "{name} are lost");
        }
        let (own, through) = (metric.metric.batch(), wrapper.metric.batch());
        require!(LAW, through >= own, "batches of {own} become batches of {through}");
        same(LAW, "the number of each segment", &seen.numbers()?, &numbers)
    })
}

impl<S: ?Sized, M: Observe<S>> Seen<'_, S, M>
where
    M::Stats: Checked,
{
    /// Which speed-ups there are for this corpus; nothing where asking is an error.
    fn has(&self) -> Held<[Option<bool>; 5]> {
        let (metric, pool) = (self.subject.metric, self.pool());
        let (mut prepares, mut begins) = (Some(true), Some(true));
        let mut scratch = M::Scratch::default();
        for segment in self.segments {
            let prepared = metric.prepare(&mut scratch, segment.references_or_none());
            prepares = prepares.zip(prepared.ok()).map(|(all, own)| all && !own.is_nothing());
            let told = metric.observe_prefixes(&mut scratch, *segment, &mut |_| Ok(()));
            begins = begins.zip(told.ok()).map(|(all, own)| all && own);
        }
        let all = pool.all();
        let left_out = if all.len() < 2 { None } else { metric.leave_one_out(&all).ok() };
        Ok([
            prepares,
            begins,
            metric.pair_scorer(&pool.hypotheses, &pool.references).ok().map(|there| there.is_some()),
            left_out.map(|there| there.is_some()),
            metric.aggregate(&pool.hypotheses, &pool.references).ok().map(|there| there.is_some()),
        ])
    }

    /// The number of every segment alone, as its refusal or its bits say it.
    fn numbers(&self) -> Held<Vec<Option<f64>>> {
        let number = |state: State<M::Stats>| -> Result<f64> {
            self.subject.metric.number(state.stats(), state.counts())
        };
        self.segments.iter().map(|segment| Ok(number(self.subject.state(&[*segment])?).ok())).collect()
    }
}
