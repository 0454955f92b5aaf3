//! [`State`]: statistics with the key of their metric.

use serde::Deserializer;
use serde::de::DeserializeSeed;

use crate::prelude::*;
use crate::signed::Signed;
use crate::tagged::{ReadEnvelope, StateSeed};
use crate::{
    InputError, InputErrorKind, Linear, Metric, Observe, Restore, Result, Scored, Segment, SegmentCounts,
    StateKey, Stats,
};

/// The observations of a metric: its statistics, the counts of segments and references, and the key of the metric.
///
/// A state is made by observing ([`Accumulator`](crate::Accumulator), [`State::of_segment`]), by [`State::zero`], or
/// from outside ([`Tagged::open`](crate::Tagged::open), [`State::read`], [`State::from_row`]), which checks it. So it always fits its key,
/// and unlike states never merge.
///
/// It is serialized as `{"version": 2, "key": "bleu/1|..", "counts": {..}, "stats": {..}}`, and read back as
/// [`Tagged`](crate::Tagged) or by [`State::read`].
#[derive(Debug, Clone, PartialEq)]
pub struct State<S> {
    pub(crate) key: Arc<StateKey>,
    pub(crate) counts: SegmentCounts,
    pub(crate) stats: S,
}

impl<S> AsRef<State<S>> for State<S> {
    fn as_ref(&self) -> &State<S> {
        self
    }
}

impl<S: Stats> State<S> {
    /// Nothing observed yet.
    pub fn zero<M: Metric<Stats = S> + ?Sized>(metric: &M) -> Self {
        State::new(metric.state_key(), SegmentCounts::default(), metric.zero())
    }

    /// A state of statistics that a metric of this key has observed in segments of these counts.
    pub(crate) fn new(key: Arc<StateKey>, counts: SegmentCounts, stats: S) -> Self {
        State { key, counts, stats }
    }

    /// The state of statistics that this metric has observed, in segments of these counts.
    ///
    /// # Errors
    /// [`MalformedState`](InputErrorKind::MalformedState) when no segments can have given them.
    pub fn of<M: Metric<Stats = S> + ?Sized>(metric: &M, counts: SegmentCounts, stats: S) -> Result<Self> {
        counts.check()?;
        metric.check(&stats, &counts)?;
        Ok(State::new(metric.state_key(), counts, stats))
    }

    /// A state of the same key with these statistics, observed by its metric.
    pub(crate) fn filled(&self, counts: SegmentCounts, stats: S) -> Self {
        State::new(self.key.clone(), counts, stats)
    }

    /// The state of one segment.
    ///
    /// # Errors
    /// Those of [`Observe::observe`].
    pub fn of_segment<M, Q, R, C>(
        metric: &M,
        scratch: &mut M::Scratch,
        segment: Segment<'_, Q, R, C>,
    ) -> Result<Self>
    where
        M: Observe<Q, R, C, Stats = S> + ?Sized,
        Q: ?Sized,
        R: ?Sized,
        C: ?Sized,
    {
        let mut state = State::zero(metric);
        state.observe(metric, scratch, segment)?;
        Ok(state)
    }

    /// Reads a state that was serialized, as one of this metric's.
    ///
    /// # Errors
    /// [`MalformedState`](InputErrorKind::MalformedState) of the deserializer; those of [`Tagged::open`](crate::Tagged::open).
    pub fn read<'de, M, D>(metric: &M, deserializer: D) -> Result<Self>
    where
        S: Restore,
        M: Metric<Stats = S> + ?Sized,
        D: Deserializer<'de>,
    {
        let read = ReadEnvelope(&metric.zero()).deserialize(deserializer);
        read.map_err(|error| InputError::malformed_state(error.to_string()))?.open(metric)
    }

    /// The reader of a state of this metric inside another value, for structs whose other fields are the user's. Its errors are
    /// those of the deserializer, and of [`Tagged::open`](crate::Tagged::open) with their message.
    ///
    /// ```
    /// use bleuprint_core::*;
    /// use serde::de::DeserializeSeed;
    /// let tokens = PerSegment::new(Identity::new("tokens", 1, Scale::UNBOUNDED), |_: Segment<'_, str>| Ok(1.0));
    /// let saved = serde_json::json!({"epoch": 3, "state": State::zero(&tokens)});
    /// let state = State::seed(&tokens).deserialize(&saved["state"]).unwrap();
    /// assert_eq!(state, State::zero(&tokens));
    /// ```
    pub fn seed<'de, M>(metric: &M) -> impl DeserializeSeed<'de, Value = Self>
    where
        S: Restore,
        M: Metric<Stats = S> + ?Sized,
    {
        StateSeed(metric)
    }

