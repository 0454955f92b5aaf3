//! Shared code of the project's tasks, checks and benches: the checkout, programs that must succeed, Python
//! environments.
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "chores speak to the terminal")]

pub mod process;
pub mod venv;

use std::error::Error as StdError;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// An error that is a message for the terminal.
pub type Error = Box<dyn StdError + Send + Sync>;

/// The result of a task.
pub type Result<T = ()> = std::result::Result<T, Error>;

/// Runs a program of tasks: passes the arguments to `run`, and prints its error.
pub fn main(run: impl FnOnce(&[&str]) -> Result) -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match run(&arguments) {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("error: {message}");
            ExitCode::FAILURE
        }
    }
}

/// Returns the root of the workspace: the parent folder of the running package, wherever the checkout is.
#[must_use]
pub fn root() -> PathBuf {
    let package = std::env::var_os("CARGO_MANIFEST_DIR").map(PathBuf::from);
    let package = package.unwrap_or_else(|| PathBuf::from(env!("CARGO_MANIFEST_DIR")));
    package.parent().map(Path::to_path_buf).unwrap_or(package)
}

/// Returns the folder of build products.
#[must_use]
pub fn target(root: &Path) -> PathBuf {
    std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root.join("target"), PathBuf::from)
}
