//! Implements `bleuprint report`: writes an HTML report that compares several systems, or the report's data
//! as JSON.

use bleuprint::eval::store::AtomicFile;
use bleuprint::inference::ResamplePlan;
use bleuprint::inference::in_threads;
use bleuprint::page::{PageRequest, page_of};
use bleuprint::report::page::{self, PageData, SIGNIFICANT};
use bleuprint_requests::data::Reading;
use bleuprint_requests::resampling::{Seed, resamples_of_pairs};
use bleuprint_track::Time;

use crate::shared::command::*;
use crate::shared::counting::{self, CountingSource, counting, stats_files, with_unit};
use crate::shared::places::{self, Holds, NumberPlace};

/// Size of an HTML report, in bytes, above which the command suggests smaller formats, because large files
/// are slow to send and to open.
const LARGE: usize = 20_000_000;

pub(crate) struct ReportCommand {
    source: CountingSource,
    reading: Reading,
    headline: Vec<String>,
    page: PageRequest,
    /// Number of bootstrap resamples; `None` for a default that grows with the number of systems.
    resamples: Option<usize>,
    seed: u128,
    threads: Option<usize>,
    place: String,
    overwrite: bool,
    json: bool,
    compress: bool,
}

impl Subcommand for ReportCommand {
    const NAME: &'static str = "report";
    const SHORT_HELP: &'static [&'static str] =
        &["input", "metrics", "tokenize", "lowercase", "output", "title", "label", "by"];
    const EXAMPLES: &'static str = "\
        \x20 bleuprint report ref.txt -i baseline.txt new.txt -m bleu chrf -o report.html";

    fn define(command: Command, families: &Families) -> Command {
        let number = |name| args::number(name, 1..=1_000_000);
        let about = "Write one HTML page that shows and compares systems and works offline";
        let [output, overwrite] = args::place();
        counting(command.about(about), families)
            .arg(output.help("The page to write; `-` is standard output"))
            .arg(overwrite.help("Replace an existing file even if it is not a report"))
            .arg(
                option("title", "TEXT")
                    .help("The title of the page [default: systems, data and date of the newest file]"),
            )
            .arg(args::label().help_heading(args::INPUT))
            .arg(args::weights().conflicts_with("stats").help_heading(args::INPUT))
            .arg(args::by().help("The labels to show as groups, or `length` [default: all labels]"))
            .arg(stats_files())
            .args([args::headline(), args::unit()].map(|arg| arg.help_heading(args::STATISTICS)))
            .arg(
                number("sample")
                    .help("The number of segments whose texts are kept, those with the largest shares"),
            )
            .arg(flag("no-texts").conflicts_with("sample").help("Leave out all texts and keep only scores"))
            .arg(
                flag("compress").help(
                    "Compress the data in the page, which is then smaller but cannot be searched by grep",
                ),
            )
            .arg(
                number("resamples")
                    .help("Resamples for intervals and tests [default: 1000, or 80 for each pair of systems]")
                    .help_heading(args::STATISTICS),
            )
            .arg(
                args::format()
                    .value_parser(["html", "json"])
                    .default_value("html")
                    .help("The form of the output: the page, or only its data"),
            )
    }

    fn request(matches: &ArgMatches, families: &Families) -> Result<Self> {
        let json = matches.is_json();
        let compress = matches.get_flag("compress");
        if json && compress {
            fail!("--compress needs the page: leave out --format json");
        }
        let mut source = counting::source(matches, families)?;
        if let CountingSource::Text(counting) = &mut source {
            counting.shows_source = true;
        }
        Ok(ReportCommand {
            source,
            reading: with_unit(
                matches,
                Reading {
                    labels: matches.texts("label"),
                    length: true,
                    weights: matches.text("segment-weights"),
                    ..Reading::default()
                },
            ),
            headline: matches.texts("headline"),
            page: PageRequest {
                title: matches.texts("title").concat(),
                by: matches.texts("by"),
                sample: matches.count("sample"),
                texts: !matches.get_flag("no-texts"),
                ..PageRequest::default()
            },
            resamples: matches.count("resamples"),
            seed: Seed::from_environment()?.value,
            threads: matches.count("threads"),
            place: matches.texts("output").concat(),
            overwrite: matches.get_flag("overwrite"),
            json,
            compress,
        })
    }

    fn run(self, program: &CommandContext<'_>, out: &mut Out) -> Result<()> {
        let inputs = [self.source.files(program.registry), self.reading.files()].concat();
        places::check(&[place(&self.place)], &inputs, self.overwrite)?;
        let of_data = data_of(&self.source, &inputs);
        let titled = !self.page.title.is_empty();
        let data = self.source.open(&self.reading, program.families)?;
        let mut page = in_threads(self.threads, || {
            let run = data.counted()?.headlined(&self.headline)?;
            let count = resamples_of_pairs(
                self.resamples,
                ResamplePlan::RESAMPLES,
                run.systems().len(),
                SIGNIFICANT,
            )?;
            let plan = Some(ResamplePlan { seed: self.seed, count });
            Ok::<PageData, Failure>(page_of(&run, &PageRequest { plan, ..self.page })?)
        })??;
        if !titled {
            page.title = format!("{}{of_data}", systems_of(&page.systems));
        }
        let text = match (self.json, self.compress) {
            (true, _) => page::json(&page) + "\n",
            (false, true) => page::compressed_html(&page),
            (false, false) => page::html(&page),
        };
        places::write_text(&self.place, &text, out)?;
        if AtomicFile::is_standard_output(&self.place) {
            return Ok(());
        }
        let PageData { systems, segments, .. } = &page;
        let systems = systems.len();
        let bytes = text.len();
        let systems = counted(systems, "system");
        let segments = counted(segments, "segment");
        writeln!(out, "{}: {systems}, {segments}, {bytes} bytes", self.place)?;
        if bytes > LARGE && !self.json && !self.compress {
            writeln!(out, "use --compress, --sample or --no-texts to make the page smaller")?;
        }
        Ok(())
    }
}

