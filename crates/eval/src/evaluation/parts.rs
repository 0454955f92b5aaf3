//! Builds a [`Run`] (the statistics of evaluated systems) from statistics that were counted elsewhere, and
//! joins several runs.

use bleuprint_core::{InputError, Metric as _, Result};
use bleuprint_inference::require_equal;
use bleuprint_registry::{AnyMetric, AnyState, MetricSpec};

use super::corpus::Fingerprints;
use super::{Run, RunLabels};

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
            resegmented: false,
            weighted: false,
        })
    }

    /// Replaces the labels of the segments, such as domains.
    ///
    /// # Errors
    /// Returns an error if `labels` has another number of segments than the run, or if a segment does not
    /// have one entry for each name.
    pub fn with_labels(self, labels: RunLabels) -> Result<Run> {
        require_equal("the labels", labels.values.len(), &self.systems.join(", "), self.len())?;
        for values in &labels.values {
            require_equal("the labels of a segment", values.len(), "their names", labels.names.len())?;
        }
        Ok(Run { labels, ..self })
    }

    /// Joins several evaluations of different systems on the same segments under the same metrics. Labels
    /// come from the first one; texts are dropped.
    ///
    /// # Errors
    /// Returns an error if there is no run, or if a run has other metrics, another number of segments, or
    /// other references or sources than the first run.
    pub fn join<'r>(runs: impl IntoIterator<Item = &'r Run>) -> Result<Run> {
        let mut runs = runs.into_iter();
        let Some(first) = runs.next() else { return Err(InputError::malformed("no systems")) };
        let mut systems = first.systems.clone();
        let mut states = first.states.clone();
        for run in runs {
            run.require_parallel(first)?;
            systems.extend(run.systems.iter().cloned());
            states.extend(run.states.iter().cloned());
        }
        Ok(Run {
            systems,
            states,
            specs: first.specs.clone(),
            metrics: first.metrics.clone(),
            fingerprints: first.fingerprints.clone(),
            labels: first.labels.clone(),
            texts: None,
            own: Vec::new(),
            resegmented: first.resegmented,
            weighted: first.weighted,
        })
    }

    fn require_parallel(&self, first: &Run) -> Result<()> {
        let name = |run: &Run| run.systems.join(", ");
        require_equal("the metrics", first.metrics.len(), "the others", self.metrics.len())?;
        for (metric, other) in first.metrics.iter().zip(&self.metrics) {
            metric.state_key().require_equal(&other.state_key())?;
        }
        require_equal(&name(first), first.len(), &name(self), self.len())?;
        if self.weighted != first.weighted {
            let message =
                format!("{} and {} cannot be joined: only one has segment weights", name(first), name(self));
            return Err(InputError::malformed(message));
        }
        // Unknown sources are accepted unless a metric reads the source: then equal scores could hide
        // different inputs.
        let unknown = |run: &&&Run| run.fingerprints.iter().any(|(_, source)| source.is_none());
        let looks = first.metrics.iter().find(|metric| metric.identity().needs().source);
        if let Some((metric, run)) = looks.zip([first, self].iter().find(unknown)) {
            let metric = metric.identity().name();
            let run = name(run);
            let message =
                format!("{metric} looks at the source, but that of {run} is not known: count it again");
            return Err(InputError::malformed(message));
        }
        for (number, (one, other)) in (1..).zip(first.fingerprints.iter().zip(&self.fingerprints)) {
            // References are compared first: a difference there makes the source irrelevant.
            let text = match one.1.zip(other.1) {
                _ if one.0 != other.0 => "references",
                Some((source, from)) if source != from => "source",
                _ => continue,
            };
            let one = name(first);
            let two = name(self);
            let message = format!("{one} and {two} differ in the {text} of segment {number}");
            return Err(InputError::malformed(message));
        }
        Ok(())
    }
}
