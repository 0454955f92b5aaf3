//! `cargo xtask semver`: what the public items of the packages lost or changed since a commit, by cargo-semver-checks. By hand: the
//! documentation of all packages is built twice.

use std::path::Path;
use std::process::Command;

use xtask::Result;
use xtask::process::{installed, output, run as spawn};

const VERSION: &str = "0.51.0";

/// Runs `cargo xtask semver [--since COMMIT] [PACKAGE]..`.
pub(crate) fn run(root: &Path, target: &Path, options: &[&str]) -> Result {
    let (since, packages) = match options {
        ["--since", commit, packages @ ..] => ((*commit).to_owned(), packages),
        packages => (last_release(root), packages),
    };
    if let Some(unknown) = packages.iter().find(|name| name.starts_with('-')) {
        return Err(format!("unknown option `{unknown}`; there are `--since COMMIT`, `PACKAGE`").into());
    }
    let mut checks = Command::new(installed(root, target, "cargo-semver-checks", VERSION)?);
    checks.args(["semver-checks", "--baseline-rev", &since]).current_dir(root);
    checks.args(if packages.is_empty() {
        &["--workspace", "--exclude", "bleuprint-testkit"][..]
    } else {
        &[]
    });
    for name in packages {
        checks.args(["--package", &format!("bleuprint-{name}")]);
    }
    println!("  since {since}");
    spawn(&mut checks)
}

/// The last tag of a version; without one the last commit.
fn last_release(root: &Path) -> String {
    let tag = ["describe", "--tags", "--match", "v[0-9]*", "--abbrev=0"];
    let tag = output(Command::new("git").args(tag).current_dir(root));
    tag.map_or_else(|_| "HEAD".to_owned(), |tag| tag.trim().to_owned())
}
