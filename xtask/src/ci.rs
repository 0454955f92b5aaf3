//! `cargo xtask ci`: every check that a change must pass. A developer, `.ci/run` and a hosted workflow all
//! run this command.
//!
//! Two steps run side by side, of which at most one runs cargo in the folder of the workspace. The other runs
//! real programs, a browser or an interpreter, which would leave a core idle. Each step is a separate
//! process, `cargo xtask step NAME`, whose output is shown when it ends. The first failing step ends the run
//! and is named. The last lines list the steps with their seconds, the longest first.
//!
//! All builds of the workspace use all features, so that tests, lints and pages share compiled code. A
//! run checks a part of the random comparisons and of the draws of simulations; with `--full`, all.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{Condvar, Mutex, PoisonError};
use std::time::Instant;

use xtask::process::{self, cargo, output, run};
use xtask::{Result, venv};

use crate::integrations::{self, IntegrationSet};
use crate::tidy::packages;
use crate::{c, checks, cost, deny, js, python, recorded, report, site, tidy, wasm, web};

struct StepContext {
    root: PathBuf,
    target: PathBuf,
    /// `true` to run all random comparisons and all draws of simulations.
    full: bool,
}

struct CiStep {
    name: &'static str,
    kind: CiStepKind,
    run: fn(&StepContext) -> Result,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum CiStepKind {
    /// Runs cargo in the folder of the workspace; only one such step runs at a time.
    Cargo,
    /// Runs cargo, after a step that it needs.
    CargoAfter(&'static str),
    /// Runs the products of the named step; cargo builds nothing for it.
    After(&'static str),
    /// Needs no other step.
    Alone,
}

/// The step that builds the programs of the workspace, its tests, and the wheel.
const BUILD: &str = "build";
const COMPILE: &str = "compile";
const WHEEL: &str = "wheel";
/// The step that prepares the interpreter, which builds the wheel.
const PYTHON_PACKAGES: &str = "venv";

const fn step(name: &'static str, kind: CiStepKind, run: fn(&StepContext) -> Result) -> CiStep {
    CiStep { name, kind, run }
}

/// The steps in order; the first one that can start is started. Compiling uses both cores, so the long steps
/// that only run programs start when all tests are compiled. They then run next to the tests, many of which
/// leave a core idle. All builds select the whole workspace if they can: a single package would need its
/// dependencies with other features, and compile them again.
const STEPS: &[CiStep] = &[
    step("fmt", CiStepKind::Alone, |context| {
        run(&mut cargo(&context.root, &["fmt", "--all", "--check"]))?;
        // These workspaces are too large to build with every commit, or are built by other steps. Checking
        // their lock files costs nothing.
        for name in deny::LOCKED.iter().filter(|name| !name.is_empty()) {
            let folder = context.root.join(name);
            if name.starts_with("integrations") {
                run(&mut cargo(&folder, &["fmt", "--all", "--check"]))?;
            }
            run(&mut cargo(&folder, &["update", "--quiet", "--workspace", "--locked"]))?;
        }
        Ok(())
    }),
    step("tidy", CiStepKind::Alone, |context| tidy::run(&context.root)),
    step(BUILD, CiStepKind::Cargo, |context| process::build(&context.root)),
    step(PYTHON_PACKAGES, CiStepKind::Alone, |context| python::environment(&context.target).map(drop)),
    step(COMPILE, CiStepKind::Cargo, |context| run(readme_tests(&context.root)?.arg("--no-run"))),
    step(WHEEL, CiStepKind::CargoAfter(PYTHON_PACKAGES), |context| {
        // A full run builds the wheel in the profile of a release, whose builds no other step shares.
        let profile = if context.full { python::Profile::Dev } else { python::Profile::Tested };
        python::wheel(&context.root, &context.target, profile).map(drop)
    }),
    step("python", CiStepKind::After(WHEEL), |context| {
        let options: &[&str] = if context.full { &["--plugin"] } else { &[] };
        python::run(&context.root, &context.target, options)
    }),
    step("tests", CiStepKind::Cargo, |context| tests(&context.root)),
    step("recorded", CiStepKind::Cargo, |context| recorded::run(&context.root)),
    step("clippy", CiStepKind::Cargo, |context| {
        let arguments = ["clippy", "--workspace", "--all-targets", "--all-features", "--quiet"];
        run(cargo(&context.root, &arguments).args(["--", "-D", "warnings"]))
    }),
    step("docs", CiStepKind::Cargo, docs),
    step("plugins", CiStepKind::Cargo, plugins),
    // Users build without the default features, and packages must contain all that they need.
    step("lean", CiStepKind::Cargo, |context| {
        // Each package alone, since Cargo unites the features of a build.
        ["bleuprint", "bleuprint-metrics"].into_iter().try_for_each(|package| {
            let lean = ["clippy", "--quiet", "-p", package, "--no-default-features", "--", "-D", "warnings"];
            run(&mut cargo(&context.root, &lean))
        })
    }),
    step("wasm", CiStepKind::Cargo, |context| wasm::check(&context.root, &context.target)),
    step("outside", CiStepKind::Cargo, |context| {
        integrations::check(&context.root, &context.target, IntegrationSet::Quick)
    }),
    // The library of the workspace's own build, so that nothing is compiled for it.
    step("c", CiStepKind::CargoAfter(COMPILE), |context| {
        let options: &[&str] = if context.full { &["--full"] } else { &[] };
        c::run(&context.root, &context.target, options)
    }),
    step("js", CiStepKind::Cargo, |context| {
        let options: &[&str] = if context.full { &["--full"] } else { &[] };
        js::run(&context.root, &context.target, options)
    }),
    // This step runs cargo in the profile `release`, which no other step builds.
    step("cost", CiStepKind::Cargo, |context| cost::run(&context.root, &context.target, &[])),
    step("workflows", CiStepKind::Alone, |context| {
        let python = venv::environment(&context.target, "workflows", "zizmor==1.32.0\n", &[], None)?;
        let zizmor = python.with_file_name(format!("zizmor{}", std::env::consts::EXE_SUFFIX));
        run(Command::new(zizmor)
            .args(["--offline", "--quiet", ".github", "action.yml"])
            .current_dir(&context.root))
    }),
    step("spelling", CiStepKind::Alone, |context| {
        let python = venv::environment(&context.target, "spelling", "typos==1.52.0\n", &[], None)?;
        let typos = python.with_file_name(format!("typos{}", std::env::consts::EXE_SUFFIX));
        run(Command::new(typos).args(["--format", "brief"]).current_dir(&context.root))
    }),
    step("package", CiStepKind::Alone, package),
    step("parity", CiStepKind::After(COMPILE), |context| {
        let share = if context.full { "1" } else { PARITY_SHARE };
        checks(&context.root, &context.target, &["parity", "--share", share, "--seed", &seed(&context.root)])
    }),
    step("report", CiStepKind::After(COMPILE), |context| report::run(&context.root, &context.target, &[])),
    // This step runs after the step that creates the same Python environment.
    step("web", CiStepKind::After("report"), |context| {
        if context.full {
            return web::run(&context.root, &context.target);
        }
        println!("  with --full alone: it optimises the page, and installs the maker of its bindings");
        Ok(())
    }),
    // Soak and parity start programs that the build has made, so they need no lock of cargo.
    step("soak", CiStepKind::After(COMPILE), |context| {
        let seconds = if context.full { SOAK_SECONDS_OF_FULL } else { SOAK_SECONDS };
        checks(
            &context.root,
            &context.target,
            &["soak", "--seconds", seconds, "--seed", &seed(&context.root)],
        )
    }),
    step("examples", CiStepKind::After(COMPILE), examples),
    // After the page of metrics, which the site of a full run contains.
    step("site", CiStepKind::After("web"), |context| site::run(&context.root, &context.target, &[])),
];

/// The reciprocal of the share of random cases that are checked. A run then ends in minutes, and every commit
/// checks other cases.
const PARITY_SHARE: &str = "40";

/// Every commit has other runs, so a short time is enough: the step takes both cores.
const SOAK_SECONDS: &str = "20";
const SOAK_SECONDS_OF_FULL: &str = "600";

/// The environment variable that requests all random comparisons and all draws of simulations;
/// `bleuprint_testkit::draws` reads it, too.
const FULL: &str = "BLEUPRINT_FULL";

/// Runs `cargo xtask ci [--full] [--skip STEP]..`.
pub(crate) fn ci(root: &Path, target: &Path, options: &[&str]) -> Result {
    let CiOptions { full, skipped } = CiOptions::of(options)?;
    let start = Instant::now();
    let plan =
        Mutex::new(CiPlan { states: STEPS.iter().map(|step| StepState::of(step, &skipped)).collect() });
    let changed = Condvar::new();
    std::thread::scope(|scope| {
        // Two workers: the lock of cargo admits one build at a time, and the second worker runs finished programs.
        for _ in 0..2 {
            scope.spawn(|| work(root, target, full, &plan, &changed));
        }
    });
    let plan = plan.into_inner().unwrap_or_else(PoisonError::into_inner);
    for (name, state) in plan.longest_first() {
        println!("{name:>10}  {}", state.told());
    }
    println!("{:>10}  {:6.1} s", "all", start.elapsed().as_secs_f64());
    let failed = |state: &StepState| matches!(state, StepState::Ended { passed: false, .. });
    match plan.states.iter().position(failed) {
        Some(at) => Err(format!("step `{}` failed", STEPS[at].name).into()),
        None => Ok(()),
    }
}

/// Runs `cargo xtask step NAME`.
pub(crate) fn one(root: &Path, target: &Path, name: &str) -> Result {
    let step = STEPS.iter().find(|step| step.name == name).ok_or_else(|| unknown(name))?;
    let full = std::env::var_os(FULL).is_some();
    (step.run)(&StepContext { root: root.to_path_buf(), target: target.to_path_buf(), full })
}

enum StepState {
    Waits,
    Skipped,
    Runs,
    Ended { passed: bool, seconds: f64 },
}

impl StepState {
    fn of(step: &CiStep, skipped: &[&str]) -> StepState {
        if skipped.contains(&step.name) { StepState::Skipped } else { StepState::Waits }
    }

    fn told(&self) -> String {
        match self {
            StepState::Waits | StepState::Runs => "not run".to_owned(),
            StepState::Skipped => "skipped".to_owned(),
            StepState::Ended { passed, seconds } => {
                format!("{seconds:6.1} s{}", if *passed { "" } else { ", FAILED" })
            }
        }
    }

    fn seconds(&self) -> Option<f64> {
        match self {
            StepState::Ended { seconds, .. } => Some(*seconds),
            StepState::Waits | StepState::Skipped | StepState::Runs => None,
        }
    }
}

struct CiPlan {
    states: Vec<StepState>,
}

impl CiPlan {
    fn any(&self, is: impl Fn(&CiStep, &StepState) -> bool) -> bool {
        STEPS.iter().zip(&self.states).any(|(step, state)| is(step, state))
    }

    fn next(&self) -> Option<usize> {
        let pending = |name: &str| {
            self.any(|step, state| step.name == name && matches!(state, StepState::Waits | StepState::Runs))
        };
        let cargo = self.any(|step, state| {
            matches!(step.kind, CiStepKind::Cargo | CiStepKind::CargoAfter(_))
                && matches!(state, StepState::Runs)
        });
        STEPS.iter().zip(&self.states).position(|(step, state)| {
            let can = match step.kind {
                CiStepKind::Cargo => !cargo,
                CiStepKind::CargoAfter(other) => !cargo && !pending(other),
                CiStepKind::After(other) => !pending(other),
                CiStepKind::Alone => true,
            };
            can && matches!(state, StepState::Waits)
        })
    }

    /// Returns the steps, the longest first; steps that have not run come last.
    fn longest_first(&self) -> Vec<(&'static str, &StepState)> {
        let mut steps: Vec<_> = STEPS.iter().map(|step| step.name).zip(&self.states).collect();
        let seconds = |state: &StepState| state.seconds().unwrap_or(-1.0);
        steps.sort_by(|(_, one), (_, other)| seconds(other).total_cmp(&seconds(one)));
        steps
    }

    fn failed(&self) -> bool {
        self.any(|_, state| matches!(state, StepState::Ended { passed: false, .. }))
    }

    fn waits(&self) -> bool {
        self.any(|_, state| matches!(state, StepState::Waits))
    }
}

/// Runs steps until none is left or one has failed.
fn work(root: &Path, target: &Path, full: bool, plan: &Mutex<CiPlan>, changed: &Condvar) {
    let mut held = plan.lock().unwrap_or_else(PoisonError::into_inner);
    while !held.failed() && held.waits() {
        let Some(at) = held.next() else {
            held = changed.wait(held).unwrap_or_else(PoisonError::into_inner);
            continue;
        };
        held.states[at] = StepState::Runs;
        drop(held);
        let name = STEPS[at].name;
        println!("==> {name}");
        let start = Instant::now();
        let (passed, said) = spawn(root, target, full, &STEPS[at]);
        let seconds = start.elapsed().as_secs_f64();
        held = plan.lock().unwrap_or_else(PoisonError::into_inner);
        println!("<== {name}: {}, {seconds:.1} s\n{said}", if passed { "passed" } else { "FAILED" });
        held.states[at] = StepState::Ended { passed, seconds };
        changed.notify_all();
    }
}

/// Runs a step in a separate process. Returns `true` if it passed, and its output.
fn spawn(root: &Path, target: &Path, full: bool, step: &CiStep) -> (bool, String) {
    let said = target.join(format!("ci-{}.txt", step.name));
    let run = || -> Result<bool> {
        let file = std::fs::File::create(&said)?;
        let mut command = Command::new(std::env::current_exe()?);
        command.args(["step", step.name]).current_dir(root).stdout(file.try_clone()?).stderr(file);
        if matches!(step.kind, CiStepKind::After(_)) {
            command.env(process::BUILT, "1");
        }
        if full {
            command.env(FULL, "1");
        }
        Ok(command.status()?.success())
    };
    match run() {
        Ok(passed) => (passed, std::fs::read_to_string(&said).unwrap_or_default()),
        Err(error) => (false, error.to_string()),
    }
}

#[derive(Debug, Default, PartialEq, Eq)]
struct CiOptions<'a> {
    full: bool,
    skipped: Vec<&'a str>,
}

impl<'a> CiOptions<'a> {
    /// Parses the options. An unknown name of a step is an error, because it would silently skip nothing.
    fn of(mut given: &[&'a str]) -> Result<CiOptions<'a>> {
        let mut options = CiOptions::default();
        while let Some((&option, rest)) = given.split_first() {
            given = match (option, rest) {
                ("--full", rest) => {
                    options.full = true;
                    rest
                }
                ("--skip", [name, rest @ ..]) => {
                    let known = STEPS.iter().any(|step| step.name == *name);
                    options.skipped.push(if known { name } else { return Err(unknown(name).into()) });
                    rest
                }
                _ => return Err(format!("unknown `{option}`; there are `--full`, `--skip STEP`").into()),
            };
        }
        Ok(options)
    }
}

fn unknown(name: &str) -> String {
    let known: Vec<&str> = STEPS.iter().map(|step| step.name).collect();
    format!("unknown step `{name}`; there are {}", known.join(", "))
}

/// Returns a number derived from the commit, so that every commit checks other random cases and repeats its
/// own; 0 without a commit.
fn seed(root: &Path) -> String {
    let commit = output(Command::new("git").args(["rev-parse", "HEAD"]).current_dir(root));
    let number = commit.ok().and_then(|commit| u32::from_str_radix(commit.get(..8)?, 16).ok());
    number.unwrap_or(0).to_string()
}

/// Runs `cargo xtask test`: the test command of the README, so that the README stays correct.
pub(crate) fn tests(root: &Path) -> Result {
    run(&mut readme_tests(root)?)
}

fn readme_tests(root: &Path) -> Result<Command> {
    let readme = std::fs::read_to_string(root.join("README.md"));
    let readme = readme.map_err(|error| format!("cannot read README.md: {error}"))?;
    let command = test_command(&readme).ok_or("README.md has no line that begins with `cargo test`")?;
    println!("  {command}");
    let mut cargo = cargo(root, &[]);
    cargo.args(command.split_whitespace().skip(1));
    Ok(cargo)
}

/// Returns the first test command of the README, without its comment.
fn test_command(readme: &str) -> Option<&str> {
    let lines = readme.lines().map(|line| line.trim().trim_start_matches("$ "));
    let mut commands = lines.filter(|line| *line == "cargo test" || line.starts_with("cargo test "));
    commands.next().map(|line| line.split('#').next().unwrap_or(line).trim_end())
}

/// Builds the pages of all libraries, and of the programs that no library shares its name with.
fn docs(context: &StepContext) -> Result {
    // The program and the library have the same name, and so would their pages: only the library's are built.
    let mut command =
        cargo(&context.root, &["doc", "--workspace", "--no-deps", "--all-features", "--quiet", "--lib"]);
    // With examples, packages have the features that tests and lints give them; without, cargo would compile
    // all C code again. The Python package has its own pages.
    command.args(["--exclude", "bleuprint-cli", "--exclude", "bleuprint-python", "--examples"]);
    let packages = packages::read(&context.root)?;
    let libraries: Vec<&str> = packages.iter().flat_map(|package| package.targets("lib")).collect();
    let programs = packages.iter().flat_map(|package| package.targets("bin"));
    command.args(programs.filter(|name| !libraries.contains(name)).flat_map(|name| ["--bin", name]));
    run(command.env("RUSTDOCFLAGS", "-D warnings"))
}

fn examples(context: &StepContext) -> Result {
    process::build(&context.root)?;
    for package in packages::read(&context.root)? {
        for example in package.targets("example").filter(|_| package.name == "bleuprint-examples") {
            println!("  {example}");
            let program = context.target.join("debug/examples").join(example);
            // The output of examples is for readers; only their assertions matter here.
            output(Command::new(program).current_dir(&context.root))?;
        }
    }
    Ok(())
}

/// Packs the packages for the registry, so that a missing file or version is found here.
fn package(context: &StepContext) -> Result {
    let packages = packages::read(&context.root)?;
    let published = packages.iter().filter(|package| package.published());
    // A work tree with uncommitted changes packs those changes.
    let mut command = cargo(&context.root, &["package", "--quiet", "--no-verify", "--allow-dirty"]);
    run(command.args(published.flat_map(|package| ["--package", &package.name])))?;
    // Their lock files would name packages that are on the registry only after the first release.
    let arguments =
        ["package", "--workspace", "--quiet", "--no-verify", "--exclude-lockfile", "--allow-dirty"];
    packages::OUTSIDE.iter().try_for_each(|folder| {
        let mut command = cargo(&context.root.join(folder), &arguments);
        run(command.arg("--target-dir").arg(context.target.join("integrations")))
    })
}

/// Tests the package of plug-ins, which is outside of the workspace: its metrics, and its program on the
/// example data.
fn plugins(context: &StepContext) -> Result {
    let plugins = context.root.join("examples/plugins");
    run(&mut cargo(&plugins, &["fmt", "--check"]))?;
    // The other packages have the same settings there, and so are compiled once.
    run(cargo(&plugins, &["test", "--quiet", "--locked"]).arg("--target-dir").arg(&context.target))
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
        let skipped = |options: &[&'static str]| CiOptions::of(options).map(|options| options.skipped);
        assert_eq!(skipped(&["--skip", "tests", "--skip", "parity"]).unwrap(), ["tests", "parity"]);
        let unknown = skipped(&["--skip", "test"]).unwrap_err().to_string();
        assert!(unknown.contains("there are fmt, tidy, build"), "{unknown}");
        assert!(skipped(&["--skip"]).is_err() && skipped(&["tests"]).is_err());
    }

    #[test]
    fn full_stands_before_and_behind_what_is_skipped() {
        for options in [["--full", "--skip", "fmt"], ["--skip", "fmt", "--full"]] {
            assert_eq!(CiOptions::of(&options).unwrap(), CiOptions { full: true, skipped: vec!["fmt"] });
        }
        assert!(!CiOptions::of(&[]).unwrap().full);
    }

    #[test]
    fn the_summary_begins_with_the_longest_step() {
        let mut plan = CiPlan { states: STEPS.iter().map(|step| StepState::of(step, &["fmt"])).collect() };
        plan.states[1] = StepState::Ended { passed: true, seconds: 2.0 };
        plan.states[2] = StepState::Ended { passed: false, seconds: 30.0 };
        let steps = plan.longest_first();
        let told: Vec<String> =
            steps.iter().map(|(name, state)| format!("{name} {}", state.told())).collect();
        assert_eq!(told[..3], ["build   30.0 s, FAILED", "tidy    2.0 s", "fmt skipped"]);
        assert_eq!(steps.len(), STEPS.len());
    }

    #[test]
    fn what_needs_programs_waits_for_them_and_cargo_for_cargo() {
        let mut plan = CiPlan { states: STEPS.iter().map(|step| StepState::of(step, &["fmt"])).collect() };
        let name = |plan: &CiPlan| plan.next().map(|at| STEPS[at].name);
        let mut seen = Vec::new();
        while let Some(at) = plan.next() {
            seen.push(STEPS[at].name);
            plan.states[at] = StepState::Runs;
        }
        assert_eq!(seen, ["tidy", BUILD, PYTHON_PACKAGES, "workflows", "spelling", "package"]);
        let build = STEPS.iter().position(|step| step.name == BUILD).unwrap();
        plan.states[build] = StepState::Ended { passed: true, seconds: 1.0 };
        assert_eq!(name(&plan), Some(COMPILE));
        let venv = STEPS.iter().position(|step| step.name == PYTHON_PACKAGES).unwrap();
        plan.states[venv] = StepState::Ended { passed: true, seconds: 1.0 };
        assert_eq!(name(&plan), Some(COMPILE));
        plan.states[STEPS.iter().position(|step| step.name == COMPILE).unwrap()] =
            StepState::Ended { passed: true, seconds: 1.0 };
        assert_eq!(name(&plan), Some(WHEEL));
        plan.states[STEPS.iter().position(|step| step.name == WHEEL).unwrap()] = StepState::Runs;
        assert_eq!(name(&plan), Some("parity"));
    }
}
