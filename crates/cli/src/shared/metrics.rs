//! Defines the options that select metrics, and reads them from the command line.

use std::ffi::OsString;

use bleuprint::{
    MetricEntry, Registry,
    contract::{MetricOptions, OptionKind, OptionSpec},
};
use bleuprint_requests::failure::{Result, fail};
use bleuprint_requests::request::MetricChoice;
use clap::builder::PossibleValuesParser;
use clap::parser::ValueSource;
use clap::{Arg, ArgAction, ArgMatches, Command};

use crate::shared::args::{ArgumentValues as _, SHORT_NAMES, of_metrics, option};

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

pub(crate) fn metrics() -> Arg {
    option("metrics", "METRIC").short('m').default_value(MetricChoice::DEFAULT).help(
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

/// Reads the selected metrics, and the options of metrics that are options of the command, from the command line.
pub(crate) fn choice(matches: &ArgMatches, registry: &Registry) -> MetricChoice {
    let given = |spec: &OptionSpec| match spec.kind {
        OptionKind::Flag => matches.get_flag(spec.name).then(|| "yes".to_owned()),
        _ => matches.text(spec.name),
    };
    let options = options_of_sacrebleu(registry);
    MetricChoice {
        names: matches.texts("metrics"),
        given: matches.value_source("metrics") == Some(ValueSource::CommandLine),
        options: options.filter_map(|(_, spec)| Some((spec.name, given(spec)?))).collect(),
        ..MetricChoice::default()
    }
}
