//! Builds the metrics that `--metrics` names, with their options and the requested tokenizer.

use std::ffi::OsString;

use bleuprint::eval::evaluation::{Metrics, StoredOptions};
use bleuprint::eval::{Panel, Request};
use bleuprint::text::read::option_file;
use bleuprint::{
    AnyMetric, ConfigError, Metric as _, MetricEntry, Registry,
    contract::{MetricOptions, MetricSpec, OptionKind, OptionSpec, ViewKind},
};
use bleuprint_inputs::failure::{Result, fail};
use clap::builder::PossibleValuesParser;
use clap::parser::ValueSource;
use clap::{Arg, ArgAction, ArgMatches, Command};

use crate::shared::args::{ArgumentValues as _, SHORT_NAMES, of_metrics, option};
use crate::shared::tokens::TokenChoice;

/// Metric options that are also options of the commands, as in sacreBLEU. All other metric options are
/// written after the metric's name, as in `-m chrf:word-order=2`.
const OF_SACREBLEU: [&str; 12] = [
    "smooth-method",
    "smooth-value",
    "chrf-char-order",
    "chrf-word-order",
    "chrf-beta",
    "chrf-whitespace",
    "chrf-lowercase",
    "chrf-eps-smoothing",
    "ter-case-sensitive",
    "ter-asian-support",
    "ter-no-punct",
    "ter-normalized",
];

/// Metric of a command line without `-m`.
const DEFAULT: &str = "bleu";

pub(crate) fn metrics() -> Arg {
    option("metrics", "METRIC").short('m').default_value(DEFAULT).help(
        "The metrics to compute, with their options as in chrf:word-order=2; `bleuprint list metrics` lists the names, \
         `bleuprint help METRIC` the options of a metric",
    )
}

pub(crate) fn metric_options(command: Command, registry: &Registry) -> Command {
    let options = options_of_sacrebleu(registry).map(|(entry, spec)| of_metrics(metric_option(entry, spec)));
    command.args(options)
}

/// Returns the options of sacreBLEU's command line that a metric has here too.
pub(crate) fn options_of(registry: &Registry, entry: &MetricEntry) -> Vec<Arg> {
    let own = options_of_sacrebleu(registry).filter(|(of, _)| of.name == entry.name);
    own.map(|(entry, spec)| metric_option(entry, spec)).collect()
}

fn options_of_sacrebleu(registry: &Registry) -> impl Iterator<Item = (&MetricEntry, &'static OptionSpec)> {
    let all =
        || registry.entries().iter().flat_map(|entry| entry.options.iter().map(move |spec| (entry, spec)));
    OF_SACREBLEU.iter().filter_map(move |name| all().find(|(_, spec)| spec.name == *name))
}

fn metric_option(entry: &MetricEntry, spec: &'static OptionSpec) -> Arg {
    let short = SHORT_NAMES.iter().find(|(_, long)| long.strip_prefix("--") == Some(spec.name));
    let short = short.map(|(short, _)| format!(" [short: {short}]")).unwrap_or_default();
    let help = format!("{} ({}){short} [default: {}]", spec.help, entry.name, spec.default);
    let arg = Arg::new(spec.name).long(spec.name).help(help);
    match spec.kind {
        // Of these options only sacreBLEU's -s has a short name of one letter, the one that clap supports.
        OptionKind::Choice(choices) => arg.short('s').value_parser(PossibleValuesParser::new(choices)),
        OptionKind::Flag => arg.action(ArgAction::SetTrue),
        _ => arg.allow_hyphen_values(true).value_name("VALUE"),
    }
}

fn takes(entry: &MetricEntry, name: &str) -> bool {
    entry.options.iter().any(|own| own.name == name)
}

