//! The command line as a library: every command and option, for the metrics and tokenizers that it is given.
//!
//! A program with more metrics or tokenizers is one that adds their entries; they then have every command and option
//! that those of bleuprint have, and the options of a metric are said with it, as in `-m my_metric:option=value`:
//!
//! ```no_run
//! use bleuprint::{AnyMetric, ConfigError, MetricEntry, Tokenizers, text::TokenizerEntry};
//!
//! const METRIC: MetricEntry =
//!     MetricEntry::new("my_metric", "What it measures", |_| AnyMetric::over_ids(bleuprint::metrics::Gleu::default()));
//! const TOKENIZER: TokenizerEntry =
//!     TokenizerEntry::new("my_tokens", "What they are", |request| request.tokenizers.build("none", request.options));
//!
//! fn main() -> std::process::ExitCode {
//!     let (mut metrics, mut tokenizers) = (bleuprint::registry(), Tokenizers::default());
//!     match metrics.add(METRIC).and_then(|()| tokenizers.add(TOKENIZER)) {
//!         Ok(()) => bleuprint_cli::main(metrics, tokenizers),
//!         Err(error) => bleuprint_cli::refuse(&error),
//!     }
//! }
//! ```
//!
//! The library knows no metric and no tokenizer by name; its options come from the registries.

mod commands {
    pub(crate) mod align;
    pub(crate) mod cite;
    pub(crate) mod compare;
    pub(crate) mod completions;
    pub(crate) mod dialects;
    pub(crate) mod explain;
    pub(crate) mod gate;
    pub(crate) mod list;
    pub(crate) mod man;
    pub(crate) mod mbr;
    pub(crate) mod merge;
    pub(crate) mod meta;
    pub(crate) mod normalize;
    pub(crate) mod report;
    pub(crate) mod resegment;
    pub(crate) mod score;
    pub(crate) mod self_score;
    pub(crate) mod show;
    pub(crate) mod stats;
    pub(crate) mod subtract;
    pub(crate) mod tokenize;
    pub(crate) mod track;
    pub(crate) mod verify;
}

mod evaluation {
    pub(crate) mod corpus;
    pub(crate) mod data;
    pub(crate) mod numbers;
    pub(crate) mod records;
    pub(crate) mod resegmented;
    pub(crate) mod significance;
    pub(crate) mod stored;
    pub(crate) mod vectors;
}

mod shared {
    pub(crate) mod args;
    pub(crate) mod blame;
    pub(crate) mod command;
    pub(crate) mod counting;
    pub(crate) mod event;
    pub(crate) mod explanation;
    pub(crate) mod failure;
    pub(crate) mod input;
    pub(crate) mod metrics;
    pub(crate) mod numbers;
    pub(crate) mod output;
    pub(crate) mod places;
    pub(crate) mod pools;
    pub(crate) mod progress;
    pub(crate) mod recipe;
    pub(crate) mod resampling;
    pub(crate) mod scoring;
    pub(crate) mod sides;
    pub(crate) mod sources;
    pub(crate) mod standard_output;
    pub(crate) mod terminal;
    pub(crate) mod tokens;
    pub(crate) mod vectors;
    pub(crate) mod warn;
}

use std::ffi::OsString;
use std::io::{IsTerminal as _, Write as _};
use std::process::ExitCode;

use bleuprint::{ConfigError, Registry, Tokenizers};
use clap::{ArgMatches, Command};

use crate::shared::args::{SHORT_NAMES, refuse_values_of_flags};
use crate::shared::command::{Out, Program, Subcommand};
use crate::shared::failure::{Failure, Result, fail};
use crate::shared::metrics::refuse_options_of_metrics;
use crate::shared::terminal::Terminal;
use crate::shared::{standard_output, warn};

/// In the order of the help.
const COMMANDS: &[Entry] = &[
    entry::<commands::score::Score>(),
    entry::<commands::compare::Compare>(),
    entry::<commands::stats::Stats>(),
    entry::<commands::merge::Merge>(),
    entry::<commands::subtract::Subtract>(),
    entry::<commands::show::Show>(),
    entry::<commands::mbr::Mbr>(),
    entry::<commands::self_score::SelfScore>(),
    entry::<commands::align::Align>(),
    entry::<commands::report::Report>(),
    entry::<commands::gate::Gate>(),
    entry::<commands::meta::Meta>(),
    entry::<commands::normalize::Normalize>(),
    entry::<commands::track::Track>(),
    entry::<commands::tokenize::Tokenize>(),
    entry::<commands::resegment::Resegment>(),
    entry::<commands::explain::Explain>(),
    entry::<commands::verify::Verify>(),
    entry::<commands::dialects::Dialects>(),
    entry::<commands::list::List>(),
    entry::<commands::cite::Cite>(),
    entry::<commands::completions::Completions>(),
    entry::<commands::man::Man>(),
];

