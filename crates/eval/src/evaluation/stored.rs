//! Runs and files of statistics: writing, reading, and the metrics of a file.

use std::path::Path;

use bleuprint_core::{Case, ConfigError, InputError, Result, State, StateKey};
use bleuprint_registry::{AnyMetric, AnyState, MetricSpec, Registry};
use bleuprint_text::{Normalizer as _, Normalizers, Tokenizer as _, TokenizerOptions, tokenizer};

use super::{Run, RunLabels};
use crate::store::{FORMAT, Header, StoredMetric, StoredSegment, StoredState, StoredStatistics, TOOL};

/// A metric with the options of `spec`, to finish the states of a file: over its tokens, with the learned tables of its metric.
///
/// # Errors
/// [`ConfigError`], in words; tokens other than those of the key; learned tables of another metric.
pub fn finisher(
    registry: &Registry,
    spec: &MetricSpec,
    stored: &StoredMetric,
    key: &StateKey,
) -> Result<AnyMetric> {
    require_tokens(spec, stored, key)?;
    let build = || registry.get(&spec.metric)?.build(&spec.options);
    let metric = build().map_err(in_words)?;
    let metric = match key.parts.first() {
        Some(part) => metric.over(part.space.clone()),
        None => metric,
    };
    match (metric.first_pass(), &stored.learned) {
        (Some(first), Some(learned)) => metric.second_pass(&State::read(first, learned)?),
        _ => Ok(metric),
    }
}

/// The metrics of a file, over its tokens, with their learned tables.
///
/// # Errors
/// A metric outside the registry; a state key, tokens or columns other than those of its metric.
pub fn metrics_of(registry: &Registry, header: &Header) -> Result<Vec<AnyMetric>> {
    let build = |(stored, key): (&StoredMetric, &StateKey)| {
        let spec = registry.parse(&stored.spec).map_err(in_words)?;
        let metric = finisher(registry, &spec, stored, key)?;
        stored.require_of(&metric)?;
        Ok(metric)
    };
    header.metrics.iter().zip(&header.keys()?).map(build).collect()
}

/// Refuses a spec that names other tokens than the key. A tokenizer that takes a model has a label of its own, and one
/// of a user is not known here: these are the key's to say.
fn require_tokens(spec: &MetricSpec, stored: &StoredMetric, key: &StateKey) -> Result<()> {
    let space = key.parts.first().map(|part| &part.space).filter(|space| !space.is_text());
    let Some(space) = space else { return Ok(()) };
    let named = |name: &String| tokenizer(name, &TokenizerOptions::default()).ok();
    let label = spec.tokenizer.as_ref().and_then(named).map(|tokenizer| tokenizer.token_space().to_owned());
    let case = spec.lowercase.map(|lower| if lower { Case::Mixed } else { Case::Lower });
    let other_label = label.is_some_and(|label| label != space.label());
    // One that reads a file has a hash in the key.
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

fn in_words(error: ConfigError) -> InputError {
    InputError::malformed(error.to_string())
}

impl Run {
    /// Takes the statistics of files, one per system, which must be of the same segments and metrics.
    ///
    /// # Errors
    /// Those of [`StoredStatistics::read`]; no file; unlike metrics, references or sources, or sources that are not known
    /// where a metric of several files looks at them; a file that holds a total alone.
    pub fn read(registry: &Registry, files: &[impl AsRef<str>]) -> Result<Self> {
        let mut read: Vec<(&str, StoredStatistics)> = Vec::new();
        for file in files {
            let file = file.as_ref();
            let statistics = StoredStatistics::read(file)?;
            if let Some((first_name, first)) = read.first() {
                let like = first.header.require_like(&statistics.header);
                like.map_err(|error| InputError::malformed(format!("{first_name} and {file}: {error}")))?;
                first.require_same_segments(first_name, &statistics, file)?;
            }
            if !statistics.header.each {
                return Err(InputError::malformed(format!(
                    "{file} holds a total alone, but statistics of each segment are needed"
                )));
            }
            read.push((file, statistics));
        }
        let Some((_, first)) = read.first() else {
            return Err(InputError::malformed("no file of statistics was given"));
        };
        let mut metrics = Vec::new();
        for (name, file) in &read {
            let named = |error: InputError| InputError::malformed(format!("{name}: {error}"));
            let own = metrics_of(registry, &file.header).map_err(named)?;
            if read.len() > 1 {
                own.iter().try_for_each(|metric| file.require_sources(metric)).map_err(named)?;
            }
            if metrics.is_empty() {
                metrics = own;
            }
        }
        let specs = first.header.metrics.iter().map(|metric| registry.parse(&metric.spec));
        let specs = specs.collect::<Result<Vec<_>, _>>().map_err(in_words)?;
        let open = |(name, file): &(&str, StoredStatistics)| {
            let states = |segment: &StoredSegment| {
                let states = segment.states.iter().zip(&metrics);
                states.map(|(state, metric)| state.open(metric)).collect::<Result<Vec<_>>>()
            };
            let segments = file.segments.iter().map(states).collect::<Result<Vec<_>>>();
            segments.map_err(|error| InputError::malformed(format!("{name}: {error}")))
        };
        let states = read.iter().map(open).collect::<Result<_>>()?;
        let names: Vec<String> = read.iter().map(|(_, file)| file.header.system.clone()).collect();
        let unique = (1..names.len()).all(|at| !names[..at].contains(&names[at]));
        let files = || read.iter().map(|(file, _)| (*file).to_owned()).collect();
        Ok(Run {
            systems: if unique { names } else { files() },
            states,
            fingerprints: first.segments.iter().map(|segment| (segment.references, segment.source)).collect(),
            labels: RunLabels::of_file(first),
            specs,
            metrics,
            texts: None,
            own: Vec::new(),
            resegmented: false,
            weighted: false,
        })
    }

    /// Takes the statistics of files, each a run of its own with its own segments. Systems of one name are named by their
    /// files.
    ///
    /// # Errors
    /// Those of [`Run::read`] of one file.
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

    /// Writes the statistics of the only system into a file.
    ///
    /// # Errors
    /// Several systems; those of [`StoredStatistics::write`].
    pub fn write(&self, path: impl AsRef<Path>) -> Result<()> {
        let systems = self.systems.len();
        if systems != 1 {
            let message = format!("a file holds one system, but {systems} were given");
            return Err(InputError::malformed(message));
        }
        self.statistics(0)?.write(path)
    }

    /// The statistics of every segment of a system, as a file holds them.
    ///
    /// # Errors
    /// Weights, which files do not hold; those of the metrics.
    pub fn statistics(&self, system: usize) -> Result<StoredStatistics> {
        if self.weighted {
            return Err(InputError::malformed(
                "files of statistics hold no weights of segments: write them without",
            ));
        }
        let stored = |((place, metric), spec): ((usize, &AnyMetric), &MetricSpec)| {
            let signature = self.score_of(place, system, 0..self.len())?.signature.to_string();
            StoredMetric::from_metric(spec.name(), metric, signature)
        };
        let metrics = self.metrics.iter().enumerate().zip(&self.specs).map(stored);
        let header = Header {
            format: FORMAT.to_owned(),
            tool: TOOL.to_owned(),
            system: self.systems[system].clone(),
            metrics: metrics.collect::<Result<_>>()?,
            labels: self.labels.names.clone(),
            each: true,
        };
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
}
