//! Implements `bleuprint man`: writes the manual page, derived from the command-line definition.

use clap_mangen::Man as Page;

use crate::shared::command::*;

pub(crate) struct Man;

impl Subcommand for Man {
    const NAME: &'static str = "man";

    fn define(command: Command, _: &Families) -> Command {
        command.about("Write the manual page, with one section for every command")
    }

    fn request(_: &ArgMatches, _: &Families) -> Result<Self> {
        Ok(Man)
    }

    fn run(self, program: &CommandContext<'_>, out: &mut Out) -> Result<()> {
        let mut command_line = (program.command_line)();
        // Building adds the options that commands inherit, and the `help` command, which the page leaves out.
        command_line.build();
        Page::new(command_line.clone()).render(out)?;
        for command in command_line.get_subcommands().filter(|command| command.get_name() != "help") {
            let name = format!("bleuprint {}", command.get_name());
            Page::new(command.clone().display_name(name)).render(out)?;
        }
        Ok(())
    }
}
