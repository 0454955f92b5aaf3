//! Compares the program with other real programs (`parity`), and runs it on random inputs (`soak`); `cargo
//! xtask` starts both.
#![allow(clippy::print_stdout, reason = "a program of checks speaks to the terminal")]

mod parity;
mod pieces;
mod pool;
mod soak;

use std::process::ExitCode;

fn main() -> ExitCode {
    let root = xtask::root();
    let target = xtask::target(&root);
    xtask::main(|arguments| match arguments {
        ["parity", options @ ..] => parity::run(&root, &target, options),
        ["soak", options @ ..] => soak::run(&root, &target, options),
        _ => Err(format!("`{}` is neither `parity` nor `soak`", arguments.join(" ")).into()),
    })
}
