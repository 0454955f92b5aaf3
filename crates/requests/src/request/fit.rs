//! Checks that the selected metrics and the given files fit: no metric lacks a file, and no file is without an
//! effect.

use bleuprint::eval::Panel;
use bleuprint::eval::evaluation::Metrics;
use bleuprint::text::Families;
use bleuprint::{AnyMetric, Metric as _, Scale};

use crate::failure::{Result, fail};
use crate::request::readers;
use crate::request::sources::Sources;
use crate::warn::is_for_python;

/// Returns the metrics that observe texts or structured data.
pub(crate) fn observing(metrics: &Metrics) -> impl Iterator<Item = &AnyMetric> {
    metrics.panel.metrics().chain(metrics.own.iter().map(|(_, metric)| metric))
}

/// Gives the file reader the names of the metrics, and returns an error if they do not take its segments.
pub(crate) fn check_reader(sources: &mut Sources, metrics: &Metrics) -> Result<()> {
    let Some(reader) = &mut sources.reader else { return Ok(()) };
    reader.metrics = observing(metrics).map(|metric| metric.identity().name().to_owned()).collect();
    if sources.resegment.is_some() {
        fail!("--resegment cuts files of lines, so it cannot be combined with --{}", reader.name());
    }
    reader.check(&sources.streams, observing(metrics))
}

/// Returns an error if a metric needs files of another kind than the given ones, or if no metric uses the sources.
pub(crate) fn check_files(
    sources: &Sources,
    metrics: &Metrics,
    families: &Families,
    shows_source: bool,
) -> Result<()> {
    if let (Some((_, metric)), true) =
        (metrics.own.first(), sources.records.is_none() && sources.numbers.records.is_empty())
    {
        return needs_data(metric, families);
    }
    // The checks follow the kinds of input: no text at all, then files of lines; records check themselves.
    if sources.is_without_text() {
        return match metrics.panel.metrics().next() {
            Some(metric) => needs_text(metric),
            None => Ok(()),
        };
    }
    if sources.records.is_some() {
        return Ok(());
    }
    match metrics.numbers.first() {
        Some((_, metric)) if sources.numbers.is_empty() => needs_numbers(metric),
        _ => check_streams(sources, shows_source),
    }
}

fn needs_data(metric: &AnyMetric, families: &Families) -> Result<()> {
    let name = metric.identity().name();
    let data = &metric.view;
    let form = metric.view.form.map(|form| form.name);
    let readers = form.map_or_else(String::new, |form| readers::of_form(families, form));
    if is_for_python() {
        fail!("{name} takes {data}: give {readers}form=\"segments\"");
    }
    fail!(
        "{name} takes {data}: give {readers}--segments FILE, or --numbers SYS=FILE .. with one file per system"
    )
}

fn needs_text(metric: &AnyMetric) -> Result<()> {
    let name = metric.identity().name();
    let remedy = if is_for_python() {
        "from_files reads texts"
    } else {
        "use --segments for records with both, or --given for numbers next to files of text"
    };
    fail!("{name} reads text, but the input has only numbers or vectors; {remedy}")
}

fn needs_numbers(metric: &AnyMetric) -> Result<()> {
    let name = metric.identity().name();
    let columns = metric.view.numbers.columns.join(" and ");
    if is_for_python() {
        fail!("{name} reads numbers, which files of text do not have: bleuprint.given takes {columns}");
    }
    fail!("{name} reads numbers: give {columns} by --given NAME=FILE,.. or --numbers SYS=FILE ..")
}

/// Returns an error if a metric needs references or sources that are missing, or if a source is given that no
/// metric uses.
fn check_streams(sources: &Sources, shows_source: bool) -> Result<()> {
    let Sources { streams, needs, .. } = sources;
    if let (true, Some(metric)) = (streams.references.is_empty(), &needs.references) {
        fail!("{metric} needs references: give the files REF, or --segments");
    }
    match (&needs.source, &streams.source) {
        (Some(metric), None) => fail!("{metric} needs the source: give --source FILE"),
        // An unused source is most likely a mistake in the choice of metrics.
        (None, Some(file)) if !shows_source => fail!("no selected metric uses the source `{file}`"),
        _ => Ok(()),
    }
}

/// Returns the name of the first error rate with a scale from 0 to 1, such as WER, among the metrics of a
/// panel.
pub(crate) fn error_rate(panel: &Panel) -> Option<String> {
    let rate = panel.metrics().find(|metric| metric.scale() == Scale::ERROR_RATE)?;
    Some(rate.identity().heading())
}

/// Returns the names of the tokenizers of a panel's metrics, as in signatures.
pub(crate) fn tokenizers(panel: &Panel) -> Vec<String> {
    let mut labels: Vec<String> = Vec::new();
    for space in panel.state_key().parts.iter().map(|part| &part.space).filter(|space| !space.is_text()) {
        if !labels.iter().any(|label| label == space.label()) {
            labels.push(space.label().to_owned());
        }
    }
    labels
}