/// Returns an error for a metric option that is given as an option of the command, and shows how to write it
/// after `-m`.
pub(crate) fn refuse_options_of_metrics(
    registry: &Registry,
    command: &Command,
    arguments: &[OsString],
) -> Result<()> {
    let arguments: Vec<_> = arguments.iter().map(|argument| argument.to_string_lossy()).collect();
    // Arguments after a bare `--` are files, whatever they look like.
    let given = arguments.iter().take_while(|argument| *argument != "--").enumerate();
    for (place, argument) in given {
        let Some(argument) = argument.strip_prefix("--") else { continue };
        let (name, value) =
            argument.split_once('=').map_or((argument, None), |(name, value)| (name, Some(value)));
        if command.get_arguments().any(|own| own.get_long() == Some(name)) {
            continue;
        }
        let takes = |entry: &&MetricEntry| takes(entry, name);
        let head = |text: &str| text.split(':').next().and_then(|name| registry.get(name).ok());
        // Several metrics may have the option: a metric that the user named is the better suggestion.
        let asked = arguments.iter().filter_map(|argument| head(argument)).find(takes);
        let Some(entry) = asked.or_else(|| registry.entries().iter().find(takes)) else { continue };
        let spec = entry.option(name)?;
        let value = value.or(arguments.get(place + 1).map(|next| &**next)).unwrap_or("VALUE");
        let said = match spec.kind {
            OptionKind::Flag => String::new(),
            _ => format!("={}", MetricOptions::written(value)),
        };
        fail!("--{name} is written after its metric: -m {}:{}{said}", entry.name, entry.own_name(spec));
    }
    Ok(())
}

