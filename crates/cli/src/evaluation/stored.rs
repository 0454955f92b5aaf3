//! Files of statistics: their metrics, other finishers for them, and what is made of several.

use std::path::Path;

use bleuprint::eval::store::{Header, StoredMetric, StoredStatistics};
use bleuprint::{AnyMetric, InputError, Metric as _, MetricSpec, Registry, StateKey};

use crate::shared::failure::{Failure, Result, fail};
use crate::shared::metrics::GivenOptions;

type Metrics = Vec<AnyMetric>;

/// What is done with a file and the next.
type Step = fn(&mut StoredStatistics, &[AnyMetric], &StoredStatistics) -> Result<(), InputError>;

/// The program that writes the files.
pub(crate) fn tool() -> String {
    format!("bleuprint {}", env!("CARGO_PKG_VERSION"))
}

/// The metrics that a file was counted with, over its tokens.
pub(crate) fn metrics_of(registry: &Registry, header: &Header) -> Result<Metrics> {
    let build = |(stored, key): (&StoredMetric, &StateKey)| {
        let metric = over_tokens_of(key, registry.build(&stored.spec)?);
        metric.state_key().require_equal(key)?;
        Ok(metric)
    };
    header.metrics.iter().zip(&header.keys()?).map(build).collect()
}

/// The metrics of a file with other options, over its tokens.
pub(crate) fn finishers(registry: &Registry, given: &GivenOptions, header: &Header) -> Result<Metrics> {
    let specs = header.metrics.iter().map(|metric| registry.parse(&metric.spec));
    let specs = specs.collect::<Result<Vec<MetricSpec>, _>>()?;
    given.refuse_foreign(registry, &specs)?;
    let build = |(spec, key): (&MetricSpec, &StateKey)| {
        let entry = registry.get(spec.metric)?;
        let mut options = spec.options.clone();
        for option in entry.options {
            if let Some(value) = given.get(option) {
                options.set(option.name, value);
            }
        }
        Ok(over_tokens_of(key, entry.build(&options)?))
    };
    specs.iter().zip(&header.keys()?).map(build).collect()
}

fn over_tokens_of(key: &StateKey, metric: AnyMetric) -> AnyMetric {
    match key.token_spaces().next() {
        Some(space) => metric.over(space.clone()),
        None => metric,
    }
}

/// What a step makes of the first file and each of the others, in the order in which they are given.
pub(crate) fn combined(registry: &Registry, files: &[String], step: Step) -> Result<StoredStatistics> {
    let Some((first, others)) = files.split_first() else {
        fail!("no file of statistics was given");
    };
    let named = |files: String| move |error: InputError| Failure::Message(format!("{files}: {error}"));
    let mut combined = StoredStatistics::read(first)?;
    let metrics = metrics_of(registry, &combined.header)?;
    combined.open(&metrics).map_err(named(first.clone()))?;
    for file in others {
        let other = StoredStatistics::read(file)?;
        step(&mut combined, &metrics, &other).map_err(named(format!("{first} and {file}")))?;
    }
    combined.header.tool = tool();
    Ok(combined)
}

/// Refuses a file that is there, unless it may be written over.
pub(crate) fn require_place(place: &str, overwrite: bool) -> Result<()> {
    if overwrite || !Path::new(place).exists() {
        return Ok(());
    }
    Err(Failure::Message(format!("{place} is there already; --overwrite writes over it")))
}

/// Writes a file.
pub(crate) fn save(statistics: &StoredStatistics, place: &str, overwrite: bool) -> Result<()> {
    require_place(place, overwrite)?;
    Ok(statistics.write(place)?)
}
