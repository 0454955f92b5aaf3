//! The command line as data: sacreBLEU's option names, and those of every metric from the registry.

use std::ffi::OsString;

use bleuprint::text::read::IdFilter;
use bleuprint::{ConfigError, MetricEntry, MetricSpec, OptionKind, OptionSpec, Registry};
use clap::builder::PossibleValuesParser;
use clap::{Arg, ArgAction, ArgMatches, Command};

use crate::evaluation::{commands, options};
use crate::pools;

/// Short names of more than one letter, which are sacreBLEU's but not clap's, and what they stand for.
const SHORT_NAMES: &[(&str, &str)] = &[
    ("-tok", "--tokenize"),
    ("-lc", "--lowercase"),
    ("-sl", "--sentence-level"),
    ("-nr", "--num-refs"),
    ("-sh", "--short"),
];

fn short_names() -> impl Iterator<Item = &'static (&'static str, &'static str)> {
    SHORT_NAMES.iter().chain(options::SHORT_NAMES)
}

/// Replaces short names of more than one letter by the long ones. What follows a bare `--` is left alone.
pub(crate) fn expand_short_names(
    registry: &Registry,
    arguments: impl Iterator<Item = OsString>,
) -> Vec<OsString> {
    let mut options = true;
    let specs = || registry.entries().iter().flat_map(|entry| entry.options);
    let expand = |argument: OsString| {
        let Some(text) = argument.to_str().filter(|_| options) else { return argument };
        options = text != "--";
        let of_program = short_names().find(|(short, _)| *short == text).map(|(_, long)| (*long).into());
        let of_metrics = || {
            let short = text.strip_prefix('-').filter(|short| short.len() > 1)?;
            specs().find(|spec| spec.short == short).map(|spec| format!("--{}", spec.name).into())
        };
        of_program.or_else(of_metrics).unwrap_or(argument)
    };
    arguments.map(expand).collect()
}

/// Refuses metrics whose options have names that the program has itself: they could not be given.
pub(crate) fn check(registry: &Registry) -> Result<(), ConfigError> {
    // Of our own metrics a test knows, and it takes as long as reading the arguments.
    let ours = bleuprint::metrics::ENTRIES;
    let is_ours = |entry: &MetricEntry| ours.iter().any(|own| std::ptr::eq(own.options, entry.options));
    if registry.entries().iter().all(is_ours) {
        return Ok(());
    }
    check_names(registry)
}

fn check_names(registry: &Registry) -> Result<(), ConfigError> {
    let own: Vec<Arg> =
        score(&Registry::new()).get_arguments().cloned().chain(pools::own_options()).collect();
    let arguments = || own.iter();
    let longs: Vec<&str> = arguments().filter_map(Arg::get_long).chain(["help", "version"]).collect();
    let shorts: Vec<char> = arguments().filter_map(Arg::get_short).chain(['h']).collect();
    for entry in registry.entries() {
        for spec in entry.options {
            let letter = if spec.short.len() == 1 { spec.short.chars().next() } else { None };
            let expanded = format!("-{}", spec.short);
            let taken = longs.contains(&spec.name)
                || letter.is_some_and(|letter| shorts.contains(&letter))
                || spec.short.len() > 1 && short_names().any(|(short, _)| *short == expanded);
            if taken || spec.name.is_empty() {
                return Err(ConfigError::Conflict(format!(
                    "the option `{}` (short `{}`) of `{}` has the name of one of the program's own",
                    spec.name, spec.short, entry.name
                )));
            }
        }
    }
    Ok(())
}

/// Makes a command, with the options of these metrics.
type MakeCommand = fn(&Registry) -> Command;

/// The commands, by name.
const COMMANDS: &[(&str, MakeCommand)] = &[
    ("score", score),
    ("compare", commands::compare),
    ("stats", commands::stats),
    ("merge", |_| commands::merge()),
    ("subtract", |_| commands::subtract()),
    ("show", commands::show),
    ("mbr", pools::mbr_command),
    ("self", pools::self_command),
    ("report", crate::report::command),
    ("gate", |_| crate::gate::command()),
    ("tokenize", |_| tokenize()),
    ("explain", |_| explain()),
    ("verify", verify),
    ("dialects", |_| dialects()),
    ("list", |_| list()),
    ("completions", |_| crate::shell::completions()),
    ("man", |_| crate::shell::man()),
];

