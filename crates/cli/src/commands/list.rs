//! Implements `bleuprint list`: prints the names that options accept, one per line, and describes metrics and
//! metric families.

use bleuprint::{
    AnyMetric, CiteForm, ConfigError, Metric as _, MetricEntry, Scale,
    contract::{Direction, MetricOptions, OptionKind, OptionSpec, Preset, ViewKind},
    report,
    text::Family,
};
use serde_json::{Value, json};

use crate::shared::command::*;

pub(crate) enum ListCommand {
    Metrics { names: Vec<String>, json: bool },
    Tokenizers,
    Normalizers,
    Families { names: Vec<String> },
}

impl Subcommand for ListCommand {
    const NAME: &'static str = "list";

    fn define(command: Command, _: &Families) -> Command {
        let what = Arg::new("what").required(true).value_parser([
            "metrics",
            "tokenizers",
            "normalizers",
            "families",
        ]);
        let format =
            args::format().help("The form of the output; only metrics can be listed as JSON [default: text]");
        let names = Arg::new("names").value_name("NAME").num_args(0..);
        command
            .about("List metrics, tokenizers, normalizers or families, or describe the options of metrics")
            .arg(what.help("Which names"))
            .arg(names.help("Metrics to describe, with their options, defaults, limits and an example; or families whose pages to print"))
            .arg(format)
    }

    fn request(matches: &ArgMatches, _: &Families) -> Result<Self> {
        let json = matches.is_json();
        let names = matches.texts("names");
        Ok(match matches.text("what").as_deref() {
            Some(what) if json && what != "metrics" => {
                fail!("{what} are listed as text only: leave out --format json")
            }
            Some("families") => ListCommand::Families { names },
            Some(what) if !names.is_empty() && what != "metrics" => {
                fail!("{what} are listed all together: leave out the names")
            }
            Some("tokenizers") => ListCommand::Tokenizers,
            Some("normalizers") => ListCommand::Normalizers,
            _ => ListCommand::Metrics { names, json },
        })
    }

    fn run(self, program: &CommandContext<'_>, out: &mut Out) -> Result<()> {
        match self {
            ListCommand::Tokenizers => {
                for entry in program.tokenizers.entries() {
                    let lacking = lacking(entry.missing_feature);
                    writeln!(out, "{:<14} {} [{}]{lacking}", entry.name, entry.summary, entry.agrees_with)?;
                }
            }
            ListCommand::Normalizers => {
                for entry in program.tokenizers.normalizers.entries() {
                    let known =
                        entry.aliases.iter().map(|alias| format!(", also {alias}")).collect::<String>();
                    writeln!(out, "{:<22} {}{known} [{}]", entry.name, entry.summary, entry.agrees_with)?;
                }
            }
            ListCommand::Families { names } if names.is_empty() => {
                for family in program.families.list() {
                    writeln!(out, "{:<14} {} [{}]", family.name, family.summary, members(family))?;
                }
            }
            ListCommand::Families { names } => {
                for name in names {
                    let known = program.families.list().iter().map(|family| family.name);
                    let family = program.families.get(&name);
                    let family = family.ok_or_else(|| ConfigError::unknown_name("family", &name, known))?;
                    writeln!(out, "{}: {} [{}]", family.name, family.summary, members(family))?;
                    family.pages.iter().try_for_each(|page| writeln!(out, "\n{}", page.text.trim_end()))?;
                }
            }
            ListCommand::Metrics { names, json: true } => {
                let all = named(program.registry, &names)?.into_iter().map(described);
                writeln!(out, "{}", report::pretty(&Value::Array(all.collect::<Result<_>>()?), 1))?;
            }
            ListCommand::Metrics { names, json: false } if !names.is_empty() => {
                for (place, entry) in named(program.registry, &names)?.into_iter().enumerate() {
                    if place > 0 {
                        writeln!(out)?;
                    }
                    write_metric(entry, out)?;
                }
            }
            ListCommand::Metrics { json: false, .. } => {
                for entry in program.registry.entries() {
                    let name = &entry.name;
                    let summary = &entry.summary;
                    let papers = entry
                        .papers
                        .iter()
                        .map(|paper| CiteForm::Short.write(paper) + "; ")
                        .collect::<String>();
                    writeln!(out, "{name:<14} {summary} [{papers}{}]", entry.agrees_with)?;
                    write_presets(entry, out)?;
                }
                for set in program.registry.sets() {
                    writeln!(out, "{:<14} {} [{}]", set.name, set.summary, set.metrics.join(" "))?;
                }
            }
        }
        Ok(())
    }
}

