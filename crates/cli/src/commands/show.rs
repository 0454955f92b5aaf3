//! `bleuprint show`: stored statistics, finished under any settings that they can serve.

use std::io::Write;

use bleuprint::eval::store::StoredStatistics;
use bleuprint::{AnyMetric, MetricSpec, Registry};
use clap::ArgMatches;

use super::counted::metrics_of;
use crate::output::{SystemScores, write_systems};
use crate::request::OutputRequest;
use crate::{Failure, args};

/// Finishes the totals of files, with the options given in place of those the files were written with.
pub(crate) fn run(
    registry: &Registry,
    matches: &ArgMatches,
    files: &[String],
    output: &OutputRequest,
    out: &mut impl Write,
) -> Result<(), Failure> {
    let mut systems: Vec<SystemScores> = Vec::new();
    for file in files {
        let statistics = StoredStatistics::read(file)?;
        let named = |error: &dyn std::fmt::Display| Failure::Message(format!("{file}: {error}"));
        let states =
            statistics.open(&metrics_of(registry, &statistics.header)?).map_err(|error| named(&error))?;
        let finishers = finishers(registry, matches, &statistics)?;
        let scores = finishers.iter().zip(&states).map(|(metric, state)| metric.score(state));
        let scores = scores.collect::<Result<Vec<_>, _>>().map_err(|error| named(&error))?;
        systems.push((statistics.header.system.clone(), scores));
    }
    write_systems(&systems, output, out)
}

/// The metrics of a file with other options, over its tokens.
fn finishers(
    registry: &Registry,
    matches: &ArgMatches,
    statistics: &StoredStatistics,
) -> Result<Vec<Box<dyn AnyMetric>>, Failure> {
    let parse = |metric: &bleuprint::eval::store::StoredMetric| registry.parse(&metric.spec);
    let specs = statistics.header.metrics.iter().map(parse).collect::<Result<Vec<MetricSpec>, _>>()?;
    args::refuse_foreign_options(registry, matches, &specs)?;
    let keys = statistics.header.keys()?;
    let build = |(spec, key): (&MetricSpec, &bleuprint::StateKey)| {
        let entry = registry.get(spec.metric)?;
        let mut options = spec.options.clone();
        for option in entry.options {
            if let Some(value) = args::given(matches, option) {
                options.set(option.name, &value);
            }
        }
        let metric = entry.build(&options)?;
        Ok(match key.token_spaces().next() {
            Some(space) => metric.over(space.clone()),
            None => metric,
        })
    };
    specs.iter().zip(&keys).map(build).collect()
}
