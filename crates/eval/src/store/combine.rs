//! Reads metric states from files of statistics, and merges and subtracts such files.

use std::collections::{HashMap, HashSet};

use bleuprint_core::{
    InputError, InputErrorKind, Metric as _, Result, State, StateKey, Stats as _, column_names,
};
use bleuprint_registry::{AnyMetric, AnyState};
use bleuprint_text::read::LeftOut;

use super::read::counts_of;
use crate::evaluation::{RunFacts, RunLabels, ids_of, shown_id};

use super::{FORMAT, Fingerprint, Header, StoredMetric, StoredSegment, StoredState, StoredStatistics};

impl StoredState {
    /// Creates the stored form of a metric's statistics (its state): a row of counts, or another serialized
    /// form if the metric has no counts.
    ///
    /// # Errors
    /// Returns an error if the state belongs to another metric or cannot be serialized.
    pub fn from_state(metric: &AnyMetric, state: &AnyState) -> Result<Self> {
        metric.state_key().require_equal(state.key())?;
        if state.stats().is_row() {
            return Ok(StoredState::Row(state.row()?));
        }
        let value = serde_json::to_value(state);
        value.map(StoredState::Other).map_err(|error| InputError::malformed_state(error.to_string()))
    }

    /// Restores the metric's statistics (its state) from the stored form, checked by the metric.
    ///
    /// # Errors
    /// Returns an error if the stored form has another shape than the metric's statistics, or if no segments
    /// can have produced it.
    pub fn open(&self, metric: &AnyMetric) -> Result<AnyState> {
        match self {
            StoredState::Row(row) => State::from_row(metric, row),
            StoredState::Other(value) => State::read(metric, value),
        }
    }
}

impl StoredMetric {
    /// Creates the entry of a metric in the header of a statistics file, with the metric as the user wrote it
    /// and the signature of its score.
    ///
    /// # Errors
    /// Returns an error if a learned table cannot be serialized.
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

    /// Requires that this entry of a file belongs to `metric`: state key and column names must be equal.
    ///
    /// # Errors
    /// Returns an error that names the first field of the key, or the first column, that differs.
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
    /// Returns the state key of each metric in the file. Statistics with equal keys can be merged.
    ///
    /// # Errors
    /// Returns an error if a key cannot be parsed.
    pub fn keys(&self) -> Result<Vec<StateKey>> {
        self.metrics.iter().map(|metric| metric.key.parse()).collect()
    }

    /// Requires that two files hold statistics of the same metrics with the same settings, so that they can
    /// be merged.
    ///
    /// # Errors
    /// Returns [`UnlikeStates`](InputErrorKind::UnlikeStates) with the first field that differs, or an error
    /// if the labels differ.
    pub fn require_like(&self, other: &Header) -> Result<()> {
        self.require_same_metrics(other)?;
        if self.labels != other.labels {
            let left = self.labels.join(", ");
            let right = other.labels.join(", ");
            let message = format!("the segments have unlike labels: `{left}` and `{right}`");
            return Err(InputError::malformed(message));
        }
        Ok(())
    }

    /// Returns an error unless two files hold statistics of the same metrics.
    pub(crate) fn require_same_metrics(&self, other: &Header) -> Result<()> {
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
        left.iter().zip(&right).try_for_each(|(left, right)| left.require_equal(right))
    }
}

impl StoredStatistics {
    /// Merges another file of statistics of the same system into this one. If either file holds only a total,
    /// the result holds only a total. With `again`, segments that are already present count again.
    ///
    /// # Errors
    /// Returns an error if the files differ in metrics, labels or system, or if sums do not fit in 64 bits.
    /// Without `again`, also returns an error if the files share an id, or, without ids, if all segments are
    /// already present. `self` is then unchanged.
    pub fn merge(&mut self, metrics: &[AnyMetric], other: &Self, again: bool) -> Result<()> {
        self.header.require_like(&other.header)?;
        if !again {
            self.require_other_ids(other)?;
        }
        if !again && self.has_same_segments(other) {
            let message = "all segments of the smaller one are in the other already: they would count twice";
            return Err(InputError::malformed(message));
        }
        if self.header.system != other.header.system {
            let one = &self.header.system;
            let two = &other.header.system;
            let message = format!("the files are of other systems, `{one}` and `{two}`");
            return Err(InputError::malformed(message));
        }
        // The total is computed before anything changes, so that an error leaves `self` as it was.
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
        add_left_out(&mut self.header.left_out, &other.header.left_out);
        self.header.unit = self.merged_unit(&other.header);
        Ok(())
    }

