//! [`Subcommand`]: the trait of the program's commands. The module also re-exports the names that all command
//! files need.

use std::io::Write;

pub(crate) use bleuprint::contract::counted;
pub(crate) use bleuprint::text::Families;
pub(crate) use bleuprint::{Registry, Tokenizers};
pub(crate) use bleuprint_requests::failure::{Failure, Result, fail};
pub(crate) use clap::{Arg, ArgMatches, Command};

pub(crate) use crate::shared::args::{self, ArgumentValues as _, flag, option};

pub(crate) type Out = dyn Write + Send;

/// Data of the running program that a command may need, such as the metric registry.
pub(crate) struct CommandContext<'r> {
    pub(crate) families: &'r Families,
    pub(crate) registry: &'r Registry,
    pub(crate) tokenizers: &'r Tokenizers,
    /// Function that builds the full command-line definition, for manual pages and shell completions.
    pub(crate) command_line: &'r dyn Fn() -> Command,
}

/// Command of the program, such as `score`. A value of the implementing type is one request: the parsed
/// arguments as plain data.
pub(crate) trait Subcommand: Sized {
    const NAME: &'static str;

    /// Names of the options that the short help `-h` shows besides files and required options. If empty, `-h`
    /// shows all options.
    const SHORT_HELP: &'static [&'static str] = &[];

    /// Example command lines, printed at the end of the command's help.
    const EXAMPLES: &'static str = "";

    fn define(command: Command, families: &Families) -> Command;

    fn request(matches: &ArgMatches, families: &Families) -> Result<Self>;

    fn run(self, program: &CommandContext<'_>, out: &mut Out) -> Result<()>;
}
