//! `cargo xtask engines`: installs the engines of tables and runs them all, beside the program. By hand: half a gigabyte of packages.

use std::path::Path;
use std::process::Command;

use xtask::{Result, process, venv};

use crate::python;

/// The engines; Spark needs Java 17 or later too.
const ENGINES: &str = include_str!("python/engines.txt");

/// Runs `cargo xtask engines [--rows N] [ENGINE]..`.
pub(crate) fn run(root: &Path, target: &Path, options: &[&str]) -> Result {
    let (rows, names) = match options {
        ["--rows", rows, names @ ..] => (*rows, names),
        names => ("100000", names),
    };
    let interpreter =
        venv::environment(target, "engines", &format!("{}\n{ENGINES}", python::REQUIREMENTS), &[], None)?;
    let wheel = python::build(root, target, &interpreter)?;
    python::pip(&interpreter, &["--force-reinstall", "--no-deps"], &wheel)?;
    process::run(&mut process::cargo(
        root,
        &[
            "build",
            "--quiet",
            "--release",
            "--package=bleuprint-cli",
            "--package=bleuprint-benches",
            "--bin=bleuprint",
            "--bin=bleuprint-engine",
        ],
    ))?;
    let program = |name: &str| target.join("release").join(format!("{name}{}", std::env::consts::EXE_SUFFIX));
    let mut command = Command::new(&interpreter);
    command
        .arg(root.join("python/benches/engines.py"))
        .arg(program("bleuprint"))
        .arg(program("bleuprint-engine"))
        .arg(target.join("engines/data"))
        .arg(rows);
    process::run(command.args(names).current_dir(target.join("engines")))
}
