//! `cargo xtask <chore>`: what the project does to itself. `cargo xtask help` lists the chores.
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "a program of chores speaks to the terminal")]

mod ci;
mod data;
mod python;
mod report;
mod tidy;

use std::path::Path;
use std::process::ExitCode;

use xtask::process;

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
  report [--shots PAGE FOLDER] [--timing PAGE..]
                           check the page of `bleuprint report` in headless Chromium, where it can be had; or take pictures,
                           or time its script
  soak [--seconds N] [--seed S] [--runs N] [--run N]
                           random command lines and damaged inputs, a minute of them: nothing panics, and what scores agrees
                           with a naive twin; --run repeats one
  tidy                     check the rules of the house: layout, registries, dependency arrows, links
";

fn main() -> ExitCode {
    xtask::main(|arguments| dispatch(&xtask::root(), arguments))
}

fn dispatch(root: &Path, arguments: &[&str]) -> Result<(), String> {
    match arguments {
        ["bench", options @ ..] => {
            let engine =
                ["run", "--quiet", "--package", "bleuprint-benches", "--bin", "bleuprint-bench", "--"];
            process::run(process::cargo(root, &engine).args(options))
        }
        ["ci", options @ ..] => ci::run(root, &xtask::target(root), options),
        ["test"] => ci::tests(root),
        ["data"] => data::run(root, false),
        ["data", "--check"] => data::run(root, true),
        ["python", options @ ..] => python::run(root, &xtask::target(root), options),
        ["parity" | "soak", ..] => checks(root, arguments),
        ["report", options @ ..] => report::run(root, &xtask::target(root), options),
        ["tidy"] => tidy::run(root),
        ["help" | "--help" | "-h"] => {
            print!("{USAGE}");
            Ok(())
        }
        [] => Err(format!("no chore given\n\n{USAGE}")),
        _ => Err(format!("unknown chore or option `{}`\n\n{USAGE}", arguments.join(" "))),
    }
}

/// Runs a program of `checks`, which needs what the other chores do not.
fn checks(root: &Path, arguments: &[&str]) -> Result<(), String> {
    process::run(process::cargo(root, &["run", "--quiet", "--package", "checks", "--"]).args(arguments))
}
