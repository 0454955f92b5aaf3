//! `bleuprint stats`: the statistics of every segment of a system, in a file.

use bleuprint::eval::in_threads;

use crate::evaluation::data::{Data, Reading};
use crate::evaluation::stored::{place, save};
use crate::shared::command::*;
use crate::shared::counting::{Counting, counting};
use crate::shared::places;

/// What is counted, what the file is called, and what it holds.
pub(crate) struct Stats {
    counting: Counting,
    reading: Reading,
    threads: Option<usize>,
    place: String,
    overwrite: bool,
    /// What to call the system.
    system: Option<String>,
    /// Only the total, no segments.
    total: bool,
}

impl Subcommand for Stats {
    const NAME: &'static str = "stats";

    fn define(command: Command, registry: &Registry) -> Command {
        let about = "Write the statistics of every segment of a system into a file";
        counting(command.about(about), registry)
            .args(args::place())
            .arg(flag("total").help("Only the total, without the segments"))
            .arg(option("system", "NAME").help("The name of the system [default: its file]"))
            .arg(args::label())
            .arg(args::learned())
    }

    fn request(matches: &ArgMatches, registry: &Registry) -> Result<Self> {
        let counting = Counting { learned: matches.text("learned"), ..Counting::new(matches, registry)? };
        Ok(Stats {
            counting,
            reading: Reading { labels: matches.texts("label"), length: true, paired: false },
            threads: matches.count("threads"),
            place: matches.texts("output").concat(),
            overwrite: matches.get_flag("overwrite"),
            system: matches.text("system"),
            total: matches.get_flag("total"),
        })
    }

    fn run(self, program: &Program<'_>, out: &mut Out) -> Result<()> {
        let inputs = [self.counting.files(program.registry), self.reading.files()].concat();
        places::check(&[place(&self.place)], &inputs, self.overwrite)?;
        let data = Data::read(self.counting.open(program)?, &self.reading)?;
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
                statistics.segments.clear();
            }
            let said = format!("{} segments of {}", statistics.segment_count, statistics.header.system);
            save(&statistics, &self.place, &said, out)
        })?
    }
}
