//! `bleuprint list`: the names that can be chosen, a line each.

use bleuprint::{Direction, Metric as _, MetricEntry, OptionKind, OptionSpec, Preset, report};
use serde_json::{Value, json};

use crate::shared::command::*;

/// Which names are listed.
pub(crate) enum List {
    Metrics { json: bool },
    Tokenizers,
    Normalizers,
}

impl Subcommand for List {
    const NAME: &'static str = "list";

    fn define(command: Command, _: &Registry) -> Command {
        let what = Arg::new("what").required(true).value_parser(["metrics", "tokenizers", "normalizers"]);
        let format = args::format().help("The form of the output; metrics alone have JSON [default: text]");
        command.about("List what can be chosen by name").arg(what.help("Which names")).arg(format)
    }

    fn request(matches: &ArgMatches, _: &Registry) -> Result<Self> {
        let json = matches.is_json();
        Ok(match matches.text("what").as_deref() {
            Some(what) if json && what != "metrics" => fail!("{what} are listed as text only"),
            Some("tokenizers") => List::Tokenizers,
            Some("normalizers") => List::Normalizers,
            _ => List::Metrics { json },
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
            List::Metrics { json: true } => {
                let all = program.registry.entries().iter().map(described).collect::<Result<_>>()?;
                writeln!(out, "{}", report::pretty(&Value::Array(all), 1))?;
            }
            List::Metrics { json: false } => {
                for entry in program.registry.entries() {
                    let (name, summary) = (entry.name, entry.summary);
                    let papers = entry.papers.iter().map(|paper| paper.short() + "; ").collect::<String>();
                    writeln!(out, "{name:<14} {summary} [{papers}{}]", entry.agrees_with)?;
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

/// All that the registry knows of a metric.
fn described(entry: &MetricEntry) -> Result<Value> {
    let scale = entry.build(&entry.example_options())?.identity().scale();
    let range = [scale.min, scale.max].map(|limit| limit.is_finite().then_some(limit));
    let preset = |preset: &Preset| {
        let options: Vec<String> =
            preset.options.iter().map(|(name, value)| format!("{name}={value}")).collect();
        json!({ "name": preset.name, "options": options, "summary": preset.summary })
    };
    Ok(json!({
        "name": entry.name,
        "aliases": entry.aliases,
        "summary": entry.summary,
        "agrees_with": entry.agrees_with,
        "range": range,
        "higher_is_better": scale.direction == Direction::HigherIsBetter,
        "presets": entry.presets.iter().map(preset).collect::<Vec<_>>(),
        "options": entry.options.iter().map(option_described).collect::<Vec<_>>(),
        "papers": entry.papers.iter().map(|paper| paper.text()).collect::<Vec<_>>(),
        "bibtex": entry.papers.iter().map(|paper| paper.bibtex()).collect::<Vec<_>>(),
    }))
}

fn option_described(spec: &OptionSpec) -> Value {
    let values = match spec.kind {
        OptionKind::Choice(words) => words.join(", "),
        OptionKind::Flag => "a flag".to_owned(),
        OptionKind::Integer => "a whole number".to_owned(),
        OptionKind::Number => "a number".to_owned(),
        OptionKind::Numbers => "numbers".to_owned(),
        OptionKind::Path => "a file or folder".to_owned(),
        _ => "a name".to_owned(),
    };
    let default = spec.default.to_string();
    json!({ "name": spec.name, "short": spec.short, "values": values, "default": default, "help": spec.help })
}

fn lacking(feature: Option<&str>) -> String {
    let lacks = |feature| format!(" (not in this build, which lacks the feature `{feature}`)");
    feature.map(lacks).unwrap_or_default()
}
