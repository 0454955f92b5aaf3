//! [`Merges`]: confidence intervals and significance tests for metrics whose statistics are not rows of
//! numbers that can be added, such as sets of words. The statistics of every resample are merged segment by
//! segment.
//!
//! A resample says how many times to merge every segment ([`Stats::merge_times`]). Statistics that are rows
//! of numbers give bit-identical results here and in the functions for rows, because both use the same random
//! numbers. The functions for rows are faster: one pass over a table sums all segments.
//!
//! With n segments, a bootstrap resample costs at most n merges, and a randomization trial at most 2 n for
//! each pair of systems. All leave-one-out scores together cost n log2 n. At most log2 n merged states of a
//! system are in memory at a time.
//!
//! [`Stats::merge_times`]: bleuprint_core::Stats::merge_times

use std::borrow::Cow;

use bleuprint_core::{InputErrorKind, Metric, Result, SegmentCounts, State, Stats, Unions};

use crate::compare::randomization::{p_values, toss};
use crate::compare::subsets::toss_some;
use crate::resample::draws::{DrawScratch, for_each_drawn, for_each_scored};
use crate::resample::sums::segments_as_u32;
use crate::rows::require_equal;
use crate::{AtLeast, Interrupt, NumpyRandom, ResamplePlan, Resamples, SystemPair, Tested};

/// Per-segment statistics of one metric for several systems on the same segments. The score of any selection
/// of segments is computed by merging their statistics.
pub(crate) struct Merges<'s, M: Metric> {
    metric: &'s M,
    zero: M::Stats,
    systems: Vec<States<'s, M>>,
}

/// Statistics of one system, one state for each segment; borrowed from the caller, or owned after segments
/// were grouped.
type States<'s, M> = Vec<Cow<'s, State<<M as Metric>::Stats>>>;

impl<'s, M: Metric> Merges<'s, M> {
    /// Creates the statistics of all systems from one list of states for each system, with one state for each
    /// segment.
    ///
    /// # Errors
    /// Returns [`EmptyCorpus`](InputErrorKind::EmptyCorpus) if there are no segments,
    /// [`LengthMismatch`](InputErrorKind::LengthMismatch) if systems have different numbers of segments, and
    /// an error if a state belongs to another metric.
    pub(crate) fn new(
        metric: &'s M,
        systems: impl IntoIterator<Item = impl IntoIterator<Item = &'s State<M::Stats>>>,
    ) -> Result<Self> {
        let systems = systems.into_iter().map(|states| states.into_iter().map(Cow::Borrowed).collect());
        Merges::from_states(metric, systems.collect())
    }

    fn from_states(metric: &'s M, systems: Vec<States<'s, M>>) -> Result<Self> {
        let key = metric.state_key();
        let segments = systems.first().map_or(0, Vec::len);
        if segments == 0 {
            return Err(InputErrorKind::EmptyCorpus.into());
        }
        segments_as_u32(segments)?;
        for (number, states) in (1..).zip(&systems) {
            require_equal("system 1", segments, &format!("system {number}"), states.len())?;
            states.iter().try_for_each(|state| key.require_equal(state.key()))?;
        }
        Ok(Merges { metric, zero: metric.zero(), systems })
    }

