//! What the program says against the real programs (`parity`), against random inputs (`soak`), and in a browser (`report`).
//! `cargo xtask` starts them.
#![allow(clippy::print_stdout, reason = "a program of checks speaks to the terminal")]

mod browser;
mod parity;
mod soak;

use std::process::ExitCode;

fn main() -> ExitCode {
    let root = xtask::root();
    let target = xtask::target(&root);
    xtask::main(|arguments| match arguments {
        ["parity", options @ ..] => parity::run(&root, &target, options),
        ["report", options @ ..] => browser::run(&root, &target, options),
        ["soak", options @ ..] => soak::run(&root, &target, options),
        _ => Err(format!("`{}` is none of `parity`, `report` and `soak`", arguments.join(" "))),
    })
}
