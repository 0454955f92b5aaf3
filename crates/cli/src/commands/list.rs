//! `bleuprint list`: the names that can be chosen, a line each.

use crate::shared::command::*;

/// Which names are listed.
pub(crate) enum List {
    Metrics,
    Tokenizers,
}

impl Subcommand for List {
    const NAME: &'static str = "list";

    fn define(command: Command, _: &Registry) -> Command {
        let what = Arg::new("what").required(true).value_parser(["metrics", "tokenizers"]);
        command.about("List what can be chosen by name").arg(what.help("Which names"))
    }

    fn request(matches: &ArgMatches, _: &Registry) -> Result<Self> {
        let tokenizers = matches.text("what").is_some_and(|what| what == "tokenizers");
        Ok(if tokenizers { List::Tokenizers } else { List::Metrics })
    }

    fn run(self, program: &Program<'_>, out: &mut Out) -> Result<()> {
        match self {
            List::Tokenizers => {
                for entry in program.tokenizers.entries() {
                    let lacking = match entry.missing_feature {
                        Some(feature) => format!(" (not in this build, which lacks the feature `{feature}`)"),
                        None => String::new(),
                    };
                    writeln!(out, "{:<14} {} [{}]{lacking}", entry.name, entry.summary, entry.agrees_with)?;
                }
            }
            List::Metrics => {
                for entry in program.registry.entries() {
                    let (name, summary) = (entry.name, entry.summary);
                    writeln!(out, "{name:<14} {summary} [{}; {}]", entry.paper, entry.agrees_with)?;
                    for preset in entry.presets {
                        let options =
                            preset.options.iter().map(|(option, value)| format!("{option}={value}"));
                        let options = options.collect::<Vec<_>>().join(",");
                        writeln!(out, "  {:<12} {} [{name}:{options}]", preset.name, preset.summary)?;
                    }
                }
            }
        }
        Ok(())
    }
}
