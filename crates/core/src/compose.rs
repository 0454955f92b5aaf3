//! Metrics made of metrics: a tuple of metrics is a metric, and so is an `Option` of one.
//!
//! The statistics of a tuple are the tuple of the statistics, and so on for scores; each segment is handed to
//! every member. An absent metric (`None`) observes nothing.

use alloc::borrow::Cow;
use alloc::vec::Vec;
use core::fmt::Display;

use crate::{
    Identity, InputError, Linear, Metric, Observe, Scale, Score, ScorePart, Segment, SegmentCounts, StateKey,
};

/// Implements the contract for one size of tuple; `$i` are the indices of its members.
macro_rules! tuple_metric {
    ($($M:ident $i:tt),+) => {
        impl<$($M: Linear),+> Linear for ($($M,)+) {
            fn columns(&mut self, visit: &mut dyn FnMut(&dyn Display, &mut u64)) {
                $(self.$i.columns(&mut |name, count| visit(&format_args!("{}.{name}", $i), count));)+
            }
        }

        impl<$($M: Score),+> Score for ($($M,)+) {
            fn value(&self) -> f64 {
                self.0.value()
            }
            fn headline_names() -> Vec<Cow<'static, str>> {
                let mut names = Vec::new();
                $(names.extend($M::headline_names().into_iter().map(|name| {
                    Cow::Owned(alloc::format!("{}.{name}", $i))
                }));)+
                names
            }
            fn headlines(&self) -> Vec<f64> {
                let mut headlines = Vec::new();
                $(headlines.extend(self.$i.headlines());)+
                headlines
            }
            fn parts(&self) -> Vec<ScorePart> {
                let mut parts = Vec::new();
                $(parts.extend(self.$i.parts());)+
                parts
            }
        }

        impl<$($M: Metric),+> Metric for ($($M,)+)
        where
            $($M::Stats: Linear,)+
        {
            type Stats = ($($M::Stats,)+);
            type Score = ($($M::Score,)+);
            type Scratch = ($($M::Scratch,)+);

            const REMEMBERS_TOKENS: bool = $($M::REMEMBERS_TOKENS)||+;

            fn identity(&self) -> Identity {
                Identity::join([$(self.$i.identity()),+])
            }
            fn scale(&self) -> Scale {
                self.0.scale()
            }
            fn scratch(&self) -> Self::Scratch {
                ($(self.$i.scratch(),)+)
            }
            fn zero(&self) -> Self::Stats {
                ($(self.$i.zero(),)+)
            }
            fn finalize(&self, stats: &Self::Stats, counts: &SegmentCounts) -> Result<Self::Score, InputError> {
                Ok(($(self.$i.finalize(&stats.$i, counts)?,)+))
            }
            fn check(&self, stats: &Self::Stats, counts: &SegmentCounts) -> Result<(), InputError> {
                $(self.$i.check(&stats.$i, counts)?;)+
                Ok(())
            }
            fn serves(&self, key: &StateKey) -> Result<(), InputError> {
                let mut rest = key.clone();
                $({
                    let (own, others) = rest.split(self.$i.identity().parts());
                    self.$i.serves(&own)?;
                    rest = others;
                })+
                // What is left belongs to no member.
                Identity::join([]).key().require_equal(&rest)
            }
        }

        impl<Seq: ?Sized, $($M: Observe<Seq>),+> Observe<Seq> for ($($M,)+)
        where
            $($M::Stats: Linear,)+
        {
            fn observe(
                &self,
                scratch: &mut Self::Scratch,
                stats: &mut Self::Stats,
                segment: Segment<'_, Seq>,
            ) -> Result<(), InputError> {
                // Into fresh statistics first, so that an error of one member leaves all of them unchanged.
                let mut observed = self.zero();
                $(self.$i.observe(&mut scratch.$i, &mut observed.$i, segment)?;)+
                stats.add(&observed)
            }

            fn observe_each(
                &self,
                scratch: &mut Self::Scratch,
                stats: &mut [Self::Stats],
                segments: &[Segment<'_, Seq>],
            ) -> Result<(), (usize, InputError)> {
                // Members meet the same segments one after the other: of their errors the first segment's counts.
                let mut first: Option<(usize, InputError)> = None;
                $({
                    let mut observed: Vec<_> = stats.iter().map(|_| self.$i.zero()).collect();
                    let done = self.$i.observe_each(&mut scratch.$i, &mut observed, segments).and_then(|()| {
                        let mut both = stats.iter_mut().zip(&observed).enumerate();
                        both.try_for_each(|(index, (all, own))| all.$i.add(own).map_err(|error| (index, error)))
                    });
                    if let Err(error) = done && first.as_ref().is_none_or(|first| error.0 < first.0) {
                        first = Some(error);
                    }
                })+
                first.map_or(Ok(()), Err)
            }
        }
    };
}

