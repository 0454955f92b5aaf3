//! Implements `bleuprint stats`: writes a system's per-segment statistics to a file.

use bleuprint::eval::evaluation::Run;
use bleuprint::eval::store::StoredStatistics;
use bleuprint::inference::in_threads;
use bleuprint_requests::data::Reading;

use crate::shared::command::*;
use crate::shared::counting::{self, CountingRequest, counting, with_unit};
use crate::shared::event::{EventRequest, event_options};
use crate::shared::places::{self, write_text};
use crate::shared::stored::{place, said_of, save};

pub(crate) struct StatsCommand {
    counting: CountingRequest,
    reading: Reading,
    threads: Option<usize>,
    place: String,
    overwrite: bool,
    system: Option<String>,
    total: bool,
    table: bool,
    event: Option<EventRequest>,
}

impl Subcommand for StatsCommand {
    const NAME: &'static str = "stats";
    const SHORT_HELP: &'static [&'static str] =
        &["input", "metrics", "tokenize", "lowercase", "total", "label", "system", "output"];
    const EXAMPLES: &'static str = "\
        \x20 bleuprint stats ref.txt -i hyp.txt -m bleu chrf -o hyp.jsonl";

    fn define(command: Command, families: &Families) -> Command {
        let about = "Write the statistics of every segment of a system into a file";
        counting(command.about(about), families)
            .args(args::place())
            .arg(flag("total").help("Write only the total, without the segments"))
            .arg(option("format", "FORMAT").value_parser(["jsonl", "arrow"]).default_value("jsonl").help(
                "The form of the file: lines of JSON, or an Arrow table with a row for each segment, for data engines and notebooks",
            ))
            .arg(option("system", "NAME").help("The name of the system [default: its file]"))
            .args(event_options())
            .args([args::label(), args::unit()].map(|arg| arg.help_heading(args::INPUT)))
            .arg(args::learned().help_heading(args::METRICS))
    }

    fn request(matches: &ArgMatches, families: &Families) -> Result<Self> {
        let counting =
            CountingRequest { learned: matches.text("learned"), ..counting::request(matches, families)? };
        Ok(StatsCommand {
            counting,
            // Lengths are stored, so that groups by length need no text later.
            reading: with_unit(
                matches,
                Reading { labels: matches.texts("label"), length: true, ..Reading::default() },
            ),
            threads: matches.count("threads"),
            place: matches.texts("output").concat(),
            overwrite: matches.get_flag("overwrite"),
            system: matches.text("system"),
            total: matches.get_flag("total"),
            table: matches.text("format").as_deref() == Some("arrow"),
            event: EventRequest::new(matches)?,
        })
    }

    fn run(self, program: &CommandContext<'_>, out: &mut Out) -> Result<()> {
        if self.table && self.total {
            fail!(
                "--format arrow writes a row for each segment, but --total writes no segments: leave one of them out"
            );
        }
        if self.table && !cfg!(feature = "arrow") {
            fail!("--format arrow: this program was built without the feature `arrow`");
        }
        let inputs = [self.counting.files(program.registry), self.reading.files()].concat();
        places::check(&[place(&self.place)], &inputs, self.overwrite)?;
        let learned_apart = self.counting.learned.is_some();
        let data = self.counting.read(&self.reading, program.families)?;
        // Reading happens outside the pool of threads; only counting runs in it.
        in_threads(self.threads, || {
            let run = data.counted()?;
            let systems = run.systems().len();
            if systems != 1 {
                fail!("a file holds one system, but {systems} were given");
            }
            let mut statistics = run.statistics(0)?;
            if let Some(system) = self.system {
                statistics.header.system = system;
            }
            if self.total {
                statistics.header.each = false;
                // The total stays, so the file still merges and finishes.
                statistics.segments.clear();
            }
            let said =
                format!("{} of {}", counted(statistics.segment_count, "segment"), statistics.header.system);
            // An event replaces the file of statistics: it has the total alone.
            if let Some(event) = self.event {
                let lines = event_lines(&event, program.registry, learned_apart, &run, &statistics)?;
                write_text(&self.place, &lines, out)?;
                return said_of(&self.place, &said, out);
            }
            #[cfg(feature = "arrow")]
            if self.table {
                statistics.write_arrow(&self.place)?;
                return said_of(&self.place, &said, out);
            }
            save(&statistics, &self.place, &said, out)
        })?
    }
}

fn event_lines(
    event: &EventRequest,
    registry: &Registry,
    learned_apart: bool,
    run: &Run,
    statistics: &StoredStatistics,
) -> Result<String> {
    let totals = run.specs.iter().zip(run.metrics()).zip(&statistics.total);
    let total = |((spec, metric), total): ((_, _), &bleuprint::eval::store::StoredState)| {
        Ok((spec, total.open(metric)?, metric))
    };
    let totals = totals.map(total).collect::<Result<Vec<_>, bleuprint::InputError>>()?;
    event.lines(registry, (&statistics.header.system, run.unit()), learned_apart, totals.into_iter())
}
