//! Writes scores to standard output as text lines, JSON or tables.

use std::io::IsTerminal as _;
use std::ops::RangeBounds;

use bleuprint::report::{self, Colour, Confidence, LineStyle, TableForm};
use bleuprint::{AnyScore, InputError, Scored, Signature, contract::Pairing};
use bleuprint_requests::failure::{Result, fail};
pub(crate) use bleuprint_requests::scoring::{PrintedLabels, SystemScores};
use bleuprint_requests::terminal::terminal_width;
use clap::{Arg, ArgMatches, value_parser};
use serde_json::json;

use crate::shared::args::{self, ArgumentValues as _, flag};
use crate::shared::command::Out;

pub(crate) fn printing() -> [Arg; 4] {
    [
        flag("score-only").short('b').help("Print only the number"),
        flag("short").help("Print short signatures [short: -sh]"),
        width(0..=17).short('w').default_value("1").help("Decimals of scores in text; JSON is never rounded"),
        no_colour(),
    ]
}

pub(crate) fn width(range: impl RangeBounds<u64>) -> Arg {
    Arg::new("width").long("width").value_parser(value_parser!(u64).range(range))
}

pub(crate) const FORMATS: [&str; 6] = ["json", "text", "latex", "markdown", "csv", "tsv"];

pub(crate) fn format() -> Arg {
    args::format().value_parser(FORMATS)
}

#[derive(Debug, Clone, Default)]
pub(crate) struct OutputRequest {
    pub(crate) json: bool,
    /// Format of tables for several systems. If there is only one system and the format is the boxed one,
    /// scores are printed as text lines instead.
    pub(crate) table: TableForm,
    pub(crate) colour: Colour,
    pub(crate) score_only: bool,
    pub(crate) style: LineStyle,
}

impl OutputRequest {
    /// Returns `true` if the user chose a table format, in which even a single system is printed as a table.
    pub(crate) fn is_table(&self) -> bool {
        matches!(self.table, TableForm::Markdown | TableForm::Csv | TableForm::Tsv)
    }

    /// Returns `true` for formats in which even a single system is a table.
    pub(crate) fn shows_one_as_table(&self) -> bool {
        self.is_table() || matches!(self.table, TableForm::Latex)
    }

    /// Reads the output options from the command line. `text` is `true` if the default format is text instead
    /// of JSON.
    pub(crate) fn new(matches: &ArgMatches, text: bool) -> Self {
        let from_environment = || std::env::var("SACREBLEU_FORMAT").ok().map(|format| format.to_lowercase());
        let known = |format: &String| FORMATS.contains(&format.as_str());
        // The environment variable overrides the option, and an unknown value is ignored, as in sacreBLEU.
        let format = from_environment().filter(known).or_else(|| matches.text("format"));
        OutputRequest {
            json: format.as_ref().map_or(!text, |format| format == "json"),
            table: format.map_or_else(boxed, |format| table_form(&format)),
            colour: colour(matches),
            score_only: matches.get_flag("score-only"),
            style: LineStyle {
                decimals: matches.count("width").unwrap_or(1),
                short: matches.get_flag("short"),
            },
        }
    }
}

pub(crate) fn no_colour() -> Arg {
    flag("no-color").help("Print without colours; they are only used on terminals [short: -nc]")
}

/// Returns whether output has colours: on a terminal, unless `--no-color` or `NO_COLOR` refuses them.
pub(crate) fn colour(matches: &ArgMatches) -> Colour {
    // NO_COLOR counts only if it is not empty, as its convention says.
    let refused =
        matches.get_flag("no-color") || std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
    if refused || !std::io::stdout().is_terminal() { Colour::Off } else { Colour::On }
}

/// Returns the table format with this name, or the boxed format for any other name.
pub(crate) fn table_form(format: &str) -> TableForm {
    TableForm::NAMED.iter().find(|(name, _)| *name == format).map_or_else(boxed, |(_, form)| *form)
}

/// Returns the form of tables that are read on a screen: within the width of the terminal, if there is one.
pub(crate) fn boxed() -> TableForm {
    terminal_width().map_or(TableForm::Boxed, TableForm::Within)
}

pub(crate) fn write_systems(systems: &[SystemScores], output: &OutputRequest, out: &mut Out) -> Result<()> {
    match systems.len() {
        // Numbers without names could not be matched to their systems.
        2.. if output.score_only => {
            fail!("--score-only takes one system, but {} were given", systems.len())
        }
        // A single system keeps sacreBLEU's output, which programs parse; tables start with two systems.
        1 if output.json || output.score_only || !output.shows_one_as_table() => {
            write_system(systems[0].1.iter().map(|scored| (scored, None)), output, out)
        }
        _ if output.json => {
            Ok(writeln!(out, "{}", report::pretty(&report::systems_json(systems, output.style), 4))?)
        }
        _ => write_table(systems, output, out),
    }
}

