//! [`Program`]: a command-line program for a chosen list of metric families and their commands.

use std::ffi::OsString;
use std::io::{IsTerminal as _, Write as _};
use std::process::ExitCode;

use bleuprint::ConfigError;
use bleuprint::text::{Families, Family};
use bleuprint_inputs::failure::{Failure, Result};
use bleuprint_inputs::progress::with_progress;
use bleuprint_inputs::terminal::Terminal;
use bleuprint_inputs::warn;
use clap::Command;

use crate::command_line::{self, CommandEntry, CommandRun, FamilyRun};
use crate::shared::command::Out;
use crate::shared::standard_output;

/// Command that a metric family adds to the command-line program.
#[derive(Clone, Copy)]
pub struct FamilyCommand(CommandEntry);

impl FamilyCommand {
    /// Creates a command from its name, a function that defines its arguments, and a function that runs it
    /// and writes its output. An error of the latter ends the program with exit code 2.
    pub const fn new(name: &'static str, define: fn(Command, &Families) -> Command, run: FamilyRun) -> Self {
        FamilyCommand(CommandEntry {
            name,
            group: "Further commands",
            define,
            run: CommandRun::Others(run),
            short_help: &[],
            examples: "",
        })
    }
}

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
        Program { families: Ok(families), commands: crate::COMMANDS.to_vec() }
    }

    /// Adds a metric family to the program. A name that is already taken gets the family in front of it, such
    /// as `mine/ece`.
    #[must_use]
    pub fn with(self, family: Family) -> Self {
        self.with_commands(family, &[])
    }

    /// Adds a metric family to the program, together with its commands. A command whose name is already taken
    /// is called `family/command`.
    #[must_use]
    pub fn with_commands(mut self, family: Family, commands: &[FamilyCommand]) -> Self {
        self.families = self.families.and_then(|families| families.with(family));
        for FamilyCommand(entry) in commands {
            let mut entry = *entry;
            if command_line::is_command(&self.commands, entry.name) {
                // A command is a constant, so its name lives as long as the program.
                entry.name = Box::leak(format!("{}/{}", family.name, entry.name).into_boxed_str());
            }
            self.commands.push(entry);
        }
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
