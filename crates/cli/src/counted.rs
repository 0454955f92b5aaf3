//! [`counted`]: counts files as `bleuprint compare` does, for programs that have its arguments.

use bleuprint::eval::evaluation::Run;
use bleuprint::text::Families;
use bleuprint_requests::failure::Failure;
use bleuprint_requests::warn;
use clap::Command;

use crate::commands::compare::Compare;
use crate::shared::command::Subcommand as _;

/// Reads and counts files as `bleuprint compare` does, given that command's arguments. Options of tests and
/// output have no effect, and notes are not printed. Programs without arguments fill a request instead:
/// [`CountedFiles::new`](bleuprint_requests::CountedFiles::new).
///
/// # Errors
/// Returns the error message of the program, for example for an unknown option or metric, or for a file that
/// cannot be read.
///
/// ```
/// let folder = bleuprint_testkit::Folder::new();
/// let file = folder.file("numbers.jsonl", "{\"x\": 1}\n{\"x\": 0.5}\n").display().to_string();
/// let arguments = ["--numbers", &format!("A={file}"), "-m", "given:name=x"].map(str::to_owned);
/// let run = bleuprint_cli::counted(&bleuprint::families(), arguments).unwrap();
/// assert_eq!(run.scores().unwrap()[0][0].value(), 0.75);
/// ```
pub fn counted(families: &Families, arguments: impl IntoIterator<Item = String>) -> Result<Run, String> {
    // The same definition as the program's command, so that every option means the same in both.
    let command = Compare::define(Command::new("compare"), families);
    let arguments = std::iter::once("compare".to_owned()).chain(arguments);
    let matches = command.try_get_matches_from(arguments).map_err(|error| error.to_string())?;
    let (run, _) = warn::kept(|| Compare::request(&matches, families)?.counted(families));
    run.map_err(|failure| match failure {
        Failure::Input(error) => error.to_string(),
        Failure::Message(message) => message,
        // Reading writes to no output and judges nothing, so neither case happens today.
        Failure::OutputClosed | Failure::Verdict(_) => "the files were not read".to_owned(),
    })
}
