//! `cargo xtask <task>`: the tasks that maintain the project. `cargo xtask help` lists them.
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "a program of chores speaks to the terminal")]

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

const USAGE: &str = "\
usage: cargo xtask <chore>

  address [URL]            set the address of the repository in the manifests, the wheel and the recipes, and write the pages
                           that registries show; without URL write these pages again
  bench [--record] [--generated] [--python PATH] [--only TASK]..
                           time us beside the real peers and compare the answers; --record keeps the result
  bench --chart            write the tables and the README's chart from the newest record
  c [--full]               build and test the C library of `integrations/c` over the golden rows; with --full under the sanitizers and
                           valgrind, and the check that the header is current
  c --header               write the header by cbindgen
  c --pack [OPTION OF CARGO]..
                           build the library of a release and pack it with its header; minutes
  ci [--full] [--skip STEP]..
                           all steps, two at a time: fmt, tests, clippy, docs, python, parity and others; with --full all
                           random comparisons and all draws of simulations, of which the other runs ask a part
  step NAME                one of them
  test                     the tests, by the command that the README gives
  cost [--accept] [WORKLOAD]..
                           count the instructions of short workloads under valgrind, in the profile `release`; growth of 3 %
                           above `benches/cost/baseline.toml` fails, and --accept records the counts
  deny [--offline]         licences, sources and known holes of all lock files, by cargo-deny and `deny.toml`; without the
                           network the known holes are left out
  engines [--rows N] [ENGINE]..
                           install DuckDB, Polars, pandas, Spark and Ray, build DataFusion and Ballista (many minutes), and run
                           tables in each: the bits of the program on 1, 2 and 7 partitions and after lost tasks, rates and
                           memory; Spark needs Java
  engines --scale ROWS     time and memory of the program, DataFusion and DuckDB from 10^5 segments to ROWS; 10^8 take half an
                           hour and 15 GB
  fuzz [TARGET] [--seconds N] [--address]
                           run the fuzz targets, or one, for a minute or N seconds each
  integrations [--quick]   compile what is outside the workspace: DataFusion, Ballista, burn, the page and the examples of
                           plug-ins; with --quick without the first three, which take minutes
  js [--full | --pack]     build the npm package of `integrations/js` over the text metrics and run their golden rows in Node; with
                           --full the modules of a release (minutes), strict TypeScript, promptfoo, Vitest and Chromium; with --pack its archive
  lock [--newest]          bring all lock files in step with the manifests; with --newest with the newest versions of others
  mutants [PACKAGE] [--shard K/N]
                           change the code of the numbers that are promised, one place after another, by cargo-mutants: the tests of
                           the package fail, or the change is the same program and listed; hours, or a shard of them
  names                    types that share their name with another file's or have one word, tuples of bindings, functions `of`
  parity [--python PATH] [--only WORDS] [--share N] [--seed S]
                           compare with the real sacreBLEU, installed from PyPI (or with an interpreter that has it);
                           with --only the comparisons whose names contain the words, with --share one in N of the random cases,
                           with --seed others
  prose [--draw N] [--seed S] [FOLDER]..
                           counts of the prose in comments by package, and the worst 20 comments; with --draw N random comments
                           with the line of code below each
  python [--speed] [--libraries] [--harnesses] [--plugin]
                           build the wheel of the Python package, install it, run its tests and examples there; with
                           --speed time it beside sacreBLEU, with --libraries test it beside jax, keras, polars and others,
                           with --harnesses beside inspect-ai, MLflow, transformers and others
  report [--shots PAGE FOLDER] [--timing PAGE..]
                           check the page of `bleuprint report` in headless Chromium, where it can be had; or take pictures,
                           or time its script
  semver [--since COMMIT] [PACKAGE]..
                           what the public items of the packages lost or changed since a commit, or the last tag of a version, by
                           cargo-semver-checks; many minutes
  site [--program PATH]    the documentation as a site in target/site/html, its links checked
  soak [--seconds N] [--seed S] [--runs N] [--run N]
                           random command lines and damaged inputs, a minute of them: nothing panics, and what scores agrees
                           with a naive twin; --run repeats one
  tidy                     check the rules of the house: layout, registries, dependency arrows, links
  training                 test `integrations/burn` and run its loops of burn and candle; minutes
  version [X.Y.Z]          set the version of all packages and of the wheel, or check that they are in step
  wheel [--twice] [OPTION OF MATURIN]..
                           build the wheel of a release, whose bytes follow from the sources alone; with --twice in two folders
                           whose wheels must be equal; many minutes
  web                      build the page of `integrations/web`, the metrics in a browser, for WebAssembly, and check it in
                           headless Chromium against the program
";

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
        [] => Err(format!("no chore given\n\n{USAGE}").into()),
        _ => Err(format!("unknown chore or option `{}`\n\n{USAGE}", arguments.join(" ")).into()),
    }
}

/// Runs a program of `checks`, which has dependencies that the other tasks do not need.
fn checks(root: &Path, target: &Path, arguments: &[&str]) -> Result {
    process::run(Command::new(process::program(root, target, "checks")?).args(arguments).current_dir(root))
}
