//! The files that segments come from: their arguments, and these as data.

use clap::{Arg, ArgMatches};

use crate::shared::args::{Values as _, number, option};

/// Parallel streams of hypotheses, references and, where it is given, the source.
#[derive(Debug, Clone)]
pub(crate) struct StreamsRequest {
    /// One file for each system; standard input where there are none.
    pub(crate) systems: Option<Vec<String>>,
    pub(crate) references: Vec<String>,
    pub(crate) num_refs: usize,
    pub(crate) source: Option<String>,
    /// Whether whitespace at the ends of lines is left to the tokenizer.
    pub(crate) raw_lines: bool,
}

impl StreamsRequest {
    /// What [`references`], [`systems`] and [`num_refs`] say.
    pub(crate) fn new(matches: &ArgMatches) -> Self {
        StreamsRequest {
            systems: matches.contains_id("input").then(|| matches.texts("input")),
            references: matches.texts("references"),
            num_refs: matches.count("num-refs").unwrap_or(1),
            source: None,
            raw_lines: false,
        }
    }

    /// Every file that is read; standard input is `-`.
    pub(crate) fn files(&self) -> impl Iterator<Item = &str> {
        let standard_input = self.systems.is_none().then_some("-");
        let systems = self.systems.iter().flatten().map(String::as_str);
        let others = self.references.iter().chain(&self.source).map(String::as_str);
        standard_input.into_iter().chain(systems).chain(others)
    }
}

/// Where segments come from.
#[derive(Debug, Clone)]
pub(crate) struct Sources {
    pub(crate) streams: StreamsRequest,
    /// One file with everything, in place of the streams.
    pub(crate) records: Option<String>,
}

impl Sources {
    /// What all arguments of this file say.
    pub(crate) fn new(matches: &ArgMatches) -> Self {
        let streams = StreamsRequest { source: matches.text("source"), ..StreamsRequest::new(matches) };
        Sources { streams, records: matches.text("segments") }
    }
}

pub(crate) fn references() -> Arg {
    Arg::new("references")
        .value_name("REF")
        .num_args(1..)
        .help("Reference files, one segment a line; or with --num-refs one file of tab-separated references")
}

pub(crate) fn systems() -> Arg {
    option("input", "SYS").short('i').num_args(1..).help(
        "Hypotheses, one file per system; without it, standard input, tab-separated for several systems",
    )
}

pub(crate) fn source() -> Arg {
    option("source", "FILE")
        .help("What the hypotheses were made from, one segment a line, for metrics that look at it")
}

pub(crate) fn segments() -> Arg {
    option("segments", "FILE")
        .conflicts_with_all(["references", "input", "num-refs", "source"])
        .help("One file with everything: JSON Lines, or .csv or .tsv with a header; instead of REF and -i")
}

pub(crate) fn num_refs() -> Arg {
    number("num-refs", 1..)
        .default_value("1")
        .help("References per line of the reference file, tab-separated [short: -nr]")
}
