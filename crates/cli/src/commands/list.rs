//! Implements `bleuprint list`: prints the names that options accept, one per line, and describes metrics and
//! metric families.

use bleuprint::{
    AnyMetric, CiteForm, ConfigError, Metric as _, MetricEntry, Scale,
    contract::{Direction, MetricOptions, OptionKind, OptionSpec, Preset, ViewKind},
    report,
    text::Family,
};
use serde_json::{Value, json};

use crate::shared::catalogue::{Catalogue, write_described, write_options, write_wrapped};
use crate::shared::command::*;
use crate::shared::{metrics, numbers, readers, tokens, vectors};

pub(crate) enum ListCommand {
    Metrics { names: Vec<String>, json: bool },
    Tokenizers,
    Normalizers,
    Families { names: Vec<String> },
}

/// The lists that the command prints.
const LISTS: [&str; 4] = ["metrics", "tokenizers", "normalizers", "families"];

impl Subcommand for ListCommand {
    const NAME: &'static str = "list";

    fn define(command: Command, _: &Families) -> Command {
        let what = Arg::new("what").value_parser(LISTS);
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
            // clap would name the argument alone, and not its values.
            None => fail!("name the list: {}, as in `bleuprint list metrics`", LISTS.join(", ")),
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
                let table = Catalogue::begin("tokenizer", out)?;
                for entry in program.tokenizers.entries() {
                    let about = format!("{}{}", entry.summary, lacking(entry.missing_feature));
                    table.row(entry.name, &about, entry.agrees_with, out)?;
                }
            }
            ListCommand::Normalizers => {
                let table = Catalogue::begin("normalizer", out)?;
                for entry in program.tokenizers.normalizers.entries() {
                    let known =
                        entry.aliases.iter().map(|alias| format!(", also {alias}")).collect::<String>();
                    table.row(entry.name, &format!("{}{known}", entry.summary), entry.agrees_with, out)?;
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
                let entries = named(program.registry, &names)?;
                for (place, entry) in entries.iter().enumerate() {
                    if place > 0 {
                        writeln!(out)?;
                    }
                    write_metric(entry, out)?;
                    write_options_of(entry, program, out)?;
                }
                write_places_of_pages(&entries, program.families, out)?;
            }
            ListCommand::Metrics { json: false, .. } => write_metrics(program, out)?,
        }
        Ok(())
    }
}

/// Writes how to print the pages of the families that have these metrics.
fn write_places_of_pages(entries: &[&MetricEntry], families: &Families, out: &mut Out) -> Result<()> {
    let has = |family: &&Family| {
        let own = |metric: &MetricEntry| entries.iter().any(|entry| entry.name == metric.name);
        !family.pages.is_empty() && family.metrics.iter().any(own)
    };
    let names: Vec<&str> = families.list().iter().filter(has).map(|family| family.name).collect();
    if names.is_empty() {
        return Ok(());
    }
    writeln!(out)?;
    let line = format!("`bleuprint list families {}` prints pages with traps and examples.", names.join(" "));
    write_wrapped(0, &line, out)
}

/// Writes all metrics as a table, with the families as headings.
fn write_metrics(program: &CommandContext<'_>, out: &mut Out) -> Result<()> {
    let table = Catalogue::begin("metric", out)?;
    let families = program.families;
    let built = |family: &Family| family.composites.map(|over| over(families)).unwrap_or_default();
    // Metrics over other metrics have no static entry.
    let over: Vec<(&str, Vec<MetricEntry>)> =
        families.list().iter().map(|family| (family.name, built(family))).collect();
    let family_of = |entry: &MetricEntry| {
        let own = |family: &&Family| {
            let over = over.iter().filter(|(name, _)| *name == family.name).flat_map(|(_, entries)| entries);
            family.metrics.iter().chain(over).any(|known| known.name == entry.name)
        };
        families.list().iter().find(own).map(|family| family.name)
    };
    let headings = families.list().iter().map(|family| (Some(family.name), family.summary));
    let headings = std::iter::once((None, "Words, characters and numbers")).chain(headings);
    for (family, heading) in headings {
        let mut entries =
            program.registry.entries().iter().filter(|entry| family_of(entry) == family).peekable();
        if entries.peek().is_some() {
            writeln!(out, "\n{heading}:")?;
        }
        for entry in entries {
            table.row(&entry.name, &entry.summary, entry.agrees_with, out)?;
            for preset in entry.presets {
                table.row(&format!("  {}", preset.name), preset.summary, "", out)?;
            }
        }
    }
    writeln!(out, "\nSets of metrics:")?;
    for set in program.registry.sets() {
        // `help METRIC` has the options of the members.
        let mut members: Vec<&str> =
            set.metrics.iter().map(|name| name.split(':').next().unwrap_or(name)).collect();
        members.dedup();
        let about = format!("{}: {}", set.summary, members.join(" "));
        table.row(set.name, &about, "", out)?;
    }
    writeln!(out)?;
    write_wrapped(
        0,
        "`bleuprint help METRIC` shows options and papers, `bleuprint cite METRIC` has BibTeX.",
        out,
    )
}

