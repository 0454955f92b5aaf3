//! `cargo xtask`: prints the list of tasks, or starts the package `xtask`, which runs them.
//!
//! This package has no dependencies, so a newcomer who asks for the list does not wait until the tasks are compiled.
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "a program of tasks speaks to the terminal")]

use std::process::{Command, ExitCode};

const USAGE: &str = include_str!("../../usage.txt");

fn main() -> ExitCode {
    let arguments: Vec<_> = std::env::args_os().skip(1).collect();
    let words: Vec<_> = arguments.iter().map(|word| word.to_string_lossy()).collect();
    if let [word] = &words[..]
        && ["help", "--help", "-h"].contains(&word.as_ref())
    {
        print!("{USAGE}");
        return ExitCode::SUCCESS;
    }
    let mut tasks = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    // The checkout of this program, whatever folder the user is in.
    let root = concat!(env!("CARGO_MANIFEST_DIR"), "/../../Cargo.toml");
    tasks.args(["run", "--quiet", "--package", "xtask", "--manifest-path", root, "--"]).args(arguments);
    match tasks.status() {
        // A signal leaves no code.
        Ok(status) => status.code().map_or(ExitCode::FAILURE, |code| ExitCode::from(code as u8)),
        Err(error) => {
            eprintln!("error: cannot start cargo: {error}");
            ExitCode::FAILURE
        }
    }
}
