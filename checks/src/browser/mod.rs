//! `cargo xtask report`: the page of `bleuprint report` in a real browser. Its numbers are Rust's, hostile texts stay texts,
//! the keyboard works, and an accessibility checker finds nothing.
//!
//! It needs Chromium and its driver (on Debian, `apt-get install chromium chromium-driver`; the chore tries that where it may)
//! and, for the checker, npm. Where they cannot be had it says so and checks nothing.

mod access;
mod corpora;
mod directions;
mod driver;
mod hostile;
mod keyboard;
mod numbers;
mod print;
mod scatter;
mod shots;
mod tables;
mod timing;
mod variants;
mod words;

use std::path::{Path, PathBuf};
use std::process::Command;

use xtask::process;

use self::driver::Browser;

/// What the checks work with.
struct Checks {
    /// A folder for pages.
    folder: PathBuf,
    program: PathBuf,
}

/// One check: its name, and what it does.
type Check = (&'static str, fn(&Checks, &mut Browser) -> Result<(), String>);

const CHECKS: &[Check] = &[
    ("numbers equal the library's", numbers::run),
    ("tables, parts, intervals", tables::run),
    ("hostile texts stay texts", hostile::run),
    ("pages of every kind", variants::run),
    ("words, n-grams, many systems", words::run),
    ("keyboard, filters, address", keyboard::run),
    ("a box in the scatter", scatter::run),
    ("right-to-left and unspaced texts", directions::run),
    ("print", print::run),
    ("accessibility", access::run),
];

/// Runs the chore, or says why it cannot.
pub(crate) fn run(root: &Path, target: &Path, options: &[&str]) -> Result<(), String> {
    let folder = target.join("report");
    std::fs::create_dir_all(&folder).map_err(|error| format!("cannot make {}: {error}", folder.display()))?;
    if !driver::installed() && !install() {
        println!("  skipped: Chromium and its driver are not here, and cannot be installed");
        return Ok(());
    }
    process::build_program(root)?;
    let checks = Checks { folder, program: target.join("debug").join("bleuprint") };
    let mut browser = Browser::start(&checks.folder)?;
    if let ["--shots", page, place] = options {
        return shots::run(&mut browser, page, place);
    }
    if let ["--timing", pages @ ..] = options {
        return timing::run(&mut browser, pages);
    }
    if !options.is_empty() {
        let known = "`--shots PAGE FOLDER`, `--timing PAGE..`";
        return Err(format!("unknown option `{}`; there are {known}", options.join(" ")));
    }
    for (name, check) in CHECKS {
        check(&checks, &mut browser).map_err(|error| format!("{name}: {error}"))?;
        println!("  {name}");
    }
    Ok(())
}

/// Installs the browser where the packages of Debian can be had without asking anybody.
fn install() -> bool {
    let quiet = |arguments: &[&str]| {
        let mut command = Command::new("apt-get");
        command.args(arguments).env("DEBIAN_FRONTEND", "noninteractive");
        command.output().is_ok_and(|output| output.status.success())
    };
    println!("  installing Chromium and its driver");
    quiet(&["update"]);
    quiet(&["install", "-y", "--no-install-recommends", "chromium", "chromium-driver"]) && driver::installed()
}

impl Checks {
    /// Writes files and makes a page of them; gives its address. Arguments that begin with `@` are files of the folder.
    fn page(&self, name: &str, files: &[(&str, String)], arguments: &[&str]) -> Result<String, String> {
        for (file, text) in files {
            std::fs::write(self.folder.join(file), text).map_err(|error| format!("{file}: {error}"))?;
        }
        let mut command = Command::new(&self.program);
        let place = format!("{name}.html");
        command.current_dir(&self.folder).arg("report").args(arguments).args([
            "-q",
            "--overwrite",
            "-o",
            &place,
        ]);
        output(&mut command)?;
        Ok(format!("file://{}", self.folder.join(place).display()))
    }

    /// What the program prints.
    fn program(&self, arguments: &[&str]) -> Result<String, String> {
        output(Command::new(&self.program).current_dir(&self.folder).args(arguments))
    }
}

fn output(command: &mut Command) -> Result<String, String> {
    process::output(command.env_remove("SACREBLEU_FORMAT").env_remove("SACREBLEU_SEED"))
}

/// An error unless the condition holds.
fn require(holds: bool, message: impl FnOnce() -> String) -> Result<(), String> {
    if holds { Ok(()) } else { Err(message()) }
}
