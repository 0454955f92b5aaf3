//! [`counted`]: reads and counts the same files as `bleuprint compare`, for programs that call this library.

use bleuprint::eval::evaluation::Run;
use bleuprint::text::Families;
use bleuprint_inputs::failure::Failure;
use bleuprint_inputs::warn;
use clap::Command;

use crate::commands::compare::Compare;
use crate::shared::command::{CommandContext, Subcommand as _};

/// Counts of several systems under several metrics, read from files by [`counted`].
#[non_exhaustive]
pub struct CountedFiles {
    /// Per-segment counts of each system under each requested metric. Segments of harness logs are matched by
    /// task, item and sample; task and group become labels.
    pub run: Run,
    /// Remarks for the user that change no score, such as the names of logs that were left out.
    pub notes: Vec<String>,
}

/// Reads and counts files as `bleuprint compare` does, given that command's arguments: for example `--from
/// HARNESS` for logs, `--segments`, and `--turns` or another reader of a family. Options of tests and output
/// have no effect.
///
/// # Errors
/// Returns the error message of the program, for example for an unknown option or metric, a file that cannot be
/// read, or logs with different items.
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
    // The same definition as the program's command, so that every option means the same in both.
    let command = || Compare::define(Command::new("compare"), families);
    let arguments = std::iter::once("compare".to_owned()).chain(arguments);
    let matches = command().try_get_matches_from(arguments).map_err(|error| error.to_string())?;
    let context =
        CommandContext { families, registry, tokenizers: families.tokenizers(), command_line: &command };
    let (read, notes) = warn::kept(|| Compare::request(&matches, families)?.counted(&context));
    let run = read.map_err(|failure| match failure {
        Failure::Input(error) => error.to_string(),
        Failure::Message(message) => message,
        // Reading writes to no output and judges nothing, so neither case happens today.
        Failure::OutputClosed | Failure::Verdict(_) => "the files were not read".to_owned(),
    })?;
    Ok(CountedFiles { run, notes })
}