/// Returns the names of the systems for a title, or their number if there are many.
fn systems_of(systems: &[String]) -> String {
    match systems {
        [one] => one.clone(),
        [one, other] => format!("{one} and {other}"),
        [one, other, third] => format!("{one}, {other} and {third}"),
        more => counted(more.len(), "system"),
    }
}

/// Returns the data for a title, as in ` on ref.txt, 2026-11-20`: the file of the references, and the date of the
/// newest file in UTC.
fn data_of(source: &CountingSource, inputs: &[String]) -> String {
    let name = match source {
        CountingSource::Text(counting) => {
            let sources = &counting.sources;
            let file = sources.records.as_ref().or(sources.streams.references.first());
            let harness = || Some(format!("logs of {}", sources.numbers.harness?.name()));
            let base = |file: &String| file.rsplit(['/', '\\']).next().unwrap_or(file).to_owned();
            file.filter(|file| *file != "-").map(base).or_else(harness)
        }
        CountingSource::Stored { .. } => None,
    };
    let changed = |file: &String| std::fs::metadata(file).ok()?.modified().ok();
    let newest = inputs.iter().filter_map(changed).max();
    let since = newest.and_then(|time| time.duration_since(std::time::UNIX_EPOCH).ok());
    let date = since.and_then(|since| i64::try_from(since.as_nanos()).ok()).map(|since| Time(since).date());
    let parts = [name.map(|name| format!(" on {name}")), date.map(|date| format!(", {date}"))];
    parts.into_iter().flatten().collect()
}

/// Returns the description of `file`, the output file of the command `report`, for the check before it is
/// overwritten. If the file is an older report, it may be overwritten without the option `--overwrite`.
fn place(file: &str) -> NumberPlace<'_> {
    NumberPlace { option: "-o", file, holds: Holds::Made { what: "report", begins: page::is_report } }
}
