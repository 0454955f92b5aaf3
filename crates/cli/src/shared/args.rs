//! Defines command-line arguments that several commands share, and functions that read the values of
//! arguments.

use std::ffi::OsString;
use std::fmt::Debug;
use std::ops::RangeBounds;

use bleuprint_track::Time;
use clap::{Arg, ArgAction, ArgMatches, Command};

use bleuprint_requests::failure::{Failure, Result, fail};

/// sacreBLEU's short options of several letters, with the long options that replace them. clap does not
/// support such short options.
pub(crate) const SHORT_NAMES: &[(&str, &str)] = &[
    ("-tok", "--tokenize"),
    ("-lc", "--lowercase"),
    ("-sl", "--sentence-level"),
    ("-nr", "--num-refs"),
    ("-sh", "--short"),
    ("-ci", "--confidence"),
    ("-cin", "--confidence-n"),
    ("-par", "--paired-ar"),
    ("-parn", "--paired-ar-n"),
    ("-pbs", "--paired-bs"),
    ("-pbsn", "--paired-bs-n"),
    ("-nc", "--no-color"),
    ("-ol", "--origlang"),
    ("-sv", "--smooth-value"),
    ("-cc", "--chrf-char-order"),
    ("-cw", "--chrf-word-order"),
];

/// Heading in `--help` for the options about input. The constants after it are the other headings.
pub(crate) const INPUT: &str = "Input";
pub(crate) const METRICS: &str = "Metrics";
pub(crate) const TOKENS: &str = "Tokens";
pub(crate) const OUTPUT: &str = "Output";
pub(crate) const STATISTICS: &str = "Intervals and tests";

/// Heading of options that only single metrics need. The help of commands only names these options;
/// `help METRIC` describes the options of a metric.
const OF_METRICS: &str = "Options of single metrics";

/// Hides an option that only single metrics need from the help of commands.
pub(crate) fn of_metrics(arg: Arg) -> Arg {
    arg.hide(true).help_heading(OF_METRICS)
}

/// Shows the options again that [`of_metrics`] hid.
pub(crate) fn shown(command: Command) -> Command {
    command.mut_args(|arg| match arg.get_help_heading() {
        Some(OF_METRICS) => arg.hide(false),
        _ => arg,
    })
}

/// Returns the text that names the options which [`of_metrics`] hid; `None` if the command has none.
pub(crate) fn help_of_hidden(command: &Command) -> Option<String> {
    let hidden = command.get_arguments().filter(|arg| arg.get_help_heading() == Some(OF_METRICS));
    let names: Vec<String> = hidden.map(|arg| format!("--{}", spelled(arg, "="))).collect();
    let list = || format!("{OF_METRICS}, which `bleuprint help METRIC` describes:\n{}", names.join(" "));
    (!names.is_empty()).then(list)
}

/// Returns the long name of an option and the name of its value, with `between` before it.
pub(crate) fn spelled(arg: &Arg, between: &str) -> String {
    let long = arg.get_long().unwrap_or_default();
    let takes_value = arg.get_action().takes_values();
    let value = arg.get_value_names().and_then(|names| names.first()).filter(|_| takes_value);
    value.map_or_else(|| long.to_owned(), |value| format!("{long}{between}{value}"))
}

pub(crate) trait ArgumentValues {
    fn text(&self, name: &str) -> Option<String>;
    /// Returns all values of a command-line option; empty if the option was not given.
    fn texts(&self, name: &str) -> Vec<String>;
    /// Returns the value of a numeric command-line option, defined with [`number`]; `None` if it was not
    /// given.
    fn count(&self, name: &str) -> Option<usize>;
    fn is_json(&self) -> bool {
        self.text("format").is_some_and(|format| format == "json")
    }
}

impl ArgumentValues for ArgMatches {
    fn text(&self, name: &str) -> Option<String> {
        self.get_one::<String>(name).cloned()
    }

    fn texts(&self, name: &str) -> Vec<String> {
        self.get_many::<String>(name).into_iter().flatten().cloned().collect()
    }

    fn count(&self, name: &str) -> Option<usize> {
        self.get_one::<u64>(name).map(|&count| usize::try_from(count).unwrap_or(usize::MAX))
    }
}

pub(crate) fn flag(name: &'static str) -> Arg {
    Arg::new(name).long(name).action(ArgAction::SetTrue)
}

/// Creates the command-line option `--references`. Its clap id is `references-as`, because `references` is
/// the id of the reference files.
pub(crate) fn references_as() -> Arg {
    Arg::new("references-as").long("references").value_name("FORM").value_parser(["alternatives", "plain"]).help(
        "Alternatives in references, as in { a / b c / @ }: alternatives, error rates take the path with the fewest errors; or plain, braces are parts of words",
    )
}

