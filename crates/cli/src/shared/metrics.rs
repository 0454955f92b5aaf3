//! From arguments to metrics: those of `--metrics`, with their options, over the tokens that were asked for.

use bleuprint::eval::Panel;
use bleuprint::eval::evaluation::Metrics;
use bleuprint::text::read::option_file;
use bleuprint::{
    ConfigError, Metric as _, MetricEntry, MetricOptions, MetricSpec, OptionKind, OptionSpec, Registry,
    TokenSpace, ViewKind,
};
use clap::builder::PossibleValuesParser;
use clap::{Arg, ArgAction, ArgMatches, Command};

use crate::shared::args::{Values as _, option};
use crate::shared::failure::{Result, fail};
use crate::shared::tokens::TokenChoice;

/// One metric, or several with `num_args`.
pub(crate) fn metrics() -> Arg {
    option("metrics", "METRIC").short('m').default_value("bleu")
}

/// What `--metrics` takes, for its help.
pub(crate) fn metric_names(registry: &Registry) -> String {
    let names = |entry: &MetricEntry| {
        [entry.name].into_iter().chain(entry.presets.iter().map(|preset| preset.name)).collect::<Vec<_>>()
    };
    let sets = registry.sets().iter().map(|set| set.name);
    registry.entries().iter().flat_map(names).chain(sets).collect::<Vec<_>>().join(", ")
}

/// Adds the options of all metrics.
pub(crate) fn metric_options(command: Command, registry: &Registry) -> Command {
    command.args(distinct_options(registry).into_iter().map(|spec| metric_option(registry, spec)))
}

/// The options of all metrics, each name once.
fn distinct_options(registry: &Registry) -> Vec<&'static OptionSpec> {
    let mut known: Vec<&'static OptionSpec> = Vec::new();
    for spec in registry.entries().iter().flat_map(|entry| entry.options) {
        if !known.iter().any(|other| other.name == spec.name) {
            known.push(spec);
        }
    }
    known
}

fn metric_option(registry: &Registry, spec: &'static OptionSpec) -> Arg {
    let metrics: Vec<_> =
        registry.entries().iter().filter(|entry| takes(entry, spec)).map(|entry| entry.name).collect();
    let short = if spec.short.len() > 1 { format!(" [short: -{}]", spec.short) } else { String::new() };
    let help = format!("{} ({}){short} [default: {}]", spec.help, metrics.join(", "), spec.default);
    let mut arg = Arg::new(spec.name).long(spec.name).help(help).help_heading("Options of metrics");
    if let (1, Some(letter)) = (spec.short.len(), spec.short.chars().next()) {
        arg = arg.short(letter);
    }
    match spec.kind {
        OptionKind::Choice(choices) => arg.value_parser(PossibleValuesParser::new(choices)),
        OptionKind::Flag => arg.action(ArgAction::SetTrue),
        OptionKind::Name => arg.value_name("NAME"),
        OptionKind::Path => arg.value_name("PATH"),
        _ => arg.allow_hyphen_values(true).value_name("VALUE"),
    }
}

fn takes(entry: &MetricEntry, spec: &OptionSpec) -> bool {
    entry.options.iter().any(|own| own.name == spec.name)
}

