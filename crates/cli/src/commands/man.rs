//! Implements `bleuprint man`: writes manual pages, derived from the command-line definition.

use std::path::Path;

use clap_mangen::Man as Page;

use crate::shared::command::*;

pub(crate) struct Man {
    command: Option<String>,
    folder: Option<String>,
}

impl Subcommand for Man {
    const NAME: &'static str = "man";

    fn define(command: Command, _: &Families) -> Command {
        let name = Arg::new("name").value_name("COMMAND").conflicts_with("output");
        let folder = option("output", "FOLDER").short('o');
        command
            .about("Write the manual page of the program or of a command, or all pages into a folder")
            .arg(name.help("The command whose page to write [default: the page of the program]"))
            .arg(folder.help("The folder for all pages: bleuprint.1, bleuprint-score.1, .."))
    }

    fn request(matches: &ArgMatches, _: &Families) -> Result<Self> {
        Ok(Man { command: matches.text("name"), folder: matches.text("output") })
    }

    fn run(self, program: &CommandContext<'_>, out: &mut Out) -> Result<()> {
        let mut command_line = (program.command_line)();
        // Building adds the options that commands inherit, and the `help` command, which has no page.
        command_line.build();
        let root = command_line.clone().mut_subcommand("help", |help| help.hide(true));
        let commands = command_line.get_subcommands().filter(|command| command.get_name() != "help");
        // References between pages have a hyphen: `bleuprint-score(1)`.
        let pages = commands.map(|command| {
            let name = format!("bleuprint-{}", command.get_name());
            (name.clone(), args::shown(command.clone()).name(name))
        });
        let mut pages = std::iter::once(("bleuprint".to_owned(), root)).chain(pages);
        if let Some(folder) = self.folder {
            return pages.try_for_each(|(name, command)| {
                let mut page = Vec::new();
                Page::new(command).render(&mut page)?;
                let place = Path::new(&folder).join(format!("{name}.1"));
                std::fs::write(&place, page)
                    .map_err(|error| Failure::Message(format!("{}: {error}", place.display())))
            });
        }
        let wanted = self.command.as_ref().map_or("bleuprint".to_owned(), |name| format!("bleuprint-{name}"));
        match pages.find(|(name, _)| *name == wanted) {
            Some((_, command)) => Ok(Page::new(command).render(out)?),
            None => {
                let known = command_line.get_subcommands().map(Command::get_name);
                let name = self.command.unwrap_or_default();
                Err(bleuprint::ConfigError::unknown_name("command", &name, known).into())
            }
        }
    }
}
