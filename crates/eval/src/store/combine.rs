//! Stored statistics and the metrics they belong to: states out of files, files merged and subtracted.

use std::collections::HashMap;

use bleuprint_core::{
    AnyMetric, AnyState, InputError, InputErrorKind, Metric as _, Result, State, StateKey, Stats as _,
    column_names,
};

use super::{Header, StoredMetric, StoredSegment, StoredState, StoredStatistics};

impl StoredState {
    /// What a file holds of a state: its row of counts, or what it serializes as.
    ///
    /// # Errors
    /// A state of another metric; one that cannot be serialized.
    pub fn of(metric: &AnyMetric, state: &AnyState) -> Result<Self> {
        metric.state_key().require_equal(state.key())?;
        if state.stats().is_row() {
            return Ok(StoredState::Row(state.row()?));
        }
        let value = serde_json::to_value(state);
        value.map(StoredState::Other).map_err(|error| InputError::malformed_state(error.to_string()))
    }

    /// The state, checked by its metric.
    ///
    /// # Errors
    /// A state of another shape, or one that no segments can have given.
    pub fn open(&self, metric: &AnyMetric) -> Result<AnyState> {
        match self {
            StoredState::Row(row) => State::from_row(metric, row),
            StoredState::Other(value) => State::read(metric, value),
        }
    }
}

impl StoredMetric {
    /// What a file says of a metric, named as by a user, and of the signature of its score.
    ///
    /// # Errors
    /// Learned weights that cannot be serialized.
    pub fn of(spec: impl Into<String>, metric: &AnyMetric, signature: String) -> Result<Self> {
        let learned = metric.learned().map(serde_json::to_value).transpose();
        Ok(StoredMetric {
            spec: spec.into(),
            key: metric.state_key().to_string(),
            signature,
            columns: metric.zero().is_row().then(|| column_names(metric)),
            learned: learned.map_err(|error| InputError::malformed_state(error.to_string()))?,
        })
    }
}

impl Header {
    /// The state key of each metric.
    ///
    /// # Errors
    /// A key that cannot be read.
    pub fn keys(&self) -> Result<Vec<StateKey>> {
        self.metrics.iter().map(|metric| metric.key.parse()).collect()
    }

    /// Whether two files hold the same statistics, so that they merge.
    ///
    /// # Errors
    /// [`UnlikeStates`](InputErrorKind::UnlikeStates), naming the first field that differs; other labels.
    pub fn require_like(&self, other: &Header) -> Result<()> {
        let (left, right) = (self.keys()?, other.keys()?);
        if left.len() != right.len() {
            let list =
                |keys: &[StateKey]| keys.iter().map(ToString::to_string).collect::<Vec<_>>().join(" + ");
            let field = "the number of metrics".to_owned();
            let (left, right) = (list(&left), list(&right));
            return Err(InputErrorKind::UnlikeStates { field, left, right }.into());
        }
        left.iter().zip(&right).try_for_each(|(left, right)| left.require_equal(right))?;
        if self.labels != other.labels {
            let (left, right) = (self.labels.join(", "), other.labels.join(", "));
            let message = format!("the segments have unlike labels: `{left}` and `{right}`");
            return Err(InputError::malformed(message));
        }
        Ok(())
    }
}

impl StoredStatistics {
    /// Adds the segments of another file, and its total. If either holds a total alone, so does the result.
    ///
    /// # Errors
    /// Unlike states; sums that do not fit 64 bits. `self` is then unchanged.
    pub fn merge(&mut self, metrics: &[AnyMetric], other: &Self) -> Result<()> {
        self.header.require_like(&other.header)?;
        let total = self.combine(metrics, other, |_, state, other| state.merge(other))?;
        self.total = total;
        self.segment_count = self.segment_count.saturating_add(other.segment_count);
        self.references = self.references.plus(other.references);
        self.header.each &= other.header.each;
        if self.header.each {
            self.segments.extend_from_slice(&other.segments);
        } else {
            self.segments.clear();
        }
        Ok(())
    }

    /// Takes out the segments of another file. Where both have lines of segments, every segment that is taken out
    /// must be there, with equal states, references and labels; else the totals are subtracted.
    ///
    /// # Errors
    /// Unlike states; a segment that is not there; counts that would fall below zero; totals that do not subtract.
    /// `self` is then unchanged.
    pub fn subtract(&mut self, metrics: &[AnyMetric], other: &Self) -> Result<()> {
        self.header.require_like(&other.header)?;
        if self.header.each && other.header.each {
            let segments = self.segments_without(other)?;
            self.total = total_of(metrics, &segments)?;
            self.segments = segments;
        } else {
            self.total = self.combine(metrics, other, |metric, state, other| state.retract(metric, other))?;
            self.segments.clear();
            self.header.each = false;
        }
        self.segment_count = self.segment_count.saturating_sub(other.segment_count);
        self.references = self.references.minus(other.references);
        Ok(())
    }

    fn combine(
        &self,
        metrics: &[AnyMetric],
        other: &Self,
        apply: impl Fn(&AnyMetric, &mut AnyState, &AnyState) -> Result<()>,
    ) -> Result<Vec<StoredState>> {
        let mut combined = Vec::with_capacity(metrics.len());
        for ((metric, total), other) in metrics.iter().zip(&self.total).zip(&other.total) {
            let mut state = total.open(metric)?;
            apply(metric, &mut state, &other.open(metric)?)?;
            combined.push(StoredState::of(metric, &state)?);
        }
        Ok(combined)
    }

    /// What is left when every segment of `other` is taken out once.
    fn segments_without(&self, other: &Self) -> Result<Vec<StoredSegment>> {
        let line = |segment: &StoredSegment| serde_json::to_string(segment).unwrap_or_default();
        let mut out: HashMap<String, usize> = HashMap::new();
        other.segments.iter().for_each(|segment| *out.entry(line(segment)).or_default() += 1);
        let keeps = |segment: &&StoredSegment| match out.get_mut(&line(segment)) {
            Some(count) if *count > 0 => {
                *count -= 1;
                false
            }
            _ => true,
        };
        let kept = self.segments.iter().filter(keeps).cloned().collect();
        let missing = |segment: &&StoredSegment| out.get(&line(segment)).is_some_and(|&count| count > 0);
        if let Some(at) = other.segments.iter().position(|segment| missing(&segment)) {
            let message = format!("segment {} of what is subtracted is not there", at + 1);
            return Err(InputError::malformed(message));
        }
        Ok(kept)
    }

    /// The total as the states of metrics, checked.
    ///
    /// # Errors
    /// Metrics of other keys than the file's; states that no segments can have given.
    pub fn open(&self, metrics: &[AnyMetric]) -> Result<Vec<AnyState>> {
        let keys = self.header.keys()?;
        metrics.iter().zip(&keys).try_for_each(|(metric, key)| metric.state_key().require_equal(key))?;
        metrics.iter().zip(&self.total).map(|(metric, total)| total.open(metric)).collect()
    }
}

/// The merge of the states of segments.
///
/// # Errors
/// Those of [`State::merge`] and of [`StoredState::open`].
pub fn total_of(metrics: &[AnyMetric], segments: &[StoredSegment]) -> Result<Vec<StoredState>> {
    let mut totals = Vec::with_capacity(metrics.len());
    for (place, metric) in metrics.iter().enumerate() {
        let mut total = State::zero(metric);
        for segment in segments {
            let state =
                segment.states.get(place).ok_or_else(|| InputError::malformed_state("a state is missing"))?;
            total.merge(&state.open(metric)?)?;
        }
        totals.push(StoredState::of(metric, &total)?);
    }
    Ok(totals)
}
