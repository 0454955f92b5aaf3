//! A command: a definition, a request and a run. The module also exports the names that the files of all
//! commands need.

use std::io::Write;

pub(crate) use bleuprint::contract::counted;
pub(crate) use bleuprint::text::Families;
pub(crate) use bleuprint::{Registry, Tokenizers};
pub(crate) use bleuprint_inputs::failure::{Failure, Result, fail};
pub(crate) use clap::{Arg, ArgMatches, Command};

pub(crate) use crate::shared::args::{self, ArgumentValues as _, flag, option};

pub(crate) type Out = dyn Write + Send;

/// Parts of the program that a command can use.
pub(crate) struct CommandContext<'r> {
    pub(crate) families: &'r Families,
    pub(crate) registry: &'r Registry,
    pub(crate) tokenizers: &'r Tokenizers,
    /// Builds the command line with all commands, for man pages and completions.
    pub(crate) command_line: &'r dyn Fn() -> Command,
}

/// Command of the program. The implementing type is its request: plain data, read once from the arguments.
pub(crate) trait Subcommand: Sized {
    const NAME: &'static str;

    /// Options that `-h` shows besides files and required options; if empty, `-h` shows all options.
    const SHORT_HELP: &'static [&'static str] = &[];

    /// Example command lines, printed at the end of the help.
    const EXAMPLES: &'static str = "";

    fn define(command: Command, families: &Families) -> Command;

    fn request(matches: &ArgMatches, families: &Families) -> Result<Self>;

    fn run(self, program: &CommandContext<'_>, out: &mut Out) -> Result<()>;
}
