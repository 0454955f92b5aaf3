//! `bleuprint`, the program: all of it is in the library, so that a program with more families is as short as this.

use std::process::ExitCode;

fn main() -> ExitCode {
    bleuprint_cli::Program::new().run()
}
