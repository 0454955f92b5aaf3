//! Programs that must succeed.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::Result;

/// Cargo, with this folder as its own.
#[must_use]
pub fn cargo(folder: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    command.args(arguments).current_dir(folder);
    command
}

/// The program of a package of crates.io, installed below `target` once.
///
/// # Errors
/// It cannot be installed.
pub fn installed(root: &Path, target: &Path, name: &str, version: &str) -> Result<PathBuf> {
    let tool = target.join(name);
    let program = tool.join("bin").join(format!("{name}{}", std::env::consts::EXE_SUFFIX));
    if !program.exists() {
        let install = ["install", "--quiet", "--locked", name, "--version", version, "--root"];
        run(cargo(root, &install).arg(&tool))?;
    }
    Ok(program)
}

/// Runs a program, which speaks to the terminal.
///
/// # Errors
/// The program cannot be started, or fails.
pub fn run(command: &mut Command) -> Result {
    let status = command.stdin(Stdio::null()).status().map_err(|error| format!("{command:?}: {error}"))?;
    if status.success() { Ok(()) } else { Err(format!("{command:?} ended with {status}").into()) }
}

/// The output of a program.
///
/// # Errors
/// The program cannot be started, or fails: then with what it says.
pub fn output(command: &mut Command) -> Result<String> {
    let output = command.stdin(Stdio::null()).output().map_err(|error| format!("{command:?}: {error}"))?;
    if output.status.success() {
        return Ok(String::from_utf8_lossy(&output.stdout).into_owned());
    }
    let said = String::from_utf8_lossy(&output.stderr);
    Err(format!("{command:?} ended with {}\n{}", output.status, said.trim_end()).into())
}

/// If set, the programs are built: the step of `cargo xtask ci` that builds them has passed, and cargo in the other lane holds
/// the lock that another build would wait for.
pub const BUILT: &str = "BLEUPRINT_BUILT";

/// Builds all programs and examples of the workspace as its tests do, with all features and with checks for overflow.
///
/// # Errors
/// One cannot be built.
pub fn build(root: &Path) -> Result {
    if std::env::var_os(BUILT).is_some() {
        return Ok(());
    }
    // All at once: a package alone would want its dependencies with other features, and so once more. Without the program
    // that runs.
    let arguments = ["build", "--quiet", "--workspace", "--all-features", "--exclude", "xtask"];
    run(cargo(root, &arguments).args(["--bins", "--examples"]))
}

/// Builds them, and gives the place of one.
///
/// # Errors
/// One cannot be built.
pub fn program(root: &Path, target: &Path, name: &str) -> Result<PathBuf> {
    build(root)?;
    Ok(target.join("debug").join(format!("{name}{}", std::env::consts::EXE_SUFFIX)))
}
