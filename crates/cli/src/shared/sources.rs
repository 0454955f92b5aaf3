//! Defines the options for the files that segments are read from, and reads these options from the command
//! line.

use bleuprint::text::read::{EmptyReferences, SegmentColumns, TextOptions};
use bleuprint::text::{Encoding, Families};
use bleuprint_requests::failure::{Failure, Result, fail};
pub(crate) use bleuprint_requests::request::{FieldNeeds, Sources, StreamsRequest, Unlike};
use clap::parser::ValueSource;
use clap::{Arg, ArgMatches, value_parser};

use crate::shared::args::{ArgumentValues as _, flag, number, option};
use crate::shared::{numbers, readers, vectors};

pub(crate) fn streams(matches: &ArgMatches) -> StreamsRequest {
    StreamsRequest {
        // `None` means standard input, which is different from an empty list.
        systems: matches.contains_id("input").then(|| matches.texts("input")),
        references: matches.texts("references"),
        num_refs: matches.count("num-refs").unwrap_or(1),
        encoding: encoding_of(matches),
        plain: matches.get_flag("plain"),
        empty_references: matches.get_one("empty-references").copied().unwrap_or_default(),
        quiet: matches.get_flag("quiet"),
        ..StreamsRequest::default()
    }
}

pub(crate) fn request(matches: &ArgMatches, families: &Families) -> Result<Sources> {
    let streams = StreamsRequest { source: matches.text("source"), ..streams(matches) };
    let numbers = numbers::request(matches)?;
    let reader = readers::request(matches, families)?;
    let reference = || streams.references.first().cloned().unwrap_or_default();
    // A reader of a family, such as --turns, takes its records from the reference if --segments is absent.
    let records = matches.text("segments").or_else(|| reader.as_ref().map(|_| reference()));
    let vectors = vectors::request(matches);
    let sources = Sources {
        streams,
        records,
        reader,
        numbers,
        vectors,
        resegment: None,
        needs: FieldNeeds::default(),
        ..of_records(matches)?
    };
    let of_texts = ["encoding", "plain", "empty-references"];
    let given = |name: &&&str| matches.value_source(name) == Some(ValueSource::CommandLine);
    if let (true, Some(name)) = (sources.is_without_text(), of_texts.iter().find(given)) {
        fail!("--{name} is about files of texts, which are not given");
    }
    Ok(sources)
}

/// Returns the request with the options for the records of `--segments`.
pub(crate) fn of_records(matches: &ArgMatches) -> Result<Sources> {
    let columns = SegmentColumns::parse(matches.texts("columns"));
    Ok(Sources {
        columns: columns.map_err(|error| Failure::Message(format!("--columns: {error}")))?,
        skips_bad_lines: matches.text("bad-lines").as_deref() == Some("skip"),
        ..Sources::default()
    })
}

/// Returns the options for the records of `--segments`.
pub(crate) fn records() -> [Arg; 2] {
    [
        option("columns", "PART=COLUMN").requires("segments").value_delimiter(',').num_args(1..).help(
            "Columns or keys of --segments that are named otherwise, as in hypothesis=pred_text,reference=text; parts: hypothesis, \
             reference (of a table several), references (a list), source, id, system, document, domain, speaker, hypothesis_ids, reference_ids",
        ),
        option("bad-lines", "MEANING").requires("segments").value_parser(["error", "skip"]).hide_possible_values(true).help(
            "How to treat records of --segments that cannot be read: error [default], or skip, which leaves them out and prints \
             their number",
        ),
    ]
}

pub(crate) fn references() -> Arg {
    Arg::new("references").value_name("REF").num_args(1..).help(
        "Reference files, one segment per line; or with --num-refs one file of tab-separated references",
    )
}

pub(crate) fn systems() -> Arg {
    option("input", "SYS").short('i').num_args(1..).help(
        "Hypotheses, one file per system; the default is standard input, tab-separated for several systems",
    )
}

pub(crate) fn source() -> Arg {
    option("source", "FILE")
        .help("The source texts of the hypotheses, one segment per line, for metrics that use them")
}

pub(crate) fn segments() -> Arg {
    option("segments", "FILE")
        .conflicts_with_all(["references", "input", "num-refs", "source", "encoding", "plain"])
        .help("One file with all fields, instead of REF and -i: JSON Lines, or .csv or .tsv with a header")
}

pub(crate) fn resegment() -> [Arg; 2] {
    [
        flag("resegment").requires("input").conflicts_with_all(["segments", "stats", "given", "numbers", "signature"]).help(
            "Cut the outputs, with any line ends, into the segments of the references first, with the fewest edits, as \
             `bleuprint resegment` does with --norm, --lowercase and --tokenize",
        ),
        // `bleuprint resegment --help` describes it too.
        flag("unlike-lengths")
            .hide(true)
            .requires("resegment")
            .help("Cut even if the lengths differ by more than a factor of 2"),
    ]
}

pub(crate) fn num_refs() -> Arg {
    number("num-refs", 1..)
        .default_value("1")
        .help("References per line of the reference file, tab-separated [short: -nr]")
}

pub(crate) fn reading() -> [Arg; 3] {
    let [encoding, plain] = text();
    [
        encoding,
        plain,
        option("empty-references", "MEANING").value_parser(value_parser!(EmptyReferences)).help(
            "The meaning of an empty cell of a table, or of an empty reference next to others: error [default], missing (no \
             reference) or keep (one without tokens, as in sacreBLEU)",
        ),
    ]
}

pub(crate) fn encoding_of(matches: &ArgMatches) -> Encoding {
    matches.get_one("encoding").copied().unwrap_or_default()
}

/// Returns the options for files of texts, one on each line.
pub(crate) fn text() -> [Arg; 2] {
    [
        encoding(),
        flag("plain").help(
            "Read lines as texts even if the file is of another format, such as JSON Lines, CSV or SRT",
        ),
    ]
}

pub(crate) fn text_of(matches: &ArgMatches) -> TextOptions {
    TextOptions::new(encoding_of(matches), matches.get_flag("plain"))
}

fn encoding() -> Arg {
    option("encoding", "NAME").short('e').value_parser(value_parser!(Encoding)).help(
        "The encoding of text files: utf-8 [default], which keeps a byte order mark as text like sacreBLEU, or utf-8-sig, which drops it",
    )
}