/// The whole command; of its commands only the one that these arguments ask for where they begin with its name, since
/// the options of all of them take longer to make than a small corpus takes to score.
pub(crate) fn command(registry: &Registry, arguments: &[OsString]) -> Command {
    let asked = arguments.get(1);
    let asked = COMMANDS.iter().find(|(name, _)| asked.is_some_and(|asked| asked == name));
    let commands = asked.map_or(COMMANDS, std::slice::from_ref);
    Command::new("bleuprint")
        .version(env!("CARGO_PKG_VERSION"))
        .about("Exact, mergeable metrics for generated text")
        .subcommand_required(true)
        .arg_required_else_help(true)
        .infer_long_args(true)
        .subcommands(commands.iter().map(|(_, command)| command(registry)))
}

fn dialects() -> Command {
    Command::new("dialects")
        .about("List BLEU's dialects: other programs' numbers from the same counts")
        .arg(format_option())
}

fn list() -> Command {
    Command::new("list")
        .about("List what can be chosen by name")
        .arg(Arg::new("what").required(true).value_parser(["metrics", "tokenizers"]).help("Which names"))
}

fn score(registry: &Registry) -> Command {
    let command = Command::new("score").about("Score one system or several against references");
    counting(command, registry)
        .arg(signature().conflicts_with_all(["metrics", "lowercase", "language-pair", "stats"]).help(
            "Score with the settings of a signature, ours or sacreBLEU's, instead of -m and options of metrics",
        ))
        .arg(flag("sentence-level").help("A score for every segment instead of one [short: -sl]"))
        .arg(
            format_option()
                .value_parser(["json", "text", "latex"])
                .help("The form of the output [default: json; text with --sentence-level]"),
        )
        .args(printing())
        .args(options::learned())
        .args(options::tests())
        .arg(options::label())
        .arg(options::by())
        .arg(options::stats_files())
        .args(options::of_sacrebleu())
}

/// What is counted: the segments, the metrics with their options, the tokens.
pub(crate) fn counting(command: Command, registry: &Registry) -> Command {
    let command = command
        .infer_long_args(true)
        .arg(Arg::new("references").value_name("REF").num_args(1..).help(
            "Reference files, one segment a line; or with --num-refs one file of tab-separated references",
        ))
        .arg(Arg::new("input").short('i').long("input").value_name("SYS").num_args(1..).help(
            "Hypotheses, one file per system; without it, standard input, tab-separated for several systems",
        ))
        .arg(
            Arg::new("source")
                .long("source")
                .value_name("FILE")
                .help("What the hypotheses were made from, one segment a line, for metrics that look at it"),
        )
        .arg(
            Arg::new("segments")
                .long("segments")
                .value_name("FILE")
                .conflicts_with_all(["references", "input", "num-refs", "source"])
                .help("One file with everything: JSON Lines, or .csv or .tsv with a header; instead of REF and -i"),
        )
        .arg(threads_option())
        .arg(
            Arg::new("metrics")
                .short('m')
                .long("metrics")
                .value_name("METRIC")
                .num_args(1..)
                .default_value("bleu")
                .help(format!(
                    "What to compute: {}; with options of its own as in bleu:max-order=2,tokenize=char",
                    metric_names(registry).join(", ")
                )),
        )
        .arg(num_refs_option())
        .args(text_options())
        .arg(flag("quiet").short('q').help("No warnings"))
        .arg(flag("force").help("No warning about tokenized hypotheses"));
    metric_options(command, registry)
}

pub(crate) fn threads_option() -> Arg {
    Arg::new("threads")
        .long("threads")
        .value_name("N")
        .value_parser(clap::value_parser!(u64).range(1..=1024))
        .help("Threads [default: all cores]; they never change a score")
}

