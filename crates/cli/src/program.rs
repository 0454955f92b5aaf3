//! [`Program`]: a command-line program for a chosen list of metric families.

use std::ffi::OsString;
use std::io::{IsTerminal as _, Write as _};
use std::process::ExitCode;

use bleuprint::ConfigError;
use bleuprint::text::{Families, Family};
use bleuprint_requests::failure::{Failure, Result};
use bleuprint_requests::progress::with_progress;
use bleuprint_requests::terminal::Terminal;
use bleuprint_requests::warn;

use crate::command_line::{self, CommandEntry, add_commands_of_family};
use crate::shared::command::Out;
use crate::shared::standard_output;

/// Command-line program with bleuprint's commands, for the metrics of chosen families.
pub struct Program {
    families: Result<Families, ConfigError>,
    commands: Vec<CommandEntry>,
}

impl Default for Program {
    fn default() -> Self {
        Program::new()
    }
}

impl Program {
    /// Creates bleuprint's own program, with all metric families that this build includes.
    pub fn new() -> Self {
        Program::with_families(bleuprint::families())
    }

    /// Creates a program with only the given metric families.
    pub fn with_families(families: Families) -> Self {
        let mut commands = crate::COMMANDS.to_vec();
        families.list().iter().for_each(|family| add_commands_of_family(&mut commands, family));
        Program { families: Ok(families), commands }
    }

    /// Adds a metric family to the program, together with its commands. A name that is already taken gets the
    /// family in front of it, such as `mine/ece`.
    #[must_use]
    pub fn with(mut self, family: Family) -> Self {
        add_commands_of_family(&mut self.commands, &family);
        self.families = self.families.and_then(|families| families.with(family));
        self
    }

    /// Runs the program with the arguments and streams of the process, and returns its exit code.
    ///
    /// Exit code 0 means success. Code 1 is a negative answer: `verify` disagrees, `explain --target` finds
    /// no setting, a gate failed, or an alarm is active. Code 2 means wrong usage or data. Code 3 means an
    /// inconclusive gate or too little data for alarms.
    pub fn run(self) -> ExitCode {
        ExitCode::from(self.run_with(std::env::args_os()))
    }

    /// Runs the program as [`Program::run`] does, but with the given arguments, of which the first is the
    /// name of the program. Use it in a process that has different arguments, such as a Python interpreter.
    /// Wrong usage and `--help` end the process.
    pub fn run_with(self, arguments: impl Iterator<Item = OsString>) -> u8 {
        // Writing would succeed without an effect here; see `standard_output`.
        if standard_output::was_closed() {
            warn::error("standard output is closed");
            return 2;
        }
        let stdout = std::io::stdout();
        // On a terminal, output and progress lines share the screen, so the writer has to know about both.
        let mut out: Box<Out> = if stdout.is_terminal() {
            Box::new(Terminal::new(std::io::BufWriter::new(stdout)))
        } else {
            Box::new(std::io::BufWriter::new(stdout))
        };
        let result = self.run_into(arguments, &mut *out);
        // Output before a verdict must be seen too.
        let flushed = out.flush();
        match result.and_then(|()| Ok(flushed?)) {
            // A reader that stops early, such as `head`, has what it wanted: this is success.
            Ok(()) | Err(Failure::OutputClosed) => 0,
            Err(Failure::Verdict(code)) => code,
            Err(Failure::Input(error)) => {
                warn::error(&error.to_string());
                2
            }
            Err(Failure::Message(message)) => {
                warn::error(&message);
                2
            }
        }
    }

    fn run_into(self, arguments: impl Iterator<Item = OsString>, out: &mut Out) -> Result<()> {
        let arguments: Vec<OsString> = arguments.collect();
        let families = match self.families {
            Ok(families) => families,
            // A program whose families clash still says which version it is, for the report of the clash.
            Err(_) if arguments.iter().skip(1).any(|argument| argument == "--version") => {
                bleuprint::families()
            }
            Err(error) => return Err(error.into()),
        };
        with_progress(|| command_line::run(&families, &self.commands, arguments.into_iter(), out))
    }
}

#[cfg(test)]
mod tests {
    use bleuprint::text::{
        AlignmentOutput, AlignmentPart, CommandAnswer, FamilyCommand, FamilyExplanation, FamilyOption,
        OptionValues, WordTable, WordTableRow,
    };
    use bleuprint_testkit::Folder;

    use super::*;

