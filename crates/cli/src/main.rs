//! The program `bleuprint`. The library holds all of its code, so a program with more families of metrics is
//! equally short.

use std::process::ExitCode;

fn main() -> ExitCode {
    bleuprint_cli::Program::new().run()
}
