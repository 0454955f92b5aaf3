//! `cargo xtask <chore>`: what the project does to itself. `cargo xtask help` lists the chores.
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "a program of chores speaks to the terminal")]

mod bench;
mod ci;
mod data;
mod parity;
mod python;
mod report;
mod soak;
mod tidy;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

const USAGE: &str = "\
usage: cargo xtask <chore>

  bench [--record] [--generated] [--python PATH]
                           time us beside the real peers and compare the answers; --record keeps the result
  ci [--skip STEP]..       all steps: fmt, clippy, tests, examples, docs, tidy, data, parity
  test                     the tests, by the command that the README gives
  data [--check]           write the example data, or check that it is what the generator writes
  parity [--python PATH] [--only WORDS] [--share N]
                           compare with the real sacreBLEU, installed from PyPI (or with an interpreter that has it);
                           with --only the comparisons whose names contain the words, with --share one in N of the random cases
  python [--speed] [--libraries]
                           build the wheel of the Python package, install it, run its tests and examples there; with
                           --speed time it beside sacreBLEU, with --libraries test it beside jax, keras, polars and others
  report [--shots PAGE FOLDER]
                           check the page of `bleuprint report` in headless Chromium, where it can be had; or take pictures
  soak [--seconds N] [--seed S] [--runs N] [--run N]
                           random command lines and damaged inputs, a minute of them: nothing panics, and what scores agrees
                           with a naive twin; --run repeats one
  tidy                     check the rules of the house: layout, registries, dependency arrows, links
";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match dispatch(&root(), &arguments) {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("error: {message}");
            ExitCode::FAILURE
        }
    }
}

fn dispatch(root: &Path, arguments: &[&str]) -> Result<(), String> {
    match arguments {
        ["bench", options @ ..] => bench::run(root, &target(root), options),
        ["ci", options @ ..] => ci::run(root, &target(root), options),
        ["test"] => ci::tests(root),
        ["data"] => data::run(root, false),
        ["data", "--check"] => data::run(root, true),
        ["parity", options @ ..] => parity::run(root, &target(root), options),
        ["python", options @ ..] => python::run(root, &target(root), options),
        ["report", options @ ..] => report::run(root, &target(root), options),
        ["soak", options @ ..] => soak::run(root, &target(root), options),
        ["tidy"] => tidy::run(root),
        ["help" | "--help" | "-h"] => {
            print!("{USAGE}");
            Ok(())
        }
        [] => Err(format!("no chore given\n\n{USAGE}")),
        _ => Err(format!("unknown chore or option `{}`\n\n{USAGE}", arguments.join(" "))),
    }
}

/// The root of the workspace: the parent of this package, wherever the checkout is now.
fn root() -> PathBuf {
    let package = std::env::var_os("CARGO_MANIFEST_DIR").map(PathBuf::from);
    let package = package.unwrap_or_else(|| PathBuf::from(env!("CARGO_MANIFEST_DIR")));
    package.parent().map(Path::to_path_buf).unwrap_or(package)
}

/// Where build products go.
fn target(root: &Path) -> PathBuf {
    std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root.join("target"), PathBuf::from)
}
