//! `cargo xtask ci`: everything that must hold before a change is taken. The same on a desk, in `.ci/run` and in a hosted
//! workflow: they only call this.
//!
//! Two steps run side by side, of which at most one is cargo's in the folder of the workspace: the other asks real programs,
//! a browser or an interpreter, and would leave a core idle. Each is a process of its own, `cargo xtask step NAME`, whose
//! output is shown when it ends; the first one that fails ends the run and is named.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{Condvar, Mutex, PoisonError};
use std::time::Instant;

use xtask::Result;
use xtask::process::{self, cargo, output, run};

use crate::tidy::packages;
use crate::{checks, data, deny, python, recorded, report, site, tidy};

/// What a step works with.
struct Context {
    root: PathBuf,
    target: PathBuf,
}

struct Step {
    name: &'static str,
    kind: Kind,
    run: fn(&Context) -> Result,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// Cargo, in the folder of the workspace: one at a time.
    Cargo,
    /// Runs programs of the workspace: once they are built, cargo builds nothing for it.
    Built,
    /// Needs nothing of the others.
    Alone,
}

/// What the steps of [`Kind::Built`] wait for.
const BUILD: &str = "build";

const fn step(name: &'static str, kind: Kind, run: fn(&Context) -> Result) -> Step {
    Step { name, kind, run }
}

/// Of those that can start, the first does. All builds choose the whole workspace where they can: a package alone would want
/// its dependencies with other features, and so once more.
const STEPS: &[Step] = &[
    step("fmt", Kind::Cargo, |context| {
        run(&mut cargo(&context.root, &["fmt", "--all", "--check"]))?;
        // Too large to build with every commit: `cargo xtask engines` and `training` do, but these cost nothing.
        for folder in deny::LOCKED.iter().filter(|folder| folder.starts_with("integrations")) {
            let folder = context.root.join(folder);
            run(&mut cargo(&folder, &["fmt", "--all", "--check"]))?;
            run(&mut cargo(&folder, &["update", "--quiet", "--workspace", "--locked"]))?;
        }
        Ok(())
    }),
    step("tidy", Kind::Alone, |context| tidy::run(&context.root)),
    step("data", Kind::Alone, |context| data::run(&context.root, true)),
    step(BUILD, Kind::Cargo, |context| process::build(&context.root)),
    step("python", Kind::Alone, |context| python::run(&context.root, &context.target, &[])),
    step("parity", Kind::Built, |context| {
        checks(
            &context.root,
            &context.target,
            &["parity", "--share", PARITY_SHARE, "--seed", &seed(&context.root)],
        )
    }),
    step("report", Kind::Built, |context| report::run(&context.root, &context.target, &[])),
    step("soak", Kind::Built, |context| {
        checks(
            &context.root,
            &context.target,
            &["soak", "--seconds", SOAK_SECONDS, "--seed", &seed(&context.root)],
        )
    }),
    step("examples", Kind::Built, examples),
    step("site", Kind::Built, |context| site::run(&context.root, &context.target, &[])),
    step("tests", Kind::Cargo, |context| tests(&context.root)),
    step("recorded", Kind::Cargo, |context| recorded::run(&context.root)),
    step("clippy", Kind::Cargo, |context| {
        let arguments = ["clippy", "--workspace", "--all-targets", "--all-features", "--quiet"];
        run(cargo(&context.root, &arguments).args(["--", "-D", "warnings"]))
    }),
    // The program and the library have one name, and so would their pages: the library's are the ones to read.
    step("docs", Kind::Cargo, |context| {
        let arguments =
            ["doc", "--workspace", "--no-deps", "--all-features", "--quiet", "--exclude", "bleuprint-cli"];
        run(cargo(&context.root, &arguments).env("RUSTDOCFLAGS", "-D warnings"))
    }),
    // The tokenizers and languages behind features, which the tests above leave out because their libraries are large.
    step("features", Kind::Cargo, |context| {
        run(&mut cargo(&context.root, &["test", "--quiet", "-p", "bleuprint-text", "--all-features"]))?;
        run(&mut cargo(&context.root, &["test", "--quiet", "-p", "bleuprint-codebleu", "--all-features"]))
    }),
    step("plugins", Kind::Cargo, plugins),
    // Users build without the default features, and packages must hold all that they need.
    step("lean", Kind::Cargo, |context| {
        run(&mut cargo(&context.root, &["check", "--quiet", "-p", "bleuprint", "--no-default-features"]))
    }),
    step("package", Kind::Cargo, package),
];

/// Each run asks a tenth of the random cases, so that it ends in minutes, and every commit others; `cargo xtask parity` asks
/// them all.
const PARITY_SHARE: &str = "10";

/// As long as every commit has other runs.
const SOAK_SECONDS: &str = "30";

