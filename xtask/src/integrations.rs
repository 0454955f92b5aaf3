//! `cargo xtask integrations`: compiles everything outside of the workspace: engines, trainers, the page and
//! the examples of plug-ins. It runs the tests of the trainers.
//!
//! Also `cargo xtask lock`, which refreshes all lock files.

use std::path::Path;
use std::time::Instant;

use xtask::Result;
use xtask::process::{cargo, run as spawn};

use crate::deny::LOCKED;

/// Folders that other steps compile: the workspace.
const APART: [&str; 1] = [""];

/// Folders that take minutes to compile: the nightly workflow checks them.
const SLOW: [&str; 2] = ["integrations", "integrations/burn"];

/// The folder that the step `plugins` of `cargo xtask ci` compiles and tests.
const PLUGINS: &str = "examples/plugins";

/// The folder whose tests run too: loops of burn and candle that stop and resume.
const TRAINERS: &str = "integrations/burn";

/// The set of folders that are compiled.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum IntegrationSet {
    All,
    /// All folders except the slow ones and [`PLUGINS`]: a step of `cargo xtask ci`.
    Quick,
}

/// Runs `cargo xtask integrations [--quick]`.
pub(crate) fn run(root: &Path, target: &Path, options: &[&str]) -> Result {
    match options {
        [] => check(root, target, IntegrationSet::All),
        ["--quick"] => check(root, target, IntegrationSet::Quick),
        _ => Err(format!("unknown option `{}`; there is `--quick`", options.join(" ")).into()),
    }
}

/// Compiles libraries, programs, examples and tests of the folders, in one shared target folder, and runs the
/// tests of the trainers.
pub(crate) fn check(root: &Path, target: &Path, set: IntegrationSet) -> Result {
    for folder in folders(set) {
        let start = Instant::now();
        // The tests of a folder compile what `check` compiles, so one of the two is enough.
        let work: &[&str] = if folder == TRAINERS { &["test"] } else { &["check", "--all-targets"] };
        let mut command = cargo(&root.join(folder), work);
        command.args(["--quiet", "--locked", "--workspace"]);
        // `check` links nothing, so libFuzzer, which is in C++, is not compiled for the targets of `fuzz`.
        command.env("CUSTOM_LIBFUZZER_PATH", "none/libfuzzer.a");
        spawn(command.arg("--target-dir").arg(target.join("integrations")))
            .map_err(|error| format!("{folder}: {error}; if the lock file is old, run `cargo xtask lock`"))?;
        println!("  {folder}: {:.0} s", start.elapsed().as_secs_f64());
    }
    Ok(())
}

fn folders(set: IntegrationSet) -> impl Iterator<Item = &'static str> {
    let outside = LOCKED.iter().copied().filter(|folder| !APART.contains(folder));
    outside.filter(move |folder| set == IntegrationSet::All || *folder != PLUGINS && !SLOW.contains(folder))
}

/// Runs `cargo xtask lock [--newest]`: makes every lock file agree with its manifests again. Versions of
/// other packages stay the same unless `--newest` is given.
pub(crate) fn lock(root: &Path, options: &[&str]) -> Result {
    let which: &[&str] = match options {
        [] => &["--workspace"],
        ["--newest"] => &[],
        _ => return Err(format!("unknown option `{}`; there is `--newest`", options.join(" ")).into()),
    };
    for folder in LOCKED {
        println!("  {}", if folder.is_empty() { "the workspace" } else { folder });
        spawn(cargo(&root.join(folder), &["update", "--quiet"]).args(which))?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_lock_file_outside_is_checked() {
        let all: Vec<_> = folders(IntegrationSet::All).collect();
        assert_eq!(all.len() + APART.len(), LOCKED.len());
        let quick: Vec<_> = folders(IntegrationSet::Quick).collect();
        assert!(all.contains(&PLUGINS));
        assert_eq!(quick.len() + SLOW.len() + 1, all.len());
        assert!(quick.contains(&"integrations/web") && quick.contains(&"fuzz"));
    }

    #[test]
    fn unknown_options_are_errors() {
        let root = Path::new("nowhere");
        assert!(run(root, root, &["--fast"]).unwrap_err().to_string().contains("--quick"));
        assert!(lock(root, &["--all"]).unwrap_err().to_string().contains("--newest"));
    }
}
