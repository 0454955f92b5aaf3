//! [`State`]: statistics that know whose they are. [`Tagged`]: the same, as it comes from a file or another program.

use alloc::sync::Arc;
use alloc::vec::Vec;

use serde::{Deserialize, Serialize, de};

use crate::{
    InputError, InputErrorKind, Linear, Metric, Observe, Scored, Segment, SegmentCounts, StateKey, Stats,
};

/// The version of the envelope that this crate writes and reads.
pub const TAGGED_VERSION: u32 = 2;

/// What a metric has observed: its statistics, the counts of segments and references, and the key that says whose
/// statistics they are.
///
/// A state is made by observing ([`Accumulator`](crate::Accumulator)), by [`State::zero`], or by
/// [`Tagged::open`], which checks it. So it always fits its key, and unlike states never merge.
///
/// It is serialized as `{"version": 2, "key": "bleu/1|..", "counts": {..}, "stats": {..}}`, and read back as
/// [`Tagged`].
#[derive(Debug, Clone, PartialEq)]
pub struct State<S> {
    key: Arc<StateKey>,
    counts: SegmentCounts,
    stats: S,
}

impl<S: Stats> State<S> {
    /// Nothing observed yet.
    pub fn zero<M: Metric<Stats = S> + ?Sized>(metric: &M) -> Self {
        State::with_key(Arc::new(metric.state_key()), metric.zero())
    }

    /// Nothing observed yet, by a metric whose key is at hand.
    pub(crate) fn with_key(key: Arc<StateKey>, zero: S) -> Self {
        State { key, counts: SegmentCounts::default(), stats: zero }
    }

    /// Nothing observed yet, with the key of this state.
    pub(crate) fn like(&self, zero: S) -> Self {
        State::with_key(self.key.clone(), zero)
    }

    /// A state of this state's key with these statistics, which its metric has observed.
    pub(crate) fn filled(&self, counts: SegmentCounts, stats: S) -> Self {
        State { key: self.key.clone(), counts, stats }
    }

    /// Whose statistics these are.
    pub fn key(&self) -> &StateKey {
        &self.key
    }

    /// How many segments and references were observed.
    pub fn counts(&self) -> &SegmentCounts {
        &self.counts
    }

    /// The metric's statistics.
    pub fn stats(&self) -> &S {
        &self.stats
    }

    /// Adds one segment. The caller sees to it that the metric's key is the state's.
    pub(crate) fn observe<M, Q>(
        &mut self,
        metric: &M,
        scratch: &mut M::Scratch,
        segment: Segment<'_, Q>,
    ) -> Result<(), InputError>
    where
        M: Observe<Q, Stats = S> + ?Sized,
        Q: ?Sized,
    {
        let mut counts = self.counts;
        counts.add(&SegmentCounts::of_segment(segment.references_or_none().len()))?;
        metric.observe(scratch, &mut self.stats, segment)?;
        self.counts = counts;
        Ok(())
    }

    /// Merges a state of the same key.
    ///
    /// # Errors
    /// [`UnlikeStates`](InputErrorKind::UnlikeStates) when the keys differ, and those of [`Stats::merge`]; `self` is
    /// then unchanged.
    pub fn merge(&mut self, other: &Self) -> Result<(), InputError> {
        self.require_same_key(other)?;
        let mut counts = self.counts;
        counts.add(&other.counts)?;
        self.stats.merge(&other.stats)?;
        self.counts = counts;
        Ok(())
    }

    /// Takes out what was observed or merged before.
    ///
    /// # Errors
    /// [`UnlikeStates`](InputErrorKind::UnlikeStates) when the keys differ;
    /// [`CountRange`](InputErrorKind::CountRange) or [`MalformedState`](InputErrorKind::MalformedState) when it
    /// cannot have been in: a count would fall below zero, or no segments can have given what is left. `self` is
    /// then unchanged.
    pub fn retract<M: Metric<Stats = S> + ?Sized>(
        &mut self,
        metric: &M,
        other: &Self,
    ) -> Result<(), InputError>
    where
        S: Linear,
    {
        metric.serves(&self.key)?;
        self.require_same_key(other)?;
        let (mut counts, mut stats) = (self.counts, self.stats.clone());
        counts.retract(&other.counts)?;
        stats.retract(&other.stats)?;
        check_row(metric, &stats, &counts)?;
        (self.counts, self.stats) = (counts, stats);
        Ok(())
    }