/// Runs `cargo xtask ci [--skip STEP]..`.
pub(crate) fn ci(root: &Path, target: &Path, options: &[&str]) -> Result {
    let skipped = skipped(options)?;
    let start = Instant::now();
    let plan = Mutex::new(Plan { states: STEPS.iter().map(|step| State::of(step, &skipped)).collect() });
    let changed = Condvar::new();
    std::thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| work(root, target, &plan, &changed));
        }
    });
    let plan = plan.into_inner().unwrap_or_else(PoisonError::into_inner);
    for (step, state) in STEPS.iter().zip(&plan.states) {
        println!("{:>10}  {}", step.name, state.told());
    }
    println!("{:>10}  {:6.1} s", "all", start.elapsed().as_secs_f64());
    let failed = |state: &State| matches!(state, State::Ended { passed: false, .. });
    match plan.states.iter().position(failed) {
        Some(at) => Err(format!("step `{}` failed", STEPS[at].name).into()),
        None => Ok(()),
    }
}

/// Runs `cargo xtask step NAME`.
pub(crate) fn one(root: &Path, target: &Path, name: &str) -> Result {
    let step = STEPS.iter().find(|step| step.name == name).ok_or_else(|| unknown(name))?;
    (step.run)(&Context { root: root.to_path_buf(), target: target.to_path_buf() })
}

enum State {
    Waits,
    Skipped,
    Runs,
    Ended { passed: bool, seconds: f64 },
}

impl State {
    fn of(step: &Step, skipped: &[&str]) -> State {
        if skipped.contains(&step.name) { State::Skipped } else { State::Waits }
    }

    fn told(&self) -> String {
        match self {
            State::Waits | State::Runs => "     not run".to_owned(),
            State::Skipped => "     skipped, as asked".to_owned(),
            State::Ended { passed, seconds } => {
                format!("{seconds:6.1} s{}", if *passed { "" } else { ", FAILED" })
            }
        }
    }
}

struct Plan {
    states: Vec<State>,
}

impl Plan {
    fn any(&self, is: impl Fn(&Step, &State) -> bool) -> bool {
        STEPS.iter().zip(&self.states).any(|(step, state)| is(step, state))
    }

    /// The first step that can start now.
    fn next(&self) -> Option<usize> {
        let pending = |name: &str| {
            self.any(|step, state| step.name == name && matches!(state, State::Waits | State::Runs))
        };
        let cargo = self.any(|step, state| step.kind == Kind::Cargo && matches!(state, State::Runs));
        STEPS.iter().zip(&self.states).position(|(step, state)| {
            let can = match step.kind {
                Kind::Cargo => !cargo,
                Kind::Built => !pending(BUILD),
                Kind::Alone => true,
            };
            can && matches!(state, State::Waits)
        })
    }

    fn failed(&self) -> bool {
        self.any(|_, state| matches!(state, State::Ended { passed: false, .. }))
    }

    fn waits(&self) -> bool {
        self.any(|_, state| matches!(state, State::Waits))
    }
}

/// Takes steps until none is left, or one has failed.
fn work(root: &Path, target: &Path, plan: &Mutex<Plan>, changed: &Condvar) {
    let mut held = plan.lock().unwrap_or_else(PoisonError::into_inner);
    while !held.failed() && held.waits() {
        let Some(at) = held.next() else {
            held = changed.wait(held).unwrap_or_else(PoisonError::into_inner);
            continue;
        };
        held.states[at] = State::Runs;
        drop(held);
        let name = STEPS[at].name;
        println!("==> {name}");
        let start = Instant::now();
        let (passed, said) = spawn(root, target, name);
        let seconds = start.elapsed().as_secs_f64();
        held = plan.lock().unwrap_or_else(PoisonError::into_inner);
        println!("<== {name}: {}, {seconds:.1} s\n{said}", if passed { "passed" } else { "FAILED" });
        held.states[at] = State::Ended { passed, seconds };
        changed.notify_all();
    }
}

/// A step in a process of its own: whether it passes, and what it says.
fn spawn(root: &Path, target: &Path, name: &str) -> (bool, String) {
    let said = target.join(format!("ci-{name}.txt"));
    let run = || -> Result<bool> {
        let file = std::fs::File::create(&said)?;
        let mut command = Command::new(std::env::current_exe()?);
        command.args(["step", name]).current_dir(root).stdout(file.try_clone()?).stderr(file);
        Ok(command.status()?.success())
    };
    match run() {
        Ok(passed) => (passed, std::fs::read_to_string(&said).unwrap_or_default()),
        Err(error) => (false, error.to_string()),
    }
}

/// The steps that the options leave out; a name that is not known would silently leave out nothing.
fn skipped<'a>(options: &[&'a str]) -> Result<Vec<&'a str>> {
    let mut skipped = Vec::new();
    for pair in options.chunks(2) {
        match pair {
            ["--skip", name] if STEPS.iter().any(|step| step.name == *name) => skipped.push(*name),
            ["--skip", name] => return Err(unknown(name).into()),
            _ => return Err(format!("unknown option `{}`; there is `--skip STEP`", pair.join(" ")).into()),
        }
    }
    Ok(skipped)
}