/// Writes the options of commands that this metric needs and most other metrics do not.
fn write_options_of(entry: &MetricEntry, program: &CommandContext<'_>, out: &mut Out) -> Result<()> {
    // A metric that needs a file, such as a model, cannot be built here.
    let Ok(metric) = entry.build(&entry.example_options()) else { return Ok(()) };
    let data = metric.first_pass().map_or(&metric, |first| first);
    let kind = data.view.kind;
    let mut options = metrics::options_of(program.registry, entry);
    options.extend(readers::options_of(program.families, data));
    if matches!(kind, ViewKind::Numbers | ViewKind::Own) {
        options.extend(numbers::options());
    }
    if kind == ViewKind::Vectors {
        options.extend(vectors::options());
    }
    if metric.first_pass().is_some() {
        options.extend([args::learned(), args::save_learned()]);
    }
    if matches!(kind, ViewKind::Ids | ViewKind::Tokens) && data.view.parted.is_none() {
        options.extend(tokens::id_options());
    }
    if options.is_empty() {
        return Ok(());
    }
    writeln!(out, "\nOptions of `score`, `compare` and other commands for this metric:")?;
    write_options(&options, out)
}

/// Returns the names of a family's metrics, groups of metrics, tokenizers, normalizers and file readers,
/// separated by spaces.
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
    let mut presets = Vec::with_capacity(entry.presets.len());
    for preset in entry.presets {
        let options = preset.options.iter().map(|(option, value)| format!("{option}={value}"));
        let options = options.collect::<Vec<_>>().join(",");
        presets.push((preset.name.to_owned(), format!("{} [{}:{options}]", preset.summary, entry.name)));
    }
    write_described(&presets, out)
}

fn write_metric(entry: &MetricEntry, out: &mut Out) -> Result<()> {
    write_wrapped(0, &format!("{}: {}", entry.name, entry.summary), out)?;
    if !entry.aliases.is_empty() {
        write_wrapped(2, &format!("also named {}", entry.aliases.join(", ")), out)?;
    }
    write_wrapped(2, &format!("agrees with {}", entry.agrees_with), out)?;
    entry.papers.iter().try_for_each(|paper| write_wrapped(2, &CiteForm::Short.write(paper), out))?;
    write_presets(entry, out)?;
    let options: Vec<_> = entry.options.iter().map(|spec| (shown(entry, spec), spec)).collect();
    if !options.is_empty() {
        writeln!(out, "\nOptions, as in -m {}:", example(entry))?;
    }
    let mut described = Vec::with_capacity(options.len());
    for (name, spec) in options {
        let limits = [spec.limits()].into_iter().filter(|limits| !limits.is_empty());
        let limits = limits.map(|limits| format!(" ({limits})")).collect::<String>();
        let default = match spec.kind {
            // Lists are written with slashes after a metric, since commas separate options.
            OptionKind::Numbers => MetricOptions::written(&spec.default.to_string()),
            _ => spec.default.to_string(),
        };
        let default = if default.is_empty() { default } else { format!(" [default: {default}]") };
        described.push((name, format!("{}{limits}{default}", spec.help)));
    }
    write_described(&described, out)?;
    let built = entry.build(&entry.example_options());
    if let Ok(metric) = &built {
        write_data(metric, out)?;
    }
    if !entry.example.is_empty() {
        writeln!(out, "\nA record of a file of data, as an example:")?;
        write_wrapped(2, entry.example, out)?;
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
    writeln!(out)?;
    write_wrapped(0, &format!("It takes {data}; {references}{source} for each segment."), out)?;
    let fields = metric.view.form.map(|form| form.fields).unwrap_or_default();
    let described = fields.iter().filter(|(_, sentence)| !sentence.is_empty());
    let described: Vec<(String, String)> =
        described.map(|(name, sentence)| (name.to_string(), sentence.to_string())).collect();
    write_described(&described, out)?;
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
    if !entry.needed_options.is_empty() {
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
        "example": entry.example,
        "example_metric": entry.example_options().named(&entry.name),
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
