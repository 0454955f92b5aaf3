//! The files that segments come from: their arguments, and these as data.

use bleuprint::contract::counted;
use bleuprint::eval::Panel;
use bleuprint::text::read::EmptyReferences;
use bleuprint::text::{Encoding, Families};
use bleuprint::{Identity, Metric as _};
use clap::{Arg, ArgMatches, value_parser};

use crate::shared::args::{Values as _, flag, number, option};
use crate::shared::failure::{Result, fail};
use crate::shared::numbers::NumbersRequest;
use crate::shared::readers::ReaderRequest;
use crate::shared::vectors::VectorsRequest;

#[derive(Debug, Clone, Default)]
pub(crate) struct StreamsRequest {
    /// One file for each system; standard input if absent.
    pub(crate) systems: Option<Vec<String>>,
    pub(crate) references: Vec<String>,
    pub(crate) num_refs: usize,
    pub(crate) source: Option<String>,
    /// Whitespace at the ends of lines is left to the tokenizer.
    pub(crate) raw_lines: bool,
    pub(crate) encoding: Encoding,
    pub(crate) empty_references: EmptyReferences,
    pub(crate) quiet: bool,
}

impl StreamsRequest {
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

    /// Standard input is `-`.
    pub(crate) fn files(&self) -> impl Iterator<Item = &str> {
        let standard_input = self.systems.is_none().then_some("-");
        let systems = self.systems.iter().flatten().map(String::as_str);
        let others = self.references.iter().chain(&self.source).map(String::as_str);
        standard_input.into_iter().chain(systems).chain(others)
    }
}

#[derive(Debug, Clone, Default)]
pub(crate) struct Sources {
    /// Its options hold for records too.
    pub(crate) streams: StreamsRequest,
    /// One file with everything, instead of the streams; the references of a reader.
    pub(crate) records: Option<String>,
    pub(crate) reader: Option<ReaderRequest>,
    pub(crate) numbers: NumbersRequest,
    pub(crate) vectors: VectorsRequest,
    /// Cut outputs into the segments of the references first.
    pub(crate) resegment: Option<Unlike>,
    pub(crate) needs: Needs,
}

/// Outputs whose length is far from that of the references.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Unlike {
    Refused,
    Cut,
}

/// The first metric that needs each field.
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
            references: first(|identity| identity.needs().references),
            source: first(|identity| identity.needs().source),
        }
    }
}

impl Sources {
    pub(crate) fn new(matches: &ArgMatches, families: &Families) -> Result<Self> {
        let streams = StreamsRequest { source: matches.text("source"), ..StreamsRequest::new(matches) };
        let numbers = NumbersRequest::new(matches)?;
        let reader = ReaderRequest::new(matches, families)?;
        let reference = || streams.references.first().cloned().unwrap_or_default();
        let records = matches.text("segments").or_else(|| reader.as_ref().map(|_| reference()));
        let vectors = VectorsRequest::new(matches);
        Ok(Sources { streams, records, reader, numbers, vectors, resegment: None, needs: Needs::default() })
    }

    /// The segments are texts without parts.
    pub(crate) fn is_of_texts(&self) -> bool {
        self.reader.as_ref().is_none_or(ReaderRequest::is_of_texts)
    }

    /// Numbers or vectors alone.
    pub(crate) fn is_without_text(&self) -> bool {
        let no_text = self.streams.systems.is_none() && self.records.is_none();
        let beside = !self.numbers.is_empty() || !self.vectors.is_empty();
        beside && no_text && self.streams.references.is_empty()
    }

    /// Each system with its own references and numbers, by place.
    pub(crate) fn sides(&self) -> Result<Vec<Sources>> {
        let (numbers, vectors) = (self.numbers.sides()?, self.vectors.sides()?);
        let beside = |place: usize| Sources {
            numbers: numbers.get(place).cloned().unwrap_or_default(),
            vectors: vectors.get(place).cloned().unwrap_or_default(),
            ..self.clone()
        };
        if self.is_without_text() {
            let (numbers, vectors) = (numbers.len(), vectors.len());
            if numbers > 0 && vectors > 0 && numbers != vectors {
                fail!(
                    "--unpaired was given {} of numbers, but {vectors} of vectors",
                    counted(numbers, "file")
                );
            }
            return Ok((0..numbers.max(vectors)).map(beside).collect());
        }
        let StreamsRequest { systems, references, source, .. } = &self.streams;
        let systems = systems.as_deref().unwrap_or_default();
        if source.is_some() {
            fail!(
                "--unpaired takes no --source, as every system has its own segments: --segments has sources"
            );
        }
        let given = [
            ("reference files", references.len()),
            ("files of numbers", numbers.len()),
            ("files of vectors", vectors.len()),
        ];
        for (what, count) in given {
            if count != systems.len() && count > 0 || systems.is_empty() {
                fail!(
                    "--unpaired takes one of the {what} for each system, in the order of -i, but {count} were given for {} \
                     systems; several references of a segment stand in one file (--num-refs)",
                    systems.len()
                );
            }
        }
        let side = |(place, system): (usize, &String)| Sources {
            streams: StreamsRequest {
                systems: Some(vec![system.clone()]),
                references: references.get(place).cloned().into_iter().collect(),
                ..self.streams.clone()
            },
            ..beside(place)
        };
        Ok(systems.iter().enumerate().map(side).collect())
    }

    pub(crate) fn files(&self) -> impl Iterator<Item = String> {
        let of_streams = self.reader.as_ref().is_some_and(|reader| !reader.is_of_segments());
        let of_records = self.records.clone().filter(|_| !of_streams);
        let streams = self.streams.files().filter(|_| of_records.is_none() && !self.is_without_text());
        let streams: Vec<String> = streams.filter(|file| *file != "-").map(str::to_owned).collect();
        let of_reader = self.reader.iter().flat_map(ReaderRequest::files);
        let others = of_reader.chain(self.numbers.files()).chain(self.vectors.files());
        streams.into_iter().chain(of_records).chain(others)
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

pub(crate) fn resegment() -> [Arg; 2] {
    [
        flag("resegment").requires("input").conflicts_with_all(["segments", "stats", "given", "numbers", "signature"]).help(
            "Cut the outputs, with any line ends, into the segments of the references first, with the fewest edits, as \
             `bleuprint resegment` does with --norm, --lowercase and --tokenize",
        ),
        flag("unlike-lengths")
            .requires("resegment")
            .help("Cut also where the lengths differ by more than a factor of 2"),
    ]
}

pub(crate) fn num_refs() -> Arg {
    number("num-refs", 1..)
        .default_value("1")
        .help("References per line of the reference file, tab-separated [short: -nr]")
}

pub(crate) fn reading() -> [Arg; 2] {
    [
        encoding(),
        option("empty-references", "MEANING").value_parser(value_parser!(EmptyReferences)).help(
            "What an empty cell of a table, or an empty reference next to others, is: error [default], missing (no \
             reference) or keep (one without tokens, as in sacreBLEU)",
        ),
    ]
}

pub(crate) fn encoding_of(matches: &ArgMatches) -> Encoding {
    matches.get_one("encoding").copied().unwrap_or_default()
}

pub(crate) fn encoding() -> Arg {
    option("encoding", "NAME").short('e').value_parser(value_parser!(Encoding)).help(
        "Of files of lines: utf-8 [default], where a byte order mark is text as in sacreBLEU, or utf-8-sig, which drops it",
    )
}
