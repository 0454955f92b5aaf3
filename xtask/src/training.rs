//! `cargo xtask training`: the metrics in burn's training loop and in a validation loop of candle, beside the real libraries. By
//! hand: each is a package with its own lock file, and burn takes minutes.

use std::path::Path;

use xtask::Result;
use xtask::process::{cargo, run as spawn};

/// Runs `cargo xtask training`.
pub(crate) fn run(root: &Path, target: &Path) -> Result {
    let (burn, candle): (&[&[&str]], &[&[&str]]) = (
        &[&["test"], &["clippy", "--all-targets"], &["run", "--example", "train"]],
        &[&["clippy"], &["run"]],
    );
    for (name, commands) in [("burn", burn), ("candle", candle)] {
        for command in commands {
            println!("  {name}: cargo {}", command.join(" "));
            let mut cargo = cargo(&root.join("integrations").join(name), command);
            cargo.args(["--quiet", "--locked"]).env("CARGO_TARGET_DIR", target.join("training"));
            if command[0] == "clippy" {
                cargo.args(["--", "-D", "warnings"]);
            }
            spawn(&mut cargo)?;
        }
    }
    Ok(())
}
