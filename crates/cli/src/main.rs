//! `bleuprint`, the program: scores files from the shell. It knows no metric and no tokenizer by name; its options
//! come from the registries.

mod args;
mod dialects;
mod explain;
mod input;
mod list;
mod panel;
mod score;
mod tokenize;
mod warn;

use std::ffi::OsString;
use std::io::Write;
use std::process::ExitCode;

use bleuprint::{ConfigError, InputError};

/// What ends the program early.
#[derive(Debug)]
enum Failure {
    /// The usage, the configuration or the data is wrong: exit code 2.
    Message(String),
    /// Nobody reads our output any more: not an error of ours.
    OutputClosed,
}

impl From<ConfigError> for Failure {
    fn from(error: ConfigError) -> Self {
        Failure::Message(error.to_string())
    }
}

impl From<InputError> for Failure {
    fn from(error: InputError) -> Self {
        Failure::Message(error.to_string())
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

fn main() -> ExitCode {
    let registry = bleuprint::registry();
    let arguments: Vec<OsString> = args::expand_short_names(&registry, std::env::args_os());
    // Wrong usage ends here, with exit code 2 and the valid values.
    let matches = args::command(&registry).get_matches_from(arguments);
    let mut out = std::io::BufWriter::new(std::io::stdout().lock());
    let result = match matches.subcommand() {
        Some(("score", matches)) => score::run(&registry, matches, &mut out),
        Some(("tokenize", matches)) => tokenize::run(matches, &mut out),
        Some(("explain", matches)) => explain::run(matches, &mut out),
        Some(("dialects", matches)) => dialects::catalogue(matches, &mut out),
        Some(("list", matches)) => list::run(&registry, matches, &mut out),
        _ => Err(Failure::Message("no such command".to_owned())),
    };
    match result.and_then(|()| Ok(out.flush()?)) {
        Ok(()) | Err(Failure::OutputClosed) => ExitCode::SUCCESS,
        Err(Failure::Message(message)) => {
            warn::error(&message);
            ExitCode::from(2)
        }
    }
}