pub(crate) fn option(name: &'static str, value: &'static str) -> Arg {
    Arg::new(name).long(name).value_name(value)
}

pub(crate) fn number(
    name: &'static str,
    range: impl RangeBounds<u64> + Debug + Clone + Send + Sync + 'static,
) -> Arg {
    let parse = move |text: &str| {
        let number = text.parse::<u64>().ok().filter(|number| range.contains(number));
        number.ok_or_else(|| format!("{text} is not in {range:?}"))
    };
    // A negative number gets the message about the range instead of being taken for an unknown option.
    option(name, "N").allow_negative_numbers(true).value_parser(parse)
}

/// Returns an error if a number follows an option that takes no value, such as `--confidence 95`. Otherwise
/// clap would read the number as a file name.
pub(crate) fn refuse_values_of_flags(command: &Command, arguments: &[OsString]) -> Result<()> {
    let arguments: Vec<_> = arguments.iter().map(|argument| argument.to_string_lossy()).collect();
    for (flag, value) in arguments.iter().zip(arguments.iter().skip(1)) {
        let of = |arg: &&Arg| arg.get_long().is_some_and(|long| flag.strip_prefix("--") == Some(long));
        let takes_none = |arg: &&Arg| matches!(arg.get_action(), ArgAction::SetTrue);
        if let Some(arg) = command.get_arguments().find(of).filter(takes_none)
            && value.parse::<f64>().is_ok()
            && !std::path::Path::new(&**value).exists()
        {
            let help = arg.get_help().map(ToString::to_string).unwrap_or_default();
            fail!("{flag} takes no value, but `{value}` follows it ({help})");
        }
    }
    Ok(())
}

pub(crate) fn time(matches: &ArgMatches, name: &str) -> Result<Option<Time>> {
    let parse = |text: String| text.parse().map_err(|error| Failure::Message(format!("--{name}: {error}")));
    matches.text(name).map(parse).transpose()
}

pub(crate) fn threads() -> Arg {
    number("threads", 1..=1024).help("Threads [default: all cores]; they never change a score")
}

pub(crate) fn format() -> Arg {
    Arg::new("format")
        .short('f')
        .long("format")
        .value_parser(["json", "text"])
        .help("The form of the output [default: text]")
}

pub(crate) fn quiet() -> Arg {
    flag("quiet").short('q').help("Print no warnings")
}

pub(crate) fn force() -> Arg {
    flag("force").help("Print no warning about tokenized hypotheses")
}

pub(crate) fn learned() -> Arg {
    of_metrics(option("learned", "FILE"))
        .help("Metrics of two passes (cider, nist, bertscore:idf): use the weights that --save-learned wrote, not the weights of these references")
}

pub(crate) fn save_learned() -> Arg {
    of_metrics(option("save-learned", "FILE"))
        .help("Write the weights that metrics of two passes learn from these references, for --learned")
}

pub(crate) fn label() -> Arg {
    option("label", "NAME=FILE")
        .action(ArgAction::Append)
        .help("Labels of the segments, one per line, such as domain=FILE or document=FILE; for --numbers, domain=COLUMN; repeat the option for more labels")
}

pub(crate) fn weights() -> Arg {
    option("segment-weights", "FILE")
        .help("The number of times that each segment counts, one per line: a whole number from 0, which leaves it out")
}

pub(crate) fn headline() -> Arg {
    option("headline", "NAME").num_args(1..).action(ArgAction::Append).help(
        "The numbers to test in place of the score, with a table for each: headline numbers or parts by their names in JSON, or all headline numbers \
         [default: the first]",
    )
}

pub(crate) fn by() -> Arg {
    option("by", "LABEL").value_delimiter(',').action(ArgAction::Append).help(
        "Show the scores of groups of segments, by a label (domain, document, ..) or by `length` of the reference",
    )
}

/// Creates the option `--unit` of all commands that count segments.
pub(crate) fn unit() -> Arg {
    option("unit", "LABEL").help(
        "The unit to draw as a whole if segments depend on each other: user, document, .., or segment [default: item if items have several samples, else document, else segment]",
    )
}

pub(crate) fn statistics() -> Arg {
    Arg::new("files").value_name("FILE").num_args(1..).required(true).help("Files of statistics")
}

pub(crate) fn place() -> [Arg; 2] {
    [
        option("output", "FILE")
            .short('o')
            .required(true)
            .help("The file to write; compressed if its name ends in .zst; `-` is standard output"),
        overwrite("Replace an existing file"),
    ]
}

pub(crate) fn overwrite(help: &'static str) -> Arg {
    flag("overwrite").help(help)
}
