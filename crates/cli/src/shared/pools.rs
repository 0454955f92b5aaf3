//! Pools of texts that are scored against each other: the commands `mbr` and `self`, and their arguments.

#[path = "../commands/mbr/pools.rs"]
mod input;
#[path = "../commands/mbr/mod.rs"]
pub(crate) mod mbr;
#[path = "../commands/self_score.rs"]
pub(crate) mod self_score;

use bleuprint::eval::Panel;
use bleuprint::{ConfigError, Registry};
use clap::{Arg, ArgMatches, Command};

use crate::Failure;
use crate::args;
use crate::chosen::{self, TokenRequest};

/// `bleuprint mbr`.
pub(crate) fn mbr_command(registry: &Registry) -> Command {
    let command = Command::new("mbr")
        .about("Choose the candidates that agree most with each other: minimum Bayes risk")
        .arg(
            Arg::new("candidates")
                .value_name("FILE")
                .default_value("-")
                .help("Candidates, one a line, those of a source in a row; `-` is standard input"),
        )
        .args(mbr_options())
        .arg(metrics("The metric"))
        .arg(args::format_option());
    shared(command, registry)
}

fn mbr_options() -> Vec<Arg> {
    vec![
        number("num-candidates").help("Candidates of each source [default: all lines are of one]"),
        Arg::new("pseudo-references")
            .long("pseudo-references")
            .value_name("FILE")
            .help("What the candidates are scored against, one a line [default: the candidates]"),
        number("num-pseudo-references")
            .requires("pseudo-references")
            .help("Pseudo-references of each source [default: all lines are of one]"),
        Arg::new("pools")
            .long("pools")
            .value_name("FILE")
            .conflicts_with_all(["num-candidates", "pseudo-references", "pool-weights", "log-probabilities"])
            .help(
                "JSON Lines instead, an object for each source: `candidates`, and if wanted `references`, \
                     `weights` or `log_probabilities`, `id`",
            ),
        Arg::new("pool-weights")
            .long("reference-weights")
            .value_name("FILE")
            .conflicts_with("log-probabilities")
            .help("How much each pseudo-reference counts, a number a line [default: all the same]"),
        Arg::new("log-probabilities")
            .long("log-probabilities")
            .value_name("FILE")
            .help("The weights as natural logarithms, normalized or not, a number a line"),
        number("best").help("How many of the best, the best one first [default: 1]"),
        args::flag("aggregate")
            .conflicts_with_all(["pool-weights", "log-probabilities"])
            .help("Approximate: one reference that stands for all (bleu, chrf); the signature says so"),
    ]
}

/// `bleuprint self`.
pub(crate) fn self_command(registry: &Registry) -> Command {
    let command = Command::new("self")
        .about("Score samples, or reference streams, each against all the others: Self-BLEU, the human ceiling")
        .arg(Arg::new("files").value_name("FILE").num_args(1..).default_value("-").help(
            "One file: its lines against each other, and the mean; several: each file against the others, line by line",
        ))
        .args(self_options())
        .arg(metrics("What to compute").num_args(1..))
        .arg(args::format_option().value_parser(["json", "text", "latex"]))
        .args(args::printing());
    shared(command, registry)
}

fn self_options() -> Vec<Arg> {
    vec![
        number("num-samples").help("Of one file, samples of each source, in a row [default: all lines]"),
        args::flag("each").help("Of one file, the score of every sample instead of the mean"),
    ]
}

/// What these commands have besides what `score` has.
pub(crate) fn own_options() -> impl Iterator<Item = Arg> {
    mbr_options().into_iter().chain(self_options())
}

fn shared(command: Command, registry: &Registry) -> Command {
    let command = command.infer_long_args(true).args(args::text_options()).arg(args::threads_option());
    args::metric_options(command, registry)
}

fn metrics(help: &'static str) -> Arg {
    Arg::new("metrics").short('m').long("metrics").value_name("METRIC").default_value("bleu").help(help)
}

fn number(name: &'static str) -> Arg {
    Arg::new(name).long(name).value_name("N").value_parser(clap::value_parser!(u64).range(1..=1_000_000_000))
}

/// The number of an option, where it was given.
fn count(matches: &ArgMatches, name: &str) -> Option<usize> {
    matches.get_one::<u64>(name).and_then(|count| usize::try_from(*count).ok())
}

/// The metrics that were asked for, each of which must look at references and at nothing else besides.
fn panel(registry: &Registry, matches: &ArgMatches, sentence_level: bool) -> Result<Panel, Failure> {
    let tokens = TokenRequest::new(matches)?;
    let panel = chosen::panel(registry, matches, &tokens, sentence_level)?;
    if panel.needs_first_pass() {
        let message = "a metric that learns from all references first has no scores of single pairs";
        return Err(ConfigError::Conflict(message.to_owned()).into());
    }
    for metric in panel.metrics() {
        let identity = metric.identity();
        let lacks = match (identity.is_reference_free(), identity.is_source_needed()) {
            (true, _) => "looks at no references",
            (_, true) => "needs the source",
            _ => continue,
        };
        let message = format!("{} {lacks}: it cannot score texts against each other", identity.name());
        return Err(ConfigError::Conflict(message).into());
    }
    Ok(panel)
}
