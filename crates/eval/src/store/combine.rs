//! Stored statistics and the metrics they belong to: states out of files, files merged and subtracted.

use std::collections::HashMap;

use bleuprint_core::{
    InputError, InputErrorKind, Metric as _, Result, State, StateKey, Stats as _, column_names,
};
use bleuprint_registry::{AnyMetric, AnyState};

use super::read::counts_of;
use super::{FORMAT, Fingerprint, Header, StoredMetric, StoredSegment, StoredState, StoredStatistics};

impl StoredState {
    /// A state as files hold it: its row of counts, or its serialized form.
    ///
    /// # Errors
    /// A state of another metric; one that cannot be serialized.
    pub fn from_state(metric: &AnyMetric, state: &AnyState) -> Result<Self> {
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
    /// The entry of a file for a metric, with the name that a user gave, and the signature of its score.
    ///
    /// # Errors
    /// Learned weights that cannot be serialized.
    pub fn from_metric(spec: impl Into<String>, metric: &AnyMetric, signature: String) -> Result<Self> {
        let learned = metric.learned().map(serde_json::to_value).transpose();
        Ok(StoredMetric {
            spec: spec.into(),
            key: metric.state_key().to_string(),
            signature,
            columns: metric.zero().is_row().then(|| column_names(metric)),
            learned: learned.map_err(|error| InputError::malformed_state(error.to_string()))?,
        })
    }

    /// True if this is the metric's entry: its state key and the names of its columns.
    ///
    /// # Errors
    /// The field of the key, or the column, that differs.
    pub fn require_of(&self, metric: &AnyMetric) -> Result<()> {
        metric.identity().require_own(&self.key.parse()?)?;
        let own = metric.zero().is_row().then(|| column_names(metric));
        let (there, here) = match (&self.columns, &own) {
            (Some(there), Some(here)) if there.len() == here.len() => {
                let Some(pair) = there.iter().zip(here).find(|(there, here)| there != here) else {
                    return Ok(());
                };
                (format!("a column `{}`", pair.0), format!("`{}`", pair.1))
            }
            (None, None) => return Ok(()),
            (there, here) => {
                let count = |columns: &Option<Vec<String>>| columns.as_ref().map_or(0, Vec::len);
                (format!("{} columns", count(there)), count(here).to_string())
            }
        };
        Err(InputError::malformed_state(format!(
            "{} has {there} in the file, where the metric has {here}",
            self.spec
        )))
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

    /// True if two files hold the same statistics, so that they merge.
    ///
    /// # Errors
    /// [`UnlikeStates`](InputErrorKind::UnlikeStates), naming the first field that differs; other labels.
    pub fn require_like(&self, other: &Header) -> Result<()> {
        let left = self.keys()?;
        let right = other.keys()?;
        if left.len() != right.len() {
            let list =
                |keys: &[StateKey]| keys.iter().map(ToString::to_string).collect::<Vec<_>>().join(" + ");
            let field = "the number of metrics".to_owned();
            let left = list(&left);
            let right = list(&right);
            return Err(InputErrorKind::UnlikeStates { field, left, right }.into());
        }
        left.iter().zip(&right).try_for_each(|(left, right)| left.require_equal(right))?;
        if self.labels != other.labels {
            let left = self.labels.join(", ");
            let right = other.labels.join(", ");
            let message = format!("the segments have unlike labels: `{left}` and `{right}`");
            return Err(InputError::malformed(message));
        }
        Ok(())
    }
}

impl StoredStatistics {
    /// Adds the segments of another file of the same system, and its total. If either holds a total alone, so does the
    /// result. With `again`, segments that are there already count again.
    ///
    /// # Errors
    /// Unlike states; another system; without `again`, segments that are all there already; sums that do not fit 64 bits.
    /// `self` is then unchanged.
    pub fn merge(&mut self, metrics: &[AnyMetric], other: &Self, again: bool) -> Result<()> {
        self.header.require_like(&other.header)?;
        if !again && self.has_same_segments(other) {
            let message = "all segments of the smaller one are in the other already: they would count twice";
            return Err(InputError::malformed(message));
        }
        if self.header.system != other.header.system {
            let one = &self.header.system;
            let two = &other.header.system;
            let message = format!("they are of other systems, `{one}` and `{two}`");
            return Err(InputError::malformed(message));
        }
        let total = self.combine(metrics, other, |_, state, other| state.merge(other))?;
        self.total = total;
        FORMAT.clone_into(&mut self.header.format);
        self.segment_count = self.segment_count.saturating_add(other.segment_count);
        self.references = self.references.plus(other.references);
        self.source = Fingerprint::sum([self.source, other.source]);
        self.header.each &= other.header.each;
        if self.header.each {
            self.segments.extend_from_slice(&other.segments);
        } else {
            self.segments.clear();
        }
        Ok(())
    }

    /// True if every segment of the smaller of both is one of the other: the same references, source and labels, and
    /// for metrics without references and source the same states. Of totals, whether the sums are the same.
    fn has_same_segments(&self, other: &Self) -> bool {
        let (small, large) =
            if self.segment_count < other.segment_count { (self, other) } else { (other, self) };
        if small.segment_count == 0 {
            return false;
        }
        if !(small.header.each && large.header.each) {
            let sums = |one: &Self| (one.segment_count, one.references, one.source);
            let known = small.has_references() && small.references != Fingerprint::default();
            return sums(small) == sums(large) && (small.total == large.total || known);
        }
        let names = SegmentNames::new(self, other);
        let mut missing: HashMap<Name<'_>, usize> = HashMap::new();
        // Most shards have other segments from the first on.
        let first = small.segments.first().map(|first| names.name(first));
        if !large.segments.iter().any(|segment| Some(names.name(segment)) == first) {
            return false;
        }
        small.segments.iter().for_each(|segment| *missing.entry(names.name(segment)).or_default() += 1);
        for segment in &large.segments {
            if let Some(count) = missing.get_mut(&names.name(segment)) {
                *count = count.saturating_sub(1);
            }
        }
        missing.values().all(|&count| count == 0)
    }

    fn has_references(&self) -> bool {
        let counts = self.total.first().map(counts_of);
        counts.is_some_and(|counts| counts.is_ok_and(|counts| counts.references > 0))
    }

    /// Takes out the segments of another file. Where both have lines of segments, every segment that is taken out
    /// must be there, with equal states, references, labels and, where both know it, source; else the totals are
    /// subtracted.
    ///
    /// # Errors
    /// Unlike states; a missing segment; counts below zero; totals that do not subtract.
    /// `self` is then unchanged.
    pub fn subtract(&mut self, metrics: &[AnyMetric], other: &Self) -> Result<()> {
        self.header.require_like(&other.header)?;
        if self.header.each && other.header.each {
            let segments = self.segments_without(other)?;
            let total = total_of(metrics, &segments)?;
            *self = StoredStatistics::new(self.header.clone(), segments, total);
            return Ok(());
        }
        self.total = self.combine(metrics, other, |metric, state, other| state.retract(metric, other))?;
        self.segments.clear();
        self.header.each = false;
        self.segment_count = self.segment_count.saturating_sub(other.segment_count);
        self.references = self.references.minus(other.references);
        self.source = match (self.source, other.source) {
            (Some(source), Some(other)) => Some(source.minus(other)),
            (source, _) => source,
        };
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
            combined.push(StoredState::from_state(metric, &state)?);
        }
        Ok(combined)
    }

    /// The rest after every segment of `other` is taken out once.
    fn segments_without(&self, other: &Self) -> Result<Vec<StoredSegment>> {
        let names = SegmentNames::new(self, other);
        let mut out: HashMap<(Name<'_>, String), usize> = HashMap::new();
        other.segments.iter().for_each(|segment| *out.entry(names.line(segment)).or_default() += 1);
        let mut kept = Vec::new();
        for segment in &self.segments {
            match out.get_mut(&names.line(segment)) {
                Some(count) if *count > 0 => *count -= 1,
                _ => kept.push(segment.clone()),
            }
        }
        let missing = |segment: &StoredSegment| out.get(&names.line(segment)).is_some_and(|&count| count > 0);
        if let Some(at) = other.segments.iter().position(missing) {
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
        let stored = self.header.metrics.iter().zip(metrics);
        stored.clone().try_for_each(|(stored, metric)| stored.require_of(metric))?;
        metrics.iter().zip(&self.total).map(|(metric, total)| total.open(metric)).collect()
    }
}

/// The identity of a segment across files.
struct SegmentNames {
    sources: bool,
}

/// References, source and labels; and the states, where there are neither references nor a source.
type Name<'s> = (Fingerprint, Option<Fingerprint>, &'s [Option<String>], Option<String>);

impl SegmentNames {
    fn new(one: &StoredStatistics, other: &StoredStatistics) -> Self {
        SegmentNames { sources: one.source.is_some() && other.source.is_some() }
    }

    fn name<'s>(&self, segment: &'s StoredSegment) -> Name<'s> {
        let source = segment.source.filter(|_| self.sources);
        let nameless = source.is_none() && segment.references == Fingerprint::from_texts([""; 0]);
        (segment.references, source, &segment.labels, nameless.then(|| states_of(segment)))
    }

    fn line<'s>(&self, segment: &'s StoredSegment) -> (Name<'s>, String) {
        (self.name(segment), states_of(segment))
    }
}

fn states_of(segment: &StoredSegment) -> String {
    serde_json::to_string(&segment.states).unwrap_or_default()
}

fn total_of(metrics: &[AnyMetric], segments: &[StoredSegment]) -> Result<Vec<StoredState>> {
    let mut totals = Vec::with_capacity(metrics.len());
    for (place, metric) in metrics.iter().enumerate() {
        let mut total = State::zero(metric);
        for segment in segments {
            let state =
                segment.states.get(place).ok_or_else(|| InputError::malformed_state("a state is missing"))?;
            total.merge(&state.open(metric)?)?;
        }
        totals.push(StoredState::from_state(metric, &total)?);
    }
    Ok(totals)
}
