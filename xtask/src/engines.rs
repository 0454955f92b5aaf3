//! `cargo xtask engines`: installs the engines of tables and runs them all, beside the program. By hand: half a gigabyte of packages,
//! and DataFusion and Ballista to build.

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
        names => ("200000", names),
    };
    let interpreter =
        venv::environment(target, "engines", &format!("{}\n{ENGINES}", python::REQUIREMENTS), &[], None)?;
    let integrations = target.join("integrations");
    if names.is_empty() || names.iter().any(|name| ["datafusion", "ballista"].contains(name)) {
        integrated(root, &integrations)?;
    }
    let wheel = python::build(root, target, &interpreter)?;
    python::pip(&interpreter, &["--force-reinstall", "--no-deps"], &wheel)?;
    process::run(&mut process::cargo(
        root,
        &["build", "--quiet", "--release", "--package", "bleuprint-cli"],
    ))?;
    let program = target.join("release").join(format!("bleuprint{}", std::env::consts::EXE_SUFFIX));
    let mut command = Command::new(&interpreter);
    command
        .arg(root.join("python/benches/engines.py"))
        .arg(program)
        .arg(target.join("engines/data"))
        .arg(rows);
    command.args(names).current_dir(target.join("engines"));
    process::run(command.env("INTEGRATIONS", integrations.join("debug")))
}

/// Builds the engines in Rust, with lints and tests, and times them beside the library's own loop. Always the whole workspace: a
/// package alone would want its dependencies with other features, and so once more.
fn integrated(root: &Path, target: &Path) -> Result {
    let folder = root.join("integrations");
    let cargo = |arguments: &[&str]| {
        println!("  integrations: cargo {}", arguments.join(" "));
        process::run(process::cargo(&folder, arguments).env("CARGO_TARGET_DIR", target))
    };
    cargo(&["fmt", "--all", "--check"])?;
    cargo(&["test", "--quiet", "--workspace", "--all-targets", "--locked"])?;
    cargo(&["test", "--quiet", "--workspace", "--doc", "--locked"])?;
    process::run(Command::new(target.join("debug/examples/rate")).arg(target.join("rate.parquet")))
}