/// Writes the scores of one system in the chosen format. Lists of JSON objects are indented as in sacreBLEU.
pub(crate) fn write_system<'s>(
    scores: impl Iterator<Item = (&'s Scored<AnyScore>, Option<Confidence>)>,
    output: &OutputRequest,
    out: &mut Out,
) -> Result<()> {
    let style = output.style;
    let show = |(scored, confidence): (&Scored<AnyScore>, _)| match output {
        OutputRequest { score_only: true, .. } => report::number(&scored.score, confidence, style),
        OutputRequest { json: true, .. } => report::pretty(&report::json(scored, confidence, style), 1),
        _ => report::line(scored, confidence, style),
    };
    let items: Vec<String> = scores.map(show).collect();
    match &items[..] {
        // sacreBLEU prints one object alone, and a list for several metrics.
        [_, _, ..] if output.json => writeln!(out, "[\n{}\n]", items.join(",\n"))?,
        _ if output.score_only => items.iter().try_for_each(|item| writeln!(out, "{item}"))?,
        _ => aligned(items).iter().try_for_each(|line| writeln!(out, "{line}"))?,
    }
    Ok(())
}

fn write_table(systems: &[SystemScores], output: &OutputRequest, out: &mut Out) -> Result<()> {
    let names: Vec<String> = systems.iter().map(|(name, _)| name.clone()).collect();
    let column = |place: usize| {
        let result = |(_, scores): &SystemScores| report::SystemResult {
            score: scores[place].score.value,
            ..report::SystemResult::default()
        };
        let scored = &systems[0].1[place];
        column(scored, &scored.signature, output, systems.iter().map(result).collect())
    };
    // Every system has the same metrics, so the first one names the columns.
    let mut columns: Vec<_> = (0..systems[0].1.len()).map(column).collect();
    tell_apart(&mut columns);
    write_columns(&report::short_names(&names), &columns, "", output, out)
}

pub(crate) fn write_columns(
    names: &[String],
    columns: &[report::MetricColumn],
    note: &str,
    output: &OutputRequest,
    out: &mut Out,
) -> Result<()> {
    let short = output.style.short;
    let table = report::systems_table(names, columns, output.table, output.colour, note, short);
    Ok(writeln!(out, "{table}")?)
}

pub(crate) fn column(
    first: &Scored<AnyScore>,
    signature: &Signature,
    output: &OutputRequest,
    results: Vec<report::SystemResult>,
) -> report::MetricColumn {
    report::MetricColumn {
        name: first.score.name.clone(),
        metric: signature.metric(),
        signature: signature.body(),
        short_signature: signature.short(),
        decimals: report::decimals(&first.score.scale, output.style),
        results,
    }
}

pub(crate) fn tell_apart(columns: &mut [report::MetricColumn]) {
    let named: Vec<(&str, &str)> = columns.iter().map(|column| (&*column.name, &*column.signature)).collect();
    let names = report::distinct_names(&named);
    for (column, name) in columns.iter_mut().zip(names) {
        // Both names get the fields in which variants of a metric differ.
        let fields = name.strip_prefix(&*column.name).unwrap_or_default();
        column.metric.push_str(fields);
        column.name = name;
    }
}

/// Pads lines on the left so that their ` = ` align, as in sacreBLEU.
fn aligned(lines: Vec<String>) -> Vec<String> {
    let head = |line: &String| line.find(" = ").map_or(0, |at| line[..at].chars().count());
    let widest = lines.iter().map(head).max().unwrap_or(0);
    lines.into_iter().map(|line| format!("{:pad$}{line}", "", pad = widest - head(&line))).collect()
}

pub(crate) fn write_segment(
    scores: &[core::result::Result<Scored<AnyScore>, InputError>],
    number: u64,
    labels: &PrintedLabels,
    output: &OutputRequest,
    out: &mut Out,
) -> Result<()> {
    for (metric, scored) in scores.iter().enumerate() {
        let pairing = labels.pairings.get(metric).and_then(Option::as_ref);
        match scored {
            Ok(scored) => write_scored(scored, number, labels, pairing, output, out)?,
            // A segment without a score keeps its line, so that lines still match segments.
            Err(error) if output.json => {
                let mut object = json!({ "error": error.to_string(), "segment": number });
                tell(labels, pairing, &mut object);
                writeln!(out, "{object}")?;
            }
            Err(error) => writeln!(out, "segment {number}: {error}")?,
        }
    }
    Ok(())
}

fn tell(labels: &PrintedLabels, pairing: Option<&Pairing>, object: &mut serde_json::Value) {
    labels.own.iter().for_each(|(key, value)| object[*key] = value.clone().into());
    if let Some(pairing) = pairing {
        object["assignment"] = pairing.iter().map(|pair| json!(pair)).collect();
    }
}

fn write_scored(
    scored: &Scored<AnyScore>,
    number: u64,
    labels: &PrintedLabels,
    pairing: Option<&Pairing>,
    output: &OutputRequest,
    out: &mut Out,
) -> Result<()> {
    match output {
        OutputRequest { score_only: true, style, .. } => {
            writeln!(out, "{}", report::number(&scored.score, None, *style))?
        }
        OutputRequest { json: true, style, .. } => {
            let mut object = report::json(scored, None, *style);
            object["segment"] = number.into();
            tell(labels, pairing, &mut object);
            writeln!(out, "{object}")?;
        }
        OutputRequest { style, .. } => {
            write!(out, "{}", report::line(scored, None, *style))?;
            // The assignment of speakers or events, one pair `reference=hypothesis` each; `-` has no partner.
            for [reference, hypothesis] in pairing.map_or(&[][..], Vec::as_slice) {
                let name = |name: &Option<String>| name.clone().unwrap_or_else(|| "-".to_owned());
                write!(out, " {}={}", name(reference), name(hypothesis))?;
            }
            writeln!(out)?;
        }
    }
    Ok(())
}