    /// The score of what was observed, with its signature. The metric may be another than the one that observed, as
    /// long as it [`serves`](Metric::serves) this state.
    ///
    /// # Errors
    /// [`EmptyCorpus`](InputErrorKind::EmptyCorpus) when nothing was observed,
    /// [`UnlikeStates`](InputErrorKind::UnlikeStates) when the metric cannot finish this state, and those of
    /// [`Metric::finalize`].
    pub fn score<M: Metric<Stats = S> + ?Sized>(&self, metric: &M) -> Result<Scored<M::Score>, InputError> {
        if self.counts.segments == 0 {
            return Err(InputErrorKind::EmptyCorpus.into());
        }
        metric.serves(&self.key)?;
        let score = metric.finalize(&self.stats, &self.counts)?;
        let signature = metric.identity().over_state(&self.key).signature(&self.counts);
        Ok(Scored { score, signature })
    }

    /// The counts of segments and references, then the metric's own, as one row.
    pub fn row(&self) -> Vec<u64>
    where
        S: Linear,
    {
        let mut row = self.counts.row();
        self.stats.write_row(&mut row);
        row
    }

    fn require_same_key(&self, other: &Self) -> Result<(), InputError> {
        if Arc::ptr_eq(&self.key, &other.key) { Ok(()) } else { self.key.require_equal(&other.key) }
    }
}

/// Whether segments can have given these statistics, which are a row of counts: no segments give none.
///
/// # Errors
/// [`MalformedState`](InputErrorKind::MalformedState).
pub(crate) fn check_row<M: Metric + ?Sized>(
    metric: &M,
    stats: &M::Stats,
    counts: &SegmentCounts,
) -> Result<(), InputError>
where
    M::Stats: Linear,
{
    counts.check()?;
    if counts.segments == 0 && stats.row() != metric.zero().row() {
        return Err(InputError::malformed_state(
            "there are counts, but no segments that can have given them",
        ));
    }
    metric.check(stats, counts)
}

impl<S: Serialize> Serialize for State<S> {
    fn serialize<Z: serde::Serializer>(&self, serializer: Z) -> Result<Z::Ok, Z::Error> {
        let State { key, counts, stats } = self;
        TaggedRef { version: TAGGED_VERSION, key, counts, stats }.serialize(serializer)
    }
}

#[derive(Serialize)]
#[serde(rename = "Tagged")]
struct TaggedRef<'a, S> {
    version: u32,
    key: &'a StateKey,
    counts: &'a SegmentCounts,
    stats: &'a S,
}

/// A state as it comes from outside: nothing is known to be true of it until [`Tagged::open`] has checked it.
///
/// Reading is strict: an unknown version, an unknown or missing field, or a malformed key is an error.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Tagged<S> {
    #[serde(deserialize_with = "known_version")]
    version: u32,
    key: StateKey,
    counts: SegmentCounts,
    stats: S,
}

fn known_version<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<u32, D::Error> {
    match u32::deserialize(deserializer)? {
        TAGGED_VERSION => Ok(TAGGED_VERSION),
        other => Err(de::Error::custom(alloc::format!(
            "state version {other} is not supported; this program reads version {TAGGED_VERSION}"
        ))),
    }
}

impl<S: Stats> Tagged<S> {
    /// Statistics that claim to be of this key, observed in segments of these counts.
    pub fn new(key: StateKey, counts: SegmentCounts, stats: S) -> Self {
        Tagged { version: TAGGED_VERSION, key, counts, stats }
    }

    /// Whose statistics these claim to be.
    pub fn key(&self) -> &StateKey {
        &self.key
    }

    pub(crate) fn into_parts(self) -> (StateKey, SegmentCounts, S) {
        (self.key, self.counts, self.stats)
    }

    /// The state, if it is one of this metric's.
    ///
    /// # Errors
    /// [`UnlikeStates`](InputErrorKind::UnlikeStates) when the metric has another key;
    /// [`MalformedState`](InputErrorKind::MalformedState) when no segments can have given these counts.
    pub fn open<M: Metric<Stats = S> + ?Sized>(self, metric: &M) -> Result<State<S>, InputError> {
        metric.state_key().require_equal(&self.key)?;
        self.counts.check()?;
        metric.check(&self.stats, &self.counts)?;
        Ok(State { key: Arc::new(self.key), counts: self.counts, stats: self.stats })
    }
}

impl<S: Stats> From<State<S>> for Tagged<S> {
    fn from(state: State<S>) -> Self {
        let key = Arc::try_unwrap(state.key).unwrap_or_else(|shared| (*shared).clone());
        Tagged::new(key, state.counts, state.stats)
    }
}