/// Returns all names that a metric family defines, as text: from metrics to the options of its file readers.
fn members(family: &Family) -> String {
    let metrics =
        family.metrics.iter().map(|entry| &*entry.name).chain(family.sets.iter().map(|set| set.name));
    let tokens = family.tokenizers.iter().map(|entry| entry.name);
    let names = metrics.chain(tokens).chain(family.normalizers.iter().map(|entry| entry.name));
    let readers = family.readers.iter().map(|reader| format!("--{}", reader.name));
    names.map(str::to_owned).chain(readers).collect::<Vec<_>>().join(" ")
}

fn named<'r>(registry: &'r Registry, names: &[String]) -> Result<Vec<&'r MetricEntry>> {
    if names.is_empty() {
        return Ok(registry.entries().iter().collect());
    }
    let mut entries: Vec<&MetricEntry> = Vec::new();
    for name in names.iter().flat_map(|name| registry.expand(name)) {
        let entry = registry.get(name.split(':').next().unwrap_or(&name))?;
        if !entries.iter().any(|known| known.name == entry.name) {
            entries.push(entry);
        }
    }
    Ok(entries)
}

fn write_presets(entry: &MetricEntry, out: &mut Out) -> Result<()> {
    for preset in entry.presets {
        let options = preset.options.iter().map(|(option, value)| format!("{option}={value}"));
        let options = options.collect::<Vec<_>>().join(",");
        writeln!(out, "  {:<12} {} [{}:{options}]", preset.name, preset.summary, entry.name)?;
    }
    Ok(())
}

fn write_metric(entry: &MetricEntry, out: &mut Out) -> Result<()> {
    writeln!(out, "{}: {}", entry.name, entry.summary)?;
    if !entry.aliases.is_empty() {
        writeln!(out, "  also named {}", entry.aliases.join(", "))?;
    }
    writeln!(out, "  agrees with {}", entry.agrees_with)?;
    entry.papers.iter().try_for_each(|paper| writeln!(out, "  {}", CiteForm::Short.write(paper)))?;
    write_presets(entry, out)?;
    let options: Vec<_> = entry.options.iter().map(|spec| (shown(entry, spec), spec)).collect();
    let width = options.iter().map(|(name, _)| name.len()).max().unwrap_or(0);
    if !options.is_empty() {
        writeln!(out, "\nOptions, as in -m {}:", example(entry))?;
    }
    for (name, spec) in &options {
        let limits = [spec.limits()].into_iter().filter(|limits| !limits.is_empty());
        let limits = limits.map(|limits| format!(" ({limits})")).collect::<String>();
        let default = match spec.kind {
            // Lists are written with slashes after a metric, since commas separate options.
            OptionKind::Numbers => MetricOptions::written(&spec.default.to_string()),
            _ => spec.default.to_string(),
        };
        let default = if default.is_empty() { default } else { format!(" [default: {default}]") };
        writeln!(out, "  {name:<width$}  {}{limits}{default}", spec.help)?;
    }
    let built = entry.build(&entry.example_options());
    if let Ok(metric) = &built {
        write_data(metric, out)?;
    }
    if built.is_ok_and(|metric| metric.view.kind.is_beside_text()) {
        return Ok(());
    }
    Ok(writeln!(out, "\nEvery metric over text takes tokenize=NAME, lowercase and norm=NAME too.")?)
}