    /// The state of a row: the counts of segments and references, then the metric's own.
    ///
    /// # Errors
    /// A row of another length, or of counts that no segments can have given.
    pub fn from_row<M: Metric<Stats = S> + ?Sized>(metric: &M, row: &[u64]) -> Result<Self> {
        metric.require_rows("be read from a row")?;
        let (counts, stats) = split_row(metric, row)?;
        check_row(metric, &stats, &counts)?;
        Ok(State::new(metric.state_key(), counts, stats))
    }

    /// The key of the metric.
    pub fn key(&self) -> &StateKey {
        &self.key
    }

    /// The counts of observed segments and references.
    pub fn counts(&self) -> &SegmentCounts {
        &self.counts
    }

    /// The metric's statistics.
    pub fn stats(&self) -> &S {
        &self.stats
    }

    /// Adds one segment. The caller sees to it that the metric's key is the state's.
    pub fn observe<M, Q, R, C>(
        &mut self,
        metric: &M,
        scratch: &mut M::Scratch,
        segment: Segment<'_, Q, R, C>,
    ) -> Result<()>
    where
        M: Observe<Q, R, C, Stats = S> + ?Sized,
        Q: ?Sized,
        R: ?Sized,
        C: ?Sized,
    {
        let mut counts = self.counts;
        counts.add(&SegmentCounts::of_segment(segment.references.len()))?;
        metric.observe(scratch, &mut self.stats, segment)?;
        self.counts = counts;
        Ok(())
    }

    /// Merges a state of the same key.
    ///
    /// # Errors
    /// [`UnlikeStates`](InputErrorKind::UnlikeStates) when the keys differ, and those of [`Stats::merge`]; `self` is
    /// then unchanged.
    pub fn merge(&mut self, other: &Self) -> Result<()> {
        self.require_same_key(other)?;
        let mut counts = self.counts;
        counts.add(&other.counts)?;
        self.stats.merge(&other.stats)?;
        self.counts = counts;
        Ok(())
    }

    /// Merges a state of the same key, `times` times: the state of its segments, each repeated.
    ///
    /// # Errors
    /// Those of [`State::merge`]; `self` is then unchanged.
    pub fn merge_times(&mut self, other: &Self, times: u64) -> Result<()> {
        self.require_same_key(other)?;
        let mut counts = self.counts;
        counts.merge_times(&other.counts, times)?;
        self.stats.merge_times(&other.stats, times)?;
        self.counts = counts;
        Ok(())
    }

    /// Takes out earlier observations.
    ///
    /// # Errors
    /// [`NotLinear`](InputErrorKind::NotLinear) where the statistics are no row of counts;
    /// [`UnlikeStates`](InputErrorKind::UnlikeStates) when the keys differ;
    /// [`CountRange`](InputErrorKind::CountRange) or [`MalformedState`](InputErrorKind::MalformedState) when `other` was
    /// no part of `self`: a count would fall below zero, or the rest is impossible. `self` is then unchanged.
    pub fn retract<M: Metric<Stats = S> + ?Sized>(&mut self, metric: &M, other: &Self) -> Result<()> {
        if !self.stats.is_row() {
            metric.require_rows("be subtracted")?;
        }
        metric.serves(&self.key)?;
        self.require_same_key(other)?;
        let (mut counts, mut stats) = (self.counts, self.stats.clone());
        counts.retract(&other.counts)?;
        stats.retract(&other.stats)?;
        check_row(metric, &stats, &counts)?;
        (self.counts, self.stats) = (counts, stats);
        Ok(())
    }

