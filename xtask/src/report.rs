//! `cargo xtask report`: checks the pages of `bleuprint report` and `bleuprint track` in a real browser, by
//! the scripts in `checks/browser`. The numbers must be the program's, hostile texts must stay texts, the
//! keyboard must work, and an accessibility checker must find nothing.
//!
//! The task needs Chromium and tries to install it (on Debian, `apt-get install chromium`). Without Chromium
//! it prints a message and checks nothing.

use std::path::{Path, PathBuf};
use std::process::Command;

use xtask::process::{self, program};
use xtask::{Result, venv};

const REQUIREMENTS: &str = include_str!("../../checks/browser/requirements.txt");

const CHECKS: &str = "checks/browser";

const BROWSERS: [&str; 3] = ["chromium", "chromium-browser", "google-chrome"];

/// Runs `cargo xtask report [--shots PAGE FOLDER] [--timing PAGE..]`.
pub(crate) fn run(root: &Path, target: &Path, options: &[&str]) -> Result {
    if !matches!(options, [] | ["--shots", _, _] | ["--timing", _, ..]) {
        let known = "`--shots PAGE FOLDER`, `--timing PAGE..`";
        return Err(format!("unknown option `{}`; there are {known}", options.join(" ")).into());
    }
    let Some(mut command) = interpreter(root, target)? else { return Ok(()) };
    if options.is_empty() {
        pytest(root, target, &mut command, &[])
    } else {
        process::run(command.arg(root.join(CHECKS).join("look.py")).args(options))
    }
}

pub(crate) fn check_page(root: &Path, target: &Path, file: &str, variable: &str, page: &Path) -> Result {
    let Some(mut command) = interpreter(root, target)? else { return Ok(()) };
    pytest(root, target, command.env(variable, page), &[file])
}

/// Returns the interpreter that drives a browser; prints a message and returns `None` if there is no browser.
fn interpreter(root: &Path, target: &Path) -> Result<Option<Command>> {
    let Some(browser) = browser().or_else(install) else {
        println!("  skipped: Chromium is not here, and cannot be installed");
        return Ok(None);
    };
    let python = venv::environment(target, "report", REQUIREMENTS, &[], None)?;
    let mut command = Command::new(python);
    command.env("CHROMIUM", browser).env("PYTHONDONTWRITEBYTECODE", "1").current_dir(root.join(CHECKS));
    Ok(Some(command))
}

fn pytest(root: &Path, target: &Path, command: &mut Command, files: &[&str]) -> Result {
    command.env("BLEUPRINT", program(root, target, "bleuprint")?);
    process::run(command.args(["-m", "pytest", "-q", "-p", "no:cacheprovider"]).args(files))
}

fn browser() -> Option<PathBuf> {
    let folders = std::env::var_os("PATH").unwrap_or_default();
    let places = std::env::split_paths(&folders).flat_map(|folder| BROWSERS.map(|name| folder.join(name)));
    places.into_iter().find(|place| place.is_file())
}

/// Installs the browser if packages of Debian can be installed without asking the user.
fn install() -> Option<PathBuf> {
    println!("  installing Chromium");
    let apt = |arguments: &[&str]| {
        let mut command = Command::new("apt-get");
        process::output(command.args(arguments).env("DEBIAN_FRONTEND", "noninteractive")).is_ok()
    };
    apt(&["update"]);
    apt(&["install", "-y", "--no-install-recommends", "chromium"]).then(browser).flatten()
}
