//! Builds a [`Run`] (the statistics of evaluated systems) from statistics that were counted elsewhere, and
//! joins several runs.

use bleuprint_core::{InputError, Metric as _, Result};
use bleuprint_inference::require_equal;
use bleuprint_registry::{AnyMetric, AnyState, MetricSpec};

use super::align::{Alignment, align, with_labels_of};
use super::corpus::Fingerprints;
use super::{Run, RunFacts, RunLabels};

impl Run {
    /// Creates the evaluation results of one system under one metric from the metric's statistics of each
    /// segment. Each segment also has the fingerprints (hashes) of its references and its source.
    ///
    /// # Errors
    /// Returns [`UnlikeStates`](bleuprint_core::InputErrorKind::UnlikeStates) if a state belongs to another
    /// metric.
    pub fn of_states(
        system: impl Into<String>,
        spec: MetricSpec,
        metric: AnyMetric,
        segments: impl IntoIterator<Item = (AnyState, Fingerprints)>,
    ) -> Result<Run> {
        let mut states = Vec::new();
        let mut fingerprints = Vec::new();
        for (state, of_segment) in segments {
            metric.state_key().require_equal(state.key())?;
            states.push(vec![state]);
            fingerprints.push(of_segment);
        }
        Ok(Run {
            systems: vec![system.into()],
            specs: vec![spec],
            metrics: vec![metric],
            states: vec![states],
            labels: RunLabels::none(fingerprints.len()),
            fingerprints,
            texts: None,
            own: Vec::new(),
            facts: RunFacts::default(),
            notes: Vec::new(),
            zero_weighted: Vec::new(),
            resegmented: false,
            weighted: false,
        })
    }

    /// Replaces the labels of the segments, such as domains, and derives the unit of resampling and the ids
    /// from the new labels.
    ///
    /// # Errors
    /// Returns an error if `labels` has another number of segments than the run, or if a segment does not
    /// have one entry for each name.
    pub fn with_labels(self, labels: RunLabels) -> Result<Run> {
        require_equal("the labels", labels.values.len(), &self.systems.join(", "), self.len())?;
        for values in &labels.values {
            require_equal("the labels of a segment", values.len(), "their names", labels.names.len())?;
        }
        let left_out = self.facts.left_out;
        let facts = RunFacts { left_out, ..RunFacts::default() }.settled(&labels)?;
        Ok(Run { labels, facts, ..self })
    }

    /// Joins several evaluations of different systems on the same segments under the same metrics. Segments
    /// are paired by ids, in any order, if both evaluations have ids, otherwise by position. The result has
    /// the labels of all evaluations, but no texts.
    ///
    /// # Errors
    /// Returns an error if there is no run, or if a run has other metrics, another number of segments, or
    /// other ids, labels, references or sources than the first run.
    pub fn join<'r>(runs: impl IntoIterator<Item = &'r Run>) -> Result<Run> {
        let mut runs = runs.into_iter();
        let Some(first) = runs.next() else { return Err(InputError::malformed("no systems")) };
        let name = |run: &Run| run.systems.join(", ");
        let joined = Run { texts: None, own: Vec::new(), ..first.clone() };
        runs.try_fold(joined, |joined, run| joined.with_systems_of(&name(first), run.clone(), &name(run)))
    }

    /// Adds the systems of another run. Messages call this run `own` and the other run `name`.
    pub(super) fn with_systems_of(mut self, own: &str, other: Run, name: &str) -> Result<Run> {
        self.require_like(own, &other, name)?;
        let Alignment { places, note } = align(&self.paired_segments(own), &other.paired_segments(name))?;
        self.labels = with_labels_of(self.labels, &other.labels, &places);
        // Both runs know of the same data, so what they left out of it is listed once.
        for left_out in other.facts.left_out {
            if !self.facts.left_out.contains(&left_out) {
                self.facts.left_out.push(left_out);
            }
        }
        self.facts.unit = self.facts.unit.or(other.facts.unit);
        self.notes.extend(other.notes.into_iter().chain(note));
        for mut segments in other.states {
            let ordered = places.iter().map(|&place| std::mem::take(&mut segments[place]));
            self.states.push(ordered.collect());
        }
        self.systems.extend(other.systems);
        Ok(self)
    }

    /// Returns an error unless both runs have the same metrics, and both or neither have weights. Sources
    /// must be known if a metric reads them.
    fn require_like(&self, own: &str, other: &Run, name: &str) -> Result<()> {
        require_equal("the metrics", self.metrics.len(), "the others", other.metrics.len())?;
        for (metric, other) in self.metrics.iter().zip(&other.metrics) {
            metric.state_key().require_equal(&other.state_key())?;
        }
        if self.weighted != other.weighted {
            let message = format!("{own} and {name} cannot be joined: only one has segment weights");
            return Err(InputError::malformed(message));
        }
        // Unknown sources are accepted unless a metric reads the source: then equal scores could hide
        // different inputs.
        let unknown = |run: &Run| run.fingerprints.iter().any(|(_, source)| source.is_none());
        let looks = self.metrics.iter().find(|metric| metric.identity().needs().source);
        let without = [(own, self), (name, other)].into_iter().find(|(_, run)| unknown(run));
        if let Some((metric, (run, _))) = looks.zip(without) {
            let metric = metric.identity().name();
            let message =
                format!("{metric} looks at the source, but that of {run} is not known: count it again");
            return Err(InputError::malformed(message));
        }
        Ok(())
    }
}
