//! `cargo xtask semver`: reports the public items that the packages lost or changed since a commit, by
//! cargo-semver-checks.
//!
//! The task builds the JSON documentation of both commits for all packages at once. cargo-semver-checks alone
//! would compile the dependencies of each package again.

use std::fs;
use std::path::Path;
use std::process::Command;

use xtask::Result;
use xtask::process::{cargo, installed, output, run as spawn};

use crate::tidy::packages;

const VERSION: &str = "0.51.0";

/// Flags for JSON, which a stable rustdoc writes under `RUSTC_BOOTSTRAP`. cargo-semver-checks needs private
/// and hidden items, too.
const JSON: &str = "-Z unstable-options --output-format=json --document-private-items --document-hidden-items \
    --cap-lints=allow";

/// Runs `cargo xtask semver [--since COMMIT] [PACKAGE]..`: compares the last commit with the given commit, or
/// with the last tag of a version.
pub(crate) fn run(root: &Path, target: &Path, options: &[&str]) -> Result {
    let (since, asked) = match options {
        ["--since", commit, asked @ ..] => (Some((*commit).to_owned()), asked),
        asked => (last_release(root)?, asked),
    };
    if let Some(unknown) = asked.iter().find(|name| name.starts_with('-')) {
        return Err(format!("unknown option `{unknown}`; there are `--since COMMIT`, `PACKAGE`").into());
    }
    let Some(since) = since else {
        println!("  no version has a tag: nothing can be broken; --since COMMIT compares with a commit");
        return Ok(());
    };
    let checks = installed(root, target, "cargo-semver-checks", VERSION)?;
    let below = target.join("semver");
    let old = document(root, &below, "old", &since, asked)?;
    let new = document(root, &below, "new", "HEAD", asked)?;
    if new.len() < asked.len() {
        return Err(format!("not all of {} are published packages", asked.join(", ")).into());
    }
    println!("  since {since}");
    let mut changed: Vec<&str> = old.iter().filter(|name| !new.contains(name)).map(String::as_str).collect();
    for name in &new {
        if !old.contains(name) {
            println!("  {name} is new");
            continue;
        }
        println!("  {name}");
        let file = |side: &str| below.join(side).join(format!("{name}.json"));
        let mut check = Command::new(&checks);
        check.args(["semver-checks", "--baseline-rustdoc"]).arg(file("old"));
        if spawn(check.arg("--current-rustdoc").arg(file("new")).current_dir(root)).is_err() {
            changed.push(name);
        }
    }
    if changed.is_empty() {
        Ok(())
    } else {
        Err(format!("interfaces changed or gone: {}", changed.join(", ")).into())
    }
}

/// Writes the documentation of the packages of a commit as JSON, and returns the names of their libraries.
/// Both commits use the same folder in turn, so that their common parts are compiled once.
fn document(root: &Path, below: &Path, side: &str, commit: &str, asked: &[&str]) -> Result<Vec<String>> {
    let tree = below.join("tree");
    if !tree.exists() {
        spawn(
            Command::new("git").args(["clone", "--quiet", "--shared", "--no-checkout"]).arg(root).arg(&tree),
        )?;
    }
    let commit = output(Command::new("git").args(["rev-parse", commit]).current_dir(root))?;
    let checkout = ["checkout", "--quiet", "--force", "--detach", commit.trim()];
    spawn(Command::new("git").args(checkout).current_dir(&tree))?;
    let packages = packages::read(&tree)?;
    let wanted = |name: &str| asked.is_empty() || asked.contains(&name.trim_start_matches("bleuprint-"));
    let mut command = cargo(&tree, &["doc", "--quiet", "--no-deps", "--lib", "--all-features"]);
    let mut libraries = Vec::new();
    for package in packages.iter().filter(|package| package.published() && wanted(&package.name)) {
        for library in package.targets("lib") {
            command.args(["--package", &package.name]);
            libraries.push(library.to_owned());
        }
    }
    // Without a name cargo takes all packages.
    if libraries.is_empty() {
        return Ok(libraries);
    }
    let built = below.join("target");
    command.env("RUSTC_BOOTSTRAP", "1").env("RUSTDOCFLAGS", JSON).env("CARGO_TARGET_DIR", &built);
    spawn(&mut command)?;
    let kept = below.join(side);
    fs::create_dir_all(&kept)?;
    for library in &libraries {
        let file = format!("{library}.json");
        fs::copy(built.join("doc").join(&file), kept.join(&file))?;
    }
    Ok(libraries)
}

/// Returns the last tag of a version.
fn last_release(root: &Path) -> Result<Option<String>> {
    let tags = ["tag", "--list", "v[0-9]*", "--merged", "HEAD", "--sort", "creatordate"];
    let tags = output(Command::new("git").args(tags).current_dir(root))?;
    Ok(tags.lines().last().map(str::to_owned))
}
