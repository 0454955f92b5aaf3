//! `cargo xtask semver`: what the public items of the packages lost or changed since a commit, by cargo-semver-checks. The
//! documentation of all packages is built twice; a package that the commit has not is an error.

use std::path::Path;
use std::process::Command;

use xtask::Result;
use xtask::process::{installed, output, run as spawn};

const VERSION: &str = "0.51.0";

/// Runs `cargo xtask semver [--since COMMIT] [PACKAGE]..`.
pub(crate) fn run(root: &Path, target: &Path, options: &[&str]) -> Result {
    let (since, packages) = match options {
        ["--since", commit, packages @ ..] => (Some((*commit).to_owned()), packages),
        packages => (last_release(root), packages),
    };
    if let Some(unknown) = packages.iter().find(|name| name.starts_with('-')) {
        return Err(format!("unknown option `{unknown}`; there are `--since COMMIT`, `PACKAGE`").into());
    }
    let Some(since) = since else {
        println!("  no version has a tag: nothing can be broken; --since COMMIT compares with a commit");
        return Ok(());
    };
    let mut checks = Command::new(installed(root, target, "cargo-semver-checks", VERSION)?);
    checks.args(["semver-checks", "--baseline-rev", &since]).current_dir(root);
    if packages.is_empty() {
        // It skips packages that are not published.
        checks.arg("--workspace");
    }
    for &name in packages {
        let prefix = if name == "bleuprint" { "" } else { "bleuprint-" };
        checks.args(["--package", &format!("{prefix}{name}")]);
    }
    println!("  since {since}");
    spawn(&mut checks)
}

/// The last tag of a version.
fn last_release(root: &Path) -> Option<String> {
    let tag = ["describe", "--tags", "--match", "v[0-9]*", "--abbrev=0"];
    let tag = output(Command::new("git").args(tag).current_dir(root)).ok()?;
    Some(tag.trim().to_owned())
}
