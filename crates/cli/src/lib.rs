//! The command line as a library: every command and option, for the metrics of a registry.
//!
//! A program with metrics of its own is one that adds their entries; they then have every command and option that the
//! metrics of bleuprint have, and their own options beside them:
//!
//! ```no_run
//! use bleuprint::{MetricEntry, OverIds};
//!
//! fn main() -> std::process::ExitCode {
//!     let mut registry = bleuprint::registry();
//!     # let build = |_: &bleuprint::MetricOptions| -> Result<Box<dyn bleuprint::AnyMetric>, bleuprint::ConfigError> {
//!     #     Ok(Box::new(OverIds::new(bleuprint::ExactMatch)))
//!     # };
//!     const ENTRY: MetricEntry = MetricEntry::new("my_metric", "What it measures", |_| {
//!         Ok(Box::new(OverIds::new(bleuprint::ExactMatch)))
//!     });
//!     if let Err(error) = registry.add(ENTRY) {
//!         return bleuprint_cli::refuse(&error);
//!     }
//!     bleuprint_cli::main(registry)
//! }
//! ```
//!
//! The library knows no metric and no tokenizer by name; its options come from the registries.

#[path = "shared/args.rs"]
mod args;
#[path = "shared/blame.rs"]
mod blame;
#[path = "shared/metrics.rs"]
mod chosen;
#[path = "commands/dialects.rs"]
mod dialects;
mod evaluation {
    #[path = "../commands/score/by.rs"]
    pub(crate) mod by;
    #[path = "../commands/score/mod.rs"]
    pub(crate) mod commands;
    #[path = "comparison.rs"]
    pub(crate) mod compare;
    pub(crate) mod corpus;
    pub(crate) mod counted;
    #[path = "../shared/resampling.rs"]
    pub(crate) mod options;
    #[path = "../commands/show.rs"]
    pub(crate) mod show;
    #[path = "stored.rs"]
    pub(crate) mod stats;
    #[path = "../commands/score/tests.rs"]
    pub(crate) mod tests;
    #[path = "../commands/score/testset.rs"]
    pub(crate) mod testset;
}
#[path = "shared/explanation.rs"]
mod explain;
#[path = "commands/gate/mod.rs"]
mod gate;
#[path = "shared/input.rs"]
mod input;
#[path = "commands/list.rs"]
mod list;
#[path = "shared/output.rs"]
mod output;
#[path = "shared/pools.rs"]
mod pools;
#[path = "shared/progress.rs"]
mod progress;
#[path = "shared/recipe.rs"]
mod recipe;
#[path = "commands/report/mod.rs"]
mod report;
#[path = "shared/counting.rs"]
mod request;
#[path = "shared/scoring.rs"]
mod score;
#[path = "commands/completions.rs"]
mod shell;
#[path = "commands/tokenize.rs"]
mod tokenize;
#[path = "commands/verify.rs"]
mod verify;
#[path = "shared/warn.rs"]
mod warn;

use std::ffi::OsString;
use std::io::Write;
use std::process::ExitCode;

use bleuprint::{ConfigError, InputError, Registry};

/// What ends the program early.
#[derive(Debug)]
enum Failure {
    /// The usage, the configuration or the data is wrong: exit code 2.
    Message(String),
    /// The data is wrong: exit code 2.
    Input(InputError),
    /// Nobody reads our output any more: not an error of ours.
    OutputClosed,
    /// A verdict whose exit code this is; everything was written.
    Verdict(u8),
}

impl From<ConfigError> for Failure {
    fn from(error: ConfigError) -> Self {
        Failure::Message(error.to_string())
    }
}

impl From<InputError> for Failure {
    fn from(error: InputError) -> Self {
        Failure::Input(error)
    }
}

impl Failure {
    /// The failure, told at its place in the input where that is known.
    fn located(self, place: impl FnOnce(InputError) -> InputError) -> Self {
        match self {
            Failure::Input(error) => Failure::Input(place(error)),
            other => other,
        }
    }
}

impl From<std::io::Error> for Failure {
    fn from(error: std::io::Error) -> Self {
        match error.kind() {
            std::io::ErrorKind::BrokenPipe => Failure::OutputClosed,
            _ => Failure::Message(format!("cannot write the output: {error}")),
        }
    }
}

/// The program: reads the arguments of the process, writes to its streams. Exit codes: 0 done, 1 for the answer no of
/// `verify` and a failed gate, 2 wrong usage or data, 3 for a gate that cannot tell.
pub fn main(registry: Registry) -> ExitCode {
    let mut out = std::io::BufWriter::new(std::io::stdout());
    let result = run(&registry, std::env::args_os(), &mut out);
    // What was said before a verdict is to be seen too.
    let flushed = out.flush();
    match result.and_then(|()| Ok(flushed?)) {
        Ok(()) | Err(Failure::OutputClosed) => ExitCode::SUCCESS,
        Err(Failure::Verdict(code)) => ExitCode::from(code),
        Err(Failure::Input(error)) => refuse(&error),
        Err(Failure::Message(message)) => {
            warn::error(&message);
            ExitCode::from(2)
        }
    }
}

/// Says why the program cannot run, as [`main()`] does, and gives its exit code.
pub fn refuse(error: &dyn std::error::Error) -> ExitCode {
    warn::error(&error.to_string());
    ExitCode::from(2)
}

fn run(
    registry: &Registry,
    arguments: impl Iterator<Item = OsString>,
    out: &mut (impl Write + Send),
) -> Result<(), Failure> {
    args::check(registry)?;
    let arguments = args::expand_short_names(registry, arguments);
    // Wrong usage ends here, with exit code 2 and the valid values.
    let matches = args::command(registry, &arguments).get_matches_from(arguments);
    match matches.subcommand() {
        Some(("score", matches)) => evaluation::commands::run_score(registry, matches, out),
        Some((name @ ("compare" | "stats" | "merge" | "subtract" | "show"), matches)) => {
            evaluation::commands::run(registry, name, matches, out)
        }
        Some(("mbr", matches)) => pools::mbr::run(registry, matches, out),
        Some(("self", matches)) => pools::self_score::run(registry, matches, out),
        Some(("report", matches)) => report::run(registry, matches, out),
        Some(("gate", matches)) => gate::run(registry, matches, out),
        Some(("tokenize", matches)) => tokenize::run(&request::TokenizeRequest::new(matches)?, out),
        Some(("explain", matches)) => explain::run(matches, out),
        Some(("verify", matches)) => verify::run(registry, matches, out),
        Some(("dialects", matches)) => dialects::catalogue(matches, out),
        Some(("list", matches)) => list::run(registry, matches, out),
        Some(("completions", matches)) => shell::run_completions(registry, matches, out),
        Some(("man", _)) => shell::run_man(registry, out),
        _ => Err(Failure::Message("no such command".to_owned())),
    }
}
