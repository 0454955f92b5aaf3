//! `cargo xtask ci`: everything that must hold before a change is taken, one step after the other.
//!
//! The same on a desk, in `.ci/run` and in a hosted workflow: they only call this. A step prints its time; the
//! first one that fails ends the run and is named.

use std::path::{Path, PathBuf};
use std::time::Instant;

use xtask::process;

use crate::tidy::packages;
use crate::{checks, data, python, report, tidy};

/// What a step works with.
struct Context {
    root: PathBuf,
    target: PathBuf,
}

/// A step: its name, and what it does.
type Step = (&'static str, fn(&Context) -> Result<(), String>);

const STEPS: &[Step] = &[
    ("fmt", |context| cargo(context, &["fmt", "--all", "--check"], &[])),
    ("clippy", |context| {
        let arguments = ["clippy", "--workspace", "--all-targets", "--all-features", "--quiet"];
        cargo(context, &[&arguments[..], &["--", "-D", "warnings"]].concat(), &[])
    }),
    ("tests", |context| tests(&context.root)),
    // The tokenizers behind features, which the tests above leave out because their libraries are large.
    ("features", |context| {
        cargo(context, &["test", "--quiet", "-p", "bleuprint-text", "--all-features"], &[])
    }),
    ("examples", examples),
    ("plugins", plugins),
    // Users build without the default features, and packages must hold all that they need.
    ("lean", |context| {
        cargo(context, &["check", "--quiet", "-p", "bleuprint", "--no-default-features"], &[])
    }),
    ("package", package),
    // The program and the library have one name, and so would their pages: the library's are the ones to read.
    ("docs", |context| {
        let arguments =
            ["doc", "--workspace", "--no-deps", "--all-features", "--quiet", "--exclude", "bleuprint-cli"];
        cargo(context, &arguments, &[("RUSTDOCFLAGS", "-D warnings")])
    }),
    ("tidy", |context| tidy::run(&context.root)),
    ("data", |context| data::run(&context.root, true)),
    ("report", |context| report::run(&context.root, &context.target, &[])),
    ("soak", |context| checks(&context.root, &["soak"])),
    ("python", |context| python::run(&context.root, &context.target, &[])),
    ("parity", |context| checks(&context.root, PARITY)),
];

/// Each run of CI asks a tenth of the random cases, so that it ends in minutes; `cargo xtask parity` asks them all.
const PARITY: &[&str] = &["parity", "--share", "10"];

/// Runs `cargo xtask ci [--skip STEP]..`.
pub(crate) fn run(root: &Path, target: &Path, options: &[&str]) -> Result<(), String> {
    let skipped = skipped(options)?;
    let context = Context { root: root.to_path_buf(), target: target.to_path_buf() };
    let start = Instant::now();
    for (name, step) in STEPS {
        if skipped.contains(name) {
            println!("==> {name}: skipped, as asked");
            continue;
        }
        println!("==> {name}");
        let start = Instant::now();
        step(&context).map_err(|error| format!("step `{name}` failed: {error}"))?;
        println!("    {name}: {:.1} s", start.elapsed().as_secs_f64());
    }
    println!("all steps passed in {:.1} s", start.elapsed().as_secs_f64());
    Ok(())
}

/// The steps that the options leave out; a name that is not known would silently leave out nothing.
fn skipped<'a>(options: &[&'a str]) -> Result<Vec<&'a str>, String> {
    let mut skipped = Vec::new();
    for pair in options.chunks(2) {
        match pair {
            ["--skip", name] if STEPS.iter().any(|(known, _)| known == name) => skipped.push(*name),
            ["--skip", name] => {
                let known: Vec<&str> = STEPS.iter().map(|(name, _)| *name).collect();
                return Err(format!("unknown step `{name}`; there are {}", known.join(", ")));
            }
            _ => return Err(format!("unknown option `{}`; there is `--skip STEP`", pair.join(" "))),
        }
    }
    Ok(skipped)
}

