//! `cargo xtask engines`: installs the table engines and runs them all next to the program. It is run by
//! hand, because it installs half a gigabyte of packages and builds DataFusion.

use std::path::{Path, PathBuf};
use std::process::Command;

use xtask::{Result, process, venv};

use crate::python;

/// Python packages of the engines; Spark also needs Java 17 or later.
const ENGINES: &str = include_str!("python/engines.txt");

/// Engines in Rust: their packages are `bleuprint-NAME` in `integrations`.
const IN_RUST: [&str; 2] = ["datafusion", "ballista"];

/// Engines that are run from Python; `bleuprint-sql` is one of them.
const IN_PYTHON: [&str; 6] = ["datafusion", "duckdb", "polars", "pandas", "spark", "ray"];

/// Runs `cargo xtask engines [--rows N] [ENGINE]..` or `cargo xtask engines --scale ROWS`.
pub(crate) fn run(root: &Path, target: &Path, options: &[&str]) -> Result {
    let (rows, names) = match options {
        ["--scale", rows] => return scale(root, target, rows),
        ["--rows", rows, names @ ..] => (*rows, names),
        names => ("100000", names),
    };
    let chosen = |of: &[&'static str]| -> Vec<&'static str> {
        of.iter().copied().filter(|name| names.is_empty() || names.contains(name)).collect()
    };
    let in_rust = chosen(&IN_RUST);
    let in_python = chosen(&IN_PYTHON);
    if let Some(unknown) = names.iter().find(|name| !in_rust.contains(name) && !in_python.contains(name)) {
        return Err(
            format!("unknown engine `{unknown}`; there are {}, ballista", IN_PYTHON.join(", ")).into()
        );
    }
    let integrations = target.join("integrations");
    if !in_rust.is_empty() {
        integrated(root, &integrations, &in_rust)?;
    }
    if in_python.is_empty() {
        return Ok(());
    }
    let mut command = script(root, target, "engines.py", &["bleuprint", "bleuprint-engine"])?;
    command
        .arg(executable(&integrations.join("debug"), "bleuprint-sql"))
        .arg(target.join("engines/data"))
        .arg(rows);
    process::run(command.args(in_python).current_dir(target.join("engines")))
}

/// Runs `python/benches/scale.py` with 10^5 segments up to `rows`.
fn scale(root: &Path, target: &Path, rows: &str) -> Result {
    let integrations = target.join("integrations");
    let sql = ["build", "--quiet", "--locked", "--package=bleuprint-datafusion", "--bin=bleuprint-sql"];
    process::run(process::cargo(&root.join("integrations"), &sql).env("CARGO_TARGET_DIR", &integrations))?;
    let mut command = script(root, target, "scale.py", &["bleuprint"])?;
    command.arg(executable(&integrations.join("debug"), "bleuprint-sql"));
    process::run(command.arg(target.join("engines/scale")).arg(rows))
}

fn executable(folder: &Path, name: &str) -> PathBuf {
    folder.join(format!("{name}{}", std::env::consts::EXE_SUFFIX))
}

/// Returns a command for a script of `python/benches`, with the engines and the wheel installed. The first
/// arguments of the script are programs of the workspace.
fn script(root: &Path, target: &Path, name: &str, programs: &[&str]) -> Result<Command> {
    let packages = format!("{}\n{ENGINES}", python::REQUIREMENTS);
    let interpreter = venv::environment(target, "engines", &packages, &[], None)?;
    let wheel = python::build(root, target, &interpreter, python::Profile::Release)?;
    python::pip(&interpreter, &["--force-reinstall", "--no-deps"], &wheel)?;
    let mut build = process::cargo(root, &["build", "--quiet", "--release"]);
    build.args(["--package=bleuprint-cli", "--package=bleuprint-benches"]);
    process::run(build.args(programs.iter().map(|program| format!("--bin={program}"))))?;
    let mut command = Command::new(&interpreter);
    command.arg(root.join("python/benches").join(name));
    command.args(programs.iter().map(|program| executable(&target.join("release"), program)));
    Ok(command)
}

/// Checks and tests the Rust packages, including the examples in their documentation. Times DataFusion next
/// to the library's own loop.
fn integrated(root: &Path, target: &Path, names: &[&str]) -> Result {
    let folder = root.join("integrations");
    let packages: Vec<String> = names.iter().map(|name| format!("--package=bleuprint-{name}")).collect();
    let cargo = |command: &str, packages: &[String], arguments: &[&str]| {
        println!("  integrations: cargo {command} {} {}", packages.join(" "), arguments.join(" "));
        process::run(
            process::cargo(&folder, &[command, "--quiet", "--locked"])
                .args(packages)
                .args(arguments)
                .env("CARGO_TARGET_DIR", target),
        )
    };
    process::run(&mut process::cargo(&folder, &["fmt", "--all", "--check"]))?;
    cargo("clippy", &packages, &["--all-targets", "--", "-D", "warnings"])?;
    cargo("test", &packages, &[])?;
    if names.contains(&"datafusion") {
        let file = target.join("rate.parquet").display().to_string();
        // The features are those of the packages above, so that nothing is built again.
        cargo("build", &packages, &["--examples", "--bins"])?;
        let rate = target.join(format!("debug/examples/rate{}", std::env::consts::EXE_SUFFIX));
        process::run(Command::new(rate).arg(file))?;
    }
    Ok(())
}
