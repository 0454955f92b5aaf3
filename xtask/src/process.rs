//! Programs that must succeed.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// Cargo, with this folder as its own.
#[must_use]
pub fn cargo(folder: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    command.args(arguments).current_dir(folder);
    command
}

/// Runs a program, which speaks to the terminal.
///
/// # Errors
/// The program cannot be started, or fails.
pub fn run(command: &mut Command) -> Result<(), String> {
    let status = command.stdin(Stdio::null()).status().map_err(|error| format!("{command:?}: {error}"))?;
    if status.success() { Ok(()) } else { Err(format!("{command:?} ended with {status}")) }
}

/// What a program prints.
///
/// # Errors
/// The program cannot be started, or fails: then with what it says.
pub fn output(command: &mut Command) -> Result<String, String> {
    let output = command.stdin(Stdio::null()).output().map_err(|error| format!("{command:?}: {error}"))?;
    if output.status.success() {
        return Ok(String::from_utf8_lossy(&output.stdout).into_owned());
    }
    let said = String::from_utf8_lossy(&output.stderr);
    Err(format!("{command:?} ended with {}\n{}", output.status, said.trim_end()))
}

/// Builds our program as tests are built, with checks for overflow, and gives its place.
///
/// # Errors
/// It cannot be built.
pub fn program(root: &Path, target: &Path) -> Result<PathBuf, String> {
    run(&mut cargo(root, &["build", "--quiet", "--package", "bleuprint-cli"]))?;
    Ok(target.join("debug/bleuprint"))
}