    /// The score with its signature. The metric may differ from the one that observed, if it
    /// [`serves`](Metric::serves) this state.
    ///
    /// # Errors
    /// [`EmptyCorpus`](InputErrorKind::EmptyCorpus) when nothing was observed,
    /// [`UnlikeStates`](InputErrorKind::UnlikeStates) when the metric cannot finish this state, and those of
    /// [`Metric::finalize`].
    pub fn score<M: Metric<Stats = S> + ?Sized>(&self, metric: &M) -> Result<Scored<M::Score>> {
        if self.counts.segments == 0 {
            return Err(InputErrorKind::EmptyCorpus.into());
        }
        metric.serves(&self.key)?;
        let score = metric.finalize(&self.stats, &self.counts)?;
        let signature = metric.signature_over(&self.key, &self.counts);
        Ok(Scored { score, signature })
    }

    /// [`State::score`] under the metric whose key this is, which therefore serves it; `signed` is that metric's.
    pub(crate) fn score_signed<M>(&self, metric: &M, signed: &Signed) -> Result<Scored<M::Score>>
    where
        M: Metric<Stats = S> + ?Sized,
    {
        if self.counts.segments == 0 {
            return Err(InputErrorKind::EmptyCorpus.into());
        }
        let score = metric.finalize(&self.stats, &self.counts)?;
        Ok(Scored { score, signature: signed.signature(metric, &self.key, &self.counts) })
    }

    /// Whether two states were made by one metric object.
    pub(crate) fn is_kin(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.key, &other.key)
    }

    /// The counts of segments and references, then the metric's own, as one row, whose columns [`column_names`] names.
    ///
    /// # Errors
    /// [`NotLinear`](InputErrorKind::NotLinear) where the statistics are no row of counts.
    pub fn row(&self) -> Result<Vec<u64>> {
        if !self.stats.is_row() {
            let metrics = self.key.parts.iter().map(|part| part.metric.as_str());
            let metric = metrics.collect::<Vec<_>>().join(crate::token_space::PART_SEPARATOR);
            return Err(InputErrorKind::NotLinear { metric, operation: "be written as a row" }.into());
        }
        let mut row = self.counts.row();
        self.stats.write_row(&mut row)?;
        Ok(row)
    }

    fn require_same_key(&self, other: &Self) -> Result<()> {
        if self.is_kin(other) { Ok(()) } else { self.key.require_equal(&other.key) }
    }
}

/// The names of the columns of a metric's rows: `segments`, `references`, `references_squared`, then its own.
pub fn column_names<M: Metric + ?Sized>(metric: &M) -> Vec<String> {
    let mut names = SegmentCounts::default().column_names();
    names.extend(metric.zero().column_names());
    names
}

/// The score of a row without a check of its counts: for resamples, which no segments need have given.
///
/// # Errors
/// A row of another length; those of [`Metric::finalize`].
pub fn score_row<M: Metric + ?Sized>(metric: &M, row: &[u64]) -> Result<f64> {
    let (counts, stats) = split_row(metric, row)?;
    metric.number(&stats, &counts)
}

fn split_row<M: Metric + ?Sized>(metric: &M, row: &[u64]) -> Result<(SegmentCounts, M::Stats)> {
    let (mut counts, mut stats) = (SegmentCounts::default(), metric.zero());
    let Some((of_segments, of_metric)) = row.split_at_checked(SegmentCounts::COLUMNS) else {
        return Err(InputError::row_length(SegmentCounts::COLUMNS + stats.column_names().len(), row.len()));
    };
    // A length is told of the whole row.
    stats.read_row(of_metric).map_err(|error| {
        let expected = stats.column_names().len();
        if expected == of_metric.len() {
            error
        } else {
            InputError::row_length(SegmentCounts::COLUMNS + expected, row.len())
        }
    })?;
    counts.read_row(of_segments)?;
    Ok((counts, stats))
}

/// Whether segments can have given these statistics, which are a row of counts: no segments give none.
///
/// # Errors
/// [`MalformedState`](InputErrorKind::MalformedState).
fn check_row<M: Metric + ?Sized>(metric: &M, stats: &M::Stats, counts: &SegmentCounts) -> Result<()> {
    counts.check()?;
    if counts.segments == 0 {
        let (mut row, mut zero) = (Vec::new(), Vec::new());
        stats.write_row(&mut row)?;
        metric.zero().write_row(&mut zero)?;
        if row != zero {
            let message = "there are counts, but no segments that can have given them";
            return Err(InputError::malformed_state(message));
        }
    }
    metric.check(stats, counts)
}
