//! Writes the results of evaluations to files of statistics and reads them back.

use std::path::Path;

use bleuprint_core::{Case, ConfigError, InputError, Result, State, StateKey};
use bleuprint_registry::{AnyMetric, AnyState, MetricSpec, Registry};
use bleuprint_text::{Normalizer as _, Normalizers, Tokenizer as _, TokenizerOptions, tokenizer};

use super::facts::repeats_without_unit;
use super::{Run, RunFacts, RunLabels};
use crate::store::{FORMAT, Header, StoredMetric, StoredSegment, StoredState, StoredStatistics, TOOL};

/// Builds the metric that computes scores from the statistics in a file. `spec` names the metric and its
/// options. The tokenization is taken from `key`, and tables that were learned from data from `stored`.
///
/// # Errors
/// Returns an error if `spec` is invalid, if it names another tokenizer, case or normalizer than `key`, or if
/// the learned tables belong to another metric. Returns an error if the options of `spec` make the metric
/// observe other tokens or data, because the statistics in `stored` are counted already.
pub fn finisher(
    registry: &Registry,
    spec: &MetricSpec,
    stored: &StoredMetric,
    key: &StateKey,
) -> Result<AnyMetric> {
    require_tokens(spec, stored, key)?;
    let build = || registry.get(&spec.metric)?.build(&spec.options);
    let metric = build().map_err(in_words)?;
    require_same_view(registry, spec, stored, &metric)?;
    let metric = match key.parts.first() {
        Some(part) => metric.over(part.space.clone()),
        None => metric,
    };
    match (metric.first_pass(), &stored.learned) {
        (Some(first), Some(learned)) => metric.second_pass(&State::read(first, learned)?),
        _ => Ok(metric),
    }
}

/// Builds the metrics of a file of statistics, with the tokenization and the learned tables that the file's
/// header records.
///
/// # Errors
/// Returns an error if the registry lacks a metric, or if a state key, tokens or columns do not fit the
/// metric.
pub fn metrics_of(registry: &Registry, header: &Header) -> Result<Vec<AnyMetric>> {
    let build = |(stored, key): (&StoredMetric, &StateKey)| {
        let spec = registry.parse_stored(&stored.spec).map_err(in_words)?;
        let metric = finisher(registry, &spec, stored, key)?;
        stored.require_of(&metric)?;
        Ok(metric)
    };
    header.metrics.iter().zip(&header.keys()?).map(build).collect()
}

/// Rejects a metric name that chooses another tokenizer, case or normalizer than the file's state key.
/// User-defined tokenizers and tokenizers that load a model are not checked, because a name alone cannot
/// build them.
fn require_tokens(spec: &MetricSpec, stored: &StoredMetric, key: &StateKey) -> Result<()> {
    let space = key.parts.first().map(|part| &part.space).filter(|space| !space.is_text());
    let Some(space) = space else { return Ok(()) };
    let named = |name: &String| tokenizer(name, &TokenizerOptions::default()).ok();
    let label = spec.tokenizer.as_ref().and_then(named).map(|tokenizer| tokenizer.token_space().to_owned());
    let case = spec.lowercase.map(|lower| if lower { Case::Mixed } else { Case::Lower });
    let other_label = label.is_some_and(|label| label != space.label());
    // A normalizer with `=` reads a file, whose hash is in the key; the file may no longer exist.
    let named = |name: &&String| !name.contains('=');
    let normalizer =
        spec.normalizer.as_ref().filter(named).and_then(|name| Normalizers::default().build(name).ok());
    let other_norm = normalizer.is_some_and(|chain| Some(chain.name()) != space.normalizer());
    if other_label || other_norm || case == Some(space.case()) {
        let spec = &stored.spec;
        let key = &stored.key;
        return Err(InputError::malformed_state(format!(
            "`{spec}` has other tokens than its state key, `{key}`"
        )));
    }
    Ok(())
}

/// Rejects options under which the metric observes other tokens or data than when the states were counted.
fn require_same_view(
    registry: &Registry,
    spec: &MetricSpec,
    stored: &StoredMetric,
    metric: &AnyMetric,
) -> Result<()> {
    let counted = registry.parse_stored(&stored.spec).map_err(in_words)?;
    if counted.options == spec.options {
        return Ok(());
    }
    let counted = registry.get(&counted.metric).and_then(|entry| entry.build(&counted.options));
    if counted.map_err(in_words)?.view.observes_like(&metric.view) {
        return Ok(());
    }
    let given = spec.name();
    let stored = &stored.spec;
    Err(InputError::malformed(format!(
        "{given} counts other tokens than the statistics, which are of {stored}: count the texts again"
    )))
}

