//! Options that select the segments, metrics and tokens to count, for all commands that count.

use bleuprint::eval::evaluation::{ITEM, SEGMENT};
use bleuprint::text::Families;
use bleuprint_requests::data::Reading;
use bleuprint_requests::failure::{Result, fail};
use bleuprint_requests::request::MetricChoice;
pub(crate) use bleuprint_requests::request::{CountingRequest, CountingSource};
use clap::parser::ValueSource;
use clap::{Arg, ArgMatches, Command};

use crate::shared::args::{self, ArgumentValues as _, option};
use crate::shared::metrics;
use crate::shared::numbers;
use crate::shared::readers;
use crate::shared::sources;
use crate::shared::tokens::{self, text_options};
use crate::shared::vectors;

pub(crate) fn counting(command: Command, families: &Families) -> Command {
    let command = command
        .arg(sources::references())
        .args([args::threads(), args::quiet(), args::force()])
        .next_help_heading(args::INPUT)
        .args([sources::systems(), sources::source(), sources::segments()])
        .args(sources::records())
        .args(readers::options(families))
        .arg(sources::num_refs())
        .args(sources::reading())
        .next_help_heading(args::METRICS)
        .arg(metrics::metrics().num_args(1..))
        .arg(args::references_as())
        .next_help_heading(args::TOKENS)
        .args(text_options())
        .args(numbers::options())
        .args(vectors::options());
    metrics::metric_options(command, families.registry()).next_help_heading(args::OUTPUT)
}

/// Returns the options about the texts that are counted. They have no effect with `--stats`, because
/// statistics are already counted.
fn about_texts(families: &Families) -> Vec<Arg> {
    let mut all = vec![sources::references(), sources::systems(), sources::source(), sources::segments()];
    all.extend(sources::records());
    all.extend(readers::options(families));
    all.push(sources::num_refs());
    all.extend(sources::reading());
    all.push(args::references_as());
    all.extend(text_options());
    all.extend(numbers::options());
    all.extend(vectors::options());
    all.extend([args::label(), args::learned()]);
    all
}

/// Rejects options about texts next to `--stats`, since they would have no effect.
fn refuse_beside_statistics(matches: &ArgMatches, families: &Families) -> Result<()> {
    let given = |arg: &Arg| {
        let id = arg.get_id().as_str();
        matches.ids().any(|known| known.as_str() == id)
            && matches.value_source(id) == Some(ValueSource::CommandLine)
    };
    match about_texts(families).iter().find(|arg| given(arg)) {
        None => Ok(()),
        Some(arg) => fail!(
            "--{} is about the texts, but --stats gives statistics that are counted already",
            arg.get_long().unwrap_or_default()
        ),
    }
}

pub(crate) fn stats_files() -> Arg {
    option("stats", "FILE")
        .help_heading(args::INPUT)
        .num_args(1..)
        .conflicts_with_all(["references", "input", "segments", "num-refs", "given", "numbers", "vectors"])
        .help("Files of statistics, one per system, in place of text; see `bleuprint stats`")
}

/// Adds the unit of `--unit` to `reading`. In records of numbers, the unit's label is the column of the same
/// name, unless `--label` or `--id` already names it.
pub(crate) fn with_unit(matches: &ArgMatches, mut reading: Reading) -> Reading {
    let unit = matches.text("unit");
    let id = matches.texts("id");
    let column = unit.iter().find(|unit| {
        let named = |label: &String| label.split('=').next() == Some(unit);
        // The columns before the number of a sample make the label of items.
        let is_known = *unit == SEGMENT || *unit == ITEM && id.len() > 1 || id.contains(unit);
        !is_known && !reading.labels.iter().any(named) && !matches.texts("numbers").is_empty()
    });
    reading.labels.extend(column.map(|unit| format!("{unit}={unit}")));
    Reading { unit, ..reading }
}

/// Reads the segments, metrics and tokens to count from the command line.
pub(crate) fn request(matches: &ArgMatches, families: &Families) -> Result<CountingRequest> {
    Ok(CountingRequest {
        sources: sources::request(matches, families)?,
        metrics: MetricChoice {
            alternatives: matches.text("references-as").as_deref() == Some("alternatives"),
            ..metrics::choice(matches, families.registry())
        },
        tokens: tokens::request(matches)?,
        quiet: matches.get_flag("quiet"),
        force: matches.get_flag("force"),
        ..CountingRequest::default()
    })
}

/// Reads the segments to count, or the files of `--stats`, from the command line.
pub(crate) fn source(matches: &ArgMatches, families: &Families) -> Result<CountingSource> {
    let files = matches.texts("stats");
    if files.is_empty() {
        return Ok(CountingSource::Text(Box::new(request(matches, families)?)));
    }
    refuse_beside_statistics(matches, families)?;
    let metrics = Box::new(metrics::choice(matches, families.registry()));
    Ok(CountingSource::Stored { files, metrics, quiet: matches.get_flag("quiet") })
}