/// Options of metrics that were given, by name.
#[derive(Debug, Clone, Default)]
pub(crate) struct GivenOptions(Vec<(&'static str, String)>);

impl GivenOptions {
    /// What [`metric_options`] say.
    pub(crate) fn new(matches: &ArgMatches, registry: &Registry) -> Self {
        let given = |spec: &OptionSpec| match spec.kind {
            OptionKind::Flag => matches.get_flag(spec.name).then(|| "yes".to_owned()),
            _ => matches.text(spec.name),
        };
        let options = distinct_options(registry).into_iter();
        GivenOptions(options.filter_map(|spec| Some((spec.name, given(spec)?))).collect())
    }

    /// The value of an option, if it was given.
    pub(crate) fn get(&self, spec: &OptionSpec) -> Option<&str> {
        self.0.iter().find(|(name, _)| *name == spec.name).map(|(_, value)| value.as_str())
    }

    /// Refuses options of metrics that were not chosen: they would do nothing.
    pub(crate) fn refuse_foreign(&self, registry: &Registry, chosen: &[MetricSpec]) -> Result<()> {
        let taken = |spec: &OptionSpec| {
            chosen.iter().any(|one| registry.get(one.metric).is_ok_and(|entry| takes(entry, spec)))
        };
        for entry in registry.entries() {
            let foreign = |spec: &&OptionSpec| self.get(spec).is_some() && !taken(spec);
            if let Some(spec) = entry.options.iter().find(foreign) {
                fail!(
                    "--{} is an option of {}, but only {} was asked for",
                    spec.name,
                    entry.name,
                    chosen.iter().map(|spec| spec.metric).collect::<Vec<_>>().join(", ")
                );
            }
        }
        Ok(())
    }
}

/// The metrics that were asked for.
#[derive(Debug, Clone, Default)]
pub(crate) struct MetricChoice {
    pub(crate) names: Vec<String>,
    pub(crate) options: GivenOptions,
    /// In the order in which they were given, as sacreBLEU has them in paired tests; else by name.
    pub(crate) as_given: bool,
    /// With the defaults of single sentences.
    pub(crate) sentence_level: bool,
}

impl MetricChoice {
    /// What [`metrics`] and [`metric_options`] say.
    pub(crate) fn new(matches: &ArgMatches, registry: &Registry) -> Self {
        MetricChoice {
            names: matches.texts("metrics"),
            options: GivenOptions::new(matches, registry),
            ..MetricChoice::default()
        }
    }

    /// The metrics, each once, in order; with the options of the command line, but what stands behind a name is nearer.
    pub(crate) fn specs(&self, registry: &Registry) -> Result<Vec<MetricSpec>, ConfigError> {
        let mut specs: Vec<MetricSpec> = Vec::new();
        for name in self.names.iter().flat_map(|name| registry.expand(name)) {
            let spec = registry.parse(name).map_err(|error| joined(registry, name).unwrap_or(error))?;
            if !specs.contains(&spec) {
                specs.push(spec);
            }
        }
        if !self.as_given {
            specs.sort_by_key(|spec| spec.metric);
        }
        for spec in &mut specs {
            spec.options = self.options_of(registry.get(spec.metric)?, spec);
        }
        Ok(specs)
    }

    /// The files that options name.
    pub(crate) fn files(&self, registry: &Registry) -> Vec<String> {
        let specs: Vec<MetricSpec> = self
            .names
            .iter()
            .flat_map(|name| registry.expand(name))
            .filter_map(|name| registry.parse(name).ok())
            .collect();
        let is_path = |option: &&OptionSpec| matches!(option.kind, OptionKind::Path);
        let given = |option: &OptionSpec| {
            let own = specs.iter().filter_map(|spec| spec.options.get(option.name));
            own.chain(self.options.get(option)).map(str::to_owned).collect::<Vec<_>>()
        };
        distinct_options(registry).into_iter().filter(is_path).flat_map(given).collect()
    }

    /// The metrics over tokens, and those over numbers.
    pub(crate) fn metrics(
        &self,
        registry: &Registry,
        specs: &[MetricSpec],
        tokens: &TokenChoice,
    ) -> Result<Metrics> {
        self.options.refuse_foreign(registry, specs)?;
        let metric = |spec: &MetricSpec| {
            let built = registry.get(spec.metric)?.build(&spec.options)?;
            if tokens.is_ids() && built.view().kind == ViewKind::Text {
                fail!("{} looks at text, but the segments are ids", built.identity().name());
            }
            Ok(built)
        };
        let built = specs.iter().map(metric).collect::<Result<Vec<_>>>()?;
        Ok(Metrics::new(built.into_iter().zip(specs), &tokens.chosen()?)?)
    }

    fn options_of(&self, entry: &MetricEntry, spec: &MetricSpec) -> MetricOptions {
        let mut options = MetricOptions::new();
        options.set_files(option_file);
        for option in entry.options {
            match spec.options.get(option.name).or_else(|| self.options.get(option)) {
                Some(value) => options.set(option.name, value),
                None => {
                    if let Some(default) = option.sentence_default.filter(|_| self.sentence_level) {
                        options.set_default(option.name, default);
                    }
                }
            }
        }
        options
    }
}

/// The error for metrics that are joined by commas, as in `bleu,chrf`.
fn joined(registry: &Registry, name: &str) -> Option<ConfigError> {
    let names: Vec<&str> = name.split(',').map(str::trim).collect();
    let all = names.len() > 1 && names.iter().all(|name| registry.parse(name).is_ok());
    let command = || format!("-m {name} names one metric; several stand apart: -m {}", names.join(" "));
    all.then(|| ConfigError::Conflict(command()))
}

/// The tokenizers that a panel's metrics look through, by the labels of their signatures.
pub(crate) fn tokenizers(panel: &Panel) -> Vec<String> {
    let mut labels: Vec<String> = Vec::new();
    for space in panel.state_key().token_spaces().filter(|space: &&TokenSpace| !space.is_text()) {
        if !labels.iter().any(|label| label == space.label()) {
            labels.push(space.label().to_owned());
        }
    }
    labels
}