tuple_metric!(A 0, B 1);
tuple_metric!(A 0, B 1, C 2);
tuple_metric!(A 0, B 1, C 2, D 3);
tuple_metric!(A 0, B 1, C 2, D 3, E 4);
tuple_metric!(A 0, B 1, C 2, D 3, E 4, F 5);
tuple_metric!(A 0, B 1, C 2, D 3, E 4, F 5, G 6);
tuple_metric!(A 0, B 1, C 2, D 3, E 4, F 5, G 6, H 7);

/// The row of the statistics that are there; none where they are not.
impl<S: Linear> Linear for Option<S> {
    fn columns(&mut self, visit: &mut dyn FnMut(&dyn Display, &mut u64)) {
        if let Some(stats) = self {
            stats.columns(visit);
        }
    }
}

impl<M: Metric> Metric for Option<M>
where
    M::Stats: Linear,
{
    type Stats = Option<M::Stats>;
    type Score = Option<M::Score>;
    type Scratch = Option<M::Scratch>;

    const REMEMBERS_TOKENS: bool = M::REMEMBERS_TOKENS;

    fn identity(&self) -> Identity {
        Identity::join(self.as_ref().map(Metric::identity))
    }
    fn scale(&self) -> Scale {
        self.as_ref().map_or(Scale::UNBOUNDED, Metric::scale)
    }
    fn scratch(&self) -> Self::Scratch {
        self.as_ref().map(Metric::scratch)
    }
    fn zero(&self) -> Self::Stats {
        self.as_ref().map(Metric::zero)
    }
    fn finalize(&self, stats: &Self::Stats, counts: &SegmentCounts) -> Result<Self::Score, InputError> {
        self.check(stats, counts)?;
        self.as_ref().zip(stats.as_ref()).map(|(metric, stats)| metric.finalize(stats, counts)).transpose()
    }
    fn check(&self, stats: &Self::Stats, counts: &SegmentCounts) -> Result<(), InputError> {
        match (self, stats) {
            (Some(metric), Some(stats)) => metric.check(stats, counts),
            (None, None) => Ok(()),
            _ => Err(InputError::malformed_state(
                "statistics of a metric that is absent, or none of one present",
            )),
        }
    }
    fn serves(&self, key: &StateKey) -> Result<(), InputError> {
        match self {
            Some(metric) => metric.serves(key),
            None => Identity::join([]).key().require_equal(key),
        }
    }
}

impl<S: ?Sized, M: Observe<S>> Observe<S> for Option<M>
where
    M::Stats: Linear,
{
    fn observe(
        &self,
        scratch: &mut Self::Scratch,
        stats: &mut Self::Stats,
        segment: Segment<'_, S>,
    ) -> Result<(), InputError> {
        let Some(metric) = self else { return Ok(()) };
        let scratch = scratch.get_or_insert_with(|| metric.scratch());
        metric.observe(scratch, stats.get_or_insert_with(|| metric.zero()), segment)
    }

    fn observe_each(
        &self,
        scratch: &mut Self::Scratch,
        stats: &mut [Self::Stats],
        segments: &[Segment<'_, S>],
    ) -> Result<(), (usize, InputError)> {
        let Some(metric) = self else { return Ok(()) };
        let scratch = scratch.get_or_insert_with(|| metric.scratch());
        let mut inner: Vec<M::Stats> =
            stats.iter_mut().map(|stats| stats.take().unwrap_or_else(|| metric.zero())).collect();
        let done = metric.observe_each(scratch, &mut inner, segments);
        stats.iter_mut().zip(inner).for_each(|(stats, inner)| *stats = Some(inner));
        done
    }
}
