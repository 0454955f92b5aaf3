//! Implements `bleuprint show`: prints scores from stored statistics, under any settings for which the
//! statistics suffice.

use bleuprint::eval::evaluation::metrics_of;
use bleuprint::eval::store::StoredStatistics;
use bleuprint_requests::request::MetricChoice;
use bleuprint_requests::warn;
use clap::ArgAction;

use crate::shared::command::*;
use crate::shared::metrics::{self, metric_options};
use crate::shared::output::{self, OutputRequest, SystemScores, printing, write_systems};

pub(crate) struct ShowCommand {
    files: Vec<String>,
    options: MetricChoice,
    output: OutputRequest,
}

impl Subcommand for ShowCommand {
    const NAME: &'static str = "show";
    const SHORT_HELP: &'static [&'static str] = &["metrics", "format", "score-only", "width"];
    const EXAMPLES: &'static str = "\
        \x20 bleuprint show hyp.jsonl\n\
        \x20 bleuprint show hyp.jsonl -m bleu:smooth-method=floor,max-order=2";

    fn define(command: Command, families: &Families) -> Command {
        let command = command
            .about("Print the scores of stored statistics, under any settings that the statistics support")
            .arg(args::statistics())
            .arg(
                option("metrics", "METRIC:OPTION=VALUE").short('m').action(ArgAction::Append).help(
                    "The metric to print, with options in place of the stored ones, as in bleu:smooth-method=floor [default: all, as stored]",
                ),
            )
            .next_help_heading(args::OUTPUT)
            .arg(output::format())
            .args(printing());
        metric_options(command, families.registry())
    }

    fn request(matches: &ArgMatches, families: &Families) -> Result<Self> {
        Ok(ShowCommand {
            files: matches.texts("files"),
            options: metrics::choice(matches, families.registry()),
            output: OutputRequest::new(matches, false),
        })
    }

    fn run(self, program: &CommandContext<'_>, out: &mut Out) -> Result<()> {
        let options = self.options.of_stored(program.registry)?;
        let mut systems: Vec<SystemScores> = Vec::new();
        for file in &self.files {
            let statistics = StoredStatistics::read(file)?;
            let named = |error| Failure::Message(format!("{file}: {error}"));
            let metrics = metrics_of(program.registry, &statistics.header).map_err(named)?;
            let states = statistics.open(&metrics).map_err(named)?;
            // States are opened with the stored metrics, and finished with the changed options.
            let finishers = options.finishers(program.registry, &statistics.header).map_err(named)?;
            statistics.header.left_out.iter().for_each(|left_out| warn::note(&left_out.to_string()));
            let scores = finishers.iter().map(|one| states[one.place].score(&one.metric));
            let scores = scores.collect::<Result<Vec<_>, bleuprint::InputError>>().map_err(named)?;
            systems.push((statistics.header.system, scores));
        }
        write_systems(&systems, &self.output, out)
    }
}