/// The options of all metrics.
pub(crate) fn metric_options(mut command: Command, registry: &Registry) -> Command {
    let mut known: Vec<&str> = Vec::new();
    for entry in registry.entries() {
        for spec in entry.options {
            if !known.contains(&spec.name) {
                known.push(spec.name);
                command = command.arg(metric_option(registry, spec));
            }
        }
    }
    command
}

/// How scores are printed.
pub(crate) fn printing() -> Vec<Arg> {
    vec![
        flag("score-only").short('b').help("Only the number"),
        flag("short").help("Short signatures [short: -sh]"),
        Arg::new("width")
            .short('w')
            .long("width")
            .default_value("1")
            .value_parser(clap::value_parser!(u64).range(0..=17))
            .help("Decimals of scores in text; JSON is never rounded"),
        flag("no-color").help("No colours, which are only used on terminals [short: -nc]"),
    ]
}

pub(crate) fn format_option() -> Arg {
    Arg::new("format")
        .short('f')
        .long("format")
        .value_parser(["json", "text"])
        .help("The form of the output [default: text]")
}

fn explain() -> Command {
    Command::new("explain")
        .about("Show which number every dialect and every main choice of BLEU gives for the same data")
        .infer_long_args(true)
        .arg(Arg::new("references").value_name("REF").num_args(1..).required(true).help("Reference files"))
        .arg(
            Arg::new("input")
                .short('i')
                .long("input")
                .value_name("SYS")
                .help("Hypotheses; else standard input"),
        )
        .arg(num_refs_option())
        .arg(Arg::new("target").long("target").value_name("PERCENT").allow_hyphen_values(true).help(
            "A number you hold, in percent: every combination of settings, first those that round to it",
        ))
        .arg(
            Arg::new("most")
                .long("most")
                .value_name("N")
                .value_parser(clap::value_parser!(u64).range(1..))
                .help("How many rows [default: 20 with --target, else all]"),
        )
        .arg(
            Arg::new("tokenizers")
                .long("tokenizers")
                .value_name("NAME")
                .num_args(1..)
                .help("The tokenizers that are tried [default: 13a none intl zh char ascii-space mteval]"),
        )
        .arg(flag("quiet").short('q').help("No warnings"))
        .arg(flag("force").help("No warning about tokenized hypotheses"))
        .arg(format_option())
}

fn signature() -> Arg {
    Arg::new("signature").long("signature").value_name("SIG")
}

fn verify(registry: &Registry) -> Command {
    let command = Command::new("verify").about(
        "Say whether a system has the score that was reported with a signature; exit code 0 for yes, 1 for no",
    );
    let command = counting(command, registry);
    // What the signature decides is no option here.
    let hidden = ["metrics", "lowercase", "language-pair"];
    let command =
        hidden.into_iter().fold(command, |command, name| command.mut_arg(name, |arg| arg.hide(true)));
    command
        .arg(
            signature()
                .required(true)
                .conflicts_with_all(hidden)
                .help("The signature of the score, ours or sacreBLEU's, long or short"),
        )
        .arg(
            Arg::new("score")
                .long("score")
                .value_name("NUMBER")
                .required(true)
                .allow_hyphen_values(true)
                .help("The score as it was printed: its decimals are its precision"),
        )
}

fn num_refs_option() -> Arg {
    Arg::new("num-refs")
        .long("num-refs")
        .value_name("N")
        .default_value("1")
        .value_parser(clap::value_parser!(u64).range(1..))
        .help("References per line of the reference file, tab-separated [short: -nr]")
}

fn tokenize() -> Command {
    Command::new("tokenize")
        .about("Show the tokens of a text")
        .infer_long_args(true)
        .arg(Arg::new("file").value_name("FILE").default_value("-").help("The text; `-` is standard input"))
        .args(text_options())
        .arg(flag("ids").help("The ids of tokenizers that have their own"))
}

/// Which ids do not count; names and help.
const ID_OPTIONS: [(&str, &str); 4] = [
    ("pad-ids", "Padding, dropped at both ends"),
    ("begin-ids", "Begin of sequence, dropped at the start"),
    ("end-ids", "End of sequence: the first one ends it"),
    ("exclude-ids", "Dropped wherever they stand"),
];

