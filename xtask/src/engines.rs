//! `cargo xtask engines`: installs the engines of tables and runs them all, beside the program. By hand: half a gigabyte of packages,
//! and DataFusion to build.

use std::path::Path;
use std::process::Command;

use xtask::{Result, process, venv};

use crate::python;

/// The engines; Spark needs Java 17 or later too.
const ENGINES: &str = include_str!("python/engines.txt");

/// Those in Rust: their packages are `bleuprint-NAME` in `integrations`.
const IN_RUST: [&str; 2] = ["datafusion", "ballista"];

/// Those that are run from Python; `bleuprint-sql` is one.
const IN_PYTHON: [&str; 6] = ["datafusion", "duckdb", "polars", "pandas", "spark", "ray"];

/// Runs `cargo xtask engines [--rows N] [ENGINE]..`.
pub(crate) fn run(root: &Path, target: &Path, options: &[&str]) -> Result {
    let (rows, names) = match options {
        ["--rows", rows, names @ ..] => (*rows, names),
        names => ("100000", names),
    };
    let chosen = |of: &[&'static str]| -> Vec<&'static str> {
        of.iter().copied().filter(|name| names.is_empty() || names.contains(name)).collect()
    };
    let (in_rust, in_python) = (chosen(&IN_RUST), chosen(&IN_PYTHON));
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
    let interpreter =
        venv::environment(target, "engines", &format!("{}\n{ENGINES}", python::REQUIREMENTS), &[], None)?;
    let wheel = python::build(root, target, &interpreter, python::Profile::Release)?;
    python::pip(&interpreter, &["--force-reinstall", "--no-deps"], &wheel)?;
    process::run(&mut process::cargo(
        root,
        &[
            "build",
            "--quiet",
            "--profile=dist",
            "--package=bleuprint-cli",
            "--package=bleuprint-benches",
            "--bin=bleuprint",
            "--bin=bleuprint-engine",
        ],
    ))?;
    let program = |folder: &Path, name: &str| folder.join(format!("{name}{}", std::env::consts::EXE_SUFFIX));
    let mut command = Command::new(&interpreter);
    command
        .arg(root.join("python/benches/engines.py"))
        .arg(program(&target.join("dist"), "bleuprint"))
        .arg(program(&target.join("dist"), "bleuprint-engine"))
        .arg(program(&integrations.join("debug"), "bleuprint-sql"))
        .arg(target.join("engines/data"))
        .arg(rows);
    process::run(command.args(in_python).current_dir(target.join("engines")))
}

/// Checks and tests packages in Rust, examples in their documentation too, and times DataFusion beside the library's own loop.
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
        // With the features of the packages above, so that nothing is built again.
        cargo("build", &packages, &["--examples", "--bins"])?;
        let rate = target.join(format!("debug/examples/rate{}", std::env::consts::EXE_SUFFIX));
        process::run(Command::new(rate).arg(file))?;
    }
    Ok(())
}
