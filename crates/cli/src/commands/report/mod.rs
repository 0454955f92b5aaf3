//! `bleuprint report`: several systems in one page of HTML, or its data.

mod data;
mod metrics;
mod ngrams;
mod texts;

use std::io::{Read, Write};
use std::path::Path;

use bleuprint::eval::in_threads;
use bleuprint::eval::resample::{Plan, Power};
use bleuprint::eval::store::AtomicFile;
use bleuprint::report::page;
use bleuprint::{Registry, Tokenizer};
use clap::{Arg, ArgMatches, Command};

use crate::evaluation::commands::read;
use crate::evaluation::corpus::TextCorpus;
use crate::evaluation::counted::Counted;
use crate::evaluation::options::{self, Seed};
use crate::request::ScoreRequest;
use crate::{Failure, args};

/// What `-o` calls standard output.
const STANDARD_OUTPUT: &str = "-";

/// A page of more bytes takes a while to send and to open.
const LARGE: usize = 20_000_000;

/// What the report is to hold.
pub(super) struct ReportRequest {
    pub(super) title: String,
    /// The labels that are shown as groups; all where none are named.
    pub(super) by: Vec<String>,
    pub(super) seed: u128,
    /// As many as the user wants; else as many as the systems need.
    pub(super) resamples: Option<usize>,
    pub(super) power: Power,
    /// How many segments keep their texts; all where it is none.
    pub(super) sample: Option<usize>,
    pub(super) texts: bool,
}

impl ReportRequest {
    /// Resamples for this many systems.
    pub(super) fn plan(&self, systems: usize) -> Result<Plan, Failure> {
        let count = options::resamples_of_pairs(self.resamples, Plan::RESAMPLES, systems, page::SIGNIFICANT)?;
        Ok(Plan { seed: self.seed, count })
    }
}

/// The texts behind the counts, and how they are cut.
pub(super) struct Texts<'t> {
    pub(super) corpus: &'t TextCorpus,
    pub(super) tokenizer: &'t dyn Tokenizer,
}

/// The command.
pub(crate) fn command(registry: &Registry) -> Command {
    let number = |name: &'static str| {
        Arg::new(name).long(name).value_name("N").value_parser(clap::value_parser!(u64).range(1..=1_000_000))
    };
    let command = Command::new("report")
        .about("Write one page that shows and compares systems: a file that needs no connection");
    args::counting(command, registry)
        .arg(
            Arg::new("output")
                .short('o')
                .long("output")
                .value_name("FILE")
                .required(true)
                .help("The page to write; `-` is standard output"),
        )
        .arg(args::flag("overwrite").help("Write over a file that is there and is no report"))
        .arg(
            Arg::new("title")
                .long("title")
                .value_name("TEXT")
                .default_value("Comparison of outputs")
                .help("What stands on top"),
        )
        .arg(options::label())
        .arg(options::by().help("The labels to show as groups, and `length` [default: all that there are]"))
        .arg(options::stats_files())
        .arg(number("sample").help("Texts of only so many segments: those with the largest shares"))
        .arg(args::flag("no-texts").conflicts_with("sample").help("No texts, only scores"))
        .arg(
            args::flag("compress")
                .help("Compress the data in the page: smaller, but not to be searched by grep"),
        )
        .arg(
            number("resamples")
                .help("Resamples for intervals and tests [default: 1000, or 40 for each pair of systems]"),
        )
        .arg(
            Arg::new("format")
                .short('f')
                .long("format")
                .value_parser(["html", "json"])
                .default_value("html")
                .help("The page, or its data alone"),
        )
}

/// Writes the report.
pub(crate) fn run(
    registry: &Registry,
    matches: &ArgMatches,
    out: &mut (impl Write + Send),
) -> Result<(), Failure> {
    let strings =
        |name: &str| matches.get_many::<String>(name).into_iter().flatten().cloned().collect::<Vec<_>>();
    let number = |name: &str| matches.get_one::<u64>(name).map(|number| *number as usize);
    let place = strings("output").concat();
    let json = matches.get_one::<String>("format").is_some_and(|format| format == "json");
    if json && matches.get_flag("compress") {
        return Err(Failure::Message("--compress is for the page; the data alone are plain JSON".to_owned()));
    }
    require_place(&place, matches.get_flag("overwrite"))?;
    let request = ReportRequest {
        title: strings("title").concat(),
        by: strings("by"),
        seed: Seed::from_environment()?.value,
        resamples: number("resamples"),
        power: Power::default(),
        sample: number("sample"),
        texts: !matches.get_flag("no-texts"),
    };
    let files = strings("stats");
    let threads = number("threads");
    let page = if files.is_empty() {
        let score = ScoreRequest::showing(registry, matches)?;
        let (corpus, score, _) = read(score, matches, true, false)?;
        let tokenizer = score.tokens.tokenizer()?;
        in_threads(threads, || {
            let counted = Counted::from_text(score.panel, &corpus)?;
            let texts = Texts { corpus: &corpus, tokenizer: &*tokenizer };
            data::page(&counted, Some(&texts), &request)
        })??
    } else {
        let counted = Counted::from_files(registry, &files.iter().collect::<Vec<_>>())?;
        in_threads(threads, || data::page(&counted, None, &request))??
    };
    let text = match (json, matches.get_flag("compress")) {
        (true, _) => page::json(&page) + "\n",
        (false, true) => page::compressed_html(&page),
        (false, false) => page::html(&page),
    };
    if place == STANDARD_OUTPUT {
        out.write_all(text.as_bytes())?;
        return Ok(());
    }
    let mut file = AtomicFile::create(&place)?;
    file.write_all(text.as_bytes())
        .map_err(|error| Failure::Message(format!("cannot write {place}: {error}")))?;
    file.commit()?;
    let plural = if page.systems.len() == 1 { "" } else { "s" };
    writeln!(
        out,
        "{place}: {} system{plural}, {} segments, {} bytes",
        page.systems.len(),
        page.segments,
        text.len()
    )?;
    if text.len() > LARGE && !json && !matches.get_flag("compress") {
        writeln!(out, "--compress, --sample or --no-texts make it smaller")?;
    }
    Ok(())
}

/// Refuses a file that is there, unless it is a report or may be written over.
fn require_place(place: &str, overwrite: bool) -> Result<(), Failure> {
    if overwrite || place == STANDARD_OUTPUT || !Path::new(place).exists() {
        return Ok(());
    }
    let mut head = Vec::new();
    let read = std::fs::File::open(place).and_then(|file| file.take(4096).read_to_end(&mut head));
    read.map_err(|error| Failure::Message(format!("{place}: {error}")))?;
    let head = String::from_utf8_lossy(&head);
    if head.contains(page::GENERATOR) || head.starts_with(&format!("{{\"format\":\"{}\"", page::FORMAT)) {
        return Ok(());
    }
    Err(Failure::Message(format!("{place} is there already and is no report; --overwrite writes over it")))
}