pub(super) fn in_words(error: ConfigError) -> InputError {
    InputError::malformed(error.to_string())
}

impl Run {
    /// Reads files of statistics, one for each system, which must cover the same segments and metrics.
    /// Segments are paired by their ids, in any order, if the files have ids, otherwise by position.
    ///
    /// # Errors
    /// Returns the errors of [`StoredStatistics::read`]. Also returns an error if:
    ///
    /// - there is no file, or a file holds only a total;
    /// - files differ in metrics, ids, labels, references or source texts;
    /// - there are several files, a metric uses source texts, and a file does not record which source
    ///   texts it used.
    pub fn read(registry: &Registry, files: &[impl AsRef<str>]) -> Result<Self> {
        let mut joined: Option<(&str, Header, Run)> = None;
        let several = files.len() > 1;
        for file in files {
            let file = file.as_ref();
            let statistics = StoredStatistics::read(file)?;
            let header = statistics.header.clone();
            let named = |error: InputError| InputError::malformed(format!("{file}: {error}"));
            if let Some((first, of_first, _)) = &joined {
                let like = of_first.require_same_metrics(&header);
                like.map_err(|error| InputError::malformed(format!("{first} and {file}: {error}")))?;
            }
            if !header.each {
                return Err(InputError::malformed(format!(
                    "{file} holds a total alone, but statistics of each segment are needed"
                )));
            }
            let metrics = metrics_of(registry, &header).map_err(named)?;
            // A single file is compared with nothing, so unknown sources do no harm.
            if several {
                metrics.iter().try_for_each(|metric| statistics.require_sources(metric)).map_err(named)?;
            }
            let run = Run::of_file(registry, file, statistics, metrics).map_err(named)?;
            joined = Some(match joined {
                None => (file, header, run),
                Some((first, of_first, joined)) => {
                    (first, of_first, joined.with_systems_of(first, run, file)?)
                }
            });
        }
        let Some((_, _, mut run)) = joined else {
            return Err(InputError::malformed("no file of statistics was given"));
        };
        // Names of systems label rows of results. If two files name the same system, the file names are used
        // instead.
        if (1..run.systems.len()).any(|at| run.systems[..at].contains(&run.systems[at])) {
            run.systems = files.iter().map(|file| file.as_ref().to_owned()).collect();
        }
        Ok(run)
    }

    /// Returns the run of one file, whose metrics are built already.
    fn of_file(
        registry: &Registry,
        name: &str,
        file: StoredStatistics,
        metrics: Vec<AnyMetric>,
    ) -> Result<Run> {
        let specs = file.header.metrics.iter().map(|metric| registry.parse_stored(&metric.spec));
        let specs = specs.collect::<Result<Vec<_>, _>>().map_err(in_words)?;
        let states = |segment: &StoredSegment| {
            let states = segment.states.iter().zip(&metrics);
            states.map(|(state, metric)| state.open(metric)).collect::<Result<Vec<_>>>()
        };
        let states = file.segments.iter().map(states).collect::<Result<Vec<_>>>()?;
        let labels = RunLabels::of_file(&file);
        Ok(Run {
            systems: vec![file.header.system.clone()],
            states: vec![states],
            fingerprints: file.segments.iter().map(|segment| (segment.references, segment.source)).collect(),
            facts: RunFacts::of_file(&file.header, &labels),
            zero_weighted: Vec::new(),
            notes: repeats_without_unit(name, &file.header, &labels).into_iter().collect(),
            labels,
            specs,
            metrics,
            texts: None,
            own: Vec::new(),
            resegmented: false,
            weighted: false,
        })
    }

    /// Reads files of statistics as separate evaluations, each with its own segments. Systems with the same
    /// name get the names of their files.
    ///
    /// # Errors
    /// Returns the errors of [`Run::read`] for one file.
    pub fn read_each(registry: &Registry, files: &[impl AsRef<str>]) -> Result<Vec<Self>> {
        let mut runs = files.iter().map(|file| Run::read(registry, &[file])).collect::<Result<Vec<_>>>()?;
        let unique = (1..runs.len()).all(|at| runs[..at].iter().all(|run| run.systems != runs[at].systems));
        if !unique {
            for (run, file) in runs.iter_mut().zip(files) {
                run.systems = vec![file.as_ref().to_owned()];
            }
        }
        Ok(runs)
    }