    const COMMANDS: &[FamilyCommand] = &[FamilyCommand {
        name: "show",
        about: "Show words",
        group: "Further commands",
        options: &[
            FamilyOption::positional("word", "WORD", "The word"),
            FamilyOption::value("times", "N", "The numbers of times").takes(OptionValues::WholeNumbers(1, 9)),
        ],
        short_help: &[],
        examples: "",
        run: |request, out| {
            let word = request.option("word").unwrap_or_default();
            for times in request.options_named("times") {
                writeln!(out, "{}", word.repeat(times.parse()?))?;
            }
            Ok(CommandAnswer::Positive)
        },
    }];

    const EXPLANATIONS: &[FamilyExplanation] = &[FamilyExplanation {
        option: FamilyOption::value("half", "NUMBER", "Explain half of a number").takes(OptionValues::Number),
        options: &[],
        run: |request, out| {
            let half = request.option("half").unwrap_or_default().parse::<f64>()? / 2.0;
            let half = request.program.fixed(half, 1);
            writeln!(out, "{half}")?;
            let fits = request.option("target").is_none_or(|target| target == half);
            Ok(if fits { CommandAnswer::Positive } else { CommandAnswer::Negative })
        },
    }];

    const ALIGNMENTS: &[AlignmentOutput] = &[AlignmentOutput {
        // A family of this build has an option of this name.
        options: &[FamilyOption::flag("classes", "Count letters")],
        heading: None,
        is_table: true,
        report: None,
        open: |request| Ok(request.has("classes").then(|| Box::new(Letters(0)) as Box<dyn AlignmentPart>)),
    }];

    struct Letters(u64);

    impl AlignmentPart for Letters {
        fn add(&mut self, reference: &[&str], _: &[&str]) -> Result<(), bleuprint::InputError> {
            self.0 += reference.iter().map(|word| word.len() as u64).sum::<u64>();
            Ok(())
        }

        fn tables(&self, _: usize) -> Vec<WordTable> {
            let row =
                WordTableRow { words: vec!["all".to_owned()], counts: vec![self.0], rate: [self.0, 10] };
            vec![WordTable {
                name: "letters",
                words: &["of"],
                counts: &["count"],
                rate: "share",
                rows: vec![row],
            }]
        }
    }

    /// Runs the program with a family that a stranger wrote.
    fn run(arguments: &[&str]) -> (Result<()>, String) {
        let family = Family::new("mine", "Of my own");
        let family = family.commands(COMMANDS).explanations(EXPLANATIONS).alignments(ALIGNMENTS);
        let arguments = ["bleuprint"].iter().chain(arguments).map(OsString::from);
        let mut out = Vec::new();
        let result = Program::new().with(family).run_into(arguments, &mut out);
        (result, String::from_utf8(out).unwrap())
    }

    #[test]
    fn a_command_of_a_family_whose_name_is_taken_is_named_after_its_family() {
        let (result, out) = run(&["mine/show", "ab", "--times", "1", "2"]);
        assert!(result.is_ok());
        assert_eq!(out, "ab\nabab\n");
    }

    #[test]
    fn a_family_explains_a_number() {
        let (result, out) = run(&["explain", "--half", "3", "--target", "1.5"]);
        assert!(result.is_ok());
        assert_eq!(out, "1.5\n");
        let (result, out) = run(&["explain", "--half", "3", "--target", "2"]);
        assert!(matches!(result, Err(Failure::Verdict(1))));
        assert_eq!(out, "1.5\n");
    }

    #[test]
    fn a_family_adds_a_table_to_an_alignment() {
        let folder = Folder::new();
        let file = |name: &str, text: &str| folder.file(name, text).display().to_string();
        let files = [file("reference", "a bcd\n"), file("system", "a x\n")];
        let align = ["align", "-q", &files[0], "-i", &files[1], "--mine/classes", "-f"];
        let (_, out) = run(&[&align[..], &["csv"]].concat());
        assert_eq!(out.trim_end(), "of,count,share\nall,4,0.4000");
        let (_, out) = run(&[&align[..], &["json"]].concat());
        assert!(out.contains(r#""letters": {"all": 4}"#) || out.contains(r#""letters":{"all":4}"#), "{out}");
        let (result, _) = run(&[&align[..], &["csv", "--tables"]].concat());
        assert!(
            matches!(result, Err(Failure::Message(message)) if message.ends_with("--mine/classes and --tables"))
        );
    }
}