/// Runs the program with the arguments and streams of the process. Exit codes: 0 done; 1 for the answer no of `verify`,
/// for `explain --target` if nothing fits, for a failed gate and for a standing alarm; 2 wrong usage or data; 3 an
/// inconclusive gate or too little data for alarms.
pub fn main(metrics: Registry, tokenizers: Tokenizers) -> ExitCode {
    ExitCode::from(main_of(metrics, tokenizers, std::env::args_os()))
}

/// Runs the program as [`main()`] does, with the arguments given, of which the first is the name of the program. It is for
/// hosts whose own arguments are others, as an interpreter's are. Wrong usage and `--help` end the process.
pub fn main_of(metrics: Registry, tokenizers: Tokenizers, arguments: impl Iterator<Item = OsString>) -> u8 {
    if standard_output::was_closed() {
        warn::error("standard output is closed");
        return 2;
    }
    let stdout = std::io::stdout();
    let mut out: Box<Out> = match stdout.is_terminal() {
        true => Box::new(Terminal::new(std::io::BufWriter::new(stdout))),
        false => Box::new(std::io::BufWriter::new(stdout)),
    };
    let result = run(&metrics, &tokenizers, arguments, &mut *out);
    // Output before a verdict must be seen too.
    let flushed = out.flush();
    match result.and_then(|()| Ok(flushed?)) {
        Ok(()) | Err(Failure::OutputClosed) => 0,
        Err(Failure::Verdict(code)) => code,
        Err(Failure::Input(error)) => {
            warn::error(&error.to_string());
            2
        }
        Err(Failure::Message(message)) => {
            warn::error(&message);
            2
        }
    }
}

/// Prints the error as [`main()`] does, and returns its exit code.
pub fn refuse(error: &dyn std::error::Error) -> ExitCode {
    warn::error(&error.to_string());
    ExitCode::from(2)
}

struct Entry {
    name: &'static str,
    define: fn(Command, &Registry) -> Command,
    run: fn(&ArgMatches, &Program<'_>, &mut Out) -> Result<()>,
    short_help: &'static [&'static str],
    examples: &'static str,
}

const fn entry<C: Subcommand>() -> Entry {
    Entry {
        name: C::NAME,
        define: C::define,
        run: |matches, program, out| C::request(matches, program.registry)?.run(program, out),
        short_help: C::SHORT_HELP,
        examples: C::EXAMPLES,
    }
}

impl Entry {
    fn command(&self, registry: &Registry) -> Command {
        let command = (self.define)(Command::new(self.name), registry);
        match command.get_after_help() {
            None if !self.examples.is_empty() => command.after_help(format!("Examples:\n{}", self.examples)),
            _ => command,
        }
    }

    /// The help of `-h`.
    fn short(&self, command: Command) -> Command {
        if self.short_help.is_empty() {
            return command;
        }
        let command = command.mut_args(|arg| {
            let shown = arg.is_positional()
                || arg.is_required_set()
                || self.short_help.contains(&arg.get_id().as_str());
            if shown { arg.help_heading(None) } else { arg.hide(true) }
        });
        command.after_help(format!(
            "Examples:\n{}\n\n`bleuprint {} --help` shows all options, `bleuprint help METRIC` those of a metric.",
            self.examples, self.name
        ))
    }
}

fn run(
    registry: &Registry,
    tokenizers: &Tokenizers,
    arguments: impl Iterator<Item = OsString>,
    out: &mut Out,
) -> Result<()> {
    let arguments = help_of_metric(registry, expand_short_names(arguments))?;
    require_command(&arguments)?;
    // The options of all commands take longer to make than a small corpus takes to score.
    let asked = arguments.get(1).and_then(|asked| COMMANDS.iter().find(|entry| asked == entry.name));
    let commands = asked.map_or(COMMANDS, std::slice::from_ref);
    let mut program = command_line(registry, commands);
    if let Some((entry, command)) =
        asked.and_then(|entry| Some((entry, program.find_subcommand(entry.name)?)))
    {
        refuse_options_of_metrics(registry, command, &arguments[2..])?;
        refuse_values_of_flags(command, &arguments[2..])?;
        if arguments.iter().any(|argument| argument == "-h") {
            program = program.mut_subcommand(entry.name, |command| entry.short(command));
        }
    }
    // Wrong usage ends here, with exit code 2 and the valid values.
    let matches = program.get_matches_from(arguments);
    let Some((name, matches)) = matches.subcommand() else { fail!("no command") };
    let command_line = |registry: &Registry| command_line(registry, COMMANDS);
    let program = Program { registry, tokenizers, command_line };
    match commands.iter().find(|entry| entry.name == name) {
        Some(entry) => (entry.run)(matches, &program, out),
        None => fail!("no such command"),
    }
}

