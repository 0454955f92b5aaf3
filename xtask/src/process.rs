//! Runs programs that must succeed.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::Result;

/// Returns a cargo command that runs in this folder.
#[must_use]
pub fn cargo(folder: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    command.args(arguments).current_dir(folder);
    command
}

/// Returns the path of a program from crates.io, which is installed below `target` once.
///
/// # Errors
/// Returns an error if the program cannot be installed.
pub fn installed(root: &Path, target: &Path, name: &str, version: &str) -> Result<PathBuf> {
    let tool = target.join(name);
    let program = tool.join("bin").join(format!("{name}{}", std::env::consts::EXE_SUFFIX));
    if !program.exists() {
        let install = ["install", "--quiet", "--locked", name, "--version", version, "--root"];
        run(cargo(root, &install).arg(&tool))?;
    }
    Ok(program)
}

/// Runs a program with its output on the terminal.
///
/// # Errors
/// Returns an error if the program cannot be started or fails.
pub fn run(command: &mut Command) -> Result {
    let status = command.stdin(Stdio::null()).status().map_err(|error| format!("{command:?}: {error}"))?;
    if status.success() { Ok(()) } else { Err(format!("{command:?} ended with {status}").into()) }
}

/// Runs a program and returns its output.
///
/// # Errors
/// Returns an error with the program's output if it cannot be started or fails.
pub fn output(command: &mut Command) -> Result<String> {
    let output = command.stdin(Stdio::null()).output().map_err(|error| format!("{command:?}: {error}"))?;
    if output.status.success() {
        return Ok(String::from_utf8_lossy(&output.stdout).into_owned());
    }
    let said = String::from_utf8_lossy(&output.stderr);
    Err(format!("{command:?} ended with {}\n{}", output.status, said.trim_end()).into())
}

/// The environment variable that says that all programs are built. `cargo xtask ci` sets it after its build
/// step. Otherwise a step would wait for the lock of cargo in the other lane.
pub const BUILT: &str = "BLEUPRINT_BUILT";

/// Builds all programs and examples of the workspace as its tests do, with all features and with overflow
/// checks.
///
/// # Errors
/// Returns an error if a build fails.
pub fn build(root: &Path) -> Result {
    if std::env::var_os(BUILT).is_some() {
        return Ok(());
    }
    // All packages are built at once: a single package would need its dependencies with other features, and
    // compile them again. The running programs are left out.
    let arguments = ["build", "--quiet", "--workspace", "--all-features", "--bins", "--examples"];
    run(cargo(root, &arguments).args(["--exclude", "xtask", "--exclude", "launch"]))
}

/// Builds all programs and returns the path of one.
///
/// # Errors
/// Returns an error if a build fails.
pub fn program(root: &Path, target: &Path, name: &str) -> Result<PathBuf> {
    build(root)?;
    Ok(target.join("debug").join(format!("{name}{}", std::env::consts::EXE_SUFFIX)))
}