    /// Returns the unit of merged files: the common unit, or else the default unit of the merged labels. An
    /// item may occur once in each file but repeat after the merge, as in shards of one epoch.
    fn merged_unit(&self, other: &Header) -> Option<String> {
        match (&self.header.unit, &other.unit) {
            (Some(one), Some(two)) if one == two => Some(one.clone()),
            _ => RunFacts::default_unit(&RunLabels::of_file(self)).map(str::to_owned),
        }
    }

    /// Returns an error if a segment of both files has the same id.
    fn require_other_ids(&self, other: &Self) -> Result<()> {
        let labels = [self, other].map(RunLabels::of_file);
        let names = [self, other].map(|file| match &file.header.ids[..] {
            [] => vec!["id".to_owned()],
            names => names.to_vec(),
        });
        let [Some(ours), Some(theirs)] = [0, 1].map(|side| ids_of(&names[side], &labels[side])) else {
            return Ok(());
        };
        let known: HashSet<Vec<&str>> = ours.into_iter().collect();
        let mut both = theirs.iter().filter(|id| known.contains(*id));
        let Some(id) = both.next().filter(|_| names[0] == names[1]) else { return Ok(()) };
        let (id, more) = (shown_id(id), both.count());
        let and = if more > 0 { format!(" (and {more} more)") } else { String::new() };
        Err(InputError::malformed(format!(
            "both have a segment with the id `{id}`{and}, which would count twice; --allow-duplicates counts it again"
        )))
    }

    /// Returns `true` if every segment of the smaller file is also in the larger file. Segments are compared
    /// by references, source and labels, and by statistics if they have neither references nor source. Files
    /// with only a total are compared by their sums.
    fn has_same_segments(&self, other: &Self) -> bool {
        let (small, large) =
            if self.segment_count < other.segment_count { (self, other) } else { (other, self) };
        // Empty files may be merged any number of times.
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
        // Most shards differ from the first segment on, so this test avoids the hash table.
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

    /// Removes the segments of another file of statistics from this one. If both files list segments, every
    /// removed segment must be present with equal states, references, labels and, if both files know it,
    /// source. Otherwise the totals are subtracted.
    ///
    /// # Errors
    /// Returns an error if the files differ in metrics or labels, or if a segment is missing. Also returns an
    /// error if a count falls below zero, or if totals cannot be subtracted. After an error `self` is
    /// unchanged.
    pub fn subtract(&mut self, metrics: &[AnyMetric], other: &Self) -> Result<()> {
        self.header.require_like(&other.header)?;
        if self.header.each && other.header.each {
            let segments = self.segments_without(other)?;
            // The total is computed again from the rest: states without rows cannot be subtracted.
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

    /// Returns the segments of this file that remain after each segment of `other` is removed once.
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

    /// Restores the metrics' statistics (states) from the totals in the file, checked by the metrics.
    ///
    /// # Errors
    /// Returns an error if the file belongs to other metrics, or if no segments can have produced a state.
    pub fn open(&self, metrics: &[AnyMetric]) -> Result<Vec<AnyState>> {
        let stored = self.header.metrics.iter().zip(metrics);
        stored.clone().try_for_each(|(stored, metric)| stored.require_of(metric))?;
        metrics.iter().zip(&self.total).map(|(metric, total)| total.open(metric)).collect()
    }
}

/// Adds the entries of `others` to `all`. The counts of entries with the same description are summed.
fn add_left_out(all: &mut Vec<LeftOut>, others: &[LeftOut]) {
    for other in others {
        match all.iter_mut().find(|known| known.what == other.what) {
            None => all.push(other.clone()),
            Some(known) => {
                known.count = known.count.saturating_add(other.count);
                known.of = known.of.saturating_add(other.of);
            }
        }
    }
}

/// Rule that decides if segments of two files are the same segment: their references and labels must be
/// equal, and their sources too if `sources` is `true`.
struct SegmentNames {
    sources: bool,
}

/// Data by which a segment is found in another file: fingerprints of its references and source, and its
/// labels. Without texts, the metric states of the segment are added, as JSON.
type Name<'s> = (Fingerprint, Option<Fingerprint>, &'s [Option<String>], Option<String>);

impl SegmentNames {
    fn new(one: &StoredStatistics, other: &StoredStatistics) -> Self {
        // A file of the first version knows no sources, so sources count only if both files have them.
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
