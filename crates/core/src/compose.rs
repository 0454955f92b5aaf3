//! Metric implementation for tuples, so that several metrics are computed together as one metric.
//!
//! The statistics of a tuple are the tuple of its members' statistics, and likewise for scores. Every member
//! observes each segment.

use core::ops::Range;

use crate::prelude::*;
use crate::stats::not_linear;
use crate::{
    Answer, Ask, Identity, InputError, Location, Metric, Observe, PairScorer, Prepared, Result, Score,
    ScorePart, Segment, SegmentCounts, StateKey, Stats,
};

/// Implements the metric traits for tuples with a given number of metrics. `$i` is the index of each metric.
macro_rules! tuple_metric {
    ($($M:ident $i:tt),+) => {
        impl<$($M: Stats),+> Stats for ($($M,)+) {
            fn merge(&mut self, other: &Self) -> Result<()> {
                // Checked first, so that either all members merge or none.
                self.check_merge(other)?;
                $(self.$i.merge(&other.$i)?;)+
                Ok(())
            }
            fn merge_times(&mut self, other: &Self, times: u64) -> Result<()> {
                let mut merged = self.clone();
                $(merged.$i.merge_times(&other.$i, times)?;)+
                *self = merged;
                Ok(())
            }
            fn check_merge(&self, other: &Self) -> Result<()> {
                $(self.$i.check_merge(&other.$i)?;)+
                Ok(())
            }
            fn check(&self, counts: &SegmentCounts) -> Result<()> {
                $(self.$i.check(counts)?;)+
                Ok(())
            }
            fn missing(&self, counts: &SegmentCounts) -> u64 {
                // For one segment the maximum is exact. For several it is a lower bound, because different
                // members may have no value for different segments.
                [$(self.$i.missing(counts)),+].into_iter().max().unwrap_or(0)
            }
            fn is_row(&self) -> bool {
                $(self.$i.is_row())&&+
            }
            fn needs_block(&self) -> bool {
                $(self.$i.needs_block())||+
            }
            fn column_names(&self) -> Vec<String> {
                let mut names = Vec::new();
                if !self.is_row() {
                    return names;
                }
                $(names.extend(self.$i.column_names().iter().map(|name| format!("{}.{name}", $i)));)+
                names
            }
            fn write_row(&self, row: &mut Vec<u64>) -> Result<()> {
                if !self.is_row() {
                    return Err(not_linear("be written as a row"));
                }
                $(self.$i.write_row(row)?;)+
                Ok(())
            }
            fn read_row(&mut self, row: &[u64]) -> Result<()> {
                if !self.is_row() {
                    return Err(not_linear("be read from a row"));
                }
                let lengths = [$(self.$i.column_names().len()),+];
                // The whole row is checked here: `split_at` below panics on a short one.
                let expected = lengths.iter().sum();
                if row.len() != expected {
                    return Err(InputError::row_length(expected, row.len()));
                }
                // All members are read into a copy, so that an error in a late member leaves the early ones
                // unchanged.
                let mut read = self.clone();
                let mut rest = row;
                $({
                    let (own, others) = rest.split_at(lengths[$i]);
                    read.$i.read_row(own)?;
                    rest = others;
                })+
                *self = read;
                debug_assert!(rest.is_empty());
                Ok(())
            }
            fn retract(&mut self, other: &Self) -> Result<()> {
                let mut rest = self.clone();
                $(rest.$i.retract(&other.$i)?;)+
                *self = rest;
                Ok(())
            }
        }

        impl<$($M: Score),+> Score for ($($M,)+) {
            fn value(&self) -> f64 {
                self.0.value()
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

        impl<$($M: Metric),+> Metric for ($($M,)+) {
            type Stats = ($($M::Stats,)+);
            type Score = ($($M::Score,)+);
            type Scratch = ($($M::Scratch,)+);

            fn identity(&self) -> Identity {
                Identity::join([$(self.$i.identity()),+])
            }
            fn identity_over(&self, state: &StateKey) -> Identity {
                let mut rest = state.clone();
                let mut own = |parts: usize| {
                    let (own, others) = rest.split(parts);
                    rest = others;
                    own
                };
                Identity::join([$(self.$i.identity_over(&own(self.$i.identity().parts.len()))),+])
            }
            fn zero(&self) -> Self::Stats {
                ($(self.$i.zero(),)+)
            }
            fn finalize(&self, stats: &Self::Stats, counts: &SegmentCounts) -> Result<Self::Score> {
                Ok(($(self.$i.finalize(&stats.$i, counts)?,)+))
            }
            fn check(&self, stats: &Self::Stats, counts: &SegmentCounts) -> Result<()> {
                $(self.$i.check(&stats.$i, counts)?;)+
                Ok(())
            }
            fn headline_names(&self) -> Vec<Cow<'static, str>> {
                let mut names = Vec::new();
                $(names.extend(self.$i.headline_names().iter().map(|name| Cow::Owned(format!("{}.{name}", $i))));)+
                names
            }
            fn batch(&self) -> usize {
                [$(self.$i.batch()),+].into_iter().max().unwrap_or(1)
            }
            fn serves(&self, key: &StateKey) -> Result<()> {
                let mut rest = key.clone();
                $({
                    let (own, others) = rest.split(self.$i.identity().parts.len());
                    self.$i.serves(&own)?;
                    rest = others;
                })+
                // What remains belongs to no member, so it must be the key of no metric.
                Identity::join([]).key().require_equal(&rest)
            }
        }

        /// Observes each segment with every metric of a tuple. An optional faster method is available only if
        /// all metrics of the tuple provide it.
        impl<Seq: ?Sized, Ref: ?Sized, Src: ?Sized, $($M: Observe<Seq, Ref, Src>),+> Observe<Seq, Ref, Src>
            for ($($M,)+)
        {
            fn observe(
                &self,
                scratch: &mut Self::Scratch,
                stats: &mut Self::Stats,
                segment: Segment<'_, Seq, Ref, Src>,
            ) -> Result<()> {
                // Fresh statistics are filled first, so that an error of one member leaves all members
                // unchanged.
                let mut observed = self.zero();
                $(self.$i.observe(&mut scratch.$i, &mut observed.$i, segment)?;)+
                stats.merge(&observed)
            }

            fn observe_each(
                &self,
                scratch: &mut Self::Scratch,
                stats: &mut [Self::Stats],
                segments: &[Segment<'_, Seq, Ref, Src>],
            ) -> Result<()> {
                // Each member sees the whole batch before the next one does. The error of the earliest
                // segment is returned, as one-by-one observation would.
                let mut first: Option<InputError> = None;
                $({
                    let mut observed: Vec<_> = stats.iter().map(|_| self.$i.zero()).collect();
                    let done = self.$i.observe_each(&mut scratch.$i, &mut observed, segments).and_then(|()| {
                        let mut both = (1..).zip(stats.iter_mut().zip(&observed));
                        both.try_for_each(|(number, (all, own))| {
                            all.$i.merge(own).map_err(|error| error.at(Location::segment(number)))
                        })
                    });
                    if let Err(error) = done
                        && first.as_ref().is_none_or(|first| error.location().segment < first.location().segment)
                    {
                        first = Some(error);
                    }
                })+
                first.map_or(Ok(()), Err)
            }

            fn prepare(&self, scratch: &mut Self::Scratch, references: &[&Ref]) -> Result<Prepared> {
                // One member without preparation needs the references themselves, which prepared observation
                // does not pass on.
                let prepared = [$(self.$i.prepare(&mut scratch.$i, references)?),+];
                let all = prepared.iter().all(|member| member.references().is_some());
                Ok(if all { Prepared::new(references.len(), prepared) } else { Prepared::default() })
            }

            fn observe_prepared(
                &self,
                scratch: &mut Self::Scratch,
                stats: &mut Self::Stats,
                segment: Segment<'_, Seq, Ref, Src>,
                prepared: &Prepared,
            ) -> Result<()> {
                // Preparation by another metric, or by none, has another type. Observing then falls back to
                // the references of the segment.
                const MEMBERS: usize = [$($i),+].len();
                let Some(prepared) = prepared.get::<[Prepared; MEMBERS]>() else {
                    return self.observe(scratch, stats, segment);
                };
                let mut observed = self.zero();
                $(self.$i.observe_prepared(&mut scratch.$i, &mut observed.$i, segment, &prepared[$i])?;)+
                stats.merge(&observed)
            }

            fn observe_prefixes(
                &self,
                scratch: &mut Self::Scratch,
                segment: Segment<'_, Seq, Ref, Src>,
                each: &mut dyn FnMut(&Self::Stats) -> Result<()>,
            ) -> Result<bool> {
                let all = zipped!($(prefixes(&self.$i, &mut scratch.$i, segment)?, $M),+);
                all.iter().flatten().try_for_each(each)?;
                Ok(all.is_some())
            }

            fn ask(
                &self,
                scratch: &mut Self::Scratch,
                ask: Ask<'_, Seq, Ref, Src>,
            ) -> Result<Option<Answer<'_, Self::Stats>>> {
                Ok(match ($(self.$i.ask(&mut scratch.$i, ask)?,)+) {
                    #[allow(non_snake_case)]
                    ($(Some(Answer::Stats($M)),)+) => {
                        let all = zipped!($(Some($M), $M),+);
                        all.map(Answer::Stats)
                    }
                    #[allow(non_snake_case)]
                    ($(Some(Answer::Scores($M)),)+) => {
                        Some(Answer::Scores(Box::new(pairs_of_all(vec![$($M),+]))))
                    }
                    // The first member gives the headline number, so its pairs and its picture are shown.
                    (Some(Answer::Pairing(pairing)), ..) => Some(Answer::Pairing(pairing)),
                    (Some(Answer::Picture(rows)), ..) => Some(Answer::Picture(rows)),
                    _ => None,
                })
            }
        }
    };
}

/// Zips one list per metric of a tuple into one list of tuples. The result is `None` if a metric has no list.
macro_rules! zipped {
    ($($all:expr, $M:ident),+) => {
        match ($($all,)+) {
            #[allow(non_snake_case)]
            ($(Some($M),)+) => {
                let ($(mut $M,)+) = ($($M.into_iter(),)+);
                let mut next = || Some(($($M.next()?,)+));
                Some(core::iter::from_fn(&mut next).collect::<Vec<_>>())
            }
            _ => None,
        }
    };
}

fn prefixes<S: ?Sized, R: ?Sized, C: ?Sized, M: Observe<S, R, C>>(
    metric: &M,
    scratch: &mut M::Scratch,
    segment: Segment<'_, S, R, C>,
) -> Result<Option<Vec<M::Stats>>> {
    let mut all = Vec::new();
    let told = metric.observe_prefixes(scratch, segment, &mut |stats| {
        all.push(stats.clone());
        Ok(())
    })?;
    Ok(told.then_some(all))
}

/// Returns a scorer with the pair scores of the first metric of a tuple. A pair gets NaN if any of the
/// metrics gives NaN.
fn pairs_of_all<'m>(members: Vec<Box<dyn PairScorer + 'm>>) -> impl PairScorer + 'm {
    move |hypotheses: Range<usize>, scores: &mut [f64]| {
        let Some((first, others)) = members.split_first() else { return };
        first.score(hypotheses.clone(), scores);
        let mut of_other = vec![0.0; scores.len()];
        for other in others {
            other.score(hypotheses.clone(), &mut of_other);
            for (score, _) in scores.iter_mut().zip(&of_other).filter(|(_, of_other)| of_other.is_nan()) {
                *score = f64::NAN;
            }
        }
    }
}

tuple_metric!(A 0, B 1);
tuple_metric!(A 0, B 1, C 2);
tuple_metric!(A 0, B 1, C 2, D 3);
tuple_metric!(A 0, B 1, C 2, D 3, E 4);
tuple_metric!(A 0, B 1, C 2, D 3, E 4, F 5);
tuple_metric!(A 0, B 1, C 2, D 3, E 4, F 5, G 6);
tuple_metric!(A 0, B 1, C 2, D 3, E 4, F 5, G 6, H 7);