fn is_command(name: &str) -> bool {
    name == "help" || COMMANDS.iter().any(|entry| entry.name == name)
}

/// `help METRIC` is `list metrics METRIC`; `help COMMAND` stays.
fn help_of_metric(registry: &Registry, mut arguments: Vec<OsString>) -> Result<Vec<OsString>> {
    let [_, help, name] = &arguments[..] else { return Ok(arguments) };
    let name = name.to_string_lossy().into_owned();
    if help != "help" || is_command(&name) || name.starts_with('-') {
        return Ok(arguments);
    }
    if bleuprint::metrics::expand(&name).into_iter().any(|metric| registry.parse(metric).is_err()) {
        let known = COMMANDS.iter().map(|entry| entry.name);
        let known = known.chain(registry.entries().iter().flat_map(|entry| entry.names()));
        let known = known.chain(["coco"]);
        return Err(ConfigError::unknown_name("command or metric", &name, known).into());
    }
    arguments.splice(1..2, ["list", "metrics"].map(OsString::from));
    Ok(arguments)
}

/// Refuses sacreBLEU's command line, which names no command, with the right one.
fn require_command(arguments: &[OsString]) -> Result<()> {
    let given: Vec<_> = arguments.iter().skip(1).map(|argument| argument.to_string_lossy()).collect();
    let word = |name: &str| name.chars().all(|letter| letter.is_ascii_lowercase() || letter == '-');
    if let Some(first) = given.first().filter(|first| !first.starts_with('-') && !is_command(first))
        && word(first)
        && !std::path::Path::new(&**first).exists()
    {
        let known = COMMANDS.iter().map(|entry| entry.name).chain(["help"]);
        return Err(ConfigError::unknown_name("command", first, known).into());
    }
    let scores = given.iter().any(|argument| ["-i", "--input", "-t", "--test-set"].contains(&&**argument))
        || given.first().is_some_and(|first| std::path::Path::new(&**first).is_file());
    if !scores || given.iter().any(|argument| is_command(argument)) {
        return Ok(());
    }
    fail!("the name of the command is missing: bleuprint score {}", given.join(" "))
}

fn command_line(registry: &Registry, commands: &[Entry]) -> Command {
    Command::new("bleuprint")
        .version(env!("CARGO_PKG_VERSION"))
        .about("Exact, mergeable metrics for generated text")
        .subcommand_required(true)
        .arg_required_else_help(true)
        .after_help("`bleuprint COMMAND -h` shows what most people want of a command, `--help` everything, and `bleuprint help METRIC` the options of a metric.")
        .infer_long_args(true)
        .subcommands(commands.iter().map(|entry| entry.command(registry)))
}

/// Short names of several letters become long ones; arguments behind a bare `--` stay.
fn expand_short_names(arguments: impl Iterator<Item = OsString>) -> Vec<OsString> {
    let mut options = true;
    let expand = |argument: OsString| {
        let Some(text) = argument.to_str().filter(|_| options) else { return argument };
        options = text != "--";
        let long = SHORT_NAMES.iter().find(|(short, _)| *short == text).map(|(_, long)| (*long).into());
        long.unwrap_or(argument)
    };
    arguments.map(expand).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_command_is_built() {
        command_line(&bleuprint::registry(), COMMANDS).debug_assert();
    }

    #[test]
    fn examples_of_the_help_are_command_lines() {
        let registry = bleuprint::registry();
        for entry in COMMANDS {
            assert_eq!(entry.examples.is_empty(), entry.short_help.is_empty(), "{}", entry.name);
            for example in entry.examples.lines() {
                let words = example.split_whitespace().map(OsString::from);
                let matches =
                    command_line(&registry, COMMANDS).try_get_matches_from(expand_short_names(words));
                let matches = matches.unwrap_or_else(|error| panic!("{example}: {error}"));
                assert_eq!(matches.subcommand_name(), Some(entry.name), "{example}");
            }
        }
    }

    #[test]
    fn short_help_fits_a_screen() {
        let registry = bleuprint::registry();
        for entry in COMMANDS.iter().filter(|entry| !entry.short_help.is_empty()) {
            let help = entry.short(entry.command(&registry)).render_help().to_string();
            assert!(help.lines().count() <= 40, "{help}");
            for name in entry.short_help {
                assert!(help.contains(&format!("--{name}")), "{name}: {help}");
            }
        }
    }
}