/// Runs `cargo xtask test`: the command that the README gives for the tests, so that it is the one that is kept true.
pub(crate) fn tests(root: &Path) -> Result<(), String> {
    let readme = std::fs::read_to_string(root.join("README.md"));
    let readme = readme.map_err(|error| format!("cannot read README.md: {error}"))?;
    let command = test_command(&readme).ok_or("README.md has no line that begins with `cargo test`")?;
    println!("  {command}");
    let arguments: Vec<&str> = command.split_whitespace().skip(1).collect();
    spawn(root, &arguments, &[])
}

/// The first command of the README that runs tests, without its comment.
fn test_command(readme: &str) -> Option<&str> {
    let lines = readme.lines().map(|line| line.trim().trim_start_matches("$ "));
    let mut commands = lines.filter(|line| *line == "cargo test" || line.starts_with("cargo test "));
    commands.next().map(|line| line.split('#').next().unwrap_or(line).trim_end())
}

/// Runs every example: they assert what they show.
fn examples(context: &Context) -> Result<(), String> {
    for package in packages::read(&context.root)? {
        for example in package.examples().filter(|_| package.name == "bleuprint-examples") {
            println!("  {example}");
            let arguments = ["run", "--quiet", "--package", &package.name, "--example", example];
            // Their output is for readers; here only their assertions count.
            quiet(context, &arguments)?;
        }
    }
    Ok(())
}

/// Packs what goes to the registry, so that a file or a version that is missing there is missed here.
fn package(context: &Context) -> Result<(), String> {
    let packages = packages::read(&context.root)?;
    let published = packages.iter().filter(|package| package.published());
    let named: Vec<&str> = published.flat_map(|package| ["--package", &package.name]).collect();
    // In a work tree with changes that are not committed it packs those.
    let arguments = ["package", "--quiet", "--no-verify", "--allow-dirty"];
    cargo(context, &[&arguments[..], &named].concat(), &[])
}

/// Tests the package of plug-ins, which stands outside the workspace, and runs its program on the example data.
fn plugins(context: &Context) -> Result<(), String> {
    let package = context.root.join("examples/plugins");
    let manifest = package.join("Cargo.toml").display().to_string();
    let target = context.target.display().to_string();
    let with =
        |command: &'static str| [command, "--quiet", "--manifest-path", &manifest, "--target-dir", &target];
    quiet(context, &["fmt", "--check", "--manifest-path", &manifest])?;
    cargo(context, &with("test"), &[])?;
    let data = context.root.join("examples/data");
    let (reference, system) = (data.join("en.ref1.txt"), data.join("en.sys-a.txt"));
    let files = [reference.display().to_string(), system.display().to_string()];
    let score = ["--", "score", &files[0], "-i", &files[1], "-f", "text", "-m", "bleu"];
    let plugins = ["length_ratio", "numbers:min-digits=2", "vocabulary"];
    cargo(context, &[&with("run")[..], &score, &plugins].concat(), &[])
}

fn cargo(context: &Context, arguments: &[&str], environment: &[(&str, &str)]) -> Result<(), String> {
    spawn(&context.root, arguments, environment)
}

fn spawn(root: &Path, arguments: &[&str], environment: &[(&str, &str)]) -> Result<(), String> {
    process::run(process::cargo(root, arguments).envs(environment.iter().copied()))
}

fn quiet(context: &Context, arguments: &[&str]) -> Result<(), String> {
    process::output(&mut process::cargo(&context.root, arguments)).map(drop)
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
        assert_eq!(skipped(&["--skip", "tests", "--skip", "parity"]), Ok(vec!["tests", "parity"]));
        assert!(
            skipped(&["--skip", "test"]).is_err_and(|error| error.contains("there are fmt, clippy, tests"))
        );
        assert!(skipped(&["--skip"]).is_err() && skipped(&["tests"]).is_err());
    }
}
