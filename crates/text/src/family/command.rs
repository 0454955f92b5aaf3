//! [`FamilyCommand`] and [`FamilyExplanation`]: commands that a family adds to a program, as data, with the
//! request and the services that they get from it.

use std::error::Error;
use std::fmt::{self, Write};

use bleuprint_core::Result;
use bleuprint_registry::{AnyForm, Data};

use crate::{Families, FamilyOption};

/// A command that a family adds to every program that has the family.
///
/// ```
/// use bleuprint_text::{CommandAnswer, Family, FamilyCommand, FamilyOption, LineReader};
///
/// static COUNT_LINES: &[FamilyCommand] = &[FamilyCommand {
///     name: "lines",
///     about: "Count the lines of a file",
///     group: "Texts and files",
///     options: &[FamilyOption::positional("file", "FILE", "The file")],
///     short_help: &[],
///     examples: "",
///     run: |request, out| {
///         let mut lines = LineReader::open(request.option("file").unwrap_or("-"), Default::default())?;
///         let mut count = 0;
///         while lines.advance()? {
///             count += 1;
///         }
///         writeln!(out, "{count} lines")?;
///         Ok(CommandAnswer::Positive)
///     },
/// }];
/// assert_eq!(Family::new("mine", "Of my own").commands(COUNT_LINES).commands[0].name, "lines");
/// ```
#[derive(Clone, Copy)]
#[expect(clippy::exhaustive_structs, reason = "closed: a constant of a family")]
pub struct FamilyCommand {
    /// The name of the command.
    pub name: &'static str,
    /// The sentence that describes the command in lists and in its help.
    pub about: &'static str,
    /// The heading above the command in the program's list of commands, such as `Texts and files`.
    pub group: &'static str,
    /// The options and arguments of the command, in the order of its help.
    pub options: &'static [FamilyOption],
    /// The names of the options that `-h` shows besides positional and required ones. If the list is empty,
    /// `-h` shows all options.
    pub short_help: &'static [&'static str],
    /// Command lines, one a line, for the end of the help. They may only be empty if `short_help` is empty.
    pub examples: &'static str,
    /// The function that runs the command.
    pub run: FamilyRun,
}

/// An explanation of a reported number that a family adds to the command `explain`.
#[derive(Clone, Copy)]
#[expect(clippy::exhaustive_structs, reason = "closed: a constant of a family")]
pub struct FamilyExplanation {
    /// The option that selects this explanation in place of the program's own, such as `--samples FILE`.
    pub option: FamilyOption,
    /// Further options, which only apply to this explanation.
    pub options: &'static [FamilyOption],
    /// The function that writes the explanation. Its request also has the program's options `target` (the
    /// reported number) and `format` (`json` or `text`).
    pub run: FamilyRun,
}

/// A function that runs a command of a family: it gets the request and writes the output. The program prints
/// an error and ends with exit code 2.
pub type FamilyRun = fn(&FamilyRequest<'_>, &mut dyn Write) -> Result<CommandAnswer, Box<dyn Error>>;

/// The answer of a command that ran without an error. It decides the exit code of the program.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(clippy::exhaustive_enums, reason = "closed: yes or no")]
pub enum CommandAnswer {
    /// The command did what the user asked for: exit code 0.
    Positive,
    /// The answer to the user's question is no, such as a number that nothing explains: exit code 1.
    Negative,
}

/// The options that the user gave to a command of a family, and the program that runs it.
#[derive(Clone, Copy)]
#[expect(clippy::exhaustive_structs, reason = "closed: options and the program are all that is given")]
pub struct FamilyRequest<'r> {
    /// The names of the options that were given or have a default, each with its values. The value of a flag
    /// is empty.
    pub options: &'r [(&'static str, Vec<String>)],
    /// The metrics, tokenizers and normalizers of the program.
    pub families: &'r Families,
    /// The program that runs the command.
    pub program: &'r dyn ProgramServices,
}

impl<'r> FamilyRequest<'r> {
    /// Returns the first value of the option with this name, or `None` if it was not given and has no default.
    /// The name may be without the family that is written in front of a name that two families have.
    pub fn option(&self, name: &str) -> Option<&'r str> {
        self.options_named(name).first().map(String::as_str)
    }

    /// Returns all values of the option with this name.
    pub fn options_named(&self, name: &str) -> &'r [String] {
        self.options.iter().find(|(known, _)| is_named(known, name)).map_or(&[], |(_, values)| values)
    }

    /// Returns `true` if the user gave the option with this name, or if it has a default.
    pub fn has(&self, name: &str) -> bool {
        self.options.iter().any(|(known, _)| is_named(known, name))
    }
}

/// Returns `true` if an option has this name, alone or behind the name of its family.
fn is_named(known: &str, name: &str) -> bool {
    known.rsplit('/').next() == Some(name)
}

/// Services of a program that the commands of families use. Families cannot do this work themselves: only
/// programs print messages and round numbers, and only programs know every format of segments.
pub trait ProgramServices {
    /// Prints a note for the user, apart from the output.
    fn note(&self, message: &str);

    /// Returns a number as text with this many decimals.
    fn fixed(&self, number: f64, decimals: usize) -> String;

    /// Returns JSON text with line breaks and indents, as the program prints JSON.
    fn indented_json(&self, json: &str) -> String;

    /// Reads a file of segments and calls `each` with the hypothesis of every segment, in the data type
    /// `form`.
    ///
    /// # Errors
    /// Returns an error if the file cannot be read, or has several systems or invalid data. Returns the
    /// errors of `each` with their place in the file.
    fn read_hypotheses(
        &self,
        file: &str,
        form: &AnyForm,
        each: &mut dyn FnMut(&Data) -> Result<()>,
    ) -> Result<(), Box<dyn Error>>;
}

impl fmt::Debug for FamilyCommand {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("FamilyCommand").field("name", &self.name).finish_non_exhaustive()
    }
}

impl fmt::Debug for FamilyExplanation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("FamilyExplanation").field("option", &self.option.name).finish_non_exhaustive()
    }
}
