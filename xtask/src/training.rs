//! `cargo xtask training`: runs the metrics in burn's training loop and in a validation loop of candle, with
//! the real libraries. It is run by hand: the package has a separate lock file, and burn takes minutes.

use std::path::Path;

use xtask::Result;
use xtask::process::{cargo, run as spawn};

/// Runs `cargo xtask training`.
pub(crate) fn run(root: &Path, target: &Path) -> Result {
    let commands: [&[&str]; 4] = [
        &["test"],
        &["clippy", "--all-targets"],
        &["run", "--example", "train"],
        &["run", "--example", "candle"],
    ];
    for command in commands {
        println!("  cargo {}", command.join(" "));
        let mut cargo = cargo(&root.join("integrations/burn"), command);
        cargo.args(["--quiet", "--locked"]).env("CARGO_TARGET_DIR", target.join("training"));
        if command[0] == "clippy" {
            cargo.args(["--", "-D", "warnings"]);
        }
        spawn(&mut cargo)?;
    }
    Ok(())
}
