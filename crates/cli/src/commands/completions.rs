//! Implements `bleuprint completions`: writes shell completions, derived from the command-line definition.

use clap::value_parser;
use clap_complete::Shell;

use crate::shared::command::*;

pub(crate) struct Completions {
    shell: Option<Shell>,
}

impl Subcommand for Completions {
    const NAME: &'static str = "completions";

    fn define(command: Command, _: &Families) -> Command {
        let shell = Arg::new("shell").required(true).value_parser(value_parser!(Shell));
        command.about("Write completions for a shell").arg(shell.help("The shell that reads the completions"))
    }

    fn request(matches: &ArgMatches, _: &Families) -> Result<Self> {
        Ok(Completions { shell: matches.get_one("shell").copied() })
    }

    fn run(self, program: &CommandContext<'_>, out: &mut Out) -> Result<()> {
        let Some(shell) = self.shell else { return Ok(()) };
        // The generator panics if it cannot write, so it writes into memory.
        let mut script = Vec::new();
        let mut command_line = (program.command_line)();
        clap_complete::generate(shell, &mut command_line, "bleuprint", &mut script);
        Ok(out.write_all(&script)?)
    }
}
