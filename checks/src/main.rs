//! Comparisons of the program with the real programs (`parity`) and against random inputs (`soak`); `cargo xtask` starts them.
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
