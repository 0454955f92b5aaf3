//! `cargo xtask <task>`: the tasks that maintain the project. `cargo xtask help` lists them.
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "a program of tasks speaks to the terminal")]

mod address;
mod c;
mod ci;
mod cost;
mod deny;
mod engines;
mod fuzz;
mod integrations;
mod js;
mod mutants;
mod names;
mod prose;
mod python;
mod recorded;
mod report;
mod semver;
mod site;
mod tidy;
mod training;
mod version;
mod wasm;
mod web;
mod wheel;

use std::path::Path;
use std::process::{Command, ExitCode};

use xtask::{Result, process};

const USAGE: &str = include_str!("../usage.txt");

fn main() -> ExitCode {
    xtask::main(|arguments| dispatch(&xtask::root(), arguments))
}

fn dispatch(root: &Path, arguments: &[&str]) -> Result {
    let target = &xtask::target(root);
    match arguments {
        ["address", options @ ..] => address::run(root, options),
        ["bench", options @ ..] => {
            let bench =
                ["run", "--quiet", "--package", "bleuprint-benches", "--bin", "bleuprint-bench", "--"];
            let bench = || process::cargo(root, &bench);
            let needs_wheel = || process::output(bench().args(options).arg("--needs-wheel"));
            let mut command = bench();
            if *options != ["--chart"] && needs_wheel()?.trim() == "true" {
                command.arg("--wheel").arg(python::wheel(root, target, python::Profile::Release)?);
            }
            process::run(command.args(options))
        }
        ["ci", options @ ..] => ci::ci(root, target, options),
        ["step", name] => ci::one(root, target, name),
        ["test"] => ci::tests(root),
        ["c", options @ ..] => c::run(root, target, options),
        ["cost", options @ ..] => cost::run(root, target, options),
        ["deny", options @ ..] => deny::run(root, options),
        ["engines", options @ ..] => engines::run(root, target, options),
        ["fuzz", options @ ..] => fuzz::run(root, target, options),
        ["integrations", options @ ..] => integrations::run(root, target, options),
        ["js", options @ ..] => js::run(root, target, options),
        ["lock", options @ ..] => integrations::lock(root, options),
        ["mutants", options @ ..] => mutants::run(root, target, options),
        ["names"] => names::run(root),
        ["prose", options @ ..] => prose::run(root, options),
        ["python", options @ ..] => python::run(root, target, options),
        ["parity" | "soak", ..] => checks(root, target, arguments),
        ["report", options @ ..] => report::run(root, target, options),
        ["semver", options @ ..] => semver::run(root, target, options),
        ["site", options @ ..] => site::run(root, target, options),
        ["tidy"] => tidy::run(root),
        ["training"] => training::run(root, target),
        ["version", options @ ..] => version::run(root, options),
        ["wheel", options @ ..] => wheel::run(root, target, options),
        ["web"] => web::run(root, target),
        ["help" | "--help" | "-h"] => {
            print!("{USAGE}");
            Ok(())
        }
        [] => Err(format!("no task given\n\n{USAGE}").into()),
        _ => Err(format!("unknown task or option `{}`\n\n{USAGE}", arguments.join(" ")).into()),
    }
}

/// Runs a program of `checks`, which has dependencies that the other tasks do not need.
fn checks(root: &Path, target: &Path, arguments: &[&str]) -> Result {
    process::run(Command::new(process::program(root, target, "checks")?).args(arguments).current_dir(root))
}