    /// Writes the statistics of this evaluation to a file. The evaluation must have exactly one system.
    ///
    /// # Errors
    /// Returns an error if the run has several systems, and the errors of [`StoredStatistics::write`].
    pub fn write(&self, path: impl AsRef<Path>) -> Result<()> {
        let systems = self.systems.len();
        if systems != 1 {
            let message = format!("a file holds one system, but {systems} were given");
            return Err(InputError::malformed(message));
        }
        self.statistics(0)?.write(path)
    }

    /// Returns the header with the labels, the unit, the ids and the left-out data of the run.
    pub fn with_facts(&self, header: Header) -> Header {
        Header {
            labels: self.labels.names.clone(),
            unit: self.facts.written_unit(&self.labels),
            ids: self.facts.written_ids(&self.labels),
            left_out: self.facts.left_out.clone(),
            ..header
        }
    }

    /// Returns the run with the labels, the resampling unit, the ids and the left-out data of `file`, which
    /// has the same segments. Remarks call the file `name`.
    ///
    /// # Errors
    /// Returns an error if the file has another number of segments.
    pub fn with_facts_of(self, name: &str, file: &StoredStatistics) -> Result<Run> {
        let labels = RunLabels::of_file(file);
        let facts = RunFacts::of_file(&file.header, &labels);
        let notes = repeats_without_unit(name, &file.header, &labels).into_iter().collect();
        Ok(Run { facts, notes, ..self.with_labels(labels)? })
    }

    /// Returns the statistics of every segment of one system, ready to be written to a file.
    ///
    /// # Errors
    /// Returns an error if segments have weights, which files cannot hold, and the errors of the metrics.
    pub fn statistics(&self, system: usize) -> Result<StoredStatistics> {
        if self.weighted {
            return Err(InputError::malformed(
                "files of statistics hold no weights of segments: write them without",
            ));
        }
        self.require_shared_items(system)?;
        let stored = |((place, metric), spec): ((usize, &AnyMetric), &MetricSpec)| {
            let signature = self.score_of(place, system, 0..self.len())?.signature.to_string();
            StoredMetric::from_metric(spec.name(), metric, signature)
        };
        let metrics = self.metrics.iter().enumerate().zip(&self.specs).map(stored);
        let header = self.with_facts(Header {
            format: FORMAT.to_owned(),
            tool: TOOL.to_owned(),
            system: self.systems[system].clone(),
            metrics: metrics.collect::<Result<_>>()?,
            labels: Vec::new(),
            each: true,
            unit: None,
            ids: Vec::new(),
            left_out: Vec::new(),
        });
        let store = |states: &[AnyState]| {
            let states = self.metrics.iter().zip(states);
            states.map(|(metric, state)| StoredState::from_state(metric, state)).collect::<Result<Vec<_>>>()
        };
        let segment = |segment: usize| {
            let (references, source) = self.fingerprints[segment];
            Ok(StoredSegment {
                references,
                source,
                labels: self.labels.values[segment].clone(),
                states: store(&self.states[system][segment])?,
            })
        };
        let segments = (0..self.len()).map(segment).collect::<Result<Vec<_>>>()?;
        let total = (0..self.metrics.len()).map(|metric| self.merged(metric, system, 0..self.len()));
        let total = store(&total.collect::<Result<Vec<_>>>()?)?;
        Ok(StoredStatistics::new(header, segments, total))
    }

    /// Rejects metrics that are defined for different segments, such as numbers of different tasks. A line of
    /// a statistics file is one segment for all its metrics.
    fn require_shared_items(&self, system: usize) -> Result<()> {
        let segments = |segment: usize, metric: usize| self.states[system][segment][metric].counts().segments;
        let metrics = 0..self.metrics.len();
        for segment in 0..self.len() {
            let outside = metrics.clone().find(|&metric| segments(segment, metric) == 0);
            let inside = metrics.clone().find(|&metric| segments(segment, metric) > 0);
            if let (Some(outside), Some(inside)) = (outside, inside) {
                let [outside, inside] = [outside, inside].map(|metric| self.specs[metric].name());
                return Err(InputError::malformed(format!(
                    "segment {} is an item of {inside}, but not of {outside}: write a file for each of them",
                    segment + 1
                )));
            }
        }
        Ok(())
    }
}
