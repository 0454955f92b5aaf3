//! [`counted`]: the run of `bleuprint compare`, for hosts that are no command line.

use bleuprint::eval::evaluation::Run;
use bleuprint::text::Families;
use bleuprint_inputs::failure::Failure;
use bleuprint_inputs::warn;
use clap::Command;

use crate::commands::compare::Compare;
use crate::shared::command::{CommandContext, Subcommand as _};

/// Systems under metrics, from files.
#[non_exhaustive]
pub struct CountedFiles {
    /// The systems under the metrics that were asked for. Logs of harnesses are paired by task, item and sample; task and group
    /// are labels.
    pub run: Run,
    /// The label of segments that depend on each other: the item, if logs have several samples of it.
    pub unit: Option<String>,
    /// Logs that were left out, and other remarks that change no number.
    pub notes: Vec<String>,
}

/// Reads and counts files as `bleuprint compare` does, with its arguments: `--from HARNESS` for logs, `--turns` and the other
/// readers of families, `--segments`. Those of tests and of the output have no effect.
///
/// # Errors
/// Those of the program, in its words: an unknown option or metric, a file that cannot be read, logs of other items.
///
/// ```
/// let folder = bleuprint_testkit::Folder::new();
/// let log = |name: &str, passed: [bool; 2]| {
///     let line = |at: usize| format!("{{\"task_id\": \"T/{at}\", \"passed\": {}}}\n", passed[at]);
///     folder.file(name, line(0) + &line(1)).display().to_string()
/// };
/// let [new, old] = [log("a_results.jsonl", [true, true]), log("b_results.jsonl", [true, false])];
/// let arguments = ["--from", "human-eval", &format!("new={new}"), &format!("old={old}"), "-m", "given:name=passed"];
/// let read = bleuprint_cli::counted(&bleuprint::families(), arguments.map(str::to_owned));
/// let scores = read.unwrap().run.scores().unwrap();
/// assert_eq!([scores[0][0].value(), scores[1][0].value()], [1.0, 0.5]);
/// ```
pub fn counted(
    families: &Families,
    arguments: impl IntoIterator<Item = String>,
) -> Result<CountedFiles, String> {
    let registry = families.registry();
    let command = || Compare::define(Command::new("compare"), families);
    let arguments = std::iter::once("compare".to_owned()).chain(arguments);
    let matches = command().try_get_matches_from(arguments).map_err(|error| error.to_string())?;
    let context =
        CommandContext { families, registry, tokenizers: families.tokenizers(), command_line: &command };
    let (read, notes) = warn::kept(|| Compare::request(&matches, families)?.counted(&context));
    let (run, unit) = read.map_err(|failure| match failure {
        Failure::Input(error) => error.to_string(),
        Failure::Message(message) => message,
        Failure::OutputClosed | Failure::Verdict(_) => "the files were not read".to_owned(),
    })?;
    Ok(CountedFiles { run, unit, notes })
}
