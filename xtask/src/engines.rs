//! `cargo xtask engines`: installs the engines of tables and runs them all, beside the program. By hand: half a gigabyte of packages,
//! and DataFusion to build.

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
    let is_rust = |name: &&str| *name == "datafusion";
    if names.is_empty() || names.iter().any(is_rust) {
        integrated(root, &target.join("integrations"))?;
    }
    let names: Vec<&str> = names.iter().copied().filter(|name| !is_rust(name)).collect();
    if names.is_empty() && options.contains(&"datafusion") {
        return Ok(());
    }
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

/// Builds and tests the engines in Rust, and times them beside the library's own loop.
fn integrated(root: &Path, target: &Path) -> Result {
    let folder = root.join("integrations");
    let cargo = |arguments: &[&str]| {
        println!("  integrations: cargo {}", arguments.join(" "));
        process::run(process::cargo(&folder, arguments).env("CARGO_TARGET_DIR", target))
    };
    cargo(&["test", "--quiet", "--workspace", "--locked"])?;
    let file = target.join("rate.parquet").display().to_string();
    cargo(&[
        "run",
        "--quiet",
        "--locked",
        "--package",
        "bleuprint-datafusion",
        "--example",
        "rate",
        "--",
        &file,
    ])
}
