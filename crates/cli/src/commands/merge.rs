//! Implements `bleuprint merge`: merges files of metric statistics into one file.

use crate::shared::command::*;
use crate::shared::places;
use crate::shared::stored::{combined, place, save};

pub(crate) struct MergeCommand {
    files: Vec<String>,
    /// Name of the system in the merged file, which replaces the names in the input files.
    system: Option<String>,
    duplicates: bool,
    place: String,
    overwrite: bool,
}

impl Subcommand for MergeCommand {
    const NAME: &'static str = "merge";

    fn define(command: Command, _: &Families) -> Command {
        let command = command.about("Merge files of statistics: shards of one corpus");
        command
            .arg(args::statistics())
            .args(args::place())
            .arg(
                option("system", "NAME")
                    .help("The name of the merged system; without it, all files must have the same system"),
            )
            .arg(flag("allow-duplicates").help("Count a segment again if an earlier file already has it"))
    }

    fn request(matches: &ArgMatches, _: &Families) -> Result<Self> {
        Ok(MergeCommand {
            files: matches.texts("files"),
            system: matches.text("system"),
            duplicates: matches.get_flag("allow-duplicates"),
            place: matches.texts("output").concat(),
            overwrite: matches.get_flag("overwrite"),
        })
    }

    fn run(self, program: &CommandContext<'_>, out: &mut Out) -> Result<()> {
        places::check(&[place(&self.place)], &self.files, self.overwrite)?;
        let merged =
            combined(program.registry, &self.files, self.system.as_deref(), |one, metrics, other| {
                one.merge(metrics, other, self.duplicates)
            })?;
        let said = [counted(merged.segment_count, "segment"), counted(self.files.len(), "file")].join(" of ");
        save(&merged, &self.place, &said, out)
    }
}