/// Writes which data a metric takes, and the range of its score.
fn write_data(metric: &AnyMetric, out: &mut Out) -> Result<()> {
    let identity = metric.identity();
    let needs = identity.needs();
    let references = match (needs.references, needs.one_reference) {
        (_, true) => "one reference",
        (true, false) => "one reference or more",
        (false, false) => "no references",
    };
    let source = if needs.source { ", and the source" } else { "" };
    let data = match metric.view.kind {
        ViewKind::Ids | ViewKind::Tokens => "tokens of text".to_owned(),
        _ => metric.view.to_string(),
    };
    writeln!(out, "\nIt takes {data}; {references}{source} for each segment.")?;
    let fields = metric.view.form.map(|form| form.fields).unwrap_or_default();
    let width = fields.iter().map(|(name, _)| name.len()).max().unwrap_or(0);
    for (name, sentence) in fields.iter().filter(|(_, sentence)| !sentence.is_empty()) {
        writeln!(out, "  {name:<width$}  {sentence}")?;
    }
    let Scale { min, max, direction, .. } = identity.scale();
    let range = match (min.is_finite(), max.is_finite()) {
        (true, true) => format!("from {min} to {max}"),
        (true, false) => format!("at least {min}"),
        (false, true) => format!("at most {max}"),
        (false, false) => "any number".to_owned(),
    };
    let better = if direction == Direction::HigherIsBetter { "higher" } else { "lower" };
    Ok(writeln!(out, "Its score is {range}; {better} is better.")?)
}

fn shown(entry: &MetricEntry, spec: &OptionSpec) -> String {
    let value = match spec.kind {
        OptionKind::Flag => return entry.own_name(spec).to_owned(),
        OptionKind::Choice(words) => words.join("|"),
        OptionKind::Numbers => "X/X/..".to_owned(),
        OptionKind::Integer => "N".to_owned(),
        OptionKind::Number => "X".to_owned(),
        OptionKind::Path => "PATH".to_owned(),
        _ => "NAME".to_owned(),
    };
    format!("{}={value}", entry.own_name(spec))
}

/// Returns an example of the metric's name with an option: the registered example, else the first option
/// whose value can be shown.
fn example(entry: &MetricEntry) -> String {
    if !entry.example.is_empty() {
        return entry.example_options().named(&entry.name);
    }
    // A word other than the default shows what the option changes.
    let value = |spec: &OptionSpec| match spec.kind {
        OptionKind::Choice(words) => {
            words.iter().find(|word| **word != spec.default.to_string()).map(|word| format!("={word}"))
        }
        OptionKind::Flag => Some(String::new()),
        OptionKind::Integer | OptionKind::Number => Some(spec.default.to_string())
            .filter(|value| value.parse::<f64>().is_ok())
            .map(|value| format!("={value}")),
        _ => None,
    };
    let option =
        entry.options.iter().find_map(|spec| Some(format!(":{}{}", entry.own_name(spec), value(spec)?)));
    format!("{}{}", entry.name, option.unwrap_or_default())
}

fn described(entry: &MetricEntry) -> Result<Value> {
    let scale = entry.build(&entry.example_options())?.identity().scale();
    // JSON has no infinity: an open end is `null`.
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
        "options": entry.options.iter().map(|spec| option_described(entry, spec)).collect::<Vec<_>>(),
        "papers": entry.papers.iter().map(|paper| CiteForm::Text.write(paper)).collect::<Vec<_>>(),
        "bibtex": entry.papers.iter().map(|paper| CiteForm::Bibtex.write(paper)).collect::<Vec<_>>(),
    }))
}

fn option_described(entry: &MetricEntry, spec: &OptionSpec) -> Value {
    let values = match spec.kind {
        OptionKind::Choice(words) => words.join(", "),
        OptionKind::Flag => "a flag".to_owned(),
        OptionKind::Integer => "a whole number".to_owned(),
        OptionKind::Number => "a number".to_owned(),
        OptionKind::Numbers => "numbers".to_owned(),
        OptionKind::Path => "a file or folder".to_owned(),
        _ => "a name".to_owned(),
    };
    json!({
        "name": spec.name,
        "own_name": entry.own_name(spec),
        "values": values,
        "limits": spec.limits(),
        "default": spec.default.to_string(),
        "help": spec.help,
    })
}

fn lacking(feature: Option<&str>) -> String {
    let lacks = |feature| format!(" (not in this build, which lacks the feature `{feature}`)");
    feature.map(lacks).unwrap_or_default()
}