/// The options that say how text becomes tokens.
pub(crate) fn text_options() -> Vec<Arg> {
    let path = |name: &'static str| {
        Arg::new(name).long(name).value_name("PATH").value_parser(clap::value_parser!(std::path::PathBuf))
    };
    let ids = |(name, help): (&'static str, &'static str)| {
        Arg::new(name)
            .long(name)
            .value_name("ID,..")
            .value_delimiter(',')
            .allow_hyphen_values(true)
            .value_parser(clap::value_parser!(i64))
            .help(help)
            .help_heading("Options of --tokenize ids")
    };
    let mut options = vec![
        Arg::new("tokenize").long("tokenize").value_name("NAME").help(
            "The tokenizer [short: -tok] [default: by --language-pair, else 13a; see `bleuprint list tokenizers`]",
        ),
        Arg::new("language-pair")
            .short('l')
            .long("language-pair")
            .value_name("SRC-TGT")
            .help("Chooses the tokenizer by the target language"),
        flag("lowercase").help("Lower-case the text first [short: -lc]"),
        path("tokenizer-model").help("The model of a subword tokenizer"),
        path("dictionary").help("The dictionary of a morphological tokenizer"),
    ];
    options.extend(ID_OPTIONS.map(ids));
    options
}

pub(crate) fn flag(name: &'static str) -> Arg {
    Arg::new(name).long(name).action(ArgAction::SetTrue)
}

fn metric_names(registry: &Registry) -> Vec<&'static str> {
    let mut names: Vec<&'static str> = Vec::new();
    for entry in registry.entries() {
        names.push(entry.name);
        names.extend(entry.presets.iter().map(|preset| preset.name));
    }
    names
}

fn metric_option(registry: &Registry, spec: &'static OptionSpec) -> Arg {
    let takes = |entry: &&bleuprint::MetricEntry| entry.options.iter().any(|other| other.name == spec.name);
    let metrics: Vec<_> = registry.entries().iter().filter(takes).map(|entry| entry.name).collect();
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

/// The value of a metric's option, if it was given.
pub(crate) fn given(matches: &ArgMatches, spec: &OptionSpec) -> Option<String> {
    match spec.kind {
        OptionKind::Flag => matches.get_flag(spec.name).then(|| "yes".to_owned()),
        _ => matches.get_one::<String>(spec.name).cloned(),
    }
}

/// The ids that do not count.
pub(crate) fn id_filter(matches: &ArgMatches) -> IdFilter {
    let [pad, begin, end, exclude] =
        ID_OPTIONS.map(|(name, _)| matches.get_many(name).into_iter().flatten().copied().collect());
    IdFilter { pad, begin, end, exclude }
}

/// Refuses options of metrics that were not chosen: they would do nothing.
pub(crate) fn refuse_foreign_options(
    registry: &Registry,
    matches: &ArgMatches,
    chosen: &[MetricSpec],
) -> Result<(), ConfigError> {
    for entry in registry.entries() {
        for spec in entry.options {
            let taken = |spec_of: &MetricSpec| {
                let entry = registry.get(spec_of.metric);
                entry.is_ok_and(|entry| entry.options.iter().any(|own| own.name == spec.name))
            };
            if given(matches, spec).is_some() && !chosen.iter().any(taken) {
                return Err(ConfigError::Conflict(format!(
                    "--{} is an option of {}, but only {} was asked for",
                    spec.name,
                    entry.name,
                    chosen.iter().map(|spec| spec.metric).collect::<Vec<_>>().join(", ")
                )));
            }
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn our_own_metrics_have_names_of_their_own() {
        assert_eq!(check_names(&bleuprint::registry()).map_err(|error| error.to_string()), Ok(()));
    }

    #[test]
    fn every_command_is_built() {
        for (name, _) in COMMANDS {
            let one = command(&bleuprint::registry(), &["bleuprint".into(), (*name).into()]);
            assert_eq!(one.get_subcommands().map(Command::get_name).collect::<Vec<_>>(), [*name]);
        }
        let all = command(&bleuprint::registry(), &["bleuprint".into(), "--help".into()]);
        assert_eq!(all.get_subcommands().count(), COMMANDS.len());
        all.debug_assert();
    }
}