fn unknown(name: &str) -> String {
    let known: Vec<&str> = STEPS.iter().map(|step| step.name).collect();
    format!("unknown step `{name}`; there are {}", known.join(", "))
}

/// A number of the commit, so that every commit looks at other random cases and its own again; 0 without one.
fn seed(root: &Path) -> String {
    let commit = output(Command::new("git").args(["rev-parse", "HEAD"]).current_dir(root));
    let number = commit.ok().and_then(|commit| u32::from_str_radix(commit.get(..8)?, 16).ok());
    number.unwrap_or(0).to_string()
}

/// Runs `cargo xtask test`: the command that the README gives for the tests, so that it is the one that is kept true.
pub(crate) fn tests(root: &Path) -> Result {
    let readme = std::fs::read_to_string(root.join("README.md"));
    let readme = readme.map_err(|error| format!("cannot read README.md: {error}"))?;
    let command = test_command(&readme).ok_or("README.md has no line that begins with `cargo test`")?;
    println!("  {command}");
    run(cargo(root, &[]).args(command.split_whitespace().skip(1)))
}

/// The first command of the README that runs tests, without its comment.
fn test_command(readme: &str) -> Option<&str> {
    let lines = readme.lines().map(|line| line.trim().trim_start_matches("$ "));
    let mut commands = lines.filter(|line| *line == "cargo test" || line.starts_with("cargo test "));
    commands.next().map(|line| line.split('#').next().unwrap_or(line).trim_end())
}

/// Runs every example: they assert what they show.
fn examples(context: &Context) -> Result {
    process::build(&context.root)?;
    for package in packages::read(&context.root)? {
        for example in package.examples().filter(|_| package.name == "bleuprint-examples") {
            println!("  {example}");
            let program = context.target.join("debug/examples").join(example);
            // Their output is for readers; here only their assertions count.
            output(Command::new(program).current_dir(&context.root))?;
        }
    }
    Ok(())
}

/// Packs what goes to the registry, so that a file or a version that is missing there is missed here.
fn package(context: &Context) -> Result {
    let packages = packages::read(&context.root)?;
    let published = packages.iter().filter(|package| package.published());
    // In a work tree with changes that are not committed it packs those.
    let mut command = cargo(&context.root, &["package", "--quiet", "--no-verify", "--allow-dirty"]);
    run(command.args(published.flat_map(|package| ["--package", &package.name])))
}

/// Tests the package of plug-ins, which stands outside the workspace, and runs its program on the example data.
fn plugins(context: &Context) -> Result {
    let plugins = context.root.join("examples/plugins");
    run(&mut cargo(&plugins, &["fmt", "--check"]))?;
    let with = |command: &str| {
        let mut command = cargo(&plugins, &[command, "--quiet"]);
        command.arg("--target-dir").arg(&context.target);
        command
    };
    run(&mut with("test"))?;
    let data = context.root.join("examples/data");
    let mut score = with("run");
    score.args(["--", "score"]).arg(data.join("en.ref1.txt")).arg("-i").arg(data.join("en.sys-a.txt"));
    run(score.args(["-f", "text", "-m", "bleu", "unigram_f", "numbers:min-digits=2", "distinct_tokens"]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_test_command_is_read_from_the_readme() {
        let readme =
            "Run `cargo test` once.\n\n    cargo run -- x\n    cargo test --workspace   # all of it\n";
        assert_eq!(test_command(readme), Some("cargo test --workspace"));
        assert_eq!(test_command("$ cargo test\n"), Some("cargo test"));
        assert_eq!(test_command("cargo tests\n"), None);
    }

    #[test]
    fn steps_can_be_skipped_by_name_only() {
        assert_eq!(skipped(&["--skip", "tests", "--skip", "parity"]).unwrap(), ["tests", "parity"]);
        let unknown = skipped(&["--skip", "test"]).unwrap_err().to_string();
        assert!(unknown.contains("there are fmt, tidy, data"), "{unknown}");
        assert!(skipped(&["--skip"]).is_err() && skipped(&["tests"]).is_err());
    }

    #[test]
    fn what_needs_programs_waits_for_them_and_cargo_for_cargo() {
        let mut plan = Plan { states: STEPS.iter().map(|step| State::of(step, &["fmt"])).collect() };
        let name = |plan: &Plan| plan.next().map(|at| STEPS[at].name);
        let mut seen = Vec::new();
        while let Some(at) = plan.next() {
            seen.push(STEPS[at].name);
            plan.states[at] = State::Runs;
        }
        assert_eq!(seen, ["tidy", "data", BUILD, "python"]);
        let build = STEPS.iter().position(|step| step.name == BUILD).unwrap();
        plan.states[build] = State::Ended { passed: true, seconds: 1.0 };
        assert_eq!(name(&plan), Some("parity"));
    }
}
