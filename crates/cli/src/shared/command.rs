//! What a command is: a definition, a request and a run. With what the files of all commands need for these.

use std::io::Write;

pub(crate) use bleuprint::{Registry, Tokenizers};
pub(crate) use clap::{Arg, ArgMatches, Command};

pub(crate) use crate::shared::args::{self, Values as _, flag, option};
pub(crate) use crate::shared::failure::{Failure, Result, fail};

/// Where output goes.
pub(crate) type Out = dyn Write + Send;

/// The program that a command is part of.
pub(crate) struct Program<'r> {
    pub(crate) registry: &'r Registry,
    pub(crate) tokenizers: &'r Tokenizers,
    /// The definition of the whole command line.
    pub(crate) command_line: fn(&Registry) -> Command,
}

/// A command of the program. The type is its request: plain data, read from the arguments once.
pub(crate) trait Subcommand: Sized {
    /// What the command is called.
    const NAME: &'static str;

    /// The options that `-h` shows besides files and those that must be given; where there are none, it shows all.
    const SHORT_HELP: &'static [&'static str] = &[];

    /// Command lines, one a line, for the help.
    const EXAMPLES: &'static str = "";

    /// Adds its help and its arguments.
    fn define(command: Command, registry: &Registry) -> Command;

    /// Reads the arguments.
    fn request(matches: &ArgMatches, registry: &Registry) -> Result<Self>;

    /// Does what was asked for.
    fn run(self, program: &Program<'_>, out: &mut Out) -> Result<()>;
}
