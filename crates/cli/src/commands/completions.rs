//! `bleuprint completions` and `bleuprint man`: for shells and readers, from the definition of the command line itself.

use std::io::Write;

use bleuprint::Registry;
use clap::{Arg, ArgMatches, Command, value_parser};
use clap_complete::Shell;
use clap_mangen::Man;

use crate::{Failure, args};

pub(crate) fn completions() -> Command {
    Command::new("completions").about("Write completions for a shell").arg(
        Arg::new("shell").required(true).value_parser(value_parser!(Shell)).help("The shell they are for"),
    )
}

pub(crate) fn man() -> Command {
    Command::new("man").about("Write the manual page, with one section for every command")
}

pub(crate) fn run_completions(
    registry: &Registry,
    matches: &ArgMatches,
    out: &mut impl Write,
) -> Result<(), Failure> {
    let Some(shell) = matches.get_one::<Shell>("shell") else { return Ok(()) };
    let mut script = Vec::new();
    clap_complete::generate(*shell, &mut args::command(registry, &[]), "bleuprint", &mut script);
    Ok(out.write_all(&script)?)
}

pub(crate) fn run_man(registry: &Registry, out: &mut impl Write) -> Result<(), Failure> {
    let mut command = args::command(registry, &[]);
    command.build();
    Man::new(command.clone()).render(out)?;
    for own in command.get_subcommands().filter(|own| own.get_name() != "help") {
        let name = format!("bleuprint {}", own.get_name());
        Man::new(own.clone().display_name(name)).render(out)?;
    }
    Ok(())
}
