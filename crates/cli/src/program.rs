//! [`Program`]: the families of metrics and their commands, and the run over them.

use std::ffi::OsString;
use std::io::{IsTerminal as _, Write as _};
use std::process::ExitCode;

use bleuprint::ConfigError;
use bleuprint::text::{Families, Family};
use bleuprint_inputs::failure::{Failure, Result};
use bleuprint_inputs::terminal::Terminal;
use bleuprint_inputs::warn;
use clap::Command;

use crate::command_line::{self, CommandEntry, CommandRun, FamilyRun};
use crate::shared::command::Out;
use crate::shared::standard_output;

/// A command of a family, next to those of the program.
#[derive(Clone, Copy)]
pub struct FamilyCommand(CommandEntry);

impl FamilyCommand {
    /// A command from its name, its definition and its run, which writes to the output. Errors end the program with exit code 2.
    pub const fn new(name: &'static str, define: fn(Command, &Families) -> Command, run: FamilyRun) -> Self {
        FamilyCommand(CommandEntry {
            name,
            define,
            run: CommandRun::Others(run),
            short_help: &[],
            examples: "",
        })
    }
}

/// A program: families of metrics with every command and option.
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
    /// The program of this build, with the families of its features.
    pub fn new() -> Self {
        Program::over(bleuprint::families())
    }

    /// The program over these families alone.
    pub fn over(families: Families) -> Self {
        Program { families: Ok(families), commands: crate::COMMANDS.to_vec() }
    }

    /// The program with a family more. Names that are taken end the run.
    #[must_use]
    pub fn with(self, family: Family) -> Self {
        self.with_commands(family, &[])
    }

    /// The program with a family that has commands of its own.
    #[must_use]
    pub fn with_commands(mut self, family: Family, commands: &[FamilyCommand]) -> Self {
        self.families = self.families.and_then(|families| families.with(family));
        for FamilyCommand(entry) in commands {
            if command_line::is_command(&self.commands, entry.name) {
                let message = format!("the family `{}`: there is a command `{}`", family.name, entry.name);
                self.families = self.families.and(Err(ConfigError::Conflict(message)));
            }
            self.commands.push(*entry);
        }
        self
    }

    /// Runs the program with the arguments and streams of the process. Exit codes: 0 done; 1 for the answer no of `verify`,
    /// for `explain --target` if nothing fits, for a failed gate and for a standing alarm; 2 wrong usage or data; 3 an
    /// inconclusive gate or too little data for alarms.
    pub fn run(self) -> ExitCode {
        ExitCode::from(self.run_with(std::env::args_os()))
    }

    /// Runs the program as [`Program::run`] does, with the arguments given, of which the first is the name of the program. It is
    /// for hosts whose own arguments are others, as an interpreter's are. Wrong usage and `--help` end the process.
    pub fn run_with(self, arguments: impl Iterator<Item = OsString>) -> u8 {
        if standard_output::was_closed() {
            warn::error("standard output is closed");
            return 2;
        }
        let stdout = std::io::stdout();
        let mut out: Box<Out> = if stdout.is_terminal() {
            Box::new(Terminal::new(std::io::BufWriter::new(stdout)))
        } else {
            Box::new(std::io::BufWriter::new(stdout))
        };
        let result = self.run_into(arguments, &mut *out);
        // Output before a verdict must be seen too.
        let flushed = out.flush();
        match result.and_then(|()| Ok(flushed?)) {
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
        command_line::run(&self.families?, &self.commands, arguments, out)
    }
}
