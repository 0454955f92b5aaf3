//! A command: a definition, a request and a run. Also the names that the files of all commands need.

use std::io::Write;

pub(crate) use bleuprint::contract::counted;
pub(crate) use bleuprint::text::Families;
pub(crate) use bleuprint::{Registry, Tokenizers};
pub(crate) use bleuprint_inputs::failure::{Failure, Result, fail};
pub(crate) use clap::{Arg, ArgMatches, Command};

pub(crate) use crate::shared::args::{self, ArgumentValues as _, flag, option};

pub(crate) type Out = dyn Write + Send;

/// Everything that a command may ask of its program.
pub(crate) struct CommandContext<'r> {
    pub(crate) families: &'r Families,
    pub(crate) registry: &'r Registry,
    pub(crate) tokenizers: &'r Tokenizers,
    /// All commands, for man pages and completions.
    pub(crate) command_line: &'r dyn Fn() -> Command,
}

/// A command. The type is its request: plain data, read from the arguments once.
pub(crate) trait Subcommand: Sized {
    const NAME: &'static str;

    /// Options that `-h` shows next to files and required ones; all of them if empty.
    const SHORT_HELP: &'static [&'static str] = &[];

    /// Command lines for the help.
    const EXAMPLES: &'static str = "";

    fn define(command: Command, families: &Families) -> Command;

    fn request(matches: &ArgMatches, families: &Families) -> Result<Self>;

    fn run(self, program: &CommandContext<'_>, out: &mut Out) -> Result<()>;
}
