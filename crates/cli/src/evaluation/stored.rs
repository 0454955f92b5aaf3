//! `bleuprint stats`, `merge` and `subtract`: files of statistics.

use std::io::Write;
use std::path::Path;

use bleuprint::eval::store::{FORMAT, Header, StoredMetric, StoredSegment, StoredStatistics};
use bleuprint::{AnyMetric, InputError, Registry};

use super::counted::{Counted, metrics_of};
use crate::Failure;

/// What a file of statistics is called, and what it holds.
pub(crate) struct StatsRequest {
    pub(crate) output: String,
    /// Every metric as a user names it, in order.
    pub(crate) specs: Vec<String>,
    /// What to call the system.
    pub(crate) system: Option<String>,
    /// Only the total, no segments.
    pub(crate) total: bool,
    pub(crate) force: bool,
}

/// The program that writes the files.
fn tool() -> String {
    format!("bleuprint {}", env!("CARGO_PKG_VERSION"))
}

/// Writes the statistics of one system.
pub(crate) fn write(counted: &Counted, request: &StatsRequest, out: &mut impl Write) -> Result<(), Failure> {
    let [system] = &counted.systems[..] else {
        let message = format!("a file holds one system, but {} were given", counted.systems.len());
        return Err(Failure::Message(message));
    };
    let system = request.system.as_ref().unwrap_or(system);
    let mut statistics = statistics(counted, &request.specs, Some(system))?;
    if request.total {
        statistics.header.each = false;
        statistics.segments.clear();
    }
    save(&statistics, &request.output, request.force)?;
    writeln!(out, "{}: {} segments of {system}", request.output, statistics.segment_count)?;
    Ok(())
}

/// The statistics of every segment of the one system, under another name where one is given.
pub(crate) fn statistics(
    counted: &Counted,
    specs: &[String],
    system: Option<&String>,
) -> Result<StoredStatistics, Failure> {
    let metrics = counted.metrics();
    let scores = counted.scores(0)?;
    let metric =
        |((metric, spec), scored): ((&&dyn AnyMetric, &String), &bleuprint::Scored<_>)| StoredMetric {
            spec: spec.clone(),
            key: metric.state_key().to_string(),
            signature: scored.signature.to_string(),
            columns: metric.linear().map(|linear| linear.column_names()),
        };
    let header = Header {
        format: FORMAT.to_owned(),
        tool: tool(),
        system: system.unwrap_or(&counted.systems[0]).clone(),
        metrics: metrics.iter().zip(specs).zip(&scores).map(metric).collect(),
        labels: counted.labels.names.clone(),
        each: true,
    };
    let segment = |segment: usize| {
        Ok(StoredSegment {
            references: counted.references[segment],
            labels: counted.labels.values[segment].clone(),
            states: counted.stored(0, segment)?,
        })
    };
    let segments = (0..counted.len()).map(segment).collect::<Result<Vec<_>, InputError>>()?;
    let total = metrics
        .iter()
        .enumerate()
        .map(|(place, metric)| {
            let state = counted.merged(place, 0, 0..counted.len())?;
            bleuprint::eval::store::StoredState::of(*metric, &state)
        })
        .collect::<Result<Vec<_>, InputError>>()?;
    let references = segments
        .iter()
        .fold(Default::default(), |sum: bleuprint::eval::store::References, one| sum.plus(one.references));
    Ok(StoredStatistics { header, segment_count: segments.len() as u64, segments, references, total })
}

/// Refuses a file that is there, unless it may be written over.
pub(crate) fn require_place(place: &str, force: bool) -> Result<(), Failure> {
    if force || !Path::new(place).exists() {
        return Ok(());
    }
    Err(Failure::Message(format!("{place} is there already; --overwrite writes over it")))
}

fn save(statistics: &StoredStatistics, place: &str, force: bool) -> Result<(), Failure> {
    require_place(place, force)?;
    Ok(statistics.write(place)?)
}

/// Merges files, in the order in which they are given.
pub(crate) fn merge(
    registry: &Registry,
    files: &[String],
    place: &str,
    force: bool,
    out: &mut impl Write,
) -> Result<(), Failure> {
    let Some((first, others)) = files.split_first() else {
        return Err(Failure::Message("no files to merge".to_owned()));
    };
    let mut merged = StoredStatistics::read(first)?;
    let metrics = metrics_of(registry, &merged.header)?;
    merged.open(&metrics).map_err(|error| named(first, &error))?;
    for file in others {
        let next = StoredStatistics::read(file)?;
        let result = merged.header.require_like(&next.header);
        let result = result.and_then(|()| next.open(&metrics)).and_then(|_| merged.merge(&metrics, &next));
        result.map_err(|error| named(&format!("{first} and {file}"), &error))?;
    }
    merged.header.tool = tool();
    save(&merged, place, force)?;
    writeln!(out, "{place}: {} segments of {} files", merged.segment_count, files.len())?;
    Ok(())
}

/// Takes the segments of the other files out of the first.
pub(crate) fn subtract(
    registry: &Registry,
    files: &[String],
    place: &str,
    force: bool,
    out: &mut impl Write,
) -> Result<(), Failure> {
    let Some((first, others)) = files.split_first() else {
        return Err(Failure::Message("no files to subtract".to_owned()));
    };
    let mut rest = StoredStatistics::read(first)?;
    let metrics = metrics_of(registry, &rest.header)?;
    for file in others {
        let other = StoredStatistics::read(file)?;
        rest.subtract(&metrics, &other).map_err(|error| named(&format!("{first} and {file}"), &error))?;
    }
    rest.header.tool = tool();
    save(&rest, place, force)?;
    writeln!(out, "{place}: {} segments are left", rest.segment_count)?;
    Ok(())
}

fn named(files: &str, error: &InputError) -> Failure {
    Failure::Message(format!("{files}: {error}"))
}
