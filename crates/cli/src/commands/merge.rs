//! `bleuprint merge`: files of statistics, made one.

use bleuprint::eval::store::StoredStatistics;

use crate::evaluation::stored::{combined, save};
use crate::shared::command::*;

/// The files, and the one that is written.
pub(crate) struct Merge {
    files: Vec<String>,
    place: String,
    overwrite: bool,
}

impl Subcommand for Merge {
    const NAME: &'static str = "merge";

    fn define(command: Command, _: &Registry) -> Command {
        let command = command.about("Merge files of statistics: shards of one corpus");
        command.arg(args::statistics()).args(args::place())
    }

    fn request(matches: &ArgMatches, _: &Registry) -> Result<Self> {
        Ok(Merge {
            files: matches.texts("files"),
            place: matches.texts("output").concat(),
            overwrite: matches.get_flag("overwrite"),
        })
    }

    fn run(self, program: &Program<'_>, out: &mut Out) -> Result<()> {
        let merged = combined(program.registry, &self.files, StoredStatistics::merge)?;
        save(&merged, &self.place, self.overwrite)?;
        let (place, segments) = (&self.place, merged.segment_count);
        Ok(writeln!(out, "{place}: {segments} segments of {} files", self.files.len())?)
    }
}
