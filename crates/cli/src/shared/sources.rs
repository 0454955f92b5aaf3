//! The files that segments come from: their arguments, and these as data.

use bleuprint::eval::Panel;
use bleuprint::text::Encoding;
use bleuprint::text::read::EmptyReferences;
use bleuprint::{Identity, Metric as _};
use clap::{Arg, ArgMatches, value_parser};

use crate::shared::args::{Values as _, number, option};

/// Parallel streams of hypotheses, references and, where it is given, the source.
#[derive(Debug, Clone, Default)]
pub(crate) struct StreamsRequest {
    /// One file for each system; standard input where there are none.
    pub(crate) systems: Option<Vec<String>>,
    pub(crate) references: Vec<String>,
    pub(crate) num_refs: usize,
    pub(crate) source: Option<String>,
    /// Whether whitespace at the ends of lines is left to the tokenizer.
    pub(crate) raw_lines: bool,
    pub(crate) encoding: Encoding,
    pub(crate) empty_references: EmptyReferences,
    /// Whether warnings of the readers are not wanted.
    pub(crate) quiet: bool,
}

impl StreamsRequest {
    /// What [`references`], [`systems`] and [`num_refs`] say.
    pub(crate) fn new(matches: &ArgMatches) -> Self {
        StreamsRequest {
            systems: matches.contains_id("input").then(|| matches.texts("input")),
            references: matches.texts("references"),
            num_refs: matches.count("num-refs").unwrap_or(1),
            encoding: encoding_of(matches),
            empty_references: matches.get_one("empty-references").copied().unwrap_or_default(),
            quiet: matches.get_flag("quiet"),
            ..StreamsRequest::default()
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
    /// Of the streams, or of how records are read.
    pub(crate) streams: StreamsRequest,
    /// One file with everything, in place of the streams.
    pub(crate) records: Option<String>,
    /// What the metrics look at besides the hypothesis.
    pub(crate) needs: Needs,
}

/// What every segment must have for the metrics that were asked for, by the name of the first that needs it.
#[derive(Debug, Clone, Default)]
pub(crate) struct Needs {
    pub(crate) references: Option<String>,
    pub(crate) source: Option<String>,
}

impl Needs {
    pub(crate) fn of(panel: &Panel) -> Self {
        let first = |needs: fn(&Identity) -> bool| {
            let mut identities = panel.metrics().map(|metric| metric.identity());
            identities.find(needs).map(|identity| identity.name().to_owned())
        };
        Needs {
            references: first(|identity| !identity.is_reference_free()),
            source: first(Identity::is_source_needed),
        }
    }
}

impl Sources {
    /// What all arguments of this file say.
    pub(crate) fn new(matches: &ArgMatches) -> Self {
        let streams = StreamsRequest { source: matches.text("source"), ..StreamsRequest::new(matches) };
        Sources { streams, records: matches.text("segments"), needs: Needs::default() }
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
        .conflicts_with_all(["references", "input", "num-refs", "source", "encoding"])
        .help("One file with everything: JSON Lines, or .csv or .tsv with a header; instead of REF and -i")
}

pub(crate) fn num_refs() -> Arg {
    number("num-refs", 1..)
        .default_value("1")
        .help("References per line of the reference file, tab-separated [short: -nr]")
}

/// How lines and cells are read, wherever references are.
pub(crate) fn reading() -> [Arg; 2] {
    [
        encoding(),
        option("empty-references", "MEANING").value_parser(value_parser!(EmptyReferences)).help(
            "What an empty cell of a table, or an empty line beside other references, is: error [default], missing (no \
             reference) or keep (one without tokens, as in sacreBLEU)",
        ),
    ]
}

/// What [`encoding`] says.
pub(crate) fn encoding_of(matches: &ArgMatches) -> Encoding {
    matches.get_one("encoding").copied().unwrap_or_default()
}

/// What a leading byte order mark is in files of lines.
pub(crate) fn encoding() -> Arg {
    option("encoding", "NAME").short('e').value_parser(value_parser!(Encoding)).help(
        "Of files of lines: utf-8 [default], where a byte order mark is text as in sacreBLEU, or utf-8-sig, which drops it",
    )
}
