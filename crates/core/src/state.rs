//! [`State`]: the mergeable counts of a metric, together with a key that names the metric and its settings.

use serde::Deserializer;
use serde::de::DeserializeSeed;

use crate::prelude::*;
use crate::signed::Signed;
use crate::tagged::{ReadFailure, StateSeed, read_state};
use crate::{
    InputError, InputErrorKind, Linear, Metric, Observe, Restore, Result, Scored, Segment, SegmentCounts,
    StateKey, Stats,
};

/// Everything that a metric has observed: its statistics, the numbers of segments and references, and a key
/// with the metric's name and settings.
///
/// A state is made by observing ([`Accumulator`](crate::Accumulator), [`State::of_segment`]), by
/// [`State::zero`], or from stored data ([`Tagged::open`](crate::Tagged::open), [`State::read`],
/// [`State::from_row`]), which is checked. So a state always fits its key, and states of different keys never
/// merge.
///
/// It is serialized as `{"version": 2, "key": "bleu/1|..", "counts": {..}, "stats": {..}}`, and read back as
/// [`Tagged`](crate::Tagged) or by [`State::read`]. The state of a metric chosen at run time is a block of bytes
/// in formats that are not text; [`StateBytes`](crate::StateBytes) reads it before the metric is known.
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
    /// Creates the state of a metric that has observed nothing yet.
    pub fn zero<M: Metric<Stats = S> + ?Sized>(metric: &M) -> Self {
        State::new(metric.state_key(), SegmentCounts::default(), metric.zero())
    }

    /// Creates a state without any check. A metric with the key `key` must have produced `stats` from
    /// `counts` segments.
    pub(crate) fn new(key: Arc<StateKey>, counts: SegmentCounts, stats: S) -> Self {
        State { key, counts, stats }
    }

    /// Creates a state from statistics that `metric` has collected from `counts` segments.
    ///
    /// # Errors
    /// Returns [`MalformedState`](InputErrorKind::MalformedState) if no segments can have given these
    /// statistics.
    pub fn from_stats<M: Metric<Stats = S> + ?Sized>(
        metric: &M,
        counts: SegmentCounts,
        stats: S,
    ) -> Result<Self> {
        counts.check()?;
        metric.check(&stats, &counts)?;
        Ok(State::new(metric.state_key(), counts, stats))
    }

    /// Creates a state with the key of `self` and new statistics, which a metric with that key must have
    /// produced.
    pub(crate) fn filled(&self, counts: SegmentCounts, stats: S) -> Self {
        State::new(self.key.clone(), counts, stats)
    }

    /// Creates the state of a single segment: the counts of its hypothesis and references.
    ///
    /// # Errors
    /// Returns the errors of [`Observe::observe`].
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

    /// Deserializes a stored state of `metric` and checks that it belongs to this metric.
    ///
    /// # Errors
    /// Returns [`MalformedState`](InputErrorKind::MalformedState) with the deserializer's message if the data
    /// cannot be read, and the errors of [`Tagged::open`](crate::Tagged::open).
    pub fn read<'de, M, D>(metric: &M, deserializer: D) -> Result<Self>
    where
        S: Restore,
        M: Metric<Stats = S> + ?Sized,
        D: Deserializer<'de>,
    {
        read_state(metric, deserializer).map_err(|failure| match failure {
            ReadFailure::Format(error) => InputError::malformed_state(error.to_string()),
            ReadFailure::State(error) => error,
        })
    }

    /// Returns a serde seed that deserializes a state of `metric`, for a state that is a field of another
    /// value.
    ///
    /// The seed fails with the deserializer's error, which has the message of
    /// [`Tagged::open`](crate::Tagged::open) if the state does not belong to the metric.
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

    /// Creates a state from a row of counts: `segments`, `references` and `references_squared`, then the
    /// metric's own columns.
    ///
    /// # Errors
    /// Returns [`NotLinear`](InputErrorKind::NotLinear) if the statistics of the metric are not a row of
    /// counts, and [`MalformedState`](InputErrorKind::MalformedState) if the row has the wrong length or no
    /// segments can have given it.
    pub fn from_row<M: Metric<Stats = S> + ?Sized>(metric: &M, row: &[u64]) -> Result<Self> {
        metric.require_rows("be read from a row")?;
        let (counts, stats) = split_row(metric, row)?;
        check_row(metric, &stats, &counts)?;
        Ok(State::new(metric.state_key(), counts, stats))
    }

    /// Returns the key of the state: name and settings of the metric that produced it.
    pub fn key(&self) -> &StateKey {
        &self.key
    }

    /// Returns the numbers of observed segments and of their references.
    pub fn counts(&self) -> &SegmentCounts {
        &self.counts
    }

    /// Returns the statistics that the metric has collected, such as match counts.
    pub fn stats(&self) -> &S {
        &self.stats
    }

    /// Adds the counts of one more segment. The caller must pass a metric with the key of this state.
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
        // A copy is counted first: if the metric rejects the segment, the counts must still fit the
        // statistics.
        let mut counts = self.counts;
        counts.add(&SegmentCounts::of_segment(segment.references.len()))?;
        metric.observe(scratch, &mut self.stats, segment)?;
        self.counts = counts;
        Ok(())
    }

    /// Merges a state with the same key into this one.
    ///
    /// # Errors
    /// Returns [`UnlikeStates`](InputErrorKind::UnlikeStates) if the keys differ, and the errors of
    /// [`Stats::merge`]; `self` is then unchanged.
    pub fn merge(&mut self, other: &Self) -> Result<()> {
        self.require_same_key(other)?;
        let mut counts = self.counts;
        counts.add(&other.counts)?;
        self.stats.merge(&other.stats)?;
        self.counts = counts;
        Ok(())
    }

    /// Merges `other` into this state `times` times, as if each of its segments had been observed `times`
    /// times.
    ///
    /// # Errors
    /// Returns the errors of [`State::merge`]; `self` is then unchanged.
    pub fn merge_times(&mut self, other: &Self, times: u64) -> Result<()> {
        self.require_same_key(other)?;
        let mut counts = self.counts;
        counts.merge_times(&other.counts, times)?;
        self.stats.merge_times(&other.stats, times)?;
        self.counts = counts;
        Ok(())
    }

    /// Subtracts the counts of a state that was merged into this state or observed before.
    ///
    /// # Errors
    /// Returns [`NotLinear`](InputErrorKind::NotLinear) if the statistics are not a row of counts, and
    /// [`UnlikeStates`](InputErrorKind::UnlikeStates) if the keys differ. Returns
    /// [`CountRange`](InputErrorKind::CountRange) or [`MalformedState`](InputErrorKind::MalformedState) if
    /// `other` was not part of `self`: a count would become negative, or no segments can have given the rest.
    /// `self` is then unchanged.
    pub fn retract<M: Metric<Stats = S> + ?Sized>(&mut self, metric: &M, other: &Self) -> Result<()> {
        if !self.stats.is_row() {
            metric.require_rows("be subtracted")?;
        }
        metric.serves(&self.key)?;
        self.require_same_key(other)?;
        // Subtraction works on copies: only the check afterwards shows if the rest is possible.
        let mut counts = self.counts;
        let mut stats = self.stats.clone();
        counts.retract(&other.counts)?;
        stats.retract(&other.stats)?;
        check_row(metric, &stats, &counts)?;
        (self.counts, self.stats) = (counts, stats);
        Ok(())
    }

    /// Computes the score, with its signature (printed settings). `metric` may differ from the metric that
    /// made the state, if it [`serves`](Metric::serves) this state.
    ///
    /// # Errors
    /// Returns [`EmptyCorpus`](InputErrorKind::EmptyCorpus) if no segment was observed,
    /// [`UnlikeStates`](InputErrorKind::UnlikeStates) if the metric cannot score this state, and the errors
    /// of [`Metric::finalize`].
    pub fn score<M: Metric<Stats = S> + ?Sized>(&self, metric: &M) -> Result<Scored<M::Score>> {
        if self.counts.segments == 0 {
            return Err(InputErrorKind::EmptyCorpus.into());
        }
        metric.serves(&self.key)?;
        let score = metric.finalize(&self.stats, &self.counts)?;
        let signature = metric.signature_over(&self.key, &self.counts);
        Ok(Scored { score, signature })
    }

    /// Computes the score like [`State::score`], for the metric that made this state. `signed` caches the
    /// signatures of that metric.
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

    /// Returns `true` if the two states share one key in memory. Then their keys are equal without a
    /// comparison.
    pub(crate) fn is_kin(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.key, &other.key)
    }

    /// Returns the state as one row of counts: `segments`, `references` and `references_squared`, then the
    /// metric's own columns. [`column_names`] names them.
    ///
    /// # Errors
    /// Returns [`NotLinear`](InputErrorKind::NotLinear) if the statistics are not a row of counts.
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