#[derive(Debug, Clone, Default)]
pub(crate) struct GivenArguments(Vec<(&'static str, String)>);

impl GivenArguments {
    fn new(matches: &ArgMatches, registry: &Registry) -> Self {
        let given = |spec: &OptionSpec| match spec.kind {
            OptionKind::Flag => matches.get_flag(spec.name).then(|| "yes".to_owned()),
            _ => matches.text(spec.name),
        };
        let options = options_of_sacrebleu(registry);
        GivenArguments(options.filter_map(|(_, spec)| Some((spec.name, given(spec)?))).collect())
    }

    fn get(&self, spec: &OptionSpec) -> Option<&str> {
        self.0.iter().find(|(name, _)| *name == spec.name).map(|(_, value)| value.as_str())
    }

    /// Returns an error for options of metrics that were not selected, because these options would have no
    /// effect.
    pub(crate) fn refuse_foreign(&self, registry: &Registry, chosen: &[MetricSpec]) -> Result<()> {
        let taken = |name: &str| {
            chosen.iter().any(|one| registry.get(&one.metric).is_ok_and(|entry| takes(entry, name)))
        };
        let mut foreign =
            options_of_sacrebleu(registry).filter(|(_, spec)| self.get(spec).is_some() && !taken(spec.name));
        match foreign.next() {
            None => Ok(()),
            Some((entry, spec)) => fail!(
                "--{} is an option of {}, but the chosen metrics are {}",
                spec.name,
                entry.name,
                chosen.iter().map(|spec| &*spec.metric).collect::<Vec<_>>().join(", ")
            ),
        }
    }
}

#[derive(Debug, Clone, Default)]
pub(crate) struct MetricChoice {
    pub(crate) names: Vec<String>,
    /// `true` if the user named the metrics; `false` if they are the default metrics.
    pub(crate) given: bool,
    pub(crate) options: GivenArguments,
    /// `true` to keep the metrics in the order given by the user, like sacreBLEU's paired tests; otherwise
    /// they are sorted by name.
    pub(crate) as_given: bool,
    /// `true` if single sentences are scored, for which some options have other defaults, such as BLEU's
    /// effective order.
    pub(crate) sentence_level: bool,
    /// `true` to use the metrics' variants for references with alternatives, such as `{ wanna / want to }`.
    pub(crate) alternatives: bool,
}

impl MetricChoice {
    pub(crate) fn new(matches: &ArgMatches, registry: &Registry) -> Self {
        MetricChoice {
            names: matches.texts("metrics"),
            given: matches.value_source("metrics") == Some(ValueSource::CommandLine),
            options: GivenArguments::new(matches, registry),
            ..MetricChoice::default()
        }
    }

    /// Returns `true` if the only metric is BLEU without options, the default of `-m`.
    pub(crate) fn is_default(&self) -> bool {
        self.names == [DEFAULT]
    }

    /// Returns the selected metrics with their options, each once. An option after the metric's name takes
    /// precedence over the command's option.
    pub(crate) fn specs(&self, registry: &Registry) -> Result<Vec<MetricSpec>, ConfigError> {
        let mut specs: Vec<MetricSpec> = Vec::new();
        for name in self.names.iter().flat_map(|name| registry.expand(name)) {
            let name = if self.alternatives { over_alternatives(registry, name)? } else { name };
            let spec = registry.parse(&name).map_err(|error| joined(registry, &name).unwrap_or(error))?;
            // The same metric may come from two sets of metrics.
            if !specs.contains(&spec) {
                specs.push(spec);
            }
        }
        if !self.as_given {
            // The sort is stable, so variants of one metric keep the user's order.
            specs.sort_by(|one, other| one.metric.cmp(&other.metric));
        }
        self.refuse_without_effect(registry, &specs)?;
        for spec in &mut specs {
            spec.options = self.options_of(registry.get(&spec.metric)?, spec);
        }
        Ok(specs)
    }

    /// Rejects a command-line option that has no effect, because every selected metric with this option
    /// already sets it, as `chrf++` sets the word order.
    fn refuse_without_effect(&self, registry: &Registry, specs: &[MetricSpec]) -> Result<(), ConfigError> {
        for (name, value) in &self.options.0 {
            let with = |spec: &&MetricSpec| registry.get(&spec.metric).is_ok_and(|entry| takes(entry, name));
            let mut own = specs.iter().filter(with).map(|spec| (spec, spec.options.given(name)));
            let Some((first, Some(set))) = own.next() else { continue };
            if own.all(|(_, set)| set.is_some()) {
                let metric = &first.metric;
                let message = format!(
                    "--{name} {value} has no effect: the name of the metric sets {name}={set} of {metric}, which precedes"
                );
                return Err(ConfigError::Conflict(message));
            }
        }
        Ok(())
    }

    pub(crate) fn files(&self, registry: &Registry) -> Vec<String> {
        let specs = self.names.iter().flat_map(|name| registry.expand(name));
        let specs = specs.filter_map(|name| registry.parse(&name).ok());
        specs.flat_map(|spec| paths(registry, &spec)).map(|(_, path)| path).collect()
    }

    /// Returns the metric that `-m` names if `--signature` is given too. Its options may only be files whose
    /// hashes are in the signature, because the signature determines all other options.
    pub(crate) fn beside_signature(&self, registry: &Registry) -> Result<Option<MetricSpec>> {
        if let Some((name, _)) = self.options.0.first() {
            fail!("--{name} is decided by --signature");
        }
        match &self.names[..] {
            _ if !self.given => Ok(None),
            [name] => {
                let spec = registry.parse(name)?;
                let paths = paths(registry, &spec);
                let tokens = [&spec.tokenizer, &spec.normalizer].iter().any(|given| given.is_some());
                if paths.is_empty()
                    // More options than paths: one of them is no file, and the signature decides it.
                    || paths.len() < spec.options.iter().count()
                    || tokens
                    || spec.lowercase.is_some()
                {
                    fail!(
                        "--metrics {name} is decided by --signature; next to it, -m METRIC:OPTION=FILE may only give a file whose \
                         hash is in the signature"
                    );
                }
                Ok(Some(spec))
            }
            names => fail!("--metrics {} is decided by --signature", names.join(" ")),
        }
    }

    /// Returns the options for metrics of stored statistics.
    ///
    /// # Errors
    /// Returns an error for an unknown metric or option.
    pub(crate) fn of_stored(&self, registry: &Registry) -> Result<StoredOptions> {
        let names = self.names.iter().filter(|_| self.given).flat_map(|name| registry.expand(name));
        let metrics = names.map(|name| registry.parse(&name)).collect::<Result<Vec<_>, _>>()?;
        let shared = self.options.0.iter().map(|(name, value)| ((*name).to_owned(), value.clone()));
        Ok(StoredOptions { metrics, shared: shared.collect() })
    }

    pub(crate) fn metrics(
        &self,
        registry: &Registry,
        specs: &[MetricSpec],
        tokens: &TokenChoice,
    ) -> Result<Metrics> {
        self.options.refuse_foreign(registry, specs)?;
        let request = Request { specs: specs.to_vec(), tokens: tokens.chosen()? };
        let metrics = request.build(registry)?;
        let of_text = |metric: &&AnyMetric| metric.view.kind == ViewKind::Text;
        if let (true, Some(metric)) = (tokens.is_ids(), metrics.panel.metrics().find(of_text)) {
            fail!("{} reads text, but the segments are ids", metric.identity().name());
        }
        Ok(metrics)
    }

    fn options_of(&self, entry: &MetricEntry, spec: &MetricSpec) -> MetricOptions {
        let mut options = MetricOptions::default();
        options.set_files(option_file);
        for option in entry.options {
            // The order of precedence: after the metric's name, option of the command, default for sentences.
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

fn paths(registry: &Registry, spec: &MetricSpec) -> Vec<(&'static str, String)> {
    let options = registry.get(&spec.metric).map(|entry| entry.options).unwrap_or_default();
    let paths = options.iter().filter(|option| matches!(option.kind, OptionKind::Path));
    paths.filter_map(|path| Some((path.name, spec.options.get(path.name)?.to_owned()))).collect()
}

/// Returns the name of a metric's variant for references with alternatives. If the metric has the option
/// `optional`, it reads alternatives itself, so its own name is returned.
fn over_alternatives(registry: &Registry, name: String) -> Result<String, ConfigError> {
    // Presets with this prefix are the variants of metrics for references with alternatives.
    const PREFIX: &str = "alternatives_";
    let named = format!("{PREFIX}{name}");
    if registry.parse(&named).is_ok() {
        return Ok(named);
    }
    let entry = registry.get(&registry.parse(&name)?.metric)?;
    if entry.options.iter().any(|option| entry.own_name(option) == "optional") {
        return Ok(name);
    }
    let presets = registry.entries().iter().flat_map(|entry| entry.presets);
    let known: Vec<&str> = presets.filter_map(|preset| preset.name.strip_prefix(PREFIX)).collect();
    Err(ConfigError::Conflict(format!(
        "--references alternatives: {} takes braces for words; those that do not are {}",
        entry.name,
        known.join(", ")
    )))
}

/// Returns an error for metric names that are joined by commas, as in `bleu,chrf`; it shows the right
/// spelling. Returns `None` for other names.
fn joined(registry: &Registry, name: &str) -> Option<ConfigError> {
    let names: Vec<&str> = name.split(',').map(str::trim).collect();
    // Only a list of known metrics is taken for a list; `bleu:max-order=2,lowercase` is one metric.
    let all = names.len() > 1 && names.iter().all(|name| registry.parse(name).is_ok());
    let command =
        || format!("-m {name} names one metric; separate several names by spaces: -m {}", names.join(" "));
    all.then(|| ConfigError::Conflict(command()))
}

pub(crate) fn tokenizers(panel: &Panel) -> Vec<String> {
    let mut labels: Vec<String> = Vec::new();
    for space in panel.state_key().parts.iter().map(|part| &part.space).filter(|space| !space.is_text()) {
        if !labels.iter().any(|label| label == space.label()) {
            labels.push(space.label().to_owned());
        }
    }
    labels
}
