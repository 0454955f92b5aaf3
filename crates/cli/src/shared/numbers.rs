//! Defines the options for per-segment numbers that other programs computed, and reads them from the command
//! line.

use bleuprint_requests::failure::{Result, fail};
use bleuprint_requests::request::{NumbersRequest, RecordsReading};
use clap::{Arg, ArgAction, ArgMatches};

use crate::shared::args::{ArgumentValues as _, of_metrics, option};

pub(crate) fn options() -> Vec<Arg> {
    let of_records = |arg: Arg| arg.requires("numbers").help_heading("Numbers of other programs");
    let beside = option("given", "NAME=FILE,..").action(ArgAction::Append).help(
        "Numbers for the metric `given`, one per line, with one file per system; or a single .seg.score file, which names the systems",
    );
    let numbers = option("numbers", "[SYS=]FILE")
        .num_args(1..)
        .conflicts_with_all(["references", "input", "segments", "num-refs", "source"])
        .help("Records with numbers, one file per system: JSON Lines, JSON, CSV or TSV; `bleuprint help given` lists the columns");
    let logs = option("from", "HARNESS [SYS=]PATH")
        .num_args(2..)
        .conflicts_with_all(["numbers", "given", "references", "input", "segments", "num-refs", "source"])
        .help(
            "Logs of a harness (lm-eval, inspect, lighteval, evalplus, human-eval, helm, promptfoo), one file or folder per system; -m chooses a number of the log by its name, such as acc",
        );
    let choice = option("where", "COLUMN=VALUE")
        .action(ArgAction::Append)
        .help("Read only records of --numbers or --from with this value; repeat the option for more columns");
    let records = [
        option("system-column", "COLUMN")
            .help("The column that names the system of a record, if one file holds all systems"),
        option("records", "PLACE")
            .help("The path to the records in a JSON document, as in results.results"),
        option("id", "COLUMN,..").value_delimiter(',').help(
            "The columns that identify a segment; without them, all systems must list their records in the same order",
        ),
    ];
    let heading = |arg: Arg| arg.help_heading("Numbers of other programs");
    let records = records.map(of_records).map(of_metrics).into_iter().chain([heading(choice)]);
    [heading(beside), heading(numbers), heading(logs)].into_iter().chain(records).collect()
}

/// Splits `SYS=FILE` into a system's name and a file. The path of an existing file is never split, because it
/// may contain `=`.
pub(crate) fn named_file(given: String) -> (Option<String>, String) {
    let named = given
        .split_once('=')
        .filter(|(system, _)| !system.is_empty() && !std::path::Path::new(&given).exists());
    match named {
        Some((system, file)) => (Some(system.to_owned()), file.to_owned()),
        None => (None, given),
    }
}

pub(crate) fn request(matches: &ArgMatches) -> Result<NumbersRequest> {
    let mut request = NumbersRequest {
        reading: RecordsReading {
            system: matches.text("system-column"),
            place: matches.text("records"),
            id: matches.texts("id"),
            filters: Vec::new(),
        },
        ..NumbersRequest::default()
    };
    for given in matches.texts("given") {
        let named = given.split_once('=').filter(|(name, files)| !name.is_empty() && !files.is_empty());
        let Some((name, files)) = named else { fail!("--given {given}: expected NAME=FILE,..") };
        if request.given.iter().any(|(known, _)| known == name) {
            fail!("--given {name}= is given twice");
        }
        request.given.push((name.to_owned(), files.split(',').map(str::to_owned).collect()));
    }
    let mut numbers = matches.texts("numbers");
    // The first value of --from is the name of the harness; the logs follow it.
    let mut logs = matches.texts("from");
    if !logs.is_empty() {
        request.harness = Some(logs.remove(0).parse()?);
        numbers = logs;
    }
    request.records = numbers.into_iter().map(named_file).collect();
    request.quiet = matches.get_flag("quiet");
    for filter in matches.texts("where") {
        let named = filter.split_once('=').filter(|(column, _)| !column.is_empty());
        let Some((column, value)) = named else { fail!("--where {filter}: expected COLUMN=VALUE") };
        request.reading.filters.push((column.to_owned(), value.to_owned()));
    }
    // `requires` of clap is waived if another option excludes the required one, such as --segments.
    request.check()?;
    Ok(request)
}