/// Returns the column names of a metric's rows of counts: `segments`, `references`, `references_squared`,
/// then the names of the metric's own counts.
pub fn column_names<M: Metric + ?Sized>(metric: &M) -> Vec<String> {
    let mut names = SegmentCounts::default().column_names();
    names.extend(metric.zero().column_names());
    names
}

/// Computes the score of a row of counts without checking it. It is meant for resamples, whose counts may be
/// impossible for real segments.
///
/// # Errors
/// Returns [`MalformedState`](InputErrorKind::MalformedState) if the row has the wrong length, and the errors
/// of [`Metric::finalize`].
pub fn score_row<M: Metric + ?Sized>(metric: &M, row: &[u64]) -> Result<f64> {
    let (counts, stats) = split_row(metric, row)?;
    metric.number(&stats, &counts)
}

fn split_row<M: Metric + ?Sized>(metric: &M, row: &[u64]) -> Result<(SegmentCounts, M::Stats)> {
    let mut counts = SegmentCounts::default();
    let mut stats = metric.zero();
    let Some((of_segments, of_metric)) = row.split_at_checked(SegmentCounts::COLUMNS) else {
        return Err(InputError::row_length(SegmentCounts::COLUMNS + stats.column_names().len(), row.len()));
    };
    // The metric reports the length of its own part. The user passed the whole row, so the message gives its
    // length.
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

/// Checks that `counts` segments can have given these statistics, which must be a row of counts.
///
/// # Errors
/// Returns [`MalformedState`](InputErrorKind::MalformedState) if they cannot, such as counts above 0 without
/// a segment.
fn check_row<M: Metric + ?Sized>(metric: &M, stats: &M::Stats, counts: &SegmentCounts) -> Result<()> {
    counts.check()?;
    if counts.segments == 0 {
        let mut row = Vec::new();
        let mut zero = Vec::new();
        stats.write_row(&mut row)?;
        metric.zero().write_row(&mut zero)?;
        if row != zero {
            let message = "there are counts, but no segments that can have given them";
            return Err(InputError::malformed_state(message));
        }
    }
    metric.check(stats, counts)
}
