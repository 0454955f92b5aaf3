//! `cargo xtask step recorded`: runs the tests against recorded data of other programs, which is next to the
//! checkout.
//!
//! A public clone does not have the data, so these tests are ignored by name; with the data, all of them run.
//! The Python tests are in `python/tests/test_recorded.py`, which the step `python` runs if the data is
//! there.

use std::path::Path;
use std::process::Command;

use xtask::Result;
use xtask::process::{cargo, output};

/// The attribute of such a test. The name of the test or of its module is `recorded`.
const MARK: &str = "#[ignore = \"needs the data beside the checkout\"]";

pub(crate) fn run(root: &Path) -> Result {
    if !root.join("../shared/spec").is_dir() {
        println!("  skipped: no data");
        return Ok(());
    }
    // Features and programs are the same as in the step `tests`, so that nothing is built again.
    let arguments =
        ["test", "--workspace", "--all-features", "--tests", "--no-fail-fast", "--", "--ignored", "recorded"];
    let said = output(&mut cargo(root, &arguments))?;
    let ran = passed(&said);
    let marked = marked(root)?;
    println!("  {ran} tests");
    if ran == marked { Ok(()) } else { Err(format!("{marked} tests are marked, but {ran} ran").into()) }
}

fn passed(said: &str) -> usize {
    let counts = said.lines().filter_map(|line| line.strip_prefix("test result: ok. "));
    counts.filter_map(|counts| counts.split(' ').next()?.parse::<usize>().ok()).sum()
}

fn marked(root: &Path) -> Result<usize> {
    let arguments = ["grep", "-h", "--fixed-strings", MARK, "--", "crates"];
    Ok(output(Command::new("git").args(arguments).current_dir(root))?.lines().count())
}

#[cfg(test)]
mod tests {
    #[test]
    fn passed_tests_of_all_programs_are_counted() {
        let said =
            "running 2 tests\ntest result: ok. 2 passed; 0 failed\n\ntest result: ok. 11 passed; 0 failed\n";
        assert_eq!(super::passed(said), 13);
    }
}