    /// Merges each group of segments into one segment, for all systems. A group lists the indices of its
    /// segments.
    ///
    /// # Errors
    /// Returns an error if states cannot be merged, and the errors of [`Merges::new`].
    pub(crate) fn grouped(&self, groups: &[&[usize]]) -> Result<Merges<'s, M>> {
        let mut systems: Vec<States<'s, M>> = self.systems.iter().map(|_| Vec::new()).collect();
        for members in groups {
            for (states, merged) in self.systems.iter().zip(&mut systems) {
                let mut total = State::zero(self.metric);
                for state in members.iter().filter_map(|&member| states.get(member)) {
                    total.merge(state)?;
                }
                merged.push(Cow::Owned(total));
            }
        }
        Merges::from_states(self.metric, systems)
    }

    pub(crate) fn segments(&self) -> usize {
        self.systems.first().map_or(0, Vec::len)
    }

    /// Returns the score of the merged metric states, each merged the given number of times, or NaN if the
    /// result has no score.
    fn score<'a>(&self, states: impl Iterator<Item = (&'a State<M::Stats>, u64)>) -> Result<f64>
    where
        M::Stats: 'a,
    {
        let interrupt = Interrupt::of_thread();
        let mut counts = SegmentCounts::default();
        let mut stats = self.zero.clone();
        for (state, times) in states.filter(|(_, times)| *times > 0) {
            interrupt.check()?;
            counts.merge_times(state.counts(), times)?;
            stats.merge_times(state.stats(), times)?;
        }
        Ok(self.number(&stats, &counts))
    }

    fn number(&self, stats: &M::Stats, counts: &SegmentCounts) -> f64 {
        self.metric.number(stats, counts).unwrap_or(f64::NAN)
    }

    /// Returns the scores of the segments, one list for each system; NaN marks a segment without a score.
    pub(crate) fn segment_scores(&self) -> Vec<Vec<f64>> {
        let score = |state: &Cow<'_, State<M::Stats>>| self.number(state.stats(), state.counts());
        self.systems.iter().map(|states| states.iter().map(score).collect()).collect()
    }

    /// Returns the score of each system on all segments.
    ///
    /// # Errors
    /// Returns an error if a sum does not fit 64 bits or if the metric has no score for a system.
    pub(crate) fn scores(&self) -> Result<Vec<f64>> {
        let score = |states: &States<'s, M>| {
            let mut total = State::zero(self.metric);
            states.iter().try_for_each(|state| total.merge(state))?;
            self.metric.number(total.stats(), total.counts())
        };
        self.systems.iter().map(score).collect()
    }

    /// Returns a fast way to unite segments' statistics if these are sets, such as sets of words; otherwise
    /// `None`. Sets are numbered segment by segment, one system after another.
    fn unions(&self) -> Result<Option<Box<dyn Unions<M::Stats>>>> {
        let all: Vec<&M::Stats> = self.systems.iter().flatten().map(|state| state.stats()).collect();
        M::Stats::unions(&all)
    }

    /// Returns the score of merged metric states, or NaN if the result has no score. Each of the `members` is
    /// a state's number and how many times to merge the state. Segment `s` of system `k` has the number
    /// `k * segments + s`.
    fn score_at(
        &self,
        unions: Option<&dyn Unions<M::Stats>>,
        members: &mut dyn Iterator<Item = (usize, u64)>,
    ) -> Result<f64> {
        let segments = self.segments();
        let state = |at: usize| &*self.systems[at / segments][at % segments];
        let Some(unions) = unions else {
            return self.score(members.map(|(at, times)| (state(at), times)));
        };
        let (interrupt, mut counts) = (Interrupt::of_thread(), SegmentCounts::default());
        // `union` takes an iterator, which cannot return an error, so the first error is kept until it
        // returns.
        // The iterator cannot return an error, so the first one is kept until the union is complete.
        let mut failed = None;
        let stats = unions.union(&mut members.inspect(|&(at, times)| {
            let counted = interrupt.check().and_then(|()| counts.merge_times(state(at).counts(), times));
            failed = failed.take().or(counted.err());
        }))?;
        match failed {
            Some(error) => Err(error),
            None => Ok(self.number(&stats, &counts)),
        }
    }

    pub(crate) fn systems(&self) -> usize {
        self.systems.len()
    }

    /// Returns the weight of each segment in a mean score. It is 1 for a segment with a score and 0 for a
    /// segment without one. If segments were merged into larger ones, it is the number of original segments
    /// with a score. Weights come from the statistics of the first system.
    pub(crate) fn weights(&self) -> Vec<f64> {
        let weight = |state: &Cow<'_, State<M::Stats>>| {
            let counts = state.counts();
            counts.segments.saturating_sub(state.stats().missing(counts)) as f64
        };
        self.systems.first().map(|states| states.iter().map(weight).collect()).unwrap_or_default()
    }

    /// Returns the scores of bootstrap resamples, one list for each system. All systems have the same
    /// resamples.
    ///
    /// # Errors
    /// Returns an error if the scores do not fit memory, and the errors of merging.
    pub(crate) fn resampled(&self, plan: ResamplePlan) -> Result<Resamples> {
        let mut random = NumpyRandom::new(plan.seed);
        let segments = segments_as_u32(self.segments())?;
        self.drawn(plan.count, &mut |indices| random.fill_indices(segments, indices))
    }

    /// Returns the scores of random subsets of the segments, one list for each system, as
    /// [`subsets`](crate::subsets) does for rows of counts.
    ///
    /// # Errors
    /// Returns an error if the scores do not fit memory, and the errors of merging.
    pub(crate) fn subsets(&self, plan: ResamplePlan) -> Result<Vec<Vec<f64>>> {
        let mut random = NumpyRandom::new(plan.seed);
        let mut coins = random.booleans();
        Ok(self.drawn(plan.count, &mut |indices| toss_some(|| coins.draw(), indices))?.scores)
    }

    /// Returns the scores of each system on `count` resamples. `draw` fills a list with segment indices. A
    /// segment is merged once for each occurrence of its index; indices beyond the last segment are ignored.
    fn drawn(&self, count: usize, draw: &mut dyn FnMut(&mut [u32])) -> Result<Resamples> {
        let unions = self.unions()?;
        let segments = self.segments();
        let each = |indices: &[u32], _: &mut DrawScratch| -> Result<Vec<f64>> {
            let mut times = vec![0_u64; self.segments()];
            for &index in indices {
                if let Some(times) = times.get_mut(index as usize) {
                    *times += 1;
                }
            }
            let score = |system: usize| {
                let members = times.iter().enumerate().map(|(at, times)| (system * segments + at, *times));
                self.score_at(unions.as_deref(), &mut members.filter(|(_, times)| *times > 0))
            };
            (0..self.systems.len()).map(score).collect()
        };
        // Only a resample without a score is drawn again; an error ends the work below.
        let is_scored = |scores: &Result<Vec<f64>>| match scores {
            Ok(scores) => scores.iter().all(|score| score.is_finite()),
            Err(_) => true,
        };
        let (drawn, redrawn) = for_each_scored(count, self.segments(), draw, &each, &is_scored)?;
        let mut scores: Vec<Vec<f64>> = self.systems.iter().map(|_| Vec::new()).collect();
        for drawn in drawn {
            scores.iter_mut().zip(drawn?).for_each(|(scores, score)| scores.push(score));
        }
        Ok(Resamples { scores, redrawn: redrawn as f64 / count.max(1) as f64 })
    }

    /// Tests every system against the first system by paired randomization; the results have no intervals.
    ///
    /// # Errors
    /// Returns the errors of merging.
    pub(crate) fn randomization(&self, plan: ResamplePlan, extreme: AtLeast) -> Result<Vec<Tested>> {
        let scores = self.scores()?;
        let seen = |system: usize| (scores[0] - scores[system]).abs();
        let pair = |second: usize| SystemPair { first: 0, second, difference: seen(second) };
        let pairs: Vec<SystemPair> = (1..scores.len()).map(pair).collect();
        let p_values = p_values(&pairs, &self.swapped(&pairs, plan)?, extreme);
        let p_values = core::iter::once(None).chain(p_values.into_iter().map(Some));
        let tested = |(&score, p_value)| Tested { p_value, ..Tested::new(score) };
        Ok(scores.iter().zip(p_values).map(tested).collect())
    }

    /// Returns, for each randomization trial and pair of systems, the absolute score difference after the
    /// pair's outputs were swapped at random. This is the version of
    /// [`swapped`](crate::compare::randomization::swapped) for statistics that must be merged, because they
    /// are not rows of numbers.
    pub(crate) fn swapped(&self, pairs: &[SystemPair], plan: ResamplePlan) -> Result<Vec<Vec<f64>>> {
        let mut random = NumpyRandom::new(plan.seed);
        let mut coins = random.booleans();
        let mut draw = |indices: &mut [u32]| toss(|| coins.draw(), indices);
        let unions = self.unions()?;
        let segments = self.segments();
        let trials = for_each_drawn(plan.count, segments, &mut draw, &|heads, _| {
            let pseudo = |one: usize, other: usize| {
                self.score_at(
                    unions.as_deref(),
                    &mut heads.iter().enumerate().map(|(segment, head)| {
                        // `toss` writes `u32::MAX` for tails: this segment's outputs are swapped.
                        // A tail is marked by the largest index: this segment's outputs are swapped.
                        let system = if *head == u32::MAX { other } else { one };
                        (system * segments + segment, 1)
                    }),
                )
            };
            let of_pair = |pair: &SystemPair| {
                Ok((pseudo(pair.first, pair.second)? - pseudo(pair.second, pair.first)?).abs())
            };
            pairs.iter().map(of_pair).collect::<Result<Vec<_>>>()
        })?;
        trials.into_iter().collect()
    }

    /// Returns each system's leave-one-out scores: its score without one segment, for each segment in turn,
    /// by merging all other segments.
    ///
    /// # Errors
    /// Returns the errors of merging.
    pub(crate) fn leave_one_out(&self) -> Result<Vec<Vec<f64>>> {
        if let Some(unions) = self.unions()? {
            let segments = self.segments();
            let of_system = |(system, states): (usize, &States<'s, M>)| {
                let mut all = SegmentCounts::default();
                states.iter().try_for_each(|state| all.merge(state.counts()))?;
                let rests = unions.without_each(system * segments..(system + 1) * segments)?;
                let score = |(rest, state): (&M::Stats, &Cow<'_, State<M::Stats>>)| {
                    let mut counts = all;
                    counts.retract(state.counts())?;
                    Ok(self.number(rest, &counts))
                };
                rests.iter().zip(states).map(score).collect()
            };
            return self.systems.iter().enumerate().map(of_system).collect();
        }
        let of_system = |states: &States<'s, M>| {
            let mut scores = Vec::with_capacity(states.len());
            self.without_each(states, &State::zero(self.metric), &mut scores)?;
            Ok(scores)
        };
        self.systems.iter().map(of_system).collect()
    }

    /// Appends the leave-one-out scores of `states` to `scores`: for each state, the score of `others` merged
    /// with all other states.
    fn without_each(
        &self,
        states: &[Cow<'s, State<M::Stats>>],
        others: &State<M::Stats>,
        scores: &mut Vec<f64>,
    ) -> Result<()> {
        Interrupt::of_thread().check()?;
        // Sets and kept values cannot be subtracted, so every state is left out by merging the rest. Each
        // half is merged into the others of the other half: n log2 n merges in place of n².
        if states.len() < 2 {
            scores.extend(states.iter().map(|_| self.number(others.stats(), others.counts())));
            return Ok(());
        }
        let (left, right) = states.split_at(states.len() / 2);
        for (own, merged) in [(left, right), (right, left)] {
            let mut others = others.clone();
            merged.iter().try_for_each(|state| others.merge(state))?;
            self.without_each(own, &others, scores)?;
        }
        Ok(())
    }

    /// Returns the contribution of each segment to the score difference of the two systems: the difference on
    /// all segments minus the difference without this segment.
    ///
    /// # Errors
    /// Returns an error unless there are exactly two systems, and the errors of merging.
    pub(crate) fn contributions(&self) -> Result<Vec<f64>> {
        require_equal("a difference", 2, "the systems", self.systems.len())?;
        let scores = self.scores()?;
        let left_out = self.leave_one_out()?;
        let all = scores[0] - scores[1];
        Ok(left_out[0].iter().zip(&left_out[1]).map(|(first, second)| all - (first - second)).collect())
    }
}

#[cfg(test)]
mod tests;
