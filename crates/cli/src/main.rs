//! Entry point of the program `bleuprint`. All of its code is in the library `bleuprint_cli`.

use std::process::ExitCode;

fn main() -> ExitCode {
    bleuprint_cli::Program::new().run()
}
