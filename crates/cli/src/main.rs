//! `bleuprint`, the program: all of it is in the library, so that a program with more metrics is as short as this.

fn main() -> std::process::ExitCode {
    bleuprint_cli::main(bleuprint::registry())
}
