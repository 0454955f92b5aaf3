//! `bleuprint list`: the names that can be chosen, a line each.

use crate::shared::command::*;

/// Which names are listed.
pub(crate) enum List {
    Metrics,
    Tokenizers,
    Normalizers,
}

impl Subcommand for List {
    const NAME: &'static str = "list";

    fn define(command: Command, _: &Registry) -> Command {
        let what = Arg::new("what").required(true).value_parser(["metrics", "tokenizers", "normalizers"]);
        command.about("List what can be chosen by name").arg(what.help("Which names"))
    }

    fn request(matches: &ArgMatches, _: &Registry) -> Result<Self> {
        Ok(match matches.text("what").as_deref() {
            Some("tokenizers") => List::Tokenizers,
            Some("normalizers") => List::Normalizers,
            _ => List::Metrics,
        })
    }

    fn run(self, program: &Program<'_>, out: &mut Out) -> Result<()> {
        match self {
            List::Tokenizers => {
                for entry in program.tokenizers.entries() {
                    let lacking = lacking(entry.missing_feature);
                    writeln!(out, "{:<14} {} [{}]{lacking}", entry.name, entry.summary, entry.agrees_with)?;
                }
            }
            List::Normalizers => {
                for entry in program.tokenizers.normalizers().entries() {
                    let lacking = lacking(entry.missing_feature);
                    let name =
                        if entry.takes_file { format!("{}=FILE", entry.name) } else { entry.name.to_owned() };
                    let known =
                        entry.aliases.iter().map(|alias| format!(", also {alias}")).collect::<String>();
                    writeln!(out, "{name:<22} {}{known} [{}]{lacking}", entry.summary, entry.agrees_with)?;
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
                for set in program.registry.sets() {
                    writeln!(out, "{:<14} {} [{}]", set.name, set.summary, set.metrics.join(" "))?;
                }
            }
        }
        Ok(())
    }
}

fn lacking(feature: Option<&str>) -> String {
    let lacks = |feature| format!(" (not in this build, which lacks the feature `{feature}`)");
    feature.map(lacks).unwrap_or_default()
}
