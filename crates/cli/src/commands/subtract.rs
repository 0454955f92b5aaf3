//! Implements `bleuprint subtract`: removes segments from a file of metric statistics, namely all segments
//! that other files contain.

use bleuprint::eval::store::StoredStatistics;

use crate::shared::command::*;
use crate::shared::places;
use crate::shared::stored::{combined, place, save};

pub(crate) struct Subtract {
    files: Vec<String>,
    place: String,
    overwrite: bool,
}

impl Subcommand for Subtract {
    const NAME: &'static str = "subtract";

    fn define(command: Command, _: &Families) -> Command {
        let command = command.about("Remove the segments of other files of statistics from the first file");
        command.arg(args::statistics()).args(args::place())
    }

    fn request(matches: &ArgMatches, _: &Families) -> Result<Self> {
        Ok(Subtract {
            files: matches.texts("files"),
            place: matches.texts("output").concat(),
            overwrite: matches.get_flag("overwrite"),
        })
    }

    fn run(self, program: &CommandContext<'_>, out: &mut Out) -> Result<()> {
        places::check(&[place(&self.place)], &self.files, self.overwrite)?;
        let rest = combined(program.registry, &self.files, None, StoredStatistics::subtract)?;
        save(&rest, &self.place, &format!("{} left", counted(rest.segment_count, "segment is")), out)
    }
}
